import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

private let address = "http://test/cat.png"

@Observable
private final class Model {
    var title = "first"
    var address = RemoteImageGtkTests.address
}

/// Image views among declared widgets.
final class DeclaredViewTests: XCTestCase {
    func testAViewThatIsDeclaredAgainKeepsItsWidgetAndItsImage() throws {
        try GtkFixture.run { test in
            let model = Model()
            let column = Column {
                Label(model.title)
                let _ = model.title
                NetworkImage(model.address).pipeline(test.pipeline)
            }.content
            test.show(test.watch(column, "the column").pointer)
            let shown = try view(in: column)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { shown.model.phase.kind == .success }
            model.title = "second"
            test.turn { text(in: column.pointer) == "second" }
            XCTAssertEqual(try view(in: column).pointer, shown.pointer)
            XCTAssertEqual(shown.model.phase.kind, .success)
            XCTAssertEqual(test.transport.transfers.count, 1)
            model.address = "http://test/dog.png"
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { shown.model.image?.content == 2 }
            XCTAssertEqual(try view(in: column).pointer, shown.pointer)
        }
    }

    func testModifiersSetTheOptionsOfAView() {
        GtkFixture.run { test in
            let view = RemoteImageView(
                NetworkImage(address).priority(.high).processors([.circle()]).transition(.crossFade(.seconds(1)))
                    .pipeline(test.pipeline).accessibleLabel("A cat"))
            test.watch(view.content, "the view")
            XCTAssertEqual(view.image.options.priority, .high)
            XCTAssertEqual(view.image.options.processors.count, 1)
            XCTAssertEqual(view.image.options.transition, .crossFade(.seconds(1)))
            XCTAssertEqual(view.accessibleLabel, "A cat")
            view.image = view.image.priority(.low)
            XCTAssertEqual(view.image.options.priority, .low)
        }
    }

    func testTheStandardContentHasAFitAndACornerRadius() throws {
        try GtkFixture.run { test in
            let view = RemoteImageView(NetworkImage(address).contentFit(.fill).cornerRadius(20).pipeline(test.pipeline))
            test.show(test.watch(view.content, "the view").pointer, width: 80, height: 40)
            try test.transfer().succeed(TestImage(200, width: 20, height: 20).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            let drawing = try Drawing(everywhere: view.pointer)
            XCTAssertEqual(drawing[78, 20], [200, 200, 200, 255])
            XCTAssertEqual(drawing[1, 1][3], 0)
        }
    }

    func testAViewReportsItsSuccessAndItsFailure() throws {
        try GtkFixture.run { test in
            var events: [String] = []
            let view = RemoteImageView(
                NetworkImage(address).pipeline(test.pipeline)
                    .onSuccess { events.append("image of \($0.info.size.width) pixels") }
                    .onFailure { events.append($0.code.rawValue) })
            test.show(test.watch(view.content, "the view").pointer)
            try test.transfer().succeed([], status: 404)
            test.turn { events == ["httpStatus"] }
            view.model.reload()
            try test.transfer(2).succeed(TestImage(width: 12, height: 6).bytes)
            test.turn { events == ["httpStatus", "image of 12 pixels"] }
        }
    }

    /// A click on a recycled row opened the image that the row no longer showed.
    func testAnotherImageOfAViewHasNoHandlersOfTheOldOne() throws {
        try GtkFixture.run { test in
            var events: [String] = []
            let old = NetworkImage(address).onClick { events.append("click") }
                .onSuccess { _ in events.append("success") }
            let view = test.view(old)
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { events == ["success"] }
            let gestures = Emission.controllers(gtk_gesture_click_get_type(), of: view.pointer)
            let gesture = try XCTUnwrap(gestures.first)
            view.image = NetworkImage("http://test/dog.png")
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { view.model.image?.content == 2 }
            // A cached image is reported at once.
            view.image = NetworkImage(address)
            test.turn { view.model.image?.content == 1 }
            test.settle()
            Emission.emit("released", of: gesture, 1, 10, 10)
            XCTAssertEqual(events, ["success"])
            view.image = old
            test.settle()
            events = []
            Emission.emit("released", of: gesture, 1, 10, 10)
            XCTAssertEqual(events, ["click"])
            XCTAssertEqual(Emission.controllers(gtk_gesture_click_get_type(), of: view.pointer), gestures)
        }
    }

    func testModifiersChainInAnyOrder() {
        GtkFixture.run { test in
            let image = NetworkImage(address).frame(width: 40, height: 30).padding(4).accessibleLabel("A cat")
                .padding(.vertical, 2).imageOptions(ImageOptions(priority: .high)).id(7).contentFit(.cover).pipeline(
                    test.pipeline)
            let view = RemoteImageView(image.cornerRadius(8).cssClass("photo"))
            test.watch(view.content, "the view")
            XCTAssertEqual(view.accessibleLabel, "A cat")
            XCTAssertEqual(view.content.imageOptions?.priority, .high)
            XCTAssertEqual(image.body.key.id, 7)
            XCTAssertNotEqual(gtk_widget_has_css_class(view.pointer, "photo"), 0)
            XCTAssertEqual(gtk_widget_get_margin_start(view.pointer), 4)
            XCTAssertEqual(gtk_widget_get_margin_top(view.pointer), 2)
            XCTAssertEqual(RemoteImageViewState.of(view.pointer).reservedSize, .points(width: 40, height: 30))
            XCTAssertEqual(StandardAppearance(of: view.image)?.contentFit, .cover)
            XCTAssertEqual(StandardAppearance(of: view.image)?.cornerRadius, 8)
        }
    }

    func testADeclaredImageMakesAWidgetForEachPlace() {
        GtkFixture.run { test in
            let image = NetworkImage(address)
            let column = test.shownOverNetwork(
                Column {
                    image
                    image.frame(width: 10, height: 10)
                })
            let views = children(of: column.pointer).compactMap { RemoteImageView(of: $0) }
            XCTAssertEqual(Set(views.map(\.pointer)).count, 2)
            XCTAssertEqual(views.map(\.source), [ImageSource(address), ImageSource(address)])
        }
    }
}

@MainActor
private func view(in widget: Widget) throws -> RemoteImageView {
    try XCTUnwrap(RemoteImageView(of: first(RemoteImageViewState.type, in: widget.pointer)))
}
