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

    func testAViewThatIsDeclaredAgainKeepsItsStandardContent() throws {
        try GtkFixture.run { test in
            let model = Model()
            let column = test.shownOverNetwork(
                Column {
                    Label(model.title)
                    RemoteImageView("http://test/a.png").contentFit(model.contentFit)
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
            XCTAssertEqual(view.priority(.high).pointer, view.pointer)
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
            XCTAssertEqual(view.priority(.high).pointer, view.pointer)
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

    /// A closure makes a new picture, which looks like the one that the view draws. An animation
    /// started again.
    func testAPictureStaysWhenItsClosureIsDeclaredAgain() throws {
        try GtkFixture.run { test in
            @MainActor func image(_ fit: ContentFit, scale: Double = 1) -> NetworkImage<Widget> {
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
