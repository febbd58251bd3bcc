import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var title = "first"
    var contentFit = ContentFit.contain
}

/// The content of a view whose declaration is repeated or changed. Equal content used to be
/// replaced: animations, spinners and buttons started again.
final class KeptContentTests: XCTestCase {
    func testAChangedPriorityKeepsTheContentOfProperties() throws {
        try GtkFixture.run { test in
            let view = Widget(RemoteImageViewState.make())
            shim_set_pointer(view.pointer, "uri", "not an address")
            test.show(view.pointer)
            test.turn { RemoteImageViewState.of(view.pointer).phase.kind == .failure }
            let content = try XCTUnwrap(gtk_widget_get_first_child(view.pointer))
            shim_set_number(view.pointer, "priority", 1)
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), content)
            // Another property of the content changes it.
            let failure = Widget(gtk_label_new("failure"))
            shim_set_pointer(view.pointer, "failure", failure.pointer)
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), failure.pointer)
            shim_set_pointer(view.pointer, "failure", nil)
            XCTAssertNotEqual(gtk_widget_get_first_child(view.pointer), failure.pointer)
        }
    }

    func testAViewOutsideOfAWindowKeepsThePlaceholderOfItsProperties() {
        GtkFixture.run { _ in
            let view = Widget(RemoteImageViewState.make())
            shim_set_pointer(view.pointer, "placeholder-icon-name", "image-missing")
            let icon = gtk_widget_get_first_child(view.pointer)
            XCTAssertNotNil(icon)
            shim_set_number(view.pointer, "priority", 1)
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), icon)
        }
    }

    /// A preview used to replace the placeholder.
    func testThePlaceholderOfAPropertyLiesOverThePreview() throws {
        try GtkFixture.run { test in
            let view = test.watch(Widget(RemoteImageViewState.make()), "the view")
            view.imagePipeline = test.pipeline
            let placeholder = Widget(gtk_label_new("loading"))
            shim_set_pointer(view.pointer, "placeholder", placeholder.pointer)
            shim_set_pointer(view.pointer, "blur-hash", "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
            shim_set_pointer(view.pointer, "uri", "http://test/a.png")
            test.show(view.pointer)
            let transfer = try test.transfer()
            test.draw(view.pointer)
            XCTAssertNotEqual(gtk_widget_get_mapped(placeholder.pointer), 0)
            XCTAssertEqual(drawnContents(of: view.pointer).count, 1, "the preview")
            // The placeholder is moved, not lost, when the preview goes and returns.
            shim_set_pointer(view.pointer, "blur-hash", nil)
            test.turn { gtk_widget_get_parent(placeholder.pointer) == view.pointer }
            shim_set_pointer(view.pointer, "blur-hash", "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
            test.turn { gtk_widget_get_parent(placeholder.pointer) != view.pointer }
            test.draw(view.pointer)
            XCTAssertNotEqual(gtk_widget_get_mapped(placeholder.pointer), 0)
            transfer.succeed(TestImage(1).bytes)
            test.turn { RemoteImageViewState.of(view.pointer).phase.kind == .success }
            test.draw(view.pointer)
            XCTAssertEqual(gtk_widget_get_mapped(placeholder.pointer), 0)
        }
    }

    func testAViewThatIsDeclaredAgainKeepsItsStandardContent() throws {
        try GtkFixture.run { test in
            let model = Model()
            let column = test.shownOverNetwork(
                Column {
                    Label(model.title)
                    NetworkImage("http://test/a.png").contentFit(model.contentFit)
                })
            let view = try Self.view(in: column)
            let indicator = try XCTUnwrap(gtk_widget_get_first_child(view.pointer))
            model.title = "second"
            test.turn { text(in: column.pointer) == "second" }
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), indicator)
            try test.transfer().succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            let failure = try XCTUnwrap(gtk_widget_get_first_child(view.pointer))
            model.title = "third"
            test.turn { text(in: column.pointer) == "third" }
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), failure)
            view.image = view.image.priority(.high)
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), failure)
            model.contentFit = .cover
            test.turn { gtk_widget_get_first_child(view.pointer) != failure }
        }
    }

    func testAModifierOfAWidgetKeepsTheContentOfItsClosures() {
        GtkFixture.run { test in
            let view = test.view(
                NetworkImage("http://test/a.png") {
                    Picture($0)
                } placeholder: {
                    Widget(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
                })
            test.show(view.pointer)
            let placeholder = gtk_widget_get_first_child(view.pointer)
            view.image = view.image.priority(.high)
            XCTAssertEqual(gtk_widget_get_first_child(view.pointer), placeholder)
            // Another declaration has other closures.
            view.image = NetworkImage("http://test/a.png") {
                Picture($0)
            } placeholder: {
                Label("other")
            }
            XCTAssertEqual(text(in: view.pointer), "other")
        }
    }

    func testTheClosuresRunAgainForAnotherAddressButNotForTheSameOne() {
        GtkFixture.run { test in
            var count = 0
            let view = test.view(
                NetworkImage("http://test/a.png", options: ImageOptions(loadOptions: [])) {
                    Picture($0)
                } placeholder: {
                    let _ = count += 1
                    Label("placeholder")
                })
            test.show(view.pointer)
            let before = count
            view.image = view.image
            XCTAssertEqual(count, before)
            view.image.source = "http://test/b.png"
            XCTAssertEqual(count, before + 1)
            view.image.source = "http://test/b.png"
            XCTAssertEqual(count, before + 1)
        }
    }

    /// The row of another item pauses the content, which then ignores changes.
    func testPausedContentFollowsItsValuesAgainWhenItIsDeclaredAgain() {
        GtkFixture.run { test in
            let model = Model()
            let view = test.view(
                NetworkImage("http://test/a.png") {
                    Picture($0)
                } placeholder: {
                    if model.title == "first" { Label("one") } else { Label("two") }
                })
            test.show(view.pointer)
            XCTAssertEqual(text(in: view.pointer), "one")
            view.state.builder.pause()
            model.title = "second"
            test.settle()
            XCTAssertEqual(text(in: view.pointer), "one")
            view.image = view.image.priority(.high)
            XCTAssertEqual(text(in: view.pointer), "two")
            model.title = "first"
            test.turn { text(in: view.pointer) == "one" }
        }
    }

    /// A closure makes a new picture, which looks like the one that the view draws. An animation
    /// started again.
    func testAPictureStaysWhenItsClosureIsDeclaredAgain() throws {
        try GtkFixture.run { test in
            @MainActor func image(_ fit: ContentFit, scale: Double = 1) -> NetworkImage {
                NetworkImage("http://test/a.png", scale: scale) { Picture($0, contentFit: fit) }
            }
            let view = test.view(image(.contain))
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { view.model.phase.kind == .success }
            let content = RemoteImageViewState.of(view.pointer).content
            let picture = try XCTUnwrap(content.layer?.drawn)
            view.image = image(.contain)
            XCTAssertIdentical(content.layer?.drawn, picture)
            view.image = image(.fill)
            XCTAssertNotIdentical(content.layer?.drawn, picture, "another layout")
            let filling = content.layer?.drawn
            view.image = image(.fill, scale: 2)
            XCTAssertNotIdentical(content.layer?.drawn, filling, "another size")
        }
    }

    @MainActor
    private static func view(in widget: Widget) throws -> RemoteImageView {
        try XCTUnwrap(RemoteImageView(of: first(RemoteImageViewState.type, in: widget.pointer)))
    }
}
