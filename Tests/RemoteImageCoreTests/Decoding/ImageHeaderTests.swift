import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite struct ImageHeaderTests {
    // MARK: Formats

    @Test(arguments: [
        (SampleImage.progressiveJPEG, ImageFormat.jpeg), (SampleImage.grayJPEG, .jpeg),
        (SampleImage.cmykJPEG, .jpeg),
        (SampleImage.palettePNG, .png), (SampleImage.transparentPalettePNG, .png),
        (SampleImage.deepGrayPNG, .png),
        (SampleImage.losslessWebP, .webp), (SampleImage.lossyWebP, .webp), (SampleImage.alphaWebP, .webp),
        (SampleImage.animatedWebP, .webp), (SampleImage.animatedGIF, .gif), (SampleImage.avif, .avif),
        (JXLFile.quarters, .jxl), (JXLFile.oriented(.up), .jxl),
    ])
    func `format and size are read without a decoder`(bytes: [UInt8], format: ImageFormat) throws {
        let header = try ImageHeader.read(bytes)
        #expect(header.format == format)
        #expect(header.size == PixelSize(width: 16, height: 8))
    }

    @Test(arguments: [
        ("BM\u{1}\u{2}\u{3}\u{4}\0\0\0\0", "bmp"), ("II*\0", "tiff"), ("MM\0*", "tiff"), ("8BPS", "psd"),
        ("qoif", "qoi"), ("%PDF-1.4", "pdf"),
    ])
    func `an unsupported format is named in the error`(start: String, name: String) {
        let bytes = Array(start.utf8) + [UInt8](repeating: 0, count: 64)
        let error = #expect(throws: ImageError.self) { try ImageHeader.read(bytes) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.description.contains(name) == true)
    }

    @Test(arguments: ["<!DOCTYPE html><html><body>Not found", "hello", "{}", "\0\0\0\0", "GIF88a", "RIFF1234WAVE"])
    func `data that is no image has the error notAnImage`(text: String) {
        let error = #expect(throws: ImageError.self) { try ImageHeader.read(Array(text.utf8)) }
        #expect(error?.code == .notAnImage)
    }

    @Test func `a file without bytes has the error emptyBody`() {
        let error = #expect(throws: ImageError.self) { try ImageHeader.read([]) }
        #expect(error?.code == .emptyBody)
    }

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg'/>", "<?xml version='1.0'?>\n<!-- a drawing -->\n<svg>",
        "\u{FEFF} <svg\n>", "<svg:svg xmlns:svg='http://www.w3.org/2000/svg'/>", "<?a <b> ?>\n<svg/>",
        "<!--\(String(repeating: "x", count: 5000))--><svg>",
        "<!DOCTYPE svg [<!ENTITY a \"b>]\"> <!-- ]> ' --> <?p ]> ?>]><svg a='&a;'/>",
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'svg11.dtd'>\n<svg>",
    ])
    func `SVG is recognised by its first element`(text: String) {
        #expect(ImageFormat.sniff(Array(text.utf8)) == .svg)
    }

    private func isSVG(_ text: String) -> Bool { ImageFormat.sniff(Array(text.utf8)) == .svg }

    @Test func `the prolog of an SVG is skipped whole, with its comments, instructions and declarations`() {
        let subset = "<!DOCTYPE svg [<!ENTITY a \"]><b>\"> <!ENTITY b ']>'> <!-- ]> ' --> <?p ]> \" ?> <!X>]>"
        for prolog in [
            "", "\n\t ", "<?xml version='1.0'?>", "<!-- > <a> -- --><!-- -->", "<!DOCTYPE svg>",
            "<!DOCTYPE svg PUBLIC '>' \">[\">", subset, "\(subset) <?a ?> ",
        ] {
            for (element, isFound) in [
                ("<svg>", true), ("<svg/>", true), ("<svg a='b'>", true), ("<s:svg>", true), ("<svg\n>", true),
                ("<svgs>", false), ("<svg:s>", false), ("<a:b:svg>", false), ("<html>", false), ("<svg", false),
                ("svg>", false), ("", false),
            ] { #expect(isSVG(prolog + element) == isFound, "\(prolog)\(element)") }
        }
        for incomplete in [
            "<!-- <svg>", "<?a <svg>", "<!DOCTYPE svg '><svg>", "<!DOCTYPE svg \"><svg>", "<!DOCTYPE svg [><svg>",
            "<!DOCTYPE svg [<!-- ]><svg>", "<!DOCTYPE svg [<? ]><svg>", "<!doctype svg><svg>", "<!ENTITY a><svg>",
        ] { #expect(!isSVG(incomplete), "\(incomplete)") }
        for (count, isFound) in [(124, true), (125, false)] {
            #expect(isSVG("<\(String(repeating: "p", count: count)):svg>") == isFound)
        }
    }

    @Test func `a character beyond ASCII in UTF-16 is no ASCII character of the same low byte`() {
        func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
            "\u{FEFF}\(text)".utf16.flatMap { unit in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
                return isBigEndian ? [high, low] : [low, high]
            }
        }
        for isBigEndian in [false, true] {
            #expect(ImageFormat.sniff(utf16("<svg>", isBigEndian: isBigEndian)) == .svg)
            #expect(ImageFormat.sniff(utf16("<!-- \u{4E2D} --><svg >", isBigEndian: isBigEndian)) == .svg)
            // The low bytes of `<`, `s` and `>`.
            for text in ["\u{013C}svg>", "<\u{0173}vg>", "<svg\u{013E}"] {
                #expect(ImageFormat.sniff(utf16(text, isBigEndian: isBigEndian)) == nil)
            }
        }
    }

    @Test func `text that merely contains an svg element is not SVG`() {
        #expect(ImageFormat.sniff(Array("<html><svgfoo>".utf8)) == nil)
        #expect(ImageFormat.sniff(Array("text <svg>".utf8)) == nil)
        let others = ["<html><svg>", "<!-- <svg>", "<!DOCTYPE svg [<svg>", "<?a <svg>", "<SVG>", "<svg", "<a:b:svg>"]
        for other in others { #expect(ImageFormat.sniff(Array(other.utf8)) == nil, "\(other)") }
    }

    // MARK: Orientation

    @Test(arguments: ImageOrientation.allCases, [true, false])
    func `orientation is read in both byte orders`(orientation: ImageOrientation, isLittleEndian: Bool) throws {
        let jpeg = try PixelBuffer.quarters(width: 32, height: 16).encoded(as: .jpeg(quality: 90))
        let oriented = ExifBlock.insert(
            orientation: UInt16(orientation.rawValue), isLittleEndian: isLittleEndian, into: jpeg)
        let header = try ImageHeader.read(oriented)
        #expect(header.orientation == orientation)
        #expect(header.storedSize == PixelSize(width: 32, height: 16))
        #expect(header.size.width == (orientation.swapsSides ? 16 : 32))
    }

    @Test(arguments: [0, 9, 0xFFFF] as [UInt16])
    func `an invalid orientation is ignored`(value: UInt16) throws {
        let jpeg = try PixelBuffer.quarters(width: 32, height: 16).encoded(as: .jpeg(quality: 90))
        let header = try ImageHeader.read(ExifBlock.insert(orientation: value, isLittleEndian: true, into: jpeg))
        #expect(header.orientation == .up)
    }

    /// The index of a marker.
    private func index(of marker: UInt8, in jpeg: [UInt8]) throws -> Int {
        try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == marker })
    }

    /// An Exif segment behind the frame header used to be missed.
    @Test func `the orientation is that of the first Exif segment before the first scan`() throws {
        func exif(_ orientation: UInt16) -> [UInt8] {
            let jpeg = ExifBlock.insert(orientation: orientation, isLittleEndian: true, into: [0xFF, 0xD8])
            return Array(jpeg[2...])
        }
        for jpeg in [GoldenImage.jpeg, GoldenImage.progressiveJPEG] {
            let scan = try index(of: 0xDA, in: jpeg)
            func late(_ segment: [UInt8]) -> [UInt8] { Array(jpeg[..<scan]) + segment + jpeg[scan...] }
            func early(_ segment: [UInt8], _ rest: [UInt8]) -> [UInt8] { Array(rest[..<2]) + segment + rest[2...] }
            #expect(try ImageHeader.read(late(exif(6))).orientation == .right)
            #expect(try ImageHeader.read(early(exif(3), late(exif(6)))).orientation == .down)
            // Browsers ignore the second segment, whatever the first one contains.
            #expect(try ImageHeader.read(early(exif(1), late(exif(6)))).orientation == .up)
            let empty: [UInt8] = [0xFF, 0xE1, 0, 8] + Array("Exif\0\0".utf8)
            #expect(try ImageHeader.read(early(empty, late(exif(6)))).orientation == .up)
            #expect(throws: ImageError.self) { try ImageHeader.read(Array(jpeg[..<scan])) }
        }
    }

    @Test(arguments: [true, false])
    func `an orientation of type SLONG is read`(isLittleEndian: Bool) throws {
        let block = ExifBlock.tiff(orientation: 6, isLittleEndian: isLittleEndian, isLong: true)
        let png = GoldenImage.rgbPNG
        let oriented = Array(png[..<33]) + PNGChunk.make("eXIf", block) + Array(png[33...])
        #expect(try ImageHeader.read(oriented).orientation == .right)
    }

    @Test func `the orientation of a WebP is read from its Exif chunk`() throws {
        #expect(try ImageHeader.read(SampleImage.orientedWebP).orientation == .right)
        #expect(try ImageHeader.read(SampleImage.orientedWebP).size == PixelSize(width: 8, height: 16))
    }

    /// A PNG file of 2 × 1 pixels with an eXIf chunk before or after its image data.
    private func png(_ tiff: [UInt8], isBehindPixels: Bool = false) -> [UInt8] {
        let (exif, pixels) = (PNGChunk.make("eXIf", tiff), PNGChunk.make("IDAT", [0]))
        return PNGChunk.header(width: 2, height: 1) + (isBehindPixels ? pixels + exif : exif + pixels)
            + PNGChunk.make("IEND", [])
    }

    @Test func `the orientation of a PNG is read only before its image data`() throws {
        let tiff = ExifBlock.tiff(orientation: 6, isLittleEndian: false)
        #expect(try ImageHeader.read(png(tiff)).orientation == .right)
        #expect(try ImageHeader.read(png(tiff, isBehindPixels: true)).orientation == .up)
    }

    @Test func `an orientation with two values is ignored`() throws {
        var tiff = ExifBlock.tiff(orientation: 6, isLittleEndian: false)
        // The count of the only entry, after the tag and its type.
        tiff[17] = 2
        #expect(try ImageHeader.read(png(tiff)).orientation == .up)
    }

    /// Any number of 0xFF bytes may precede a marker (ITU-T T.81 section B.1.1.2). A profile after
    /// them used to be missed.
    @Test func `fill bytes before a marker are skipped`() throws {
        func filled(_ jpeg: [UInt8]) -> [UInt8] { jpeg[..<2] + [0xFF, 0xFF] + jpeg[2...] }
        let coloured = filled(ICCProfile.displayP3.insert(intoJPEG: GoldenImage.jpeg))
        #expect(ColorProfile.ofJPEG(coloured) == ICCProfile.displayP3.bytes)
        let block = ExifBlock.insert(orientation: 6, thumbnail: [1, 2, 3], into: GoldenImage.jpeg)
        let found = filled(block).withUnsafeBytes { JPEGHeader.thumbnail(ByteReader($0)) }
        #expect(found.map { Array(filled(block)[$0]) } == [1, 2, 3])
        #expect(try ImageHeader.read(filled(block)).orientation == .right)
    }

    @Test func `a thumbnail is found as soon as its block is complete`() {
        let block = ExifBlock.insert(orientation: 6, thumbnail: [1, 2, 3], into: GoldenImage.jpeg)
        let end = 4 + Int(block[4]) << 8 + Int(block[5])
        func thumbnail(_ count: Int) -> [UInt8]? {
            let file = Array(block[..<count])
            return file.withUnsafeBytes { JPEGHeader.thumbnail(ByteReader($0)) }.map { Array(file[$0]) }
        }
        #expect(thumbnail(end) == [1, 2, 3])
        #expect(thumbnail(end - 1) == nil)
    }

    // MARK: Hostile input

    static let samples = [
        SampleImage.progressiveJPEG, SampleImage.palettePNG, SampleImage.lossyWebP, SampleImage.orientedWebP,
        SampleImage.animatedGIF, SampleImage.avif, JXLFile.quarters, JXLFile.oriented(.right),
    ]

    @Test(arguments: samples)
    func `a truncated file has the same header or none`(bytes: [UInt8]) throws {
        let whole = try ImageHeader.read(bytes)
        for count in 0..<bytes.count {
            do throws(ImageError) {
                var header = try ImageHeader.read(Array(bytes[..<count]))
                // The orientation may be in the missing part.
                header.orientation = whole.orientation
                #expect(header == whole)
            } catch {
                #expect([.emptyBody, .notAnImage, .unsupportedFormat, .corrupt].contains(error.code))
            }
        }
    }

    @Test(arguments: samples)
    func `a file with flipped bits is read without a crash`(bytes: [UInt8]) {
        var random = SeededGenerator(seed: 17)
        var readCount = 0
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] ^=
                    1 << UInt8.random(in: 0...7, using: &random)
            }
            guard let header = try? ImageHeader.read(damaged) else { continue }
            readCount += 1
            #expect(header.storedSize.width > 0 && header.storedSize.height > 0)
            _ = header.format.frameCount(of: damaged)
            _ = try? header.format.checkEnd(of: damaged)
        }
        #expect(readCount > 0)
    }

    @Test func `frames are counted without decoding`() {
        #expect(ImageFormat.gif.frameCount(of: SampleImage.animatedGIF) == 3)
        #expect(ImageFormat.gif.frameCount(of: SampleImage.animatedGIF, limit: 2) == 2)
        #expect(ImageFormat.webp.frameCount(of: SampleImage.animatedWebP) == 3)
        #expect(ImageFormat.webp.frameCount(of: SampleImage.losslessWebP) == 1)
        #expect(ImageFormat.png.frameCount(of: SampleImage.palettePNG) == 1)
    }

    @Test(arguments: [
        SampleImage.progressiveJPEG, SampleImage.palettePNG, SampleImage.lossyWebP, SampleImage.losslessWebP,
    ])
    func `the truncation check detects a missing end at every byte`(bytes: [UInt8]) throws {
        let format = try #require(ImageFormat.sniff(bytes))
        try format.checkEnd(of: bytes)
        try format.checkEnd(of: bytes + [1, 2, 3])
        for count in 12..<(bytes.count - 1) {
            // The last chunk of a PNG is empty, so the image is complete once its name is present.
            if format == .png, count >= bytes.count - 4 { continue }
            #expect(throws: ImageError.self) { try format.checkEnd(of: Array(bytes[..<count])) }
        }
    }

    /// The size of the coded image was reported, so that views had the wrong shape while loading.
    @Test func `the size of AVIF and HEIC is that after cropping and rotation`() throws {
        let part = PixelSize(width: 8, height: 4)
        for (properties, avif, heic) in [
            ([HEIFFile.rotation(quarterTurns: 1)], PixelSize(width: 8, height: 16), PixelSize(width: 64, height: 64)),
            ([HEIFFile.rotation(quarterTurns: 2)], PixelSize(width: 16, height: 8), PixelSize(width: 64, height: 64)),
            ([HEIFFile.crop(part)], PixelSize(width: 16, height: 8), part),
            (
                [HEIFFile.crop(part), HEIFFile.rotation(quarterTurns: 3)], PixelSize(width: 8, height: 16),
                part.transposed
            ),
            ([HEIFFile.cornerCrop(part, of: PixelSize(width: 16, height: 8))], part, part),
        ] {
            var items = [HEIFFile.Item.av1, .hevc]
            for index in items.indices { items[index].properties += properties }
            #expect(try ImageHeader.read(HEIFFile([items[0]]).bytes).size == avif)
            #expect(try ImageHeader.read(HEIFFile([items[1]], brand: "heic").bytes).size == heic)
        }
    }
}
