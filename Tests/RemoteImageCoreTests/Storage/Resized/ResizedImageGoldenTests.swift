import Glibc
import HTTPTypes
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Compares what is shown from a resized image with what is shown from the original.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ResizedImageGoldenTests {
    /// Content that lossy encodings damage in different ways.
    enum Scene: String, CaseIterable, Sendable {
        case photograph, drawing, text, thinLines, gradient, alphaEdges, softShadow

        var format: PixelFormat { self == .alphaEdges || self == .softShadow ? .rgba8Premultiplied : .rgb8 }

        /// Straight RGBA, each channel from 0 to 1.
        func color(_ x: Int, _ y: Int, _ noise: Noise) -> SIMD4<Double> {
            let (u, v) = (Double(x) / 800, Double(y) / 600)
            let disc = 0.35 - ((u - 0.5) * (u - 0.5) + (v - 0.5) * (v - 0.5)).squareRoot()
            switch self {
            case .photograph:
                let light = 0.25 + 0.5 * noise.value(u * 6, v * 5) + 0.15 * noise.value(u * 40, v * 30)
                return SIMD4(light + 0.1 * u, light, light * 0.7 + 0.2 * noise.value(u * 90, v * 70), 1)
            case .drawing:
                if disc > 0 { return SIMD4(0.9, 0.1, 0.2, 1) }
                return (x / 100 + y / 100).isMultiple(of: 2) ? SIMD4(0.1, 0.4, 0.8, 1) : SIMD4(1, 0.9, 0.2, 1)
            case .text:
                // Strokes of letters: a random pattern of cells, with empty columns and rows.
                let (column, row) = (x / 4, y / 4)
                let isInk = column % 6 < 5 && row % 9 < 7 && noise.cell(column, row) > 0.5
                return isInk ? (row / 9 % 2 == 0 ? SIMD4(0, 0, 0, 1) : SIMD4(0.8, 0, 0, 1)) : SIMD4(1, 1, 1, 1)
            case .thinLines:
                let isLine = x % 40 < 4 || (x + y) % 56 < 4
                return isLine ? SIMD4(x % 80 < 40 ? 1 : 0, 0, 0.6, 1) : SIMD4(1, 1, 1, 1)
            case .gradient: return SIMD4(u, v, 1 - u, 1)
            case .alphaEdges: return SIMD4(0.2, 0.7 * u, 0.9 * v, min(1, max(0, disc * 200)))
            case .softShadow: return SIMD4(0.1, 0.1, 0.1, min(1, max(0, disc * 3)))
            }
        }

        var pixels: PixelBuffer {
            let noise = Noise()
            return PixelBuffer(size: ResizedImageFixture.size, format: format) { memory in
                let channels = format.bytesPerPixel
                for y in 0..<ResizedImageFixture.size.height {
                    for x in 0..<ResizedImageFixture.size.width {
                        let color = color(x, y, noise)
                        let offset = (y * ResizedImageFixture.size.width + x) * channels
                        for channel in 0..<channels {
                            let value = channel < 3 ? color[channel] * color[3] : color[3]
                            memory[offset + channel] = UInt8((min(1, max(0, value)) * 255).rounded())
                        }
                    }
                }
            }
        }
    }

    /// Values between 0 and 1 that change smoothly from one lattice point to the next.
    struct Noise: Sendable {
        func cell(_ x: Int, _ y: Int) -> Double {
            var hash = UInt64(truncatingIfNeeded: x &* 0x9E37 &+ y &* 0x85EB_CA6B) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
            hash &*= 0xBF58_476D_1CE4_E5B9
            return Double(hash >> 40) / Double(1 << 24)
        }

        func value(_ x: Double, _ y: Double) -> Double {
            let (column, row) = (Int(x), Int(y))
            let (u, v) = (x - Double(column), y - Double(row))
            let top = cell(column, row) * (1 - u) + cell(column + 1, row) * u
            let bottom = cell(column, row + 1) * (1 - u) + cell(column + 1, row + 1) * u
            return top * (1 - v) + bottom * v
        }
    }

    @Test(arguments: Scene.allCases)
    func `a person sees no difference`(scene: Scene) async throws {
        let fixture = try ResizedImageFixture()
        let request = ResizedImageFixture.request(200)
        let first = try await fixture.fill(request, file: try scene.pixels.encoded(as: .png))
        let second = try await fixture.pipeline().image(for: request)
        #expect(second.info.decoder == "stored")
        let difference = PixelDifference(first.pixels, second.pixels)
        if scene.format == .rgb8 {
            #expect(difference.isInvisible, "\(difference)")
        } else {
            #expect(difference.peakSignalToNoise == .infinity, "\(difference)")
        }
        // For a look at the images.
        if let folder = getenv("REMOTE_IMAGE_GOLDEN_FOLDER") {
            for (name, image) in [("original", first), ("stored", second)] {
                try await image.write(to: "\(String(cString: folder))/\(scene)-\(name).png", as: .png)
            }
        }
    }

    @Test func `a small damage in a plain image counts`() throws {
        let size = PixelSize(width: 160, height: 160)
        func image(dotted: Bool) -> PixelBuffer {
            PixelBuffer(size: size, format: .rgb8) { memory in
                for index in memory.indices { memory[index] = 200 }
                if dotted { for index in 0..<30 { memory[index] = 155 } }
            }
        }
        let difference = PixelDifference(image(dotted: false), image(dotted: true))
        #expect(difference.peakSignalToNoise > 42 && difference.worstTile < 33)
        #expect(!difference.isInvisible)
        #expect(PixelDifference(image(dotted: true), image(dotted: true)).isInvisible)
    }
}
