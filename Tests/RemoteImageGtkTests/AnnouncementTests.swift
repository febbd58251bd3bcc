import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class AnnouncementTests: XCTestCase {
    func testAFailureIsAnnouncedUnlessTheImageIsDecorative() throws {
        try GtkFixture.run { test in
            let say = Announcement.say
            defer { Announcement.say = say }
            for isDecorative in [false, true] {
                var said: [String] = []
                Announcement.say = { message, _ in said.append(message) }
                let view = test.view(NetworkImage("http://test/\(isDecorative).png"))
                view.isDecorative = isDecorative
                test.show(view.pointer)
                try test.transfer(isDecorative ? 2 : 1).succeed([], status: 404)
                test.turn { view.model.phase.kind == .failure }
                XCTAssertEqual(said.count, isDecorative ? 0 : 1)
            }
        }
    }

    func testEachFailureOfAViewIsAnnouncedInItsWordsButNoFailedRefresh() throws {
        try GtkFixture.run { test in
            let say = Announcement.say
            defer { Announcement.say = say }
            var said: [String] = []
            var widgets: [UnsafeMutablePointer<GtkWidget>] = []
            Announcement.say = { message, widget in
                said.append(message)
                widgets.append(widget)
            }
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            var messages: [String] = []
            for (number, status) in [404, 503].enumerated() {
                if number > 0 { view.model.load() }
                try test.transfer(number + 1).succeed([], status: status)
                test.turn { view.model.error?.status == status }
                messages.append(view.model.error?.localizedDescription ?? "")
            }
            XCTAssertEqual(Set(messages).count, 2)
            XCTAssertEqual(said, messages)
            XCTAssertEqual(widgets, [view.pointer, view.pointer])
            view.model.load()
            try test.transfer(3).succeed(TestImage(7).bytes)
            test.turn { view.model.phase.kind == .success }
            view.model.reload()
            try test.transfer(4).succeed([], status: 500)
            test.turn { view.model.refreshError != nil }
            XCTAssertEqual(said.count, 2)
        }
    }

    func testTheAlternativeTextIsTheAccessibleLabel() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            view.accessibleLabel = "A cat on a wall"
            XCTAssertNil(unmet(shim_check_label(view.pointer, "A cat on a wall")))
            view.accessibleLabel = "A dog"
            XCTAssertNil(unmet(shim_check_label(view.pointer, "A dog")))
            view.accessibleLabel = nil
            XCTAssertNil(unmet(shim_check_label(view.pointer, "")))
        }
    }

    func testTheErrorIsTheAccessibleDescriptionUntilTheImageIsLoaded() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            let transfer = try test.transfer()
            XCTAssertNil(unmet(shim_check_busy(view.pointer, 1)))
            transfer.succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            let message = try XCTUnwrap(view.model.error?.localizedDescription)
            XCTAssertNil(unmet(shim_check_description(view.pointer, message)))
            XCTAssertNil(unmet(shim_check_busy(view.pointer, 0)))
            view.model.load()
            XCTAssertNil(unmet(shim_check_description(view.pointer, "")))
            XCTAssertNil(unmet(shim_check_busy(view.pointer, 1)))
            try test.transfer(2).succeed(TestImage(7).bytes)
            test.turn { view.model.image != nil }
            XCTAssertNil(unmet(shim_check_description(view.pointer, "")))
            XCTAssertNil(unmet(shim_check_busy(view.pointer, 0)))
        }
    }

    /// It used to stay, since the new model does not know the error of the old one.
    func testTheDescriptionOfAnErrorDoesNotOutliveItsPipeline() throws {
        try GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            box.imagePipeline = test.pipeline
            let view = RemoteImageView(NetworkImage("http://test/a.png") { Picture($0) })
            test.watch(view.content, "the view")
            append(view.pointer, to: box)
            test.show(box.pointer)
            try test.transfer().succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            let message = try XCTUnwrap(view.model.error?.localizedDescription)
            XCTAssertNil(unmet(shim_check_description(view.pointer, message)))
            let other = FakeTransport()
            box.imagePipeline = .test(other)
            XCTAssertNil(unmet(shim_check_description(view.pointer, "")))
            test.turn { other.transfers.count == 1 }
            XCTAssertNil(unmet(shim_check_description(view.pointer, "")))
            XCTAssertNil(unmet(shim_check_busy(view.pointer, 1)))
        }
    }

    /// It used to stay busy for good, since the model that was loading reports no end.
    func testAViewThatGetsAnotherPipelineAndNoAddressIsNotBusy() throws {
        try GtkFixture.run { test in
            let view = test.watch(Widget(RemoteImageViewState.make()), "the view")
            view.imagePipeline = test.pipeline
            shim_set_pointer(view.pointer, "uri", "http://test/a.png")
            test.show(view.pointer)
            _ = try test.transfer()
            XCTAssertNil(unmet(shim_check_busy(view.pointer, 1)))
            let pipeline = try XCTUnwrap(shim_object_new(PipelineObject.type))
            // Both properties are applied together.
            g_object_freeze_notify(view.pointer.object)
            shim_set_pointer(view.pointer, "pipeline", pipeline)
            shim_set_pointer(view.pointer, "uri", nil)
            g_object_thaw_notify(view.pointer.object)
            g_object_unref(pipeline)
            XCTAssertNil(unmet(shim_check_busy(view.pointer, 0)))
        }
    }

    /// GTK 4.14 and later crashed in an announcement.
    func testAnnouncementsNeedAnAccessibilityBus() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            let display = gtk_widget_get_display(view.pointer)
            let fallback = try XCTUnwrap(
                gtk_at_context_create(GTK_ACCESSIBLE_ROLE_IMG, OpaquePointer(view.pointer), display))
            defer { g_object_unref(UnsafeMutableRawPointer(fallback)) }
            XCTAssertFalse(Announcement.canAnnounce(UnsafeMutableRawPointer(fallback)))
            XCTAssertTrue(Announcement.canAnnounce(UnsafeMutableRawPointer(view.pointer)), "any other type")
        }
    }

    /// GTK sets the state to "not hidden" when it shows a widget.
    func testADecorativeImageStaysHiddenWhenItIsShownAgain() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            view.isDecorative = true
            test.show(view.pointer)
            test.turn { unmet(shim_check_hidden(view.pointer, 1)) == nil }
            gtk_widget_set_visible(view.pointer, 0)
            gtk_widget_set_visible(view.pointer, 1)
            test.turn { unmet(shim_check_hidden(view.pointer, 1)) == nil }
        }
    }

    func testAnIconHasNoRoleForScreenReaders() {
        GtkFixture.run { test in
            let icon = WidgetNode.makeWidget(Icon("image-missing-symbolic").body)
            test.show(icon.pointer)
            XCTAssertEqual(gtk_accessible_get_accessible_role(OpaquePointer(icon.pointer)), GTK_ACCESSIBLE_ROLE_NONE)
        }
    }

    func testADecorativeImageIsHiddenFromScreenReaders() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            view.isDecorative = true
            XCTAssertNil(unmet(shim_check_hidden(view.pointer, 1)))
            view.isDecorative = false
            XCTAssertNil(unmet(shim_check_hidden(view.pointer, 0)))
        }
    }
}

/// The accessible value, if it is not the expected one.
func unmet(_ value: UnsafeMutablePointer<CChar>?) -> String? {
    defer { g_free(value) }
    return value.map { String(cString: $0) }
}
