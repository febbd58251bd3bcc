// The C functions of the enumerations and the error domain. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_phase_get_type() -> GType { Enumerations.phase }

@c @implementation
public func remote_image_load_options_get_type() -> GType { Enumerations.loadOptions }

@c @implementation
public func remote_image_preview_options_get_type() -> GType { Enumerations.previewOptions }

@c @implementation
public func remote_image_content_fit_get_type() -> GType { Enumerations.contentFit }

@c @implementation
public func remote_image_cache_policy_get_type() -> GType { Enumerations.cachePolicy }

@c @implementation
public func remote_image_isolation_get_type() -> GType { Enumerations.isolation }

@c @implementation
public func remote_image_server_crop_get_type() -> GType { Enumerations.serverCrop }

@c @implementation
public func remote_image_priority_get_type() -> GType { Enumerations.priority }

@c @implementation
public func remote_image_error_get_type() -> GType { Enumerations.error }

@c @implementation
public func remote_image_error_quark() -> GQuark { ImageErrorDomain.quark }

@c @implementation
public func remote_image_error_get_status(_ error: UnsafePointer<GError>?) -> Int32 {
    if let error { return ImageErrorDomain.status(of: error) }
    shim_critical("remote_image_error_get_status: error is NULL")
    return 0
}
