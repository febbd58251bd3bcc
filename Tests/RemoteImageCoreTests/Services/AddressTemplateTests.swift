import Testing

@testable import RemoteImageCore

@Suite(.endsInTime)
struct AddressTemplateTests {
    @Test func `width and height are the longer side of an image of unknown shape`() throws {
        let source = ImageSource.sized(template: "http://test/preview?x={width}&y={height}&a=1")
        #expect(try source.address(160) == "http://test/preview?x=216&y=216&a=1")
    }

    @Test func `width and height have the aspect ratio`() throws {
        let source = ImageSource.sized(template: "http://test/{width}/{height}", aspectRatio: 2)
        #expect(try source.address(160) == "http://test/216/108")
    }

    @Test func `the pixels per point divide the size`() throws {
        let source = ImageSource.sized(template: "http://test/{width}@{dpr}x/{width}", dpr: 2)
        #expect(try source.address(160) == "http://test/108@2x/108")
    }

    @Test func `other braces stay`() throws {
        let source = ImageSource.sized(template: "http://test/?a={{width}}&b={name}&c={width")
        #expect(try source.address(64) == "http://test/?a={64}&b={name}&c={width")
    }

    @Test(arguments: ["http://test/a.jpg", "http://test/{dpr}", "", "{Width}"])
    func `a template without a size is an error`(template: String) {
        #expect(ImageSource.sized(template: template).refusal?.code == .invalidURL)
    }

    @Test func `a template that is no address is an error`() {
        #expect(ImageSource.sized(template: "{width}").refusal?.code == .invalidURL)
        #expect(ImageSource.sized(template: "http://te st/{width}").refusal?.code == .invalidURL)
    }

    @Test func `a template of a megabyte is read in one pass`() {
        let braces = String(repeating: "{", count: 1 << 20)
        #expect(AddressTemplate(braces).address(PixelSize(width: 1, height: 1), dpr: 1) == braces)
    }

    @Test func `crops of different shapes are different images, sizes of one image are not`() {
        func source(_ sides: String, _ ratio: Double?) -> ImageSource {
            .sized(template: "http://test/\(sides)", aspectRatio: ratio)
        }
        let crops = [nil, 1, 1.5].map { source("{width}/{height}", $0) }
        #expect(Set(crops).count == 3)
        #expect(source("{width}", 1) == source("{width}", 1.5))
        #expect(source("{height}", 1) == source("{height}", nil))
    }

    @Test func `an identity of the program replaces the template`() {
        #expect(
            ImageSource.sized(template: "http://test/{width}?token=1", identity: "a")
                == .sized(template: "http://test/{width}?token=2", identity: "a"))
    }

    @Test func `an empty identity is none, since different images would share it`() {
        #expect(ImageSource.sized(template: "http://test/{width}", identity: "").identity == "http://test/{width}")
        #expect(ImageSource("http://test/a").identified(by: "") == ImageSource("http://test/a"))
    }
}
