import Foundation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

/// SVG files with and without embedded content, which librsvg would decode without limits.
@Suite struct SVGContentTests {
    private func refusal(_ text: String) -> ImageError.Code? {
        do throws(ImageError) {
            try SVGContent.check(Array(text.utf8))
            return nil
        } catch {
            return error.code
        }
    }

    private func drawing(_ content: String, attributes: String = "") -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(attributes)>\(content)</svg>"
    }

    /// A 42 KB SVG with an embedded PNG of 16,000 × 16,000 pixels took 1.79 GB, and an embedded XPM
    /// was drawn.
    @Test(arguments: [
        "<image href='data:image/png;base64,AAAA'/>", "<image xlink:href=\"data:image/x-xpixmap,x\" width='10'/>",
        "<x:image xmlns:x='http://www.w3.org/2000/svg' href='data:,'/>", "<image href=' \n data:,'/>",
        "<image href='d\nata:,'/>", "<image href='DATA:,'/>", "<image href='&#100;ata:,'/>",
        "<image href='&#x64;ata:,'/>", "<feImage href='data:,'/>", "<filter><feImage xlink:href='data:,'/></filter>",
        "<use href='data:image/svg+xml,#a'/>", "<g><![CDATA[</svg>]]><image href='data:,'/></g>",
        "<!-- > --><image href='data:,'/>", "<?a '?><image href='data:,'/>", "<g a='>'/><image href='data:,'/>",
        "<rect fill='url(data:image/svg+xml,#a)'/>", "<rect fill='URL( \"data:,#a\")'/>",
        "<rect style='fill:url(#a);filter:url(data:,#a)'/>", "<rect style='fill:u\\72l(data:,#a)'/>",
        "<rect mask='url(&#39;data:,#a&#39;)'/>", "<style>rect { fill: url(data:,#a) }</style>",
        "<style><![CDATA[@import 'data:text/css,x';]]></style>", "<style>@im<!-- -->port 'data:,';</style>",
        "<style>@i&#109;port 'data:,';</style>", "<svg:style>@IMPORT 'data:,';</svg:style>",
        "<style><g>@import</g> 'data:,';</style>", "<style>\\40import 'data:,';</style>",
        "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='data:,'/>", "<image href='resource:///a.png'/>",
        "<pattern id='a' width='30000' height='30000' patternUnits='userSpaceOnUse'/>",
    ])
    func `an SVG with embedded content is refused`(content: String) {
        #expect(refusal(drawing(content)) == .unsupportedFormat)
    }

    @Test(arguments: [
        "<?xml-stylesheet href='data:text/css,x'?><svg/>", "<?xml version='1.0' encoding='UTF-7'?><svg>+ADw-</svg>",
        "<?xml version='1.0' encoding='utf-16'?><svg/>",
        "<!DOCTYPE svg [<!ENTITY a 'data:'>]><svg><image href='&a;,'/></svg>",
        "<!DOCTYPE svg [<!ATTLIST image href CDATA 'data:,'>]><svg><image/></svg>", "<svg><image href='&a;'/></svg>",
        "<?xml version='1.0' encoding='utf-8-not'?><svg/>",
    ])
    func `an SVG that could hide embedded content is refused`(text: String) {
        #expect(refusal(text) == .unsupportedFormat)
    }

    @Test(arguments: [
        "<svg><!-- ", "<svg><![CDATA[", "<svg a=b/>", "<svg a='", "<svg a/>", "<svg><style>", "<svg", "<svg></svg/>",
        "<svg>\0</svg>", "<svg><!ENTITY a></svg>", "<svg><image href='&#x;'/></svg>",
    ])
    func `an SVG that is not well-formed is refused`(text: String) {
        #expect(refusal(text) != nil)
    }

    @Test(arguments: [
        "<rect width='10' fill='url(#a)' style='filter: url( \"#b\" )'/>", "<a href='https://example.org/?a=b:c'/>",
        "<use xlink:href='#a'/>", "<image href='https://example.org/a.png'/>", "<image href='a.png'/>",
        "<style>rect { fill: url('#a') } /* data: */</style>", "<text>data:, @import \\ url(data:,) &amp; &#65;</text>",
        "<!-- <image href='data:,'/> -->", "<metadata><![CDATA[<image href='data:,'/>]]></metadata>",
        "<g inkscape:export-filename='C:\\a.png' data-name='a\\b'/>", "<path d='M0 0'/><g></g>",
    ])
    func `an SVG without embedded content is accepted`(content: String) {
        #expect(refusal(drawing(content)) == nil)
        let type =
            "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>"
        #expect(refusal("\u{FEFF}<?xml version='1.0' encoding='UTF-8'?>\n\(type)\n" + drawing(content)) == nil)
    }

    @Test func `an SVG compressed with gzip is not an image`() {
        let error = #expect(throws: ImageError.self) {
            try ImageHeader.read(Gzip.stored(Array(drawing("").utf8)))
        }
        #expect(error?.code == .notAnImage)
    }

    @Test(.enabled(if: SVGDecoder().formats.contains(.svg), "librsvg is not installed"))
    func `the decoder refuses embedded images before librsvg parses them`() throws {
        let png = Data(GoldenImage.rgbPNG).base64EncodedString()
        let bytes = Array(
            drawing(
                "<image width='9' height='9' href='data:image/png;base64,\(png)'/>", attributes: "width='9' height='9'"
            )
            .utf8)
        let error = #expect(throws: ImageError.self) {
            try SVGDecoder().decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
        }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.description.contains("embedded images") == true)
    }

    /// A hundred filter primitives at 2000 × 2000 took 1.6 GB.
    @Test(.enabled(if: SVGDecoder().formats.contains(.svg), "librsvg is not installed"))
    func `the results of filter primitives count towards the limits`() throws {
        let primitives = (0..<100).map { "<feFlood result='a\($0)'/>" }.joined()
        let bytes = Array(
            drawing(
                "<filter id='f'>\(primitives)</filter><rect width='9' height='9' filter='url(#f)'/>",
                attributes: "width='2000' height='2000'"
            ).utf8)
        let decoder = SVGDecoder()
        let header = try ImageHeader.read(bytes)
        for target in [nil, TargetSize.longestSide(2000)] {
            let error = #expect(throws: ImageError.self) {
                try decoder.decode(bytes, DecodeRequest(header: header, target: target))
            }
            #expect(error?.code == .tooManyPixels)
        }
        let small = try decoder.decode(bytes, DecodeRequest(header: header, target: .longestSide(100)))
        #expect(small.pixels.size == PixelSize(width: 100, height: 100))
    }

    private func chain(_ count: Int, _ link: (Int) -> String) -> String {
        drawing("<defs>" + (0..<count).map(link).joined() + "</defs><use href='#a0'/>")
    }

    /// librsvg 2.54 overflows the stack of a thread with 2,000 of these references.
    @Test func `chains of references are limited`() {
        let links: [(Int) -> String] = [
            { "<g id='a\($0)'><use href='#a\($0 + 1)'/></g>" },
            { "<clipPath id='a\($0)' clip-path='url(#a\($0 + 1))'/>" },
            { "<clipPath id='a\($0)' style='clip-path: URL( \"#a\($0 + 1)\" )'><rect/></clipPath>" },
        ]
        for link in links {
            #expect(refusal(chain(100, link)) == nil)
            #expect(refusal(chain(2000, link)) == .unsupportedFormat)
            #expect(refusal(chain(30_000, link)) == .unsupportedFormat, "without recursion of its own")
            // The order of the elements does not matter.
            #expect(refusal(chain(2000) { link(1999 - $0) }) == .unsupportedFormat)
        }
        let styles = (0..<600).map { ".c\($0) { clip-path: url(#c\($0)) }" }.joined()
        #expect(refusal(drawing("<style>\(styles)</style>")) == .unsupportedFormat)
        // One element after another is no chain, and a cycle draws nothing.
        #expect(refusal(chain(5000) { "<g id='a\($0 + 1)'><use href='#a0'/></g>" }) == nil)
        #expect(refusal(drawing("<g id='a0'><use href='#a0'/></g><use href='#a0'/>")) == nil)
        #expect(refusal(drawing(String(repeating: "<g>", count: 300) + String(repeating: "</g>", count: 300))) != nil)
    }

    @Test func `an SVG has at most 256 open elements and 512 levels`() {
        // A group and the `use` in it are two levels, a clip path is one; the drawing has two more.
        let group: (Int) -> String = { "<g id='a\($0)'><use href='#a\($0 + 1)'/></g>" }
        #expect(refusal(chain(255, group)) == nil)
        #expect(refusal(chain(256, group)) == .unsupportedFormat)
        let clip: (Int) -> String = { "<clipPath id='a\($0)' clip-path='url(#a\($0 + 1))'/>" }
        #expect(refusal(chain(510, clip)) == nil)
        #expect(refusal(chain(511, clip)) == .unsupportedFormat)
        func nested(_ count: Int) -> String {
            drawing(String(repeating: "<g>", count: count) + String(repeating: "</g>", count: count))
        }
        #expect(refusal(nested(255)) == nil)
        #expect(refusal(nested(256)) == .unsupportedFormat)
    }

    @Test func `nested groups with an opacity count as surfaces`() throws {
        func count(_ open: String, depth: Int = 40) throws -> Int {
            let name = open.dropFirst().prefix { $0 != " " && $0 != ">" }
            let groups = String(repeating: open, count: depth) + String(repeating: "</\(name)>", count: depth)
            return try SVGContent.check(Array(drawing("<style>.x { opacity: 1 }</style>" + groups).utf8))
        }
        for plain in ["<g>", "<g opacity='1'>", "<g style='opacity:1;fill-opacity:.5'>", "<g fill-opacity='.5'>"] {
            #expect(try count(plain) == 1)
        }
        let isolating = [
            "<g opacity='.9'>", "<g style='fill:red; OPACITY : .9'>", "<g style='mix-blend-mode:multiply'>",
        ]
        for isolated in isolating {
            #expect(try count(isolated) == 41)
        }
        // One after another, groups need one surface.
        let siblings = String(repeating: "<g opacity='.5'/>", count: 500)
        #expect(try SVGContent.check(Array(drawing(siblings).utf8)) <= 3)
        let groups = String(repeating: "<g>", count: 30) + String(repeating: "</g>", count: 30)
        #expect(try SVGContent.check(Array(drawing("<style>g { opacity: .5 }</style>\(groups)").utf8)) == 32)
    }

    @Test func `an encoding in which ASCII bytes are ASCII characters is accepted`() {
        for name in ["UTF-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252"] {
            for quote in ["'", "\""] {
                let declaration = "<?xml version='1.0' encoding=\(quote)\(name)\(quote)?>"
                #expect(refusal(declaration + drawing("")) == nil, "\(declaration)")
            }
        }
        #expect(refusal("<?other encoding='utf-16'?>\(drawing(""))") == nil, "it is no declaration of XML")
        #expect(refusal("<?xml version='1.0'?>\(drawing(""))") == nil)
    }

    @Test func `a document type may quote brackets`() {
        for (type, code) in [
            ("svg SYSTEM \"a[>'b\"", nil), ("svg PUBLIC '[\"' \">[\"", nil), ("svg", nil),
            ("svg 'a' [", .unsupportedFormat), ("svg SYSTEM 'a", .corrupt),
        ] as [(String, ImageError.Code?)] {
            #expect(refusal("<!DOCTYPE \(type)>\(drawing("<g a=\"b\"/>"))") == code, "\(type)")
        }
    }

    @Test func `space, references and names that are no styles are accepted`() {
        for content in [
            "<g\ta = 'b'\r\n  c\t='d'\n/>", "<g id='a\\b' class='c\\d'/>", "<image href=' #a:b'/>",
            "<image href='FILE:a.png'/>", "<image href='HTTP://a/b'/>", "<image href='a/b.png'/>",
            "<text a='&lt;&gt;&amp;&quot;&apos;&#65;&#x41;'/>", "<a href='data:,'/>",
        ] { #expect(refusal(drawing(content)) == nil, "\(content)") }
        for content in [
            "<g data='a\\b'/>", "<image href='ftp://a/b'/>", "<rect mask='url(&quot;data:,#a&quot;)'/>",
            "<rect mask='url( &apos; data:,#a&apos;)'/>", "<rect fill='url(#a) url(data:,)'/>", "<g a='&#xD800;'/>",
            "<g a='&nbsp;'/>",
        ] { #expect(refusal(drawing(content)) == .unsupportedFormat, "\(content)") }
        // librsvg does not follow them.
        #expect(refusal(chain(2000) { "<a id='a\($0)' href='#a\($0 + 1)'/>" }) == nil)
    }

    @Test func `each result of a filter primitive and each mask counts as a surface, once`() throws {
        func count(_ content: String) throws -> Int { try SVGContent.check(Array(drawing(content).utf8)) }
        #expect(try count("") == 1)
        #expect(try count("<mask></mask>") == 2)
        #expect(try count("<filter><feFlood/><feBlend></feBlend></filter><mask/><s:mask/><g/>") == 5)
        // Four levels and one reference of the style, which isolates any of them.
        #expect(try count("<style>g { filter: url(#a) }</style><g><g><g/></g></g>") == 1 + 5)
        #expect(try count("<style>g { fill: url(#a) }</style><g><g><g/></g></g>") == 1)
    }

    @Test func `the references of style sheets count as levels`() {
        func style(_ count: Int) -> String {
            drawing("<style>\(String(repeating: ".c{fill:url(#c)}", count: count))</style>")
        }
        // The drawing and its style are two levels.
        #expect(refusal(style(510)) == nil)
        #expect(refusal(style(511)) == .unsupportedFormat)
    }

    @Test func `damaged SVG files are accepted or refused without a crash`() {
        let text = drawing("<style>a { fill: url(#a) }</style><g a='&amp;'><![CDATA[x]]></g><!-- c --><?p q?>")
        for seed in 0..<500 {
            var random = SeededGenerator(seed: UInt64(seed))
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
            _ = try? SVGContent.check(bytes)
        }
    }
}
