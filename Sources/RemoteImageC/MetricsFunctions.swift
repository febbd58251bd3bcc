// The C functions of metrics. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_origin_get_type() -> GType { Enumerations.origin }

@c @implementation
public func remote_image_metrics_get_type() -> GType { MetricsObject.type }

@c @implementation
public func remote_image_metrics_get_origin(_ self: OpaquePointer?) -> RemoteImageOrigin {
    RemoteImageOrigin(rawValue: UInt32(MetricsObject.with(self, default: 0) { $0.info?.origin.number ?? 0 }))
}

@c @implementation
public func remote_image_metrics_get_uri(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    MetricsObject.string(self, "uri") { $0.info?.address?.string }
}

@c @implementation
public func remote_image_metrics_get_status(_ self: OpaquePointer?) -> Int32 {
    MetricsObject.with(self, default: 0) { Int32(clamping: $0.info?.status ?? 0) }
}

@c @implementation
public func remote_image_metrics_get_byte_count(_ self: OpaquePointer?) -> gint64 {
    MetricsObject.with(self, default: 0) { gint64($0.info?.byteCount ?? 0) }
}

@c @implementation
public func remote_image_metrics_get_decoder(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    MetricsObject.string(self, "decoder") { $0.info?.decoder }
}

@c @implementation
public func remote_image_metrics_is_isolated(_ self: OpaquePointer?) -> gboolean {
    MetricsObject.with(self, default: 0) { $0.info?.isIsolated == true ? 1 : 0 }
}

@c @implementation
public func remote_image_metrics_get_decoded_width(_ self: OpaquePointer?) -> Int32 {
    MetricsObject.with(self, default: 0) { Int32(clamping: $0.info?.decodedSize.width ?? 0) }
}

@c @implementation
public func remote_image_metrics_get_decoded_height(_ self: OpaquePointer?) -> Int32 {
    MetricsObject.with(self, default: 0) { Int32(clamping: $0.info?.decodedSize.height ?? 0) }
}

@c @implementation
public func remote_image_metrics_get_frame_count(_ self: OpaquePointer?) -> Int32 {
    MetricsObject.with(self, default: 0) { Int32(clamping: $0.info?.frameCount ?? 0) }
}

@c @implementation
public func remote_image_metrics_is_truncated(_ self: OpaquePointer?) -> gboolean {
    MetricsObject.with(self, default: 0) { $0.info?.isTruncated == true ? 1 : 0 }
}

@c @implementation
public func remote_image_metrics_get_queue_time(_ self: OpaquePointer?) -> Double {
    MetricsObject.with(self, default: -1) { $0.queueTime }
}

@c @implementation
public func remote_image_metrics_get_transfer_time(_ self: OpaquePointer?) -> Double {
    MetricsObject.with(self, default: -1) { $0.transferTime }
}

@c @implementation
public func remote_image_metrics_get_decode_time(_ self: OpaquePointer?) -> Double {
    MetricsObject.with(self, default: -1) { $0.decodeTime }
}

@c @implementation
public func remote_image_view_get_metrics(_ self: OpaquePointer?) -> OpaquePointer? {
    View.with(self, default: nil) { $0.metrics.map { OpaquePointer($0) } }
}

@c @implementation
public func remote_image_paintable_get_metrics(_ self: OpaquePointer?) -> OpaquePointer? {
    PaintableObject.with(self, default: nil) { $0.metrics.map { OpaquePointer($0) } }
}
