import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite struct JXLHeaderTests {
    /// A codestream that begins with numbers of the given bit counts, lowest bit first.
    private func codestream(_ numbers: [(value: Int, bits: Int)]) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0x0A]
        let bits = numbers.flatMap { number in (0..<number.bits).map { UInt8(number.value >> $0 & 1) } }
        for start in stride(from: 0, to: bits.count, by: 8) {
            let part = bits[start..<min(start + 8, bits.count)]
            bytes.append(part.enumerated().reduce(0) { $0 | $1.element << UInt8($1.offset) })
        }
        return bytes
    }

    private func size(_ numbers: [(Int, Int)]) throws -> PixelSize {
        try ImageHeader.read(codestream(numbers.map { ($0.0, $0.1) } + [(1, 1)])).storedSize
    }

    @Test func `sides are read in each encoded length`() throws {
        #expect(try size([(1, 1), (4, 5), (0, 3), (2, 5)]) == PixelSize(width: 24, height: 40))
        for (selector, count) in [9, 13, 18, 30].enumerated() {
            let side = 1 << (count - 1)
            let found = try size([(0, 1), (selector, 2), (side, count), (0, 3), (0, 2), (6, 9)])
            #expect(found == PixelSize(width: 7, height: side + 1))
        }
    }

    @Test func `a width encoded as a ratio is read`() throws {
        for (ratio, width) in [100, 120, 133, 150, 177, 125, 200].enumerated() {
            let found = try size([(0, 1), (0, 2), (99, 9), (ratio + 1, 3)])
            #expect(found == PixelSize(width: width, height: 100))
        }
    }

    @Test func `the largest sides are read without overflow and refused by the limits`() throws {
        let header = try ImageHeader.read(
            codestream([(0, 1), (3, 2), (1 << 30 - 1, 30), (7, 3), (1, 1)]))
        #expect(header.storedSize == PixelSize(width: 2 << 30, height: 1 << 30))
        #expect(throws: ImageError.self) { try DecodeLimits().check(header) }
    }

    @Test(arguments: ImageOrientation.allCases)
    func `the size includes the orientation, which JPEG XL decoders apply`(orientation: ImageOrientation) throws {
        let start = [(1, 1), (0, 5), (7, 3), (0, 1), (1, 1), (Int(orientation.rawValue) - 1, 3)]
        let header = try ImageHeader.read(codestream(start.map { ($0.0, $0.1) }))
        #expect(header.storedSize == PixelSize(width: 16, height: 8).applyingOrientation(orientation))
        #expect(header.orientation == .up)
        #expect(try ImageHeader.read(JXLFile.oriented(orientation)) == header)
    }

    @Test func `an image without an orientation field is upright`() throws {
        let plain = codestream([(1, 1), (0, 5), (7, 3), (0, 1), (0, 1), (7, 3)])
        #expect(try ImageHeader.read(plain).size == PixelSize(width: 16, height: 8))
    }

    @Test(arguments: [[], [2], [2, 3, 5], [0, 1, 9]])
    func `a codestream split over boxes has the same header`(ends: [Int]) throws {
        let header = try ImageHeader.read(JXLFile.quarters)
        let boxed = JXLFile.boxed(JXLFile.quarters, ends: ends, fillerByteCount: 3)
        #expect(try ImageHeader.read(boxed) == header)
        // A file without its codestream.
        let empty = Array(boxed[..<32])
        #expect { try ImageHeader.read(empty) } throws: { ($0 as? ImageError)?.code == .corrupt }
    }

    @Test func `a truncated header is unchanged or corrupt`() throws {
        for bytes in [JXLFile.quarters, JXLFile.oriented(.right)] {
            let header = try ImageHeader.read(bytes)
            for count in 12..<bytes.count {
                guard let found = try? ImageHeader.read(Array(bytes[..<count])) else { continue }
                #expect(found == header)
            }
        }
        for count in 2..<4 {
            #expect { try ImageHeader.read(Array(JXLFile.quarters[..<count])) } throws: {
                ($0 as? ImageError)?.code == .corrupt
            }
        }
    }

    @Test func `the Accept header lists JPEG XL only if a decoder supports it`() {
        struct Every: ImageDecoder {
            let formats: Set<ImageFormat>
            func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
                throw .cancelled
            }
        }
        let with = DecoderRegistry([Every(formats: [.jxl, .png])]).acceptHeader
        #expect(with.hasPrefix("image/jxl,image/png"))
        #expect(!DecoderRegistry([Every(formats: [.png])]).acceptHeader.contains("jxl"))
    }
}
