import Testing

@testable import RemoteImageCore

/// Parsing `srcset` as the HTML Standard does.
@Suite(.endsInTime)
struct SourceSetTests {
    /// The images as text: `address descriptor`.
    private func parsed(_ text: String, src: String? = nil) -> [String] {
        SourceSet(text, src: src).candidates.map { candidate in
            switch candidate.descriptor {
            case .width(let width): "\(candidate.address) \(width)w"
            case .density(let density): "\(candidate.address) \(density)x"
            }
        }
    }

    @Test(arguments: [
        ("", []), (" \n\t", []), (",,,", []),
        ("a", ["a 1.0x"]), ("a, b 2x", ["a 1.0x", "b 2.0x"]), ("a 100w, b 200w", ["a 100w", "b 200w"]),
        ("a 1x,b 2x", ["a 1.0x", "b 2.0x"]), ("a,", ["a 1.0x"]), ("a,,, b 2x,", ["a 1.0x", "b 2.0x"]),
        // A comma within an address does not separate.
        ("a,b 2x", ["a,b 2.0x"]),
        ("data:image/png;base64,AAAA 1x, b 2x", ["data:image/png;base64,AAAA 1.0x", "b 2.0x"]),
        ("\u{C}a\t1x\r,\nb 2x", ["a 1.0x", "b 2.0x"]), ("a 1.5x", ["a 1.5x"]), ("a .5x", ["a 0.5x"]),
        ("a 1e1x", ["a 10.0x"]), ("a 0x", ["a 0.0x"]), ("a -0x", ["a -0.0x"]),
        ("a 100w 50h", ["a 100w"]), ("a 50h 100w", ["a 100w"]),
    ])
    func `valid images are read`(text: String, expected: [String]) {
        #expect(parsed(text) == expected)
    }

    @Test(arguments: [
        "a 1y", "a w", "a x", "a 0w", "a -1w", "a +1w", "a 1.5w", "a 1w 2w", "a 1w 1x", "a 1x 1w", "a 1x 2x",
        "a -1x", "a +1x", "a 1.x", "a 1ex", "a infx", "a nanx", "a 0x1x", "a 50h", "a 0h 10w", "a 1h 2h 3w", "a 1x 1h",
        "a 1W", "a 1X", "a 1,5x", "a (1x", "a (1x, b 2x", "a 1x()", "a 99999999999999999999w", "a 1e999x",
    ])
    func `images with invalid descriptors are left out`(text: String) {
        #expect(parsed("\(text)").filter { $0.hasPrefix("a ") } == [])
    }

    @Test func `an invalid image does not affect the next one`() {
        #expect(parsed("a 1y, b 2x") == ["b 2.0x"])
        #expect(parsed("a (x, y) 1x, b 2x") == ["b 2.0x"])
        #expect(parsed("a f(x, y), b 2x") == ["b 2.0x"])
    }

    @Test func `src counts as 1x if there is neither that nor a width`() {
        #expect(parsed("b 2x", src: "a") == ["b 2.0x", "a 1.0x"])
        #expect(parsed("", src: "a") == ["a 1.0x"])
        #expect(parsed("b 1x", src: "a") == ["b 1.0x"])
        #expect(parsed("b 100w", src: "a") == ["b 100w"])
        #expect(parsed("b 2x", src: "") == ["b 2.0x"])
    }

    @Test(arguments: [nil, "http://test/page/"] as [String?])
    func `a data address is an image of the set`(base: String?) throws {
        let text = "data:image/png;base64,AAAA"
        let base = try base.map { try WebAddress($0) }
        for set in [SourceSet("\(text) 1x"), SourceSet("", src: text)] {
            let source = set.imageSource(relativeTo: base)
            #expect(SourceResolution(source, target: nil, isConstrained: false).attempts == [ImageSource(text)])
        }
    }

    // MARK: Large text

    @Test func `of a megabyte of images the first thousand are read`() {
        let text = (0..<80_000).map { "i\($0) \($0 + 1)w" }.joined(separator: ", ")
        #expect(text.utf8.count > 1 << 20)
        #expect(SourceSet(text).candidates.count == 1_000)
    }

    @Test(arguments: [",", " ", "(", ")", "a", "a ", "a (", "1w ", "a 1", "\u{C}", "é"])
    func `a megabyte of one text is read in one pass`(text: String) {
        let count = (1 << 20) / text.utf8.count
        #expect(SourceSet(String(repeating: text, count: count)).candidates.count <= 1_000)
        #expect(SourceSet("a " + String(repeating: text, count: count)).candidates.count <= 1_000)
        #expect(SourceSizes(String(repeating: text, count: count)).width(inViewportOfWidth: 9, height: 9) == 9)
    }

    // MARK: The source

    @Test func `the smallest image that covers the pixels is chosen`() throws {
        let base = try WebAddress("http://test/page/")
        let source = SourceSet("s.jpg 320w, m.jpg 640w, /l.jpg 1280w").imageSource(relativeTo: base)
        #expect(try source.address(300) == "http://test/page/s.jpg")
        #expect(try source.address(321) == "http://test/page/m.jpg")
        #expect(try source.address(5000) == "http://test/l.jpg")
    }

    @Test func `densities multiply the layout width`() throws {
        let source = SourceSet("http://test/2 2x", src: "http://test/1").imageSource(layoutWidth: 100)
        #expect(try source.address(100) == "http://test/1")
        #expect(try source.address(101) == "http://test/2")
    }

    @Test func `of equal sizes the first is taken`() throws {
        #expect(try SourceSet("http://test/a 2x, http://test/b 2x").imageSource().address(10) == "http://test/a")
    }

    @Test(arguments: ["a.jpg 1x", "", "javascript:alert(1) 1x", "file:///etc/passwd 1x", "http://test/a 0x"])
    func `a set without a usable image loads nothing`(text: String) {
        #expect(SourceResolution(SourceSet(text).imageSource(), target: nil, isConstrained: false).attempts.isEmpty)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 0, 1e300])
    func `impossible numbers of the program are replaced`(number: Double) throws {
        let source = SourceSet("http://test/a").imageSource(layoutWidth: number, aspectRatio: number)
        #expect(try source.address(10) == "http://test/a")
    }

    // MARK: Sizes

    @Test(arguments: [
        ("", 800), ("100px", 100), ("50vw", 400), ("10vh", 60), ("2em", 32), ("1.5rem", 24), ("0", 0),
        ("(max-width: 600px) 100vw, 50vw", 400), ("(max-width: 800px) 100px, 50vw", 100),
        ("(min-width: 50em) 30px, 10px", 30), ("(min-width: 50.1em) 30px, 10px", 10),
        ("(min-width:500px) and (max-width:900px) 70px", 70), ("(min-width:500px)and(max-width:700px) 70px", 800),
        ("(MIN-WIDTH: 500PX) 70PX", 70), ("(min-width: 500px)70px", 70), (" (min-width:1px)\n7px\t, 8px", 7),
        // Unknown conditions and lengths do not apply.
        ("(orientation: landscape) 10px, 20px", 20), ("not (min-width: 1px) 10px, 20px", 20),
        ("calc(100vw - 20px), 20px", 20), ("(min-width: 1px) calc((1px + 2px), 3px), 20px", 20), ("-5px, 20px", 20),
        ("10, 20px", 20), ("10%, 20px", 20), ("auto, 20px", 20), ("(min-width: 1vw) 10px, 20px", 20),
        ("() 10px, 20px", 20), ("(min-width) 10px, 20px", 20), ("(min-width: 1px) and 10px, 20px", 20),
        ("(min-width: 1px 10px, 20px", 800), ("and (min-width: 1px) 10px, 20px", 20), (",,, 5px", 5),
    ])
    func `the first entry that applies decides the width`(text: String, width: Double) {
        #expect(SourceSizes(text).width(inViewportOfWidth: 800, height: 600) == width)
    }
}
