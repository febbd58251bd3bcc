import Testing

@testable import RemoteImageCore

struct ImageRequestTests {
    @Test func `changing a copy of a request does not change the original`() {
        var first = ImageRequest("http://test/a")
        first.options.priority = .low
        var second = first
        second.source = "http://test/b"
        second.target = .longestSide(10)
        second.options.priority = .high
        #expect(first.source.nameToShow == "http://test/a")
        #expect(first.target == nil)
        #expect(first.options.priority == .low)
        #expect(second.source.nameToShow == "http://test/b")
        #expect(second.target == .longestSide(10))
        #expect(second.options.priority == .high)
    }

    @Test func `a request has the size of a reference`() {
        #expect(MemoryLayout<ImageRequest>.size == MemoryLayout<AnyObject>.size)
    }
}
