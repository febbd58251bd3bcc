import Foundation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoding

/// The size that a container claims against the coded sizes of its frames.
@Suite struct AVIFLimitTests {
    private let small = PixelSize(width: 64, height: 48)
    private let large = PixelSize(width: 16_000, height: 16_000)

    private func isRefused(_ file: AVIFFile) -> Bool { isRefused(file.bytes) }

    private func isRefused(_ bytes: [UInt8]) -> Bool {
        do throws(ImageError) {
            _ = try ImageHeader.read(bytes)
            return false
        } catch {
            return error.code == .corrupt
        }
    }

    private func still(_ size: PixelSize, isReduced: Bool = true) -> [UInt8] {
        AVIFFile.sequence(size, isReduced: isReduced) + AVIFFile.frame()
    }

    /// Headers with a crop of an image whose side is 0, and of one whose sides are 2³² − 1. Both
    /// ended the program.
    private static let hostileCrops = [
        "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPFtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA"
            + "AAAAAAAAAAAAAA5waXRtAAAAAAABAAAAHmlsb2MAAAAARAAAAQABAAAAAQAAARUAAAACAAAAI2lpbmYAAAAAAAEA"
            + "AAAVaW5mZQIAAAAAAQAAYXYwMQAAAAB1aXBycAAAAFhpcGNvAAAAFGlzcGUAAAAAAAAAAAAAABAAAAAoY2xhcAAA"
            + "AAEAAAABAAAAAQAAAAEAAAAAAAAAAQAAAAAAAAABAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAVaXBtYQAAAAAAAAAB"
            + "AAECAYIAAAAKbWRhdBIA",
        "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAN1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA"
            + "AAAAAAAAAAAAAA5waXRtAAAAAAABAAAAHmlsb2MAAAAARAAAAQABAAAAAQAAAQEAAAACAAAAI2lpbmYAAAAAAAEA"
            + "AAAVaW5mZQIAAAAAAQAAYXYwMQAAAABhaXBycAAAAERpcGNvAAAAFGlzcGUAAAAA//////////8AAAAoY2xhcAAA"
            + "AAEAAAABAAAAAQAAAAEAAAAA/////wAAAAD/////AAAAFWlwbWEAAAAAAAAAAQABAgGCAAAACm1kYXQSAA==",
    ]

    @Test(arguments: hostileCrops)
    func `a crop of an impossible size is ignored or refused`(file: String) throws {
        let bytes = [UInt8](try #require(Data(base64Encoded: file)))
        #expect(throws: ImageError.self) {
            try HEIFDecoder().decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
        }
    }

    @Test(arguments: [true, false])
    func `a file with a frame larger than the claimed size is corrupt`(isReduced: Bool) throws {
        let honest = AVIFFile([.init(still(small, isReduced: isReduced), extent: small)])
        #expect(try ImageHeader.read(honest.bytes).storedSize == small)
        let aligned = AVIFFile([.init(still(PixelSize(width: 64, height: 64), isReduced: isReduced), extent: small)])
        #expect(try ImageHeader.read(aligned.bytes).storedSize == small, "superblocks may be coded in full")
        for size in [large, PixelSize(width: 65, height: 48), PixelSize(width: 64, height: 65)] {
            #expect(isRefused(AVIFFile([.init(still(size, isReduced: isReduced), extent: small)])))
        }
    }

    @Test func `the sequence header of a real file is read`() throws {
        let file = SampleImage.avif
        let data = try #require(file.indices.first { file[$0...].starts(with: "mdat".utf8) }) + 4
        let frames = Array(file[data...]).withUnsafeBytes { AV1Frames(ByteReader($0)) }
        #expect(frames?.sizes == [PixelSize(width: 16, height: 8)])
    }

    @Test func `every sequence header of an item is checked, wherever it is`() {
        let hidden: [[UInt8]] = [
            still(small) + still(large),
            // A temporal delimiter, padding, a unit with an extension and zeros, which libaom
            // skips.
            [0x12, 0] + still(small) + [0x7A, 1, 0xFF] + still(large), still(small) + [0, 0] + still(large),
            still(small) + [0x1E, 0, 0] + still(large),
        ]
        for data in hidden { #expect(isRefused(AVIFFile([.init(data, extent: small)]))) }
        var split = AVIFFile.Item(still(small) + still(large), extent: small)
        split.extentCount = 5
        #expect(isRefused(AVIFFile([split])))
        var configured = AVIFFile([.init(still(small), extent: small)])
        configured.configurationUnits = AVIFFile.sequence(large)
        #expect(isRefused(configured))
    }

    @Test func `a frame may override the sequence size with a smaller one`() {
        let sequence = AVIFFile.sequence(small, isReduced: false)
        func refuses(_ frames: [UInt8]) -> Bool { isRefused(AVIFFile([.init(sequence + frames, extent: small)])) }
        let half = PixelSize(width: 32, height: 24)
        for size in [half, small] { #expect(!refuses(AVIFFile.frame(size))) }
        for size in [PixelSize(width: 65, height: 48), PixelSize(width: 64, height: 49), large] {
            #expect(refuses(AVIFFile.frame(size)))
            #expect(refuses(AVIFFile.frame() + AVIFFile.interFrame(size)))
        }
        for size in [half, small, nil] { #expect(!refuses(AVIFFile.frame() + AVIFFile.interFrame(size))) }
        #expect(isRefused(AVIFFile([.init(AVIFFile.frame(), extent: small)])), "a frame without a sequence header")
    }

    @Test func `a grid or tile larger than the claimed size is refused`() throws {
        let canvas = PixelSize(width: 128, height: 48)
        func file(_ tile: PixelSize, _ grid: PixelSize) -> AVIFFile {
            var item = AVIFFile.Item(AVIFFile.grid(grid), extent: canvas)
            item.type = "grid"
            return AVIFFile([
                item, .init(still(small), extent: small), .init(still(tile), extent: small),
            ])
        }
        #expect(try ImageHeader.read(file(small, canvas).bytes).storedSize == canvas)
        #expect(isRefused(file(large, canvas)))
        #expect(isRefused(file(small, large)))
        // A wide extent and a high extent do not combine to a large one.
        let crossed = AVIFFile([
            .init(still(PixelSize(width: 4000, height: 4000)), extent: PixelSize(width: 4000, height: 1)),
            .init(still(PixelSize(width: 1, height: 1)), extent: PixelSize(width: 1, height: 4000)),
        ])
        #expect(isRefused(crossed))
    }

    @Test func `tiles may be as large as the image, but their total is limited`() {
        let tile = AVIFFile.Item(still(small), extent: small)
        func file(tileCount: Int) -> AVIFFile {
            var item = AVIFFile.Item(AVIFFile.grid(small), extent: small)
            item.type = "grid"
            return AVIFFile([item] + [AVIFFile.Item](repeating: tile, count: tileCount))
        }
        // The canvas counts 64 × 48, the image 64 × 64.
        #expect(!isRefused(file(tileCount: 9)))
        #expect(isRefused(file(tileCount: 10)))
        #expect(isRefused(file(tileCount: 1000)))
    }

    /// Each reference takes ten times as much memory as in the file.
    @Test func `the number of references is limited`() throws {
        func file(referenceCount: Int) -> [UInt8] {
            var alpha = HEIFFile.Item.alpha(of: 1)
            alpha.references["auxl"] = [1] + (100..<(100 + referenceCount))
            return HEIFFile([.av1, alpha]).bytes
        }
        #expect(try ImageHeader.read(file(referenceCount: 1000)).storedSize == PixelSize(width: 16, height: 8))
        #expect(throws: ImageError.self) { try ImageHeader.read(file(referenceCount: 8192)) }
    }

    @Test func `the number of sequence headers of all items is limited`() {
        func file(itemCount: Int) -> AVIFFile {
            let sequences = (0..<3000).flatMap { _ in AVIFFile.sequence(PixelSize(width: 1, height: 1)) }
            return AVIFFile([AVIFFile.Item](repeating: .init(sequences, extent: small), count: itemCount))
        }
        #expect(!isRefused(file(itemCount: 2)))
        #expect(isRefused(file(itemCount: 3)))
    }

    /// Decoders decode all frames of an item, although an item shows one.
    @Test func `an item has two frames for each layer`() {
        func refuses(frameCount: Int, layerCount: Int = 1, itemCount: Int = 1) -> Bool {
            let data =
                AVIFFile.sequence(small, isReduced: false, layerCount: layerCount)
                + (0..<frameCount).flatMap { _ in AVIFFile.frame() }
            return isRefused(
                AVIFFile([AVIFFile.Item](repeating: .init(data, extent: small), count: itemCount)))
        }
        for layers in 1...4 {
            #expect(!refuses(frameCount: 2 * layers, layerCount: layers))
            #expect(refuses(frameCount: 2 * layers + 1, layerCount: layers))
        }
        #expect(refuses(frameCount: 4000))
        // 8 frames of the image's size in whole superblocks are 10 of 64 × 48.
        #expect(!refuses(frameCount: 2, itemCount: 5))
        #expect(refuses(frameCount: 2, itemCount: 6), "the frames of all items count")
    }

    /// These extents took 16 GB when they were copied before their sum was checked.
    @Test func `extents whose sum exceeds the file are refused before copying`() {
        var item = AVIFFile.Item(still(small) + [UInt8](repeating: 0, count: 16 << 20), extent: small)
        item.extentCount = 1023
        item.hasOpenExtents = true
        #expect(isRefused(AVIFFile([item])))
        item.data.removeLast(16 << 20)
        item.extentCount = 1
        #expect(!isRefused(AVIFFile([item])))
    }

    @Test func `equal tiles may share their data`() {
        var tile = AVIFFile.Item(still(small) + [UInt8](repeating: 0, count: 1000), extent: small)
        var grid = AVIFFile.Item(AVIFFile.grid(small), extent: small)
        grid.type = "grid"
        let first = tile
        tile.sharesData = true
        let file = AVIFFile([grid, first, tile, tile, tile])
        #expect(file.bytes.count < 4000, "the data of four tiles is longer than the file")
        #expect(!isRefused(file))
        #expect(isRefused(AVIFFile([grid, first] + [AVIFFile.Item](repeating: tile, count: 9))), "their pixels count")
    }

    @Test(arguments: ["tmap", "sato"])
    func `items derived from other items are accepted without frames`(type: String) throws {
        var item = AVIFFile.Item([1, 2, 3, 4], extent: small)
        item.type = type
        #expect(try ImageHeader.read(AVIFFile([.init(still(small), extent: small), item]).bytes).storedSize == small)
    }

    @Test(arguments: ["hvc1", "jpeg", "iovl", "unci"])
    func `items of other codecs are refused`(type: String) {
        var item = AVIFFile.Item(still(small), extent: small)
        item.type = type
        #expect(isRefused(AVIFFile([.init(still(small), extent: small), item])))
    }

    @Test func `a truncated file has the same header or none`() throws {
        let bytes = AVIFFile([.init(still(small), extent: small)]).bytes
        for count in 24..<bytes.count {
            guard let header = try? ImageHeader.read(Array(bytes[..<count])) else { continue }
            #expect(header.storedSize == small)
        }
    }

    // MARK: Image sequences

    /// `SampleImage.avif` with a damaged track.
    private var sequence: [UInt8] {
        var bytes = SampleImage.avif
        bytes.replaceSubrange(8..<12, with: "avis".utf8)
        return bytes + AVIFFile.box("moov", AVIFFile.box("trak", [1, 2, 3, 4]))
    }

    @Test func `hiding the tracks of a file changes no other bytes`() throws {
        let still = try #require(HEIFHeader.withoutTracks(sequence))
        #expect(still.count == sequence.count)
        #expect(Array(still[..<SampleImage.avif.count]) == SampleImage.avif)
        #expect(Array(still[(SampleImage.avif.count + 4)...].prefix(4)) == Array("free".utf8))
        #expect(HEIFHeader.withoutTracks(SampleImage.avif) == nil)
        #expect(HEIFHeader.withoutTracks(still) == nil)
        let long = SampleImage.avif + [0, 0, 0, 1] + Array("moov".utf8) + [0, 0, 0, 0, 0, 0, 0, 20] + [1, 2, 3, 4]
        let hidden = try #require(HEIFHeader.withoutTracks(long))
        #expect(Array(hidden[(SampleImage.avif.count + 4)...].prefix(4)) == Array("free".utf8))
    }

    @Test(.enabled(if: PixbufDecoder().formats.contains(.avif), "no AVIF loader is installed"))
    func `the primary item of an image sequence is decoded as a still image`() throws {
        let header = try ImageHeader.read(sequence)
        let image = try PixbufDecoder().decode(sequence, DecodeRequest(header: header))
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `the decoder reads the header of the file instead of the request's`() {
        let bytes = AVIFFile([.init(still(large), extent: small)]).bytes
        let lie = ImageHeader(format: .avif, storedSize: small)
        guard PixbufDecoder().formats.contains(.avif) else { return }
        #expect { try PixbufDecoder().decode(bytes, DecodeRequest(header: lie)) } throws: {
            ($0 as? ImageError)?.code == .corrupt
        }
    }
}
