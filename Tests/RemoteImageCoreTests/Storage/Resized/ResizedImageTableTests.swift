import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The descriptions of resized images, and the table of them at the start of a file.
@Suite struct ResizedImageTableTests {
    private func description(
        _ width: Int, _ height: Int, processedSize: PixelSize? = nil, processing: String = ""
    ) -> ResizedImage.Description {
        ResizedImage.Description(
            size: PixelSize(width: width, height: height), processedSize: processedSize, processing: processing,
            originalSize: PixelSize(width: 800, height: 600), originalFormat: .webp)
    }

    @Test(arguments: [(1, 0), (64, 0), (65, 1), (96, 1), (97, 2), (144, 2), (145, 3), (216, 3), (217, 4)])
    func `each size step is half as large again`(side: Int, step: Int) {
        #expect(description(side, 1).step == step)
        #expect(description(1, side).step == step)
    }

    @Test func `an image has the place of another of its processing and its step`() {
        #expect(description(70, 20).hasPlace(of: description(10, 90)))
        #expect(!description(70, 20).hasPlace(of: description(97, 20)))
        #expect(!description(70, 20).hasPlace(of: description(70, 20, processing: "round")))
        #expect(description(70, 20, processing: "round").hasPlace(of: description(80, 20, processing: "round")))
    }

    @Test(arguments: [(40, 30, true), (41, 30, false), (40, 31, false), (39, 29, true), (30, 40, false)])
    func `an image covers another one that is not larger on any side`(width: Int, height: Int, covers: Bool) {
        #expect(description(40, 30).covers(description(width, height)) == covers)
    }

    @Test(arguments: [(40, 30, true), (41, 31, true), (42, 30, false), (40, 32, false), (1, 1, true), (30, 40, false)])
    func `a size serves a place that is at most a pixel larger`(width: Int, height: Int, serves: Bool) {
        #expect(PixelSize(width: 40, height: 30).serves(PixelSize(width: width, height: height)) == serves)
    }

    @Test func `an image serves the keys that need no more pixels`() {
        let load = LoadKey(identity: "a")
        func key(_ side: Int?, _ processors: [String] = []) -> ImageKey {
            ImageKey(load: load, target: side.map { .longestSide($0) }, processors: processors)
        }
        let plain = description(200, 150)
        #expect([100, 200, 201, 202, nil].map { plain.serves(key($0)) } == [true, true, true, false, false])
        #expect(description(800, 600).serves(key(nil)))
        #expect(key(100).processing.isEmpty && !key(100, ["round"]).processing.isEmpty)
        let round = description(100, 100, processing: key(100, ["round"]).processing)
        #expect(round.serves(key(100, ["round"])))
        for other in [
            key(99, ["round"]), key(100, ["blur"]), key(100, ["round", "blur"]), key(100), key(nil, ["round"]),
        ] {
            #expect(!round.serves(other))
        }
    }

    // MARK: The file

    private let body = StoredBody(name: "a", byteCount: 3, checksum: 5)

    private func images(_ count: Int) -> [ResizedImage] {
        (0..<count).map { number in
            ResizedImage(
                description(
                    40 + number, 30 + number,
                    processedSize: number % 2 == 1 ? PixelSize(width: 7, height: number) : nil,
                    processing: String(repeating: "p", count: number)),
                data: [UInt8](repeating: UInt8(number), count: number * 3))
        }
    }

    @Test(arguments: [0, 1, 5, 8])
    func `a table gives the description and the place of each image`(count: Int) throws {
        let images = images(count)
        let file = ResizedImageTable.file(of: body, images)
        let table = try #require(ResizedImageTable(file[...], of: body, fileSize: file.count))
        #expect(table.body == body)
        #expect(table.rows.map(\.description) == images.map(\.description))
        for (row, image) in zip(table.rows, images) {
            #expect(Array(file[row.offset..<(row.offset + row.byteCount)]) == image.data)
            #expect(row.checksum == XXHash64.hash(image.data))
        }
        // The images need not be read with the table, but must be in the file.
        let start = file.count - images.reduce(0) { $0 + $1.data.count }
        #expect(ResizedImageTable(file[..<start], of: body, fileSize: file.count)?.rows.count == count)
        #expect(ResizedImageTable(file[..<(start - 1)], of: body, fileSize: file.count) == nil)
        if count > 1 { #expect(ResizedImageTable(file[...], of: body, fileSize: file.count - 1) == nil) }
    }

    @Test func `a table is of one body and has at most eight images`() {
        let file = ResizedImageTable.file(of: body, images(2))
        for (byteCount, checksum, isSame) in [(3, 5, true), (4, 5, false), (3, 6, false)] as [(Int, UInt64, Bool)] {
            let other = StoredBody(name: "b", byteCount: byteCount, checksum: checksum)
            #expect((ResizedImageTable(file[...], of: other, fileSize: file.count) != nil) == isSame)
        }
        let nine = ResizedImageTable.file(of: body, images(9))
        #expect(ResizedImageTable(nine[...], of: body, fileSize: nine.count) == nil)
        #expect(ResizedImageTable(([0] + file)[...], of: body, fileSize: file.count + 1) == nil)
    }

    @Test(arguments: [(0, 0), (0, 5), (5, 0), ((1 << 31) + 1, 1), (1, (1 << 31) + 1)])
    func `an image without pixels or with too many is refused`(width: Int, height: Int) {
        let image = ResizedImage(description(width, height), data: [1])
        let file = ResizedImageTable.file(of: body, [image])
        #expect(ResizedImageTable(file[...], of: body, fileSize: file.count) == nil)
        let largest = ResizedImageTable.file(of: body, [ResizedImage(description(1 << 31, 1 << 31), data: [1])])
        #expect(ResizedImageTable(largest[...], of: body, fileSize: largest.count) != nil)
    }

    // MARK: Fields

    @Test func `numbers, times and texts are read as they were written`() {
        var writer = FieldWriter(bytes: [9])
        writer.add(UInt64(0x0102_0304_0506_0708))
        #expect(writer.bytes == [9, 8, 7, 6, 5, 4, 3, 2, 1])
        writer.add(Int.max)
        writer.add(-1)
        writer.add(0)
        writer.add(-1.5)
        writer.add(Double.infinity)
        writer.add("\u{E4}")
        writer.add("")
        var reader = FieldReader(bytes: writer.bytes, index: 1)
        let (word, numbers) = (reader.word(), (0..<3).map { _ in reader.number() })
        let (times, texts) = ((0..<2).map { _ in reader.time() }, (0..<2).map { _ in reader.string() })
        #expect(word == 0x0102_0304_0506_0708)
        #expect(numbers == [.max, nil, 0], "no count is negative")
        #expect(times == [-1.5, nil] && texts == ["\u{E4}", ""])
        #expect(reader.index == writer.bytes.count)
        let (nothing, noText) = (reader.word(), reader.string())
        #expect(nothing == nil && noText == nil)
        for missing in 1...9 {
            var short = FieldReader(bytes: Array(FieldWriter(text: "a").bytes.dropLast(missing)), index: 0)
            let text = short.string()
            #expect(text == nil)
        }
    }
}

extension FieldWriter {
    fileprivate init(text: String) {
        self.init(bytes: [])
        add(text)
    }
}
