import Foundation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

/// Drawings in decoder processes, and the effect of hostile ones on the images after them.
@Suite(.timeLimit(.minutes(5)), .endsInTime, .enabled(if: SVGDecoder().decodes(.svg), "librsvg is not installed"))
struct SVGDecoderTests {
    private let decoder = IsolatedDecoder([SVGDecoder()])

    private static func file(_ content: String, _ attributes: String = "width='40' height='20'") -> [UInt8] {
        let names = "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
        return Array("<svg \(names) \(attributes)>\(content)</svg>".utf8)
    }

    private static let red = file("<rect width='40' height='20' fill='red'/>")

    private func decode(
        _ bytes: [UInt8], with decoder: (any ImageDecoder)? = nil, target: TargetSize? = nil,
        timeout: Duration = .seconds(30)
    ) throws -> DecodedImage {
        var request = DecodeRequest(header: try ImageHeader.read(bytes), target: target)
        request.limits.timeout = timeout
        return try (decoder ?? self.decoder).decode(bytes, request)
    }

    /// Whether the decoder draws the next image.
    private func drawsRed() throws -> Bool {
        let image = try decode(Self.red)
        return image.isIsolated && image.pixels.pixel(20, 10).prefix(3) == [255, 0, 0]
    }

    private func arguments(of process: Int32) throws -> [String] {
        let text = try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        return text.split(separator: "\0").map(String.init)
    }

    private func formats(of process: Int32) throws -> Set<ImageFormat>? {
        try arguments(of: process).last.flatMap { Int($0) }.flatMap { Set(bits: $0) }
    }

    // MARK: Sizes

    /// `naturalWidth` and `naturalHeight` in Chromium.
    @Test(arguments: [
        ("", 300, 150), ("viewBox='0 0 200 100'", 300, 150), ("viewBox='0 0 24 24'", 150, 150),
        ("viewBox='0 0 10 40'", 38, 150), ("viewBox='0 0 40 10'", 300, 75), ("width='100'", 100, 150),
        ("height='100'", 300, 100), ("width='100' viewBox='0 0 20 10'", 100, 50),
        ("height='100' viewBox='0 0 20 10'", 200, 100), ("width='50%' height='50%' viewBox='0 0 20 10'", 300, 150),
        ("width='100%' height='40'", 300, 40), ("width='100%' height='40' viewBox='0 0 20 10'", 80, 40),
        ("width='2em' height='3em'", 32, 48), ("width='2em' height='3em' font-size='10'", 20, 30),
        ("width='2em' height='3em' style='font-size:20px'", 40, 60),
        ("width='2em' height='50%' viewBox='0 0 20 10'", 32, 16), ("width='20mm' height='10mm'", 76, 38),
        ("width='2cm' height='1cm'", 76, 38), ("width='1in' height='0.5in'", 96, 48),
        ("width='30pt' height='15pt'", 40, 20), ("width='2pc' height='1pc'", 32, 16),
        ("width='10.5' height='10.4'", 11, 10), ("viewBox='0 0 0 10'", 300, 150),
        ("width='30' height='60' viewBox='0 0 20 10'", 30, 60),
    ])
    func `a drawing has the size that Chromium gives it`(attributes: String, width: Int, height: Int) throws {
        let image = try decode(Self.file("", attributes), with: SVGDecoder())
        #expect(image.size == PixelSize(width: width, height: height))
        #expect(image.pixels.size == image.size)
    }

    @Test func `a drawing without a size is refused`() {
        for attributes in ["width='0' height='10'", "width='10' height='0'"] {
            let error = #expect(throws: ImageError.self) {
                try decode(Self.file("", attributes), with: SVGDecoder())
            }
            #expect(error?.code == .corrupt)
        }
    }

    /// With lengths in percent, an enlarged drawing was drawn in its own size.
    @Test(arguments: [
        ("<rect width='50%' height='100%' fill='red'/>", ""),
        ("<rect width='150' height='150' fill='red'/>", ""),
        ("<rect width='20' height='20' fill='red'/>", "width='40' height='20'"),
        ("<rect width='5' height='10' fill='red'/>", "viewBox='0 0 10 5' preserveAspectRatio='xMidYMid slice'"),
    ])
    func `the target size scales the whole drawing`(content: String, attributes: String) throws {
        for width in [20, 60, 600, 1200] {
            let pixels = try decode(Self.file(content, attributes), target: .longestSide(width)).pixels
            #expect(pixels.size == PixelSize(width: width, height: width / 2))
            #expect(pixels.pixel(width / 4, width / 4) == [255, 0, 0, 255])
            #expect(pixels.pixel(width * 3 / 4, width / 4) == [0, 0, 0, 0])
        }
    }

    @Test func `the surfaces of a drawing fit into the limit of decoded bytes`() throws {
        let masked = Self.file("<mask/><rect width='40' height='20' fill='red'/>")
        for (bytes, surfaceCount) in [(Self.red, 1), (masked, 2)] {
            for (missing, isAllowed) in [(0, true), (1, false)] {
                var request = DecodeRequest(header: try ImageHeader.read(bytes))
                request.limits.maxDecodedByteCount = 40 * 20 * 4 * surfaceCount - missing
                let code = errorCode { () throws(ImageError) in try SVGDecoder().decode(bytes, request) }
                #expect(code == (isAllowed ? nil : .tooManyPixels))
            }
        }
    }

    @Test func `a side has at least one pixel and at most as many as cairo draws`() throws {
        let thin = try decode(Self.file("", "width='.3' height='5'"), with: SVGDecoder())
        #expect(thin.size == PixelSize(width: 1, height: 5))
        for (attributes, isAllowed) in [
            ("width='32767' height='2'", true), ("width='32768' height='2'", false),
            ("width='2' height='32767'", true), ("width='2' height='32768'", false),
        ] {
            let bytes = Self.file("", attributes)
            let request = DecodeRequest(header: try ImageHeader.read(bytes))
            let code = errorCode { () throws(ImageError) in try SVGDecoder().decode(bytes, request) }
            #expect(code == (isAllowed ? nil : .tooManyPixels))
        }
    }

    @Test func `colors are premultiplied, and opaque drawings have no alpha`() throws {
        let half = Self.file("<rect width='40' height='20' fill='#ff8000' fill-opacity='.5'/>")
        let pixel = try decode(half).pixels.pixel(9, 9)
        #expect(pixel[3] == 127 || pixel[3] == 128)
        #expect(pixel[0] == pixel[3] && abs(Int(pixel[1]) - 64) <= 1 && pixel[2] == 0)
        let opaque = try decode(Self.red).pixels
        #expect(opaque.format == .rgb8)
        #expect(opaque.pixel(0, 0).prefix(3) == [255, 0, 0])
    }

    // MARK: Forms of files

    private static let name = "http://www.w3.org/2000/svg"
    private static let rest = "width='40' height='20'><rect width='40' height='20' fill='red'/></svg>"
    private static let prefixed =
        "<s:svg xmlns:s='\(name)' width='40' height='20'><s:rect width='40' height='20' fill='red'/></s:svg>"
    private static let typed = """
        <?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://127.0.0.1:9/svg11.dtd' [
        <!ENTITY name '\(name)'> <!-- ]> <svg> --> <!ENTITY q "a>b]"> ]><svg xmlns='&name;' \(rest)
        """

    private static let plain = "<svg xmlns='\(name)' \(rest)"

    private static func utf16(isBigEndian: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for unit in "\u{FEFF}\(plain)".utf16 {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
            bytes += isBigEndian ? [high, low] : [low, high]
        }
        return bytes
    }

    private static let forms: [[UInt8]] = [
        Array("<!--\(String(repeating: "x", count: 1300))-->\(plain)".utf8), Array(prefixed.utf8),
        Array("\u{FEFF}\(plain)".utf8), Array(typed.utf8), utf16(isBigEndian: false), utf16(isBigEndian: true),
        Array("<?xml version='1.0' encoding='iso-8859-1'?>\(plain)".utf8),
    ]

    @Test(arguments: forms)
    func `a drawing is recognised and drawn in every form that Chromium reads`(bytes: [UInt8]) throws {
        let image = try decode(bytes)
        #expect(image.size == PixelSize(width: 40, height: 20))
        #expect(image.pixels.pixel(39, 19).prefix(3) == [255, 0, 0])
    }

    // MARK: Text and other files

    private static func text(_ attributes: String) -> [UInt8] {
        file("<text x='2' y='15' font-size='14' \(attributes)>Wag é</text>")
    }

    /// The fonts of the last two are not those of the test image.
    @Test(arguments: [
        "", "font-family='serif'", "font-family='monospace' font-weight='bold'",
        "font-family='sans-serif' font-weight='bold'",
    ])
    func `a decoder process draws the same text`(attributes: String) throws {
        let bytes = Self.text(attributes)
        let (own, isolated) = (try decode(bytes, with: SVGDecoder()).pixels, try decode(bytes).pixels)
        let pixels = isolated.withUnsafeBytes { Array($0) }
        #expect(pixels == own.withUnsafeBytes { Array($0) })
        #expect(pixels.count { $0 > 127 } > 50, "the text is visible")
    }

    /// A red drawing with references to other files, which would cover it.
    @Test func `no other file is loaded`() async throws {
        let black = PixelBuffer(size: PixelSize(width: 40, height: 20), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = 0 }
        }
        let png = try TemporaryFile(try black.encoded(as: .png))
        let drawing = try TemporaryFile(Self.file("<rect id='a' width='40' height='20'/>"))
        let style = try TemporaryFile(Array("rect { fill: black }".utf8))
        let origin = try RawOrigin()
        let address = try origin.address("/a.png")
        for reference in [
            "<image width='40' height='20' href='file://\(png.path)'/>",
            "<image width='40' height='20' xlink:href='\(png.path)'/>",
            "<image width='40' height='20' href='\(address)'/>",
            "<use href='file://\(drawing.path)#a'/>", "<use href='\(address)#a'/>",
            "<style>@import 'file://\(style.path)'; @import '\(address)';</style>",
            "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='file://\(drawing.path)'/>",
            "<rect width='40' height='20' fill='url(file://\(drawing.path)#a) red'/>",
        ] {
            let bytes = Self.file("<rect width='40' height='20' fill='red'/>\(reference)")
            #expect(try decode(bytes).pixels.pixel(20, 10).prefix(3) == [255, 0, 0], "\(reference)")
        }
        let entity = "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file://\(style.path)'>]>"
        let named = Array(entity.utf8) + Self.file("<text y='15'>&a;</text>")
        if let image = try? decode(named) {
            #expect(image.pixels.withUnsafeBytes { !$0.contains { $0 != 0 } }, "no text of the file is drawn")
        }
        #expect(origin.connectionCount == 0)
    }

    @Test func `only a decoder process draws embedded images, patterns and entities`() throws {
        let png = Data(try PixelBuffer.quarters(width: 40, height: 20).encoded(as: .png)).base64EncodedString()
        let image = Self.file("<image width='40' height='20' href='data:image/png;base64,\(png)'/>")
        #expect(try decode(image).pixels.quarters == [.red, .green, .blue, .white])
        let tile = "<pattern id='p' width='4' height='4' patternUnits='userSpaceOnUse'>"
        let tiled = "<rect width='4' height='4' fill='red'/></pattern><rect width='40' height='20' fill='url(#p)'/>"
        let pattern = Self.file(tile + tiled)
        #expect(try decode(pattern).pixels.pixel(10, 10).prefix(3) == [255, 0, 0])
        for bytes in [image, pattern, Array(Self.typed.utf8)] {
            let error = #expect(throws: ImageError.self) { try decode(bytes, with: SVGDecoder()) }
            #expect(error?.code == .unsupportedFormat)
        }
    }

    // MARK: Hostile drawings

    private static func filtered(_ filter: String, side: Int = 40) -> [UInt8] {
        file(
            "<filter id='f'>\(filter)</filter><rect width='\(side)' height='\(side)' filter='url(#f)'/>",
            "width='\(side)' height='\(side)'")
    }

    private static let matrix = String(repeating: "1 ", count: 41 * 41)

    /// librsvg 2.54 panics and aborts.
    @Test(.enabled(if: BuiltProgram.canConfine))
    func `a drawing that ends its process fails alone`() throws {
        #expect(try drawsRed())
        let bytes = Self.filtered("<feConvolveMatrix order='41' kernelMatrix='\(Self.matrix)'/>")
        for _ in 0..<2 {
            do throws(ImageError) {
                let request = DecodeRequest(header: try ImageHeader.read(bytes))
                _ = try decoder.decode(bytes, request)
            } catch {
                #expect(error == ImageError(.corrupt, "the decoder process crashed"))
            }
            #expect(try drawsRed())
        }
    }

    /// GdkPixbuf's loader ended the program.
    @Test func `text of any size ends no program`() throws {
        for size in ["1e30", "1e308", "-1", "1e-30"] {
            let bytes = Self.file("<text y='20' font-size='\(size)'>W</text>", "width='40' height='40'")
            _ = try? decode(bytes)
            #expect(try drawsRed())
        }
    }

    /// This line took a gigabyte.
    @Test(.enabled(if: BuiltProgram.canConfine))
    func `a line with short dashes fails within the memory limit of its process`() throws {
        #expect(try drawsRed())
        let process = try #require(decoder.idleProcesses.last)
        #expect(try arguments(of: process)[2] == "\(768 << 20)")
        let line = "<path d='M0 0H300000' stroke='red' stroke-width='9' stroke-dasharray='.01'/>"
        #expect(throws: ImageError.self) { try decode(Self.file(line)) }
        #expect(try drawsRed())
    }

    @Test(.enabled(if: BuiltProgram.canConfine))
    func `endless drawings fail alone`() throws {
        // librsvg 2.58 and newer limit the octaves to 9.
        let noise = String(repeating: "<feTurbulence numOctaves='9' baseFrequency='.1'/>", count: 500)
        let rows = (1...6).map { level in
            "<g id='a\(level)'>" + String(repeating: "<use href='#a\(level - 1)'/>", count: 9) + "</g>"
        }
        let smallNoise = "<feTurbulence numOctaves='100000' baseFrequency='.1'/>"
        let bomb =
            "<filter id='f'>\(smallNoise)</filter><rect id='a0' width='40' height='20' filter='url(#f)'/>"
            + rows.joined() + "<use href='#a6'/>"
        for bytes in [
            Self.filtered(noise, side: 2500),
            Self.filtered("<feMorphology operator='dilate' radius='1000'/>", side: 3000),
            Self.filtered(String(repeating: "<feGaussianBlur stdDeviation='9'/>", count: 500), side: 2500),
            Self.file(bomb),
        ] {
            let error = #expect(throws: ImageError.self) { try decode(bytes, timeout: .seconds(3)) }
            #expect(error?.code == .decodeTimeout)
            #expect(try drawsRed())
        }
    }

    // MARK: Processes

    @Test func `drawings have processes of their own`() throws {
        let decoder = IsolatedDecoder([PNGDecoder(), SVGDecoder()])
        _ = try decode(SampleImage.palettePNG, with: decoder)
        _ = try decode(Self.red, with: decoder)
        let last = try #require(decoder.idleProcesses.last)
        #expect(try formats(of: last) == [.svg])
        for process in decoder.idleProcesses where process != last {
            #expect(try formats(of: process)?.contains(.svg) == false)
        }
        _ = try decode(Self.red, with: decoder)
        #expect(decoder.idleProcesses.last == last, "it is used again")
        let list = try #require(fopen("/proc/\(last)/maps", "r"))
        defer { fclose(list) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let maps = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, list)], as: UTF8.self)
        #expect(maps.contains("librsvg") && !maps.contains("libcurl"))
    }

    @Test func `no process is started for drawings before the first one`() throws {
        decoder.prepare()
        #expect(decoder.pool.isEmpty)
        #expect(try drawsRed())
        #expect(decoder.idleProcesses.count == 1)
    }

    /// Under `.required`, SVG used to be drawn in the calling process.
    @Test func `the calling process draws SVG only without isolation`() throws {
        for isolation in [DecoderIsolation.required, .preferred] {
            let decoders = [any ImageDecoder].standard(isolation: isolation, allowsSVG: true)
            let drawing = decoders.filter { $0.decodes(.svg) }
            #expect(drawing.count == 1)
            #expect(drawing.allSatisfy { ($0 as? any ConfinedDecoder)?.isConfined == true })
            let image = try decoders.decode(Self.red, DecodeRequest(header: try ImageHeader.read(Self.red)))
            #expect(image.isIsolated)
            #expect(image.decoder == "svg")
            #expect(![any ImageDecoder].standard(isolation: isolation).contains { $0.decodes(.svg) })
        }
        let image = try [any ImageDecoder].standard(isolation: .none, allowsSVG: true)
            .decode(Self.red, DecodeRequest(header: try ImageHeader.read(Self.red)))
        #expect(!image.isIsolated)
    }

    @Test func `without the program, SVG fails`() throws {
        for isRequired in [true, false] {
            var configuration = IsolatedDecoder.Configuration()
            configuration.path = "/nonexistent/remote-image-decoder"
            configuration.isRequired = isRequired
            configuration.mayFallBack = false
            let decoder = IsolatedDecoder([SVGDecoder()], configuration)
            #expect(throws: ImageError(.io, "remote-image-decoder is not installed")) {
                try decode(Self.red, with: decoder)
            }
        }
    }
}
