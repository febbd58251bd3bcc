import RemoteImage

/// Paints layers row by row into pixels.
struct Canvas {
    let size: PixelSize

    /// The side of a pixel: the height of the picture is 1.
    var pixel: Float { 1 / Float(size.height) }
    var width: Float { Float(size.width) / Float(size.height) }

    /// All pixels of small pictures.
    func colors(of layers: [any Layer]) -> [Color] {
        var row = Row(width: size.width, pixel: pixel)
        return (0..<size.height).flatMap { line in
            row.begin(line)
            for layer in layers { layer.paint(&row) }
            return row.colors
        }
    }

    func paint(_ layers: [any Layer], hasAlpha: Bool = false) -> PixelBuffer {
        let format: PixelFormat = hasAlpha ? .rgba8Premultiplied : .rgb8
        return PixelBuffer(size: size, format: format) { memory in
            let byteCount = format.bytesPerPixel
            var row = Row(width: size.width, pixel: pixel)
            var grain: UInt32 = 0x9E37_79B9
            var index = 0
            for line in 0..<size.height {
                row.begin(line)
                for layer in layers { layer.paint(&row) }
                for color in row.colors {
                    var offset: Float = 0.5
                    if !hasAlpha {
                        // Grain hides the steps of gradients, as in a photograph.
                        grain ^= grain << 13
                        grain ^= grain >> 17
                        grain ^= grain << 5
                        offset = Float(grain >> 8) * (3 / Float(1 << 24)) - 1
                    }
                    memory[index] = Self.byte(color.x, offset)
                    memory[index + 1] = Self.byte(color.y, offset)
                    memory[index + 2] = Self.byte(color.z, offset)
                    if hasAlpha { memory[index + 3] = Self.byte(color.w, offset) }
                    index += byteCount
                }
            }
        }
    }

    @inline(__always)
    private static func byte(_ channel: Float, _ offset: Float) -> UInt8 {
        UInt8(max(0, min(255, channel * 255 + offset)))
    }
}
