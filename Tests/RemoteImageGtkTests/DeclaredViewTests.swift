import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

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
                RemoteImageView(model.address).pipeline(test.pipeline)
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
            let view = RemoteImageView(address).priority(.high).processors([.circle()]).transition(
                .crossFade(.seconds(1))
            )
            .pipeline(test.pipeline).alternativeText("A cat")
            test.watch(view.content, "the view")
            XCTAssertEqual(view.image.options.priority, .high)
            XCTAssertEqual(view.image.options.processors.count, 1)
            XCTAssertEqual(view.image.options.transition, .crossFade(.seconds(1)))
            XCTAssertEqual(view.alternativeText, "A cat")
            XCTAssertEqual(view.priority(.low).pointer, view.pointer, "the widget changes once it is made")
            XCTAssertEqual(view.image.options.priority, .low)
        }
    }

    func testTheStandardContentHasAFitAndACornerRadius() throws {
        try GtkFixture.run { test in
            let view = RemoteImageView(address).contentFit(.fill).cornerRadius(20).pipeline(test.pipeline)
            test.show(test.watch(view.content, "the view").pointer, width: 80, height: 40)
            try test.transfer().succeed(TestImage(200, width: 20, height: 20).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
            let drawing = try Drawing(view.pointer)
            XCTAssertEqual(drawing[78, 20], [200, 200, 200, 255])
            XCTAssertEqual(drawing[1, 1][3], 0)
        }
    }

    func testAViewReportsItsSuccessAndItsFailure() throws {
        try GtkFixture.run { test in
            var events: [String] = []
            let view = RemoteImageView(address).pipeline(test.pipeline)
                .onSuccess { events.append("image of \($0.info.size.width) pixels") }
                .onFailure { events.append($0.code.rawValue) }
            test.show(test.watch(view.content, "the view").pointer)
            try test.transfer().succeed([], status: 404)
            test.turn { events == ["httpStatus"] }
            view.model.reload()
            try test.transfer(2).succeed(TestImage(width: 12, height: 6).bytes)
            test.turn { events == ["httpStatus", "image of 12 pixels"] }
        }
    }

    func testAViewIsMadeOnlyWhenItsWidgetIsRequested() {
        GtkFixture.run { test in
            let view = RemoteImageView(address)
            XCTAssertNotNil(view.declared)
            let body = view.frame(width: 10, height: 10)
            XCTAssertNotNil(view.declared)
            let widget = test.watch(body.content, "the widget")
            XCTAssertNotNil(view.declared)
            XCTAssertNotNil(RemoteImageView(of: widget.pointer))
        }
    }
}

@MainActor
private func view(in widget: Widget) throws -> RemoteImageView {
    try XCTUnwrap(RemoteImageView(of: first(RemoteImageViewState.type, in: widget.pointer)))
}
