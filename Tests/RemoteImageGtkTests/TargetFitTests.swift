import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

private let wide = TestImage(9, width: 400, height: 100)

/// An image is decoded for the content fit with which it is drawn.
final class TargetFitTests: XCTestCase {
    func testAViewWithoutAClosureDecodesForTheContainFit() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer, width: 100, height: 100)
            try test.transfer().succeed(wide.bytes)
            test.turn { view.model.image != nil }
            let scale = Self.scale(of: view.pointer)
            XCTAssertEqual(view.model.image?.info.decodedSize, PixelSize(width: 100 * scale, height: 25 * scale))
        }
    }

    func testAProcessorReceivesTheDrawnPixelsOfAnyShape() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.processors = [.roundedCorners(radius: 10)]
            for (number, (width, height)) in [(400, 100), (100, 400), (400, 400)].enumerated() {
                let view = test.view(NetworkImage("http://test/\(number).png", options: options))
                let window = test.show(view.pointer, width: 100, height: 100)
                try test.transfer(number + 1).succeed(TestImage(9, width: width, height: height).bytes)
                test.turn { view.model.image != nil }
                XCTAssertEqual(view.model.image?.pixels.size.longestSide, 100 * Self.scale(of: view.pointer))
                window.destroy()
            }
        }
    }

    func testAClosureDecodesForAnyFitUnlessTheOptionsSetOne() throws {
        try GtkFixture.run { test in
            for (number, (fit, expected)) in [(nil, 400), (ContentFit.contain, 100), (.cover, 400)].enumerated() {
                var options = ImageOptions()
                options.targetFit = fit
                let view = test.view(NetworkImage("http://test/\(number).png", options: options) { Picture($0) })
                let window = test.show(view.pointer, width: 100, height: 100)
                try test.transfer(number + 1).succeed(wide.bytes)
                test.turn { view.model.image != nil }
                let width = expected == 400 ? expected : expected * Self.scale(of: view.pointer)
                XCTAssertEqual(view.model.image?.info.decodedSize.width, width)
                window.destroy()
            }
        }
    }

    func testThePropertyContentFitSetsTheTargetFit() throws {
        try GtkFixture.run { test in
            let fits: [(GtkContentFit, Int)] = [
                (GTK_CONTENT_FIT_CONTAIN, 100), (GTK_CONTENT_FIT_SCALE_DOWN, 100), (GTK_CONTENT_FIT_COVER, 400),
                (GTK_CONTENT_FIT_FILL, 400),
            ]
            for (number, (fit, expected)) in fits.enumerated() {
                let view = try Self.declaredView("http://test/\(number).png", fit, test)
                let window = test.show(view.pointer, width: 100, height: 100)
                try test.transfer(number + 1).succeed(wide.bytes)
                test.turn { view.model.image != nil }
                let width = expected == 400 ? expected : expected * Self.scale(of: view.pointer)
                XCTAssertEqual(view.model.image?.info.decodedSize.width, width, "\(fit)")
                window.destroy()
            }
        }
    }

    func testANewContentFitThatNeedsMorePixelsDecodesAgain() throws {
        try GtkFixture.run { test in
            let view = try Self.declaredView("http://test/a.png", GTK_CONTENT_FIT_CONTAIN, test)
            test.show(view.pointer, width: 100, height: 100)
            try test.transfer().succeed(wide.bytes)
            test.turn { view.model.image != nil }
            shim_set_number(view.pointer, "content-fit", Int32(GTK_CONTENT_FIT_COVER.rawValue))
            try test.transfer(2).succeed(wide.bytes)
            test.turn { view.model.image?.info.decodedSize.width == 400 }
        }
    }

    func testSetImageDecodesForTheContentFitOfItsWidget() throws {
        try GtkFixture.run { test in
            for (number, (fit, expected)) in [(GTK_CONTENT_FIT_CONTAIN, 100), (GTK_CONTENT_FIT_COVER, 400)].enumerated()
            {
                let picture = Widget(gtk_picture_new())
                gtk_picture_set_content_fit(picture.opaque, fit)
                let window = test.show(picture.pointer, width: 100, height: 100)
                var image: LoadedImage?
                picture.opaque.setImage("http://test/\(number).png", pipeline: test.pipeline) { image = try? $0.get() }
                try test.transfer(number + 1).succeed(wide.bytes)
                test.turn { image != nil }
                let width = expected == 400 ? expected : expected * Self.scale(of: picture.pointer)
                XCTAssertEqual(image?.info.decodedSize.width, width)
                window.destroy()
            }
        }
    }

    /// Pixels per point.
    @MainActor
    private static func scale(of widget: UnsafeMutablePointer<GtkWidget>) -> Int {
        Int(gtk_widget_get_scale_factor(widget))
    }

    /// A view as C programs declare it.
    @MainActor
    private static func declaredView(_ uri: String, _ fit: GtkContentFit, _ test: GtkFixture) throws -> RemoteImageView
    {
        let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
        test.watch(view.content, "the view")
        view.content.imagePipeline = test.pipeline
        shim_set_number(view.pointer, "content-fit", Int32(fit.rawValue))
        shim_set_pointer(view.pointer, "uri", uri)
        return view
    }
}
