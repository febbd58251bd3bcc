import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// The pixels of the canvas on which the frames of an animation are drawn.
@Suite struct CanvasTests {
    /// The pixels of a canvas of 3 × 2 pixels after some frames, four bytes each.
    private func drawn(
        restores: Bool = false, _ frames: [(AnimationFrame, PixelBuffer?)]
    ) -> [[UInt8]] {
        withUnsafeTemporaryAllocation(byteCount: restores ? 48 : 24, alignment: 16) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 9)
            guard let canvas = AnimationCanvas(PixelSize(width: 3, height: 2), restores: restores, in: memory) else {
                Issue.record("no canvas")
                return []
            }
            canvas.clear()
            var previous: AnimationFrame?
            for (frame, image) in frames {
                canvas.draw(frame, image, after: previous)
                previous = frame
            }
            return stride(from: 0, to: 24, by: 4).map { Array(memory[$0..<($0 + 4)]) }
        }
    }

    private func frame(
        _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ disposal: AnimationFrame.Disposal = .keep,
        blends: Bool = false
    ) -> AnimationFrame {
        AnimationFrame(
            x: x, y: y, size: PixelSize(width: width, height: height), delay: .zero, disposal: disposal, blends: blends)
    }

    private func image(_ width: Int, _ format: PixelFormat, _ bytes: [UInt8]) -> PixelBuffer {
        let size = PixelSize(width: width, height: bytes.count / format.bytesPerPixel / width)
        return PixelBuffer(size: size, format: format) { $0.copyBytes(from: bytes) }
    }

    /// The levels 1, 2, 3 … of opaque gray pixels.
    private func grays(_ width: Int, _ height: Int, from first: UInt8 = 1) -> PixelBuffer {
        image(width, .rgb8, (0..<(width * height)).flatMap { [UInt8](repeating: first + UInt8($0), count: 3) })
    }

    /// The gray levels of a canvas; `nil` for transparent pixels.
    private func levels(_ pixels: [[UInt8]]) -> [UInt8?] {
        pixels.map { $0 == [0, 0, 0, 0] ? nil : $0[3] == 255 ? $0[0] : 255 }
    }

    @Test func `a frame covers only its part of the canvas`() {
        let image = grays(2, 2)
        for (frame, expected) in [
            (frame(0, 0, 2, 2), [1, 2, nil, 3, 4, nil]), (frame(1, 0, 2, 2), [nil, 1, 2, nil, 3, 4]),
            (frame(2, 1, 2, 2), [nil, nil, nil, nil, nil, 1]), (frame(1, 1, 1, 2), [nil, nil, nil, nil, 1, nil]),
            (frame(0, 0, 2, 1), [1, 2, nil, nil, nil, nil]), (frame(0, 0, 9, 9), [1, 2, nil, 3, 4, nil]),
        ] as [(AnimationFrame, [UInt8?])] {
            #expect(levels(drawn([(frame, image)])) == expected)
        }
        let outside = [frame(3, 0, 2, 2), frame(0, 2, 2, 2), frame(-1, 0, 2, 2), frame(0, -1, 2, 2), frame(0, 0, 0, 2)]
        for frame in outside + [self.frame(0, 0, 2, 0)] {
            #expect(levels(drawn([(frame, image)])) == [nil, nil, nil, nil, nil, nil])
        }
    }

    @Test func `a frame without pixels leaves the canvas, and disposes the frame before it`() {
        let whole = grays(3, 2)
        #expect(levels(drawn([(frame(0, 0, 3, 2), whole), (frame(0, 0, 0, 0), nil)])) == [1, 2, 3, 4, 5, 6])
        let cleared = drawn([(frame(0, 0, 3, 2), whole), (frame(1, 0, 1, 2, .clear), nil), (frame(0, 0, 0, 0), nil)])
        #expect(levels(cleared) == [1, nil, 3, 4, nil, 6])
    }

    @Test func `the area of a cleared frame becomes transparent before the next frame`() {
        let frames = [
            (frame(0, 0, 3, 2), grays(3, 2)), (frame(1, 1, 9, 9, .clear), grays(2, 1, from: 20)),
            (frame(0, 0, 1, 1), grays(1, 1, from: 30)),
        ]
        #expect(levels(drawn(Array(frames[..<2]))) == [1, 2, 3, 4, 20, 21])
        #expect(levels(drawn(frames)) == [30, 2, 3, 4, nil, nil])
    }

    @Test func `the area of a restored frame becomes what it was before`() {
        let frames = [
            (frame(0, 0, 3, 2), grays(3, 2)), (frame(1, 0, 2, 2, .restore), grays(2, 2, from: 20)),
            (frame(0, 1, 1, 1), grays(1, 1, from: 30)),
        ]
        #expect(levels(drawn(restores: true, Array(frames[..<2]))) == [1, 20, 21, 4, 22, 23])
        #expect(levels(drawn(restores: true, frames)) == [1, 2, 3, 30, 5, 6])
        #expect(levels(drawn(frames)) == [1, nil, nil, 30, nil, nil], "without memory for the pixels to restore")
    }

    @Test func `a blended frame keeps what shines through it, and another one replaces it`() {
        let below = (frame(0, 0, 3, 1), image(3, .rgb8, [100, 200, 50, 1, 2, 3, 4, 5, 6]))
        let above = image(3, .rgba8Premultiplied, [10, 20, 30, 128, 0, 0, 0, 0, 9, 8, 7, 255])
        let blended = drawn([below, (frame(0, 0, 3, 1, blends: true), above)])
        #expect(Array(blended[..<3]) == [[60, 120, 55, 255], [1, 2, 3, 255], [9, 8, 7, 255]])
        let replaced = drawn([below, (frame(0, 0, 3, 1), above)])
        #expect(Array(replaced[..<3]) == [[10, 20, 30, 128], [0, 0, 0, 0], [9, 8, 7, 255]])
        let onEmpty = drawn([(frame(0, 1, 3, 1, blends: true), above)])
        #expect(Array(onEmpty[3...]) == [[10, 20, 30, 128], [0, 0, 0, 0], [9, 8, 7, 255]])
        // Every level and alpha, rounded.
        for alpha in stride(from: 0, through: 255, by: 15) {
            for level in stride(from: 0, through: 255, by: 17) {
                let under = image(1, .rgb8, [UInt8](repeating: UInt8(level), count: 3))
                let over = image(1, .rgba8Premultiplied, [0, 0, 0, UInt8(alpha)])
                let found = drawn([(frame(2, 1, 1, 1), under), (frame(2, 1, 1, 1, blends: true), over)])[5]
                let expected = UInt8((Double(level * (255 - alpha)) / 255).rounded())
                #expect(found == [expected, expected, expected, 255])
            }
        }
    }

    // MARK: Cursors

    @Test func `a cursor keeps one value until it is taken`() {
        let (first, second) = (FrameCursor(), FrameCursor())
        #expect(first.identifier > 0)
        #expect(second.identifier > first.identifier)
        #expect(FrameCursor(identifier: 77).identifier == 77)
        #expect(first.isEmpty)
        #expect(first.byteCount == 0)
        first.keep("state", byteCount: 12)
        #expect(!first.isEmpty)
        #expect(first.byteCount == 12)
        first.keep("later", byteCount: 13)
        #expect(first.take() as? String == "later")
        #expect(first.isEmpty)
        #expect(first.byteCount == 0)
        #expect(first.take() == nil)
    }

    @Test func `the timing of a decoder becomes frames of the canvas`() throws {
        let bytes = SampleImage.palettePNG
        func read(_ delays: [UInt32], _ playCount: Int?, limit: Int) -> AnimationOutline? {
            AnimationOutline.read(
                bytes, .png, FrameTiming(delays: delays, playCount: playCount), frameLimit: limit)
        }
        let outline = try #require(read([0, 10, 11, 300], 3, limit: 3))
        #expect(outline.canvas == PixelSize(width: 16, height: 8))
        #expect(outline.playCount == 3)
        #expect(outline.isDecodedByNumber)
        #expect(outline.frames.map(\.delay) == [.milliseconds(100), .milliseconds(100), .milliseconds(11)])
        for frame in outline.frames {
            #expect((frame.x, frame.y) == (0, 0))
            #expect(frame.size == outline.canvas)
            #expect(frame.disposal == .keep)
            #expect(!frame.blends)
        }
        #expect(read([9, 9], nil, limit: 2)?.frames.count == 2)
        #expect(read([9, 9], nil, limit: 1) == nil)
        #expect(read([9], nil, limit: 9) == nil)
        #expect(
            AnimationOutline.read([1, 2, 3], .png, FrameTiming(delays: [9, 9], playCount: 1), frameLimit: 9) == nil)
    }

    // MARK: GIF

    /// Whether an opaque frame at a place of a canvas of 3 × 2 pixels fills it.
    @Test func `only a frame that covers the canvas of a GIF has no alpha`() throws {
        for (x, y, width, height, covers) in [
            (0, 0, 3, 2, true), (0, 0, 2, 2, false), (0, 0, 3, 1, false), (1, 0, 2, 2, false), (0, 1, 3, 1, false),
        ] {
            var file = GIFFile(width: width, height: height, pixels: [UInt8](repeating: 5, count: width * height))
            (file.canvasWidth, file.canvasHeight, file.x, file.y) = (3, 2, x, y)
            let request = DecodeRequest(header: try ImageHeader.read(file.bytes))
            let pixels = try GIFDecoder().decode(file.bytes, request).pixels
            #expect(pixels.size == PixelSize(width: 3, height: 2))
            #expect(pixels.format == (covers ? .rgb8 : .rgba8Premultiplied))
            #expect(pixels.pixel(x + width - 1, y + height - 1).prefix(3) == GIFFile.colour(5)[...])
        }
    }
}
