import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

private let address = "http://test/a.png"
private let otherAddress = "http://test/b.png"

final class RemoteImageViewLifeTests: XCTestCase {
    // MARK: Map and unmap

    func testAViewLoadsWhenItIsMappedAndNotBefore() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            test.settle()
            XCTAssertEqual(view.model.phase.kind, .empty)
            XCTAssertTrue(test.transport.transfers.isEmpty)
            test.show(view.pointer)
            XCTAssertEqual(view.model.phase.kind, .loading)
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(view.model.image?.content, 9)
        }
    }

    func testAViewRequestsThePixelsOfItsSize() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            let window = test.show(view.pointer, width: 100, height: 80)
            try test.transfer().succeed(TestImage(width: 1000, height: 800).bytes)
            test.turn { view.model.phase.kind == .success }
            let scale = Int(gtk_widget_get_scale_factor(window.widget))
            XCTAssertEqual(view.model.image?.info.decodedSize, PixelSize(width: 100 * scale, height: 80 * scale))
            XCTAssertEqual(view.model.image?.info.size, PixelSize(width: 1000, height: 800))
        }
    }

    func testUnmappingCancelsTheLoad() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            test.show(view.pointer)
            let transfer = try test.transfer()
            gtk_widget_set_visible(view.pointer, 0)
            // Not at once: the view may soon be mapped again.
            XCTAssertEqual(view.model.phase.kind, .loading)
            test.turn { transfer.isCancelled }
            XCTAssertEqual(view.model.phase.kind, .empty)
        }
    }

    func testMappingAgainLoadsAgain() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            test.show(view.pointer)
            let first = try test.transfer()
            gtk_widget_set_visible(view.pointer, 0)
            test.turn { first.isCancelled }
            gtk_widget_set_visible(view.pointer, 1)
            try test.transfer(2).succeed(TestImage(4).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(view.model.image?.content, 4)
        }
    }

    func testAnImageStaysWhenItsViewIsUnmappedAndMapped() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            test.show(view.pointer)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
            gtk_widget_set_visible(view.pointer, 0)
            test.settle()
            gtk_widget_set_visible(view.pointer, 1)
            test.settle()
            XCTAssertEqual(view.model.phase.kind, .success)
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    func testAViewWithoutCancelOnDisappearKeepsLoadingWhileUnmapped() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.loadOptions = [.loadOnAppear]
            let view = test.view(NetworkImage(address, options: options) { Picture($0) })
            test.show(view.pointer)
            let transfer = try test.transfer()
            gtk_widget_set_visible(view.pointer, 0)
            transfer.succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    func testAViewWithoutLoadOnAppearLoadsOnlyOnDemand() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.loadOptions = []
            let view = test.view(NetworkImage(address, options: options) { Picture($0) })
            test.show(view.pointer)
            test.settle()
            XCTAssertTrue(test.transport.transfers.isEmpty)
            view.model.load()
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    func testAViewWithLoadImmediatelyNeedsNoWindow() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.loadOptions = [.loadImmediately]
            let view = test.view(NetworkImage(address, options: options) { Picture($0) })
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    // MARK: Destruction

    func testDestroyingALoadingViewCancelsItsLoad() throws {
        try GtkFixture.run { test in
            let transfer: FakeTransfer
            do {
                let view = test.view(NetworkImage(address) { Picture($0) })
                let window = test.show(view.pointer)
                transfer = try test.transfer()
                transfer.respond(expected: 1000)
                transfer.send([1, 2, 3])
                window.destroy()
            }
            test.turn { transfer.isCancelled && test.aliveCount(of: "the view") == 0 }
        }
    }

    func testRemovingALoadingViewCancelsItsLoad() throws {
        try GtkFixture.run { test in
            let window: TestWindow
            do {
                let view = test.view(NetworkImage(address) { Picture($0) })
                window = test.show(view.pointer)
            }
            let transfer = try test.transfer()
            window.setChild(nil)
            test.turn { transfer.isCancelled && test.aliveCount(of: "the view") == 0 }
        }
    }

    func testAViewOfWhichOnlyThePointerIsKeptLivesInItsParent() throws {
        try GtkFixture.run { test in
            let window = test.show(test.view(NetworkImage(address) { Picture($0) }).pointer)
            XCTAssertEqual(test.aliveCount(of: "the view"), 1)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { RemoteImageView(of: gtk_window_get_child(window.window))?.model.phase.kind == .success }
        }
    }

    func testAViewHeldByTheProgramMayMoveToAnotherWindow() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            let window = test.show(view.pointer)
            let transfer = try test.transfer()
            window.destroy()
            test.turn { transfer.isCancelled }
            test.show(view.pointer)
            try test.transfer(2).succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    func testADisposedViewDoesNothing() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            let window = test.show(view.pointer)
            let transfer = try test.transfer()
            window.setChild(nil)
            g_object_run_dispose(UnsafeMutableRawPointer(view.pointer).assumingMemoryBound(to: GObject.self))
            test.turn { transfer.isCancelled }
            view.source = ImageSource(otherAddress)
            view.image = NetworkImage(otherAddress)
            test.settle()
            XCTAssertNil(gtk_widget_get_first_child(view.pointer))
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    func testRemovingAViewKeepsTheLoadOfAnotherViewOfTheSameAddress() throws {
        try GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let gtkBox = box.pointer.withMemoryRebound(to: GtkBox.self, capacity: 1) { $0 }
            var options = ImageOptions()
            options.disappearDelay = .zero
            let first = test.view(NetworkImage(address, options: options) { Picture($0) })
            let second = test.view(NetworkImage(address) { Picture($0) })
            for view in [first, second] {
                gtk_widget_set_vexpand(view.pointer, 1)
                gtk_box_append(gtkBox, view.pointer)
            }
            test.show(box.pointer)
            test.turn { first.model.isLoading && second.model.isLoading }
            // Both views have started, even if one of them had to wait for its turn.
            test.settle()
            gtk_box_remove(gtkBox, first.pointer)
            let transfer = try test.transfer()
            XCTAssertFalse(transfer.isCancelled)
            transfer.succeed(TestImage(3).bytes)
            test.turn { second.model.phase.kind == .success }
            XCTAssertEqual(test.transport.transfers.count, 1)
            XCTAssertEqual(first.model.phase.kind, .empty)
        }
    }

    // MARK: Sources

    func testAReusedViewNeverShowsTheImageOfItsOldSource() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            test.show(view.pointer)
            let late = try test.transfer()
            let recorder = PhaseRecorder(view.model)
            view.source = ImageSource(otherAddress)
            let current = try test.transfer(2)
            late.succeed(TestImage(1).bytes)
            current.succeed(TestImage(2).bytes)
            test.turn { view.model.phase.kind == .success }
            test.settle()
            XCTAssertEqual(recorder.contents, [2])
        }
    }

    func testTheOldImageIsRemovedWithItsSource() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage(address) {
                    Picture($0, contentFit: .fill)
                } placeholder: {
                    Label("")
                })
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(200).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            XCTAssertEqual(try Drawing(everywhere: view.pointer).middle, [200, 200, 200, 255])
            view.source = ImageSource(otherAddress)
            test.draw(view.pointer)
            XCTAssertEqual(try Drawing(view.pointer).middle, [0, 0, 0, 0])
            view.source = nil
            XCTAssertEqual(view.model.phase.kind, .empty)
        }
    }

    func testAnImageInMemoryIsShownWhenTheAssignmentReturns() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { view.model.phase.kind == .success }
            view.source = ImageSource(otherAddress)
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { view.model.phase.kind == .success }
            let recorder = PhaseRecorder(view.model)
            view.source = ImageSource(address)
            XCTAssertEqual(recorder.kinds, [.success])
            XCTAssertEqual(view.model.image?.content, 1)
        }
    }

    func testAnImageInMemoryIsDrawnInTheFirstFrame() throws {
        try GtkFixture.run { test in
            let earlier = test.view(NetworkImage(address) { Picture($0) })
            let firstWindow = test.show(earlier.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { earlier.model.phase.kind == .success }
            firstWindow.destroy()
            var placeholderCount = 0
            let view = test.view(
                NetworkImage(address) { image in
                    Picture(image)
                } placeholder: {
                    let _ = placeholderCount += 1
                    Spinner()
                })
            test.show(view.pointer)
            XCTAssertEqual(view.model.phase.kind, .success)
            // The placeholder for the phase before the view had a size; it was never allocated or
            // drawn.
            XCTAssertEqual(placeholderCount, 1)
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    func testANilSourceIsEmptyAndAnInvalidSourceFails() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage(nil) { Picture($0) })
            test.show(view.pointer)
            XCTAssertEqual(view.model.phase.kind, .empty)
            view.source = ImageSource("not an address")
            test.turn { view.model.phase.kind == .failure }
            XCTAssertEqual(view.model.error?.code, .invalidURL)
            XCTAssertTrue(test.transport.transfers.isEmpty)
        }
    }

    // MARK: Growth

    func testAfterGrowthTheImageIsDecodedAgainWhileTheOldImageStays() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(address) { Picture($0) })
            let window = test.show(view.pointer, width: 50, height: 40)
            try test.transfer().succeed(TestImage(width: 1000, height: 800).bytes)
            test.turn { view.model.phase.kind == .success }
            let small = try XCTUnwrap(view.model.image)
            let recorder = PhaseRecorder(view.model)
            window.resize(width: 500, height: 400)
            test.turn { test.transport.transfers.count == 2 }
            XCTAssertEqual(view.model.phase.kind, .success)
            try test.transfer(2).succeed(TestImage(width: 1000, height: 800).bytes)
            test.turn { view.model.image.map { !$0.isSameImage(as: small) } == true }
            XCTAssertEqual(Set(recorder.kinds), [.success])
            XCTAssertGreaterThanOrEqual(view.model.image?.info.decodedSize.width ?? 0, 500)
        }
    }

    // MARK: Layout

    /// Content that was added during an allocation used to be left unmeasured, and kept the size of
    /// the placeholder.
    func testAnImageFromMemoryHasItsOwnSizeInABoxAtOnce() throws {
        try GtkFixture.run { test in
            let earlier = test.view(NetworkImage(address) { Picture($0) })
            let window = test.show(earlier.pointer, width: 300, height: 200)
            try test.transfer().succeed(TestImage(width: 120, height: 90).bytes)
            test.turn { earlier.model.phase.kind == .success }
            window.destroy()

            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let view = test.view(
                NetworkImage(address) { image in
                    Picture(image)
                } placeholder: {
                    Widget(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
                })
            gtk_box_append(box.pointer.withMemoryRebound(to: GtkBox.self, capacity: 1) { $0 }, view.pointer)
            test.show(box.pointer, width: 120, height: 200)
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 90)
        }
    }

    func testTheLoadingContentHasItsOwnSizeAtOnce() {
        GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let view = test.view(
                NetworkImage(address) {
                    Widget(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
                } inProgress: { _ in
                    Self.sized(gtk_label_new("loading"), height: 60)
                } failure: { error, _ in
                    Label(error.message)
                } content: { image, _ in
                    Picture(image)
                })
            gtk_box_append(box.pointer.withMemoryRebound(to: GtkBox.self, capacity: 1) { $0 }, view.pointer)
            test.show(box.pointer, width: 300, height: 200)
            XCTAssertEqual(view.model.phase.kind, .loading)
            XCTAssertEqual(gtk_widget_get_height(view.pointer), 60)
        }
    }

    @MainActor
    private static func sized(_ widget: UnsafeMutablePointer<GtkWidget>, height: Int32) -> Widget {
        gtk_widget_set_size_request(widget, -1, height)
        return Widget(widget)
    }

    func testHiddenContentMayStayHidden() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage(address) { image in
                    Picture(image)
                } placeholder: {
                    Self.hidden(gtk_label_new("hidden"))
                })
            gtk_widget_set_size_request(view.pointer, 50, 50)
            test.show(view.pointer)
            gtk_widget_set_visible(view.pointer, 0)
            gtk_widget_set_visible(view.pointer, 1)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    @MainActor
    private static func hidden(_ widget: UnsafeMutablePointer<GtkWidget>) -> Widget {
        gtk_widget_set_visible(widget, 0)
        return Widget(widget)
    }

    func testContentThatTheProgramMovesStaysInItsNewParent() throws {
        try GtkFixture.run { test in
            let label = test.watch(Label("wanders").content, "label")
            let view = test.view(
                NetworkImage(address) { image in
                    Picture(image)
                } placeholder: {
                    label
                })
            test.show(view.pointer)
            gtk_widget_unparent(label.pointer)
            let other = test.show(label.pointer)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(gtk_widget_get_parent(label.pointer), other.widget)
        }
    }

    func testAnAssignmentBuildsItsContentOnce() {
        GtkFixture.run { test in
            var builtCount = 0
            let view = test.view(NetworkImage(address) { Picture($0) })
            test.show(view.pointer)
            view.image = NetworkImage(otherAddress) { image in
                Picture(image)
            } placeholder: {
                let _ = builtCount += 1
                Spinner()
            }
            XCTAssertEqual(builtCount, 1)
        }
    }
}
