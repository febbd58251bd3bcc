// `RemoteImageMetrics`: where an image came from, and how long the steps of its load took.

import CRemoteImageGtk
import RemoteImageGtk

/// The state of a `RemoteImageMetrics`.
@MainActor
final class MetricsObject: ObjectState {
    /// The metadata of the image or of a failed load; `nil` in an object that the program created
    /// itself.
    private(set) var info: ImageInfo?

    init(_ object: UnsafeMutablePointer<GObject>) {}

    /// The metrics of a load. The caller releases them.
    static func make(_ info: ImageInfo?) -> UnsafeMutableRawPointer? {
        guard let info, let object = shim_object_new(type) else { return nil }
        of(object).info = info
        return object
    }

    // MARK: Times, in seconds; -1 if they are unknown

    var queueTime: Double { seconds { $0.queued } }

    var transferTime: Double { seconds { $0.transferred - $0.queued } }

    var decodeTime: Double { seconds { $0.decoded - $0.transferred } }

    private func seconds(_ time: (LoadTimings) -> Duration) -> Double {
        info?.timings.map { time($0) / .seconds(1) } ?? -1
    }
}

extension ImageObject {
    /// The metrics of the loaded image or of the failed load; `nil` without either. The caller
    /// releases them.
    var metrics: UnsafeMutableRawPointer? {
        MetricsObject.make(shown.phase.image?.info ?? shown.phase.error?.info)
    }
}

extension MetricsObject {
    nonisolated static let typeName: StaticString = "RemoteImageMetrics"

    nonisolated static let type: GType = register()
}
