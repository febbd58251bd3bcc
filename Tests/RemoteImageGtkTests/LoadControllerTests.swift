import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The loads of widgets that change their size and leave the screen.
final class LoadControllerTests: XCTestCase {
    private static let image = TestImage(5, width: 800, height: 600)

    /// Like a first load, it may be needed again soon.
    func testADecodeForALargerSizeGoesOnDuringTheDisappearDelay() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.disappearDelay = .seconds(600)
            let view = test.view(NetworkImage("http://test/a.png", options: options))
            let scale = Int(gtk_widget_get_scale_factor(view.pointer))
            let window = test.show(view.pointer, width: 80, height: 60)
            try test.transfer().succeed(Self.image.bytes)
            test.turn { view.model.phase.kind == .success }
            window.resize(width: 240, height: 180)
            let transfer = try test.transfer(2)
            gtk_widget_set_visible(view.pointer, 0)
            test.settle()
            XCTAssertFalse(transfer.isCancelled)
            gtk_widget_set_visible(view.pointer, 1)
            transfer.succeed(Self.image.bytes)
            test.turn { view.model.image?.info.decodedSize == PixelSize(width: 240 * scale, height: 180 * scale) }
            XCTAssertEqual(test.transport.transfers.count, 2)
        }
    }

    func testAViewThatIsHiddenAfterItHasGrownDoesNotDecodeAgain() throws {
        try GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
            let views = ["a", "b"].map { test.view(NetworkImage("http://test/\($0).png")) }
            for view in views {
                gtk_widget_set_size_request(view.pointer, 40, 30)
                gtk_widget_set_hexpand(view.pointer, 1)
                append(view.pointer, to: box)
            }
            gtk_box_set_homogeneous(box.pointer.withMemoryRebound(to: GtkBox.self, capacity: 1) { $0 }, 1)
            let window = test.show(box.pointer, width: 80, height: 30)
            for number in 1...2 { try test.transfer(number).succeed(Self.image.bytes) }
            test.turn { views.allSatisfy { $0.model.phase.kind == .success } }
            test.draw(box.pointer)
            window.resize(width: 320, height: 120)
            test.turn { views.allSatisfy { gtk_widget_get_width($0.pointer) == 160 } }
            gtk_widget_set_visible(views[0].pointer, 0)
            // The other view, which waits as long, decodes again.
            let transfer = try test.transfer(3)
            XCTAssertEqual(transfer.request.address.string, "http://test/b.png")
            transfer.succeed(Self.image.bytes)
            test.turn { (views[1].model.image?.info.decodedSize.width ?? 0) > 40 }
            XCTAssertEqual(test.transport.addresses.filter { $0 == "http://test/a.png" }.count, 1)
        }
    }
}
