import RemoteImage

/// A sticker as an animated GIF: a white border around the figure hides that a GIF has no
/// translucent pixels.
struct StickerAnimation {
    let number: Int
    private static let (side, frameCount) = (168, 20)

    func encoded() -> [UInt8] {
        let frames = (0..<Self.frameCount).map { frame in
            let canvas = Canvas(size: PixelSize(width: Self.side, height: Self.side))
            let layers = Sticker(number: number).layers(at: Float(frame) / Float(Self.frameCount))
            return bordered(canvas.colors(of: layers))
        }
        return AnimatedGIF(side: Self.side, frameDuration: 8, frames: frames).encoded()
    }

    /// Adds a white border, and a thin grey line around it that suits light and dark backgrounds.
    private func bordered(_ figure: [Color]) -> [SIMD4<UInt8>] {
        let (side, reach) = (Self.side, 6)
        var distances = [Float](repeating: .infinity, count: figure.count)
        for y in 0..<side {
            for x in 0..<side where figure[y * side + x].w > 0.05 {
                // The figure ends within its outermost pixels.
                let inset = 1 - figure[y * side + x].w
                for dy in max(-reach, -y)...min(reach, side - 1 - y) {
                    for dx in max(-reach, -x)...min(reach, side - 1 - x) {
                        let index = (y + dy) * side + x + dx
                        let distance = Float(dx * dx + dy * dy).squareRoot() + inset
                        distances[index] = min(distances[index], distance)
                    }
                }
            }
        }
        let grey = Color(hex: 0xA9AEB8)
        return zip(figure, distances).map { color, distance in
            guard distance < 5.2 else { return .zero }
            let border = Color.white.mixed(with: grey, clamp(distance - 3.6))
            let bytes = (color + border * (1 - color.w)) * 255
            return SIMD4(UInt8(min(255, bytes.x)), UInt8(min(255, bytes.y)), UInt8(min(255, bytes.z)), 255)
        }
    }
}
