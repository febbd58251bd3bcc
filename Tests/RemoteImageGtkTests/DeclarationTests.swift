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
}
