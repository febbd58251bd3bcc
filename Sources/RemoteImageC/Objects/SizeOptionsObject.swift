// `RemoteImageSizeOptions`: what the sources of image services have in common.

import CRemoteImageGtk
import RemoteImageGtk

/// The property values of a `RemoteImageSizeOptions`.
struct SizeOptions: Equatable {
    /// A value of `RemoteImageServerCrop`.
    var cropNumber: Int32 = 0
    /// Width divided by height; 0 if it is unknown.
    var ratio = 0.0
    /// The longer side of the largest size in pixels; 0 for the default of the service.
    var largestSide: Int32 = 0
    var dpr: Int32 = 1
    var format: String?
    var quality: String?
    var filters: [String] = []
    var plainAddress = false

    var aspectRatio: Double? { ratio > 0 ? ratio : nil }

    var crop: ServerCrop {
        switch cropNumber {
        case 1: .center(aspectRatio: aspectRatio ?? 1)
        case 2: .smart(aspectRatio: aspectRatio ?? 1)
        default: .none
        }
    }

    /// - Parameter standard: The default of the service.
    func largest(or standard: Int = 3_693) -> Int { largestSide > 0 ? Int(largestSide) : standard }
}

/// The state of a `RemoteImageSizeOptions`.
@MainActor
final class SizeOptionsObject: ObjectState {
    var properties = SizeOptions()

    init(_ object: UnsafeMutablePointer<GObject>) {}
}

extension SizeOptionsObject {
    nonisolated static let table = PropertyTable<SizeOptionsObject>(
        SizeOptions(),
        [
            .writable("crop", .enumeration(Enumerations.serverCrop), \.cropNumber),
            .writable("aspect-ratio", .double(0...1_000), \.ratio),
            .writable("largest", .integer(0...65_535), \.largestSide),
            .writable("dpr", .integer(1...100), \.dpr),
            .writable("format", .string, \.format),
            .writable("quality", .string, \.quality),
            .writable("filters", .strings, \.filters),
            .writable("plain-address", .boolean, \.plainAddress),
        ])

    nonisolated static let typeName: StaticString = "RemoteImageSizeOptions"

    nonisolated static let type: GType = register()
}
