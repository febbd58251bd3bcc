import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var isShown = true
    var photos = (0..<200).map { TestPhoto(id: $0) }
    @ObservationIgnored var events: [String] = []
}

/// `onAppear`, `onDisappear` and `task` follow the viewport.
final class AppearanceTests: XCTestCase {
    func testAWidgetAppearsWithinItsViewportAlone() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                ScrollView {
                    Column {
                        Self.reporting("top", model)
                        Column {}.frame(height: 1000)
                        Self.reporting("bottom", model)
                    }
                })
            test.turn { model.events == ["+top"] }
            for _ in 0..<3 { test.draw(widget.pointer) }
            XCTAssertEqual(model.events, ["+top"], "the bottom is mapped, but out of sight")
            let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
            gtk_adjustment_set_value(adjustment, 2000)
            test.turn { Set(model.events) == ["+top", "-top", "+bottom"] }
            gtk_adjustment_set_value(adjustment, 0)
            test.turn { model.events.suffix(2).sorted() == ["+top", "-bottom"] }
        }
    }

    func testAWidgetDisappearsWhenItIsHiddenOrRemoved() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(Column { if model.isShown { Self.reporting("text", model) } })
            test.turn { model.events == ["+text"] }
            gtk_widget_set_visible(widget.pointer, 0)
            XCTAssertEqual(model.events, ["+text", "-text"])
            gtk_widget_set_visible(widget.pointer, 1)
            test.turn { model.events == ["+text", "-text", "+text"] }
            model.isShown = false
            test.turn { model.events == ["+text", "-text", "+text", "-text"] }
        }
    }

    func testAWidgetWithoutASizeAppears() {
        GtkFixture.run { test in
            let model = Model()
            test.shown(
                Row {
                    Column {}.onAppear { model.events.append("empty") }
                    Label("text")
                })
            test.turn { model.events == ["empty"] }
        }
    }

    func testEachItemOfAListAppearsAndDisappears() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                ImageList(model.photos) { photo in Self.reporting("\(photo.id)", model).frame(height: 40) })
            test.turn { model.events.contains("+0") }
            for _ in 0..<3 { test.draw(widget.pointer) }
            XCTAssertLessThan(model.events.count, 8, "only visible rows appear: \(model.events)")
            let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
            test.turn { model.events.contains("+199") && model.events.contains("-0") }
            model.events = []
            // A row that shows another item in place.
            model.photos = (1000..<1200).map { TestPhoto(id: $0) }
            test.turn { model.events.contains("-199") && model.events.contains { $0.hasPrefix("+1") } }
        }
    }

    func testATaskRunsWhileItsWidgetIsVisible() {
        GtkFixture.run { test in
            let model = Model()
            let widget = test.shown(
                Column {
                    if model.isShown {
                        Label("text").task {
                            model.events.append("begin")
                            try? await Task.sleep(for: .seconds(1000))
                            model.events.append(Task.isCancelled ? "cancelled" : "end")
                        }
                    }
                })
            test.turn { model.events == ["begin"] }
            gtk_widget_set_visible(widget.pointer, 0)
            test.turn { model.events == ["begin", "cancelled"] }
            gtk_widget_set_visible(widget.pointer, 1)
            test.turn { model.events == ["begin", "cancelled", "begin"] }
            model.isShown = false
            test.turn { model.events == ["begin", "cancelled", "begin", "cancelled"] }
        }
    }

    func testATaskIsCancelledWhenItIsNoLongerDeclaredAndStartsWhenItIsAgain() {
        GtkFixture.run { test in
            let model = Model()
            let image = NetworkImage(nil as String?).task {
                model.events.append("begin")
                try? await Task.sleep(for: .seconds(1000))
                model.events.append(Task.isCancelled ? "cancelled" : "end")
            }
            let view = test.view(image)
            test.show(view.pointer)
            test.turn { model.events == ["begin"] }
            view.image = NetworkImage(nil as String?)
            test.turn { model.events == ["begin", "cancelled"] }
            view.image = NetworkImage(nil as String?).onClick {}
            view.image = image
            test.turn { model.events == ["begin", "cancelled", "begin"] }
            view.image = NetworkImage(nil as String?)
            test.turn { model.events == ["begin", "cancelled", "begin", "cancelled"] }
        }
    }

    @MainActor
    private static func reporting(_ name: String, _ model: Model) -> DeclaredWidget {
        Label(name).onAppear { model.events.append("+" + name) }.onDisappear { model.events.append("-" + name) }
    }
}
