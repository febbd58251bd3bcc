import RemoteImageTestSupport

@testable import RemoteImageCore

/// Stands in for an application's decoder: it ignores orientations, and the first two bytes of each
/// pixel are its stored column and row.
final class StoredPixelsDecoder: ImageDecoder {
    let formats: Set<ImageFormat> = [.jpeg]
    /// All requests received.
    let requests = Watched<[DecodeRequest]>([])

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        DecodedImage(pixels: pixels(request), size: request.header.size)
    }

    func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? { pixels(request) }

    /// The header of a private format, which begins with 0x41.
    func header(of bytes: [UInt8]) -> ImageHeader? {
        bytes.first == 0x41
            ? ImageHeader(format: .other, storedSize: PixelSize(width: 48, height: 32), orientation: .right) : nil
    }

    private func pixels(_ request: DecodeRequest) -> PixelBuffer {
        requests.update { $0.append(request) }
        return .places(request.target?.drawnSize(of: request.header.size) ?? request.header.size)
    }
}

extension PixelBuffer {
    /// Distinct pixels: the first two bytes of each are its column and row.
    static func places(_ size: PixelSize, _ format: PixelFormat = .rgb8) -> PixelBuffer {
        PixelBuffer(size: size, format: format) { memory in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let start = (y * size.width + x) * format.bytesPerPixel
                    (memory[start], memory[start + 1], memory[start + 2]) = (UInt8(x), UInt8(y), 7)
                    if format == .rgba8Premultiplied { memory[start + 3] = 255 }
                }
            }
        }
    }

    /// Whether the pixels equal ``places(_:_:)`` of a stored size with an orientation applied.
    func arePlaces(_ stored: PixelSize, in orientation: ImageOrientation) -> Bool {
        guard size == (orientation.swapsSides ? stored.transposed : stored) else { return false }
        return (0..<size.height).allSatisfy { y in
            (0..<size.width).allSatisfy { x in
                let (column, row) = orientation.storedPosition(x, y, in: stored)
                return pixel(x, y).prefix(3) == [UInt8(column), UInt8(row), 7]
            }
        }
    }
}

extension ImageOrientation {
    /// The stored position of a shown pixel (CIPA DC-008 section 4.6.4).
    func storedPosition(_ x: Int, _ y: Int, in stored: PixelSize) -> (column: Int, row: Int) {
        let (right, bottom) = (stored.width - 1, stored.height - 1)
        return switch self {
        case .up: (x, y)
        case .upMirrored: (right - x, y)
        case .down: (right - x, bottom - y)
        case .downMirrored: (x, bottom - y)
        case .leftMirrored: (y, x)
        case .right: (y, bottom - x)
        case .rightMirrored: (right - y, bottom - x)
        case .left: (right - y, x)
        }
    }
}
