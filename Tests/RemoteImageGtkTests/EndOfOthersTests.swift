import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// Other widgets leave nothing behind when their window closes while they load.
final class EndOfOthersTests: XCTestCase {
    private enum Face: CaseIterable {
        case viewer, zoomedViewer, list, imageOfTheProgram, paintable, openMenu
    }

    func testAWindowThatClosesDuringALoadLeavesNothing() throws {
        for face in Face.allCases {
            try GtkFixture.run { test in
                let window = try Self.show(face, test)
                let transfers = test.transport.transfers.filter { $0.state == .running }
                XCTAssertFalse(transfers.isEmpty, "\(face)")
                window.destroy()
                test.turn { transfers.allSatisfy(\.isCancelled) }
                test.turn { test.aliveCount(of: "\(face)") == 0 }
                for transfer in transfers { transfer.succeed(TestImage(7).bytes) }
                test.settle()
            }
        }
    }

    /// A separate function, so that the test holds no reference to the widgets.
    @MainActor
    private static func show(_ face: Face, _ test: GtkFixture) throws -> TestWindow {
        switch face {
        case .viewer, .zoomedViewer:
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(viewer.content, "\(face)")
            let window = test.show(viewer.pointer)
            let transfer = try test.transfer()
            guard face == .zoomedViewer else { return window }
            transfer.succeed(TestImage(7, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success }
            viewer.zoom = 1
            _ = try test.transfer(2)
            return window
        case .list:
            let rows = ImageListFactory(
                items: Array(0..<1000), source: { ImageSource("http://test/\($0).png") }, pipeline: test.pipeline
            ) {
                NetworkImage(nil) { Picture($0) }
            }
            rows.itemSize = (50, 50)
            let list = test.watch(Widget(gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory)), "\(face)")
            let scroller = Widget(gtk_scrolled_window_new())
            gtk_scrolled_window_set_child(scroller.opaque, list.pointer)
            let window = test.show(scroller.pointer)
            _ = try test.transfer(2)
            return window
        case .imageOfTheProgram:
            let image = test.watch(Widget(gtk_picture_new()), "\(face)")
            image.opaque.setImage("http://test/a.png", pipeline: test.pipeline)
            let window = test.show(image.pointer)
            _ = try test.transfer()
            return window
        case .paintable:
            let paintable = RemoteImagePaintable("http://test/a.png", pipeline: test.pipeline)
            let image = test.watch(Widget(gtk_picture_new_for_paintable(paintable.pointer)), "\(face)")
            let window = test.show(image.pointer)
            _ = try test.transfer()
            return window
        case .openMenu:
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            test.watch(view.content, "\(face)")
            view.hasContextMenu = true
            let window = test.show(view.pointer)
            _ = try test.transfer()
            let menu = try XCTUnwrap(first(gtk_popover_menu_get_type(), in: view.pointer))
            let hands = try Hands(over: view.pointer)
            hands.move(to: (50, 50))
            hands.click(.secondary)
            test.turn { gtk_widget_get_mapped(Widget(of: menu)?.pointer) != 0 }
            return window
        }
    }
}
