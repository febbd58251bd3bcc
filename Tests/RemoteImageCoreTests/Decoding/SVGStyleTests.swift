import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders
@testable import RemoteImageDecoding

/// What an SVG file needs beside its drawing: surfaces, and levels of nested and referenced
/// elements.
@Suite struct SVGStyleTests {
    private func isIsolating(_ attribute: String, _ value: String) -> Bool {
        SVGStyle.isIsolating(Array(attribute.utf8)[...], Array(value.utf8))
    }

    @Test func `a property with its plain value needs no surface`() {
        for (name, plain, other) in [
            ("opacity", ["1", "1.0", "100%", "inherit", " 1\n"], ["0.5", "10", "1.00001", ""]),
            ("filter", ["none", "inherit", "\tnone "], ["url(#a)", "nonee"]),
            ("mask", ["none", "inherit"], ["url(#a)"]), ("mix-blend-mode", ["normal"], ["multiply", "inherit"]),
            ("isolation", ["auto"], ["isolate"]), ("clipPathUnits", ["userSpaceOnUse"], ["objectBoundingBox"]),
            ("fill", ["red", "none", "url(#a)"], []), ("OPACITY", ["0.5"], []),
        ] as [(String, [String], [String])] {
            for value in plain { #expect(!isIsolating(name, value), "\(name)=\(value)") }
            for value in other { #expect(isIsolating(name, value), "\(name)=\(value)") }
        }
    }

    @Test func `a style needs a surface if one of its declarations does`() {
        for style in ["", "opacity:1", "a{opacity:1;filter:none}", "fill:red;b", "opacity", "fill:opacity:.5", "a/b*c"]
        {
            #expect(!isIsolating("style", style), "\(style)")
        }
        for style in [
            "opacity:.5", "fill:red; Opacity : .5", "a{filter:url(#a)}", "fill:red;mask:url(a:b)", "opacity:1/**/",
            "opacity:1:2",
        ] { #expect(isIsolating("style", style), "\(style)") }
    }

    @Test func `references in a style are found by url`() {
        for (style, expected) in [
            ("fill:url(#a)", ["a"]), ("fill:URL( \"#b c\" );mask:url('#d')", ["b", "d"]), ("url(#)", [""]),
            ("url(a#b)", []), ("uri(#a)", []), ("url (#a)", []), ("url(\n#a\t)x", ["a"]), ("url(#a", ["a"]),
            ("url(", []),
        ] as [(String, [String])] {
            #expect(SVGStyle.targets(in: Array(style.utf8)) == expected, "\(style)")
        }
    }

    // MARK: Levels

    private struct Node {
        var id: String?
        var targets: [String] = []
        var isIsolated = false
        var children: [Node] = []
    }

    private func open(_ node: Node, in nesting: inout SVGNesting) -> Bool {
        var isFine = nesting.begin(id: node.id, targets: node.targets, isIsolated: node.isIsolated)
        for child in node.children where isFine { isFine = open(child, in: &nesting) }
        nesting.end()
        return isFine
    }

    private func nesting(_ root: Node) -> SVGNesting {
        var nesting = SVGNesting()
        #expect(open(root, in: &nesting))
        return nesting
    }

    private func group(_ children: Node...) -> Node { Node(children: children) }

    private func tower(_ height: Int, id: String? = nil, at top: [String] = []) -> Node {
        height == 1 ? Node(id: id, targets: top) : Node(id: id, children: [tower(height - 1, at: top)])
    }

    @Test func `the levels of a file are those of its deepest element, with the elements it refers to`() {
        #expect(SVGNesting().levelCount == 0)
        #expect(nesting(Node()).levelCount == 1)
        #expect(nesting(group(tower(2), tower(4), tower(3))).levelCount == 5)
        // From the document to the reference, and from the target to its end.
        #expect(nesting(group(tower(3, id: "a"), tower(2, at: ["a"]))).levelCount == 6)
        #expect(nesting(group(tower(2, at: ["a"]), tower(3, id: "a"))).levelCount == 6, "in any order")
        #expect(nesting(group(tower(2, at: ["b", "a"]), tower(3, id: "a"), tower(1, id: "b"))).levelCount == 6)
        #expect(nesting(group(tower(2, at: ["missing"]))).levelCount == 3)
        // A target that refers to another one.
        let chain = group(Node(targets: ["a"]), tower(3, id: "a", at: ["b"]), tower(4, id: "b"))
        #expect(nesting(chain).levelCount == 2 + 3 + 4)
        // The highest element counts of several with an identifier, and a cycle ends.
        #expect(nesting(group(Node(targets: ["a"]), tower(4, id: "a"), tower(2, id: "a"))).levelCount == 6)
        #expect(nesting(group(Node(targets: ["a"]), tower(2, id: "a", at: ["a"]))).levelCount == 3 + 2)
        // The deepest descendant counts, wherever it is.
        for children in [[tower(3), tower(1)], [tower(1), tower(3)]] {
            #expect(nesting(group(Node(targets: ["a"]), Node(id: "a", children: children))).levelCount == 2 + 4)
        }
    }

    @Test func `a file has at most 256 open elements`() {
        for (count, isFine) in [(256, true), (257, false)] {
            var nesting = SVGNesting()
            let results = (0..<count).map { _ in nesting.begin(id: nil, targets: [], isIsolated: false) }
            #expect(results.last == isFine)
            #expect(results.dropLast().allSatisfy { $0 })
        }
    }

    @Test func `a file has at most 100,000 references, counted once more for each identifier around them`() {
        for (ids, count, isFine) in [
            ([nil], 100_000, true), ([nil], 100_001, false), (["a"], 50_000, true), (["a"], 50_001, false),
        ] as [([String?], Int, Bool)] {
            var nesting = SVGNesting()
            var last = true
            for id in ids {
                last = nesting.begin(id: id, targets: [String](repeating: "b", count: count), isIsolated: false)
            }
            #expect(last == isFine)
        }
    }

    @Test func `a surface is needed for each isolated element, but for no more than the levels`() {
        let isolated = Node(isIsolated: true, children: [Node(isIsolated: true), Node(isIsolated: true)])
        var nesting = nesting(group(isolated, Node()))
        #expect(nesting.surfaceCount(of: 2) == 2)
        #expect(nesting.surfaceCount(of: 3) == 3)
        #expect(nesting.surfaceCount(of: 9) == 3)
        nesting.hasIsolatingStyle = true
        #expect(nesting.surfaceCount(of: 9) == 9)
    }
}
