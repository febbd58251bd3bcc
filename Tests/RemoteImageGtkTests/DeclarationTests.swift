import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// A view is declared by Swift code or by its properties; the last declaration applies.
final class DeclarationTests: XCTestCase {
    func testOptionsChangeWhileTheAddressIsUnset() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage(nil))
            let state = RemoteImageViewState.of(UnsafeMutableRawPointer(view.pointer))
            for uri in ["http://test/a", nil] {
                state.properties.uri = uri
                state.applyProperties(["uri"])
            }
            state.properties.maxPixelSize = 64
            state.applyProperties(["max-pixel-size"])
            XCTAssertEqual(state.image.options.maxPixelSize, 64)
        }
    }

    /// Setting `content-fit` removed the image.
    func testAPropertyWithoutAnAddressKeepsTheImageOfASwiftDeclaration() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a") { Picture($0) })
            let state = RemoteImageViewState.of(UnsafeMutableRawPointer(view.pointer))
            state.properties.contentFit = Int32(GTK_CONTENT_FIT_COVER.rawValue)
            state.applyProperties(["content-fit"])
            XCTAssertEqual(state.image.source, ImageSource("http://test/a"))
        }
    }

    /// A modifier of Swift code must not keep the image of an address that is removed.
    func testRemovingTheAddressRemovesTheImageAfterAChangeBySwiftCode() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage(nil))
            let state = RemoteImageViewState.of(UnsafeMutableRawPointer(view.pointer))
            state.properties.uri = "http://test/a"
            state.applyProperties(["uri"])
            view.image = view.image
            state.properties.uri = nil
            state.applyProperties(["uri"])
            XCTAssertNil(state.image.source)
        }
    }

    func testASwiftDeclarationAppliesUntilAPropertyDeclaresAnImage() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a") { Picture($0) })
            let state = RemoteImageViewState.of(UnsafeMutableRawPointer(view.pointer))
            state.properties.maxPixelSize = 64
            state.applyProperties(["max-pixel-size"])
            XCTAssertEqual(state.image.source, ImageSource("http://test/a"))
            state.properties.uri = "http://test/b"
            state.applyProperties(["uri"])
            XCTAssertEqual(state.image.source, ImageSource("http://test/b"))
            XCTAssertEqual(state.image.options.maxPixelSize, 64)
            view.image = NetworkImage("http://test/c") { Picture($0) }
            state.properties.decorative = true
            state.applyProperties(["decorative"])
            XCTAssertEqual(state.image.source, ImageSource("http://test/c"))
        }
    }

    /// Nothing has declared an image yet when the first property is set.
    func testAPropertyThatDeclaresNoImageLeavesTheSourceOfSwiftCode() throws {
        try GtkFixture.run { test in
            let (view, state) = try Self.propertyView(test)
            state.properties.maxPixelSize = 64
            state.applyProperties(["max-pixel-size"])
            view.source = "http://test/a"
            state.properties.contentFit = Int32(GTK_CONTENT_FIT_COVER.rawValue)
            state.applyProperties(["content-fit"])
            XCTAssertEqual(view.source, "http://test/a")
            test.show(view.pointer)
        }
    }

    func testPropertiesOfTheContentDeclareAnImageWithoutAnAddress() throws {
        try GtkFixture.run { test in
            let declaring = [
                "content-fit", "placeholder", "failure", "placeholder-icon-name", "aspect-ratio", "reserved-width",
                "reserved-height",
            ]
            for name in declaring + ["transition-duration", "decorative", "corner-radius"] {
                let (view, state) = try Self.propertyView(test)
                state.applyProperties([name])
                state.properties.maxPixelSize = 64
                state.applyProperties(["max-pixel-size"])
                let size = view.image.options.maxPixelSize
                XCTAssertEqual(size, declaring.contains(name) ? 64 : nil, name)
                test.show(view.pointer)
            }
        }
    }

    func testAVisibleViewLoadsANewAddressAfterACancellation() throws {
        try GtkFixture.run { test in
            let (view, state) = try Self.propertyView(test)
            state.properties.uri = "http://test/a"
            state.applyProperties(["uri"])
            test.show(view.pointer)
            let first = try test.transfer()
            view.model.cancel()
            test.turn { first.isCancelled }
            state.properties.contentFit = Int32(GTK_CONTENT_FIT_COVER.rawValue)
            state.applyProperties(["content-fit"])
            test.settle()
            test.draw(view.pointer)
            XCTAssertEqual(test.transport.addresses, ["http://test/a"])
            state.properties.uri = "http://test/b"
            state.applyProperties(["uri"])
            _ = try test.transfer(2)
            XCTAssertEqual(test.transport.addresses, ["http://test/a", "http://test/b"])
        }
    }

    /// A view whose properties are not set.
    @MainActor
    private static func propertyView(_ test: GtkFixture) throws -> (RemoteImageView, RemoteImageViewState) {
        let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
        test.watch(view.content, "the view")
        view.content.imagePipeline = test.pipeline
        return (view, RemoteImageViewState.of(UnsafeMutableRawPointer(view.pointer)))
    }
}
