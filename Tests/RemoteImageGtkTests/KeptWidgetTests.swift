import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Model {
    var title = "first"
    var isWide = false
    var isShown = true
    var names = ["a", "b"]
    var selected: Int? = 1
}

/// Widgets that are kept while the declarations around them change.
final class KeptWidgetTests: XCTestCase {
    func testAWidgetOfTheProgramMovesBetweenContainers() {
        GtkFixture.run { test in
            let (model, bar) = (Model(), Widget(gtk_level_bar_new()))
            let column = test.shown(
                Column {
                    if model.isWide {
                        Row {
                            bar
                            Label("wide")
                        }
                    } else {
                        FlowBox {
                            Label("narrow")
                            bar
                        }
                    }
                })
            for isWide in [true, false, true] {
                model.isWide = isWide
                test.turn { texts(in: column.pointer) == [isWide ? "wide" : "narrow"] }
                XCTAssertEqual(gtk_widget_is_ancestor(bar.pointer, column.pointer), 1)
                XCTAssertEqual(gtk_widget_get_mapped(bar.pointer), 1)
            }
        }
    }

    /// The program ended with "Simultaneous accesses".
    /// The row that had lost it took it from the new row.
    func testAWidgetOfTheProgramMovesBetweenTheRowsOfAList() {
        GtkFixture.run { test in
            let (album, bar) = (TestAlbum(0..<3), Widget(gtk_level_bar_new()))
            album.selected = 2
            let list = test.shown(
                ImageList(album.photos) { photo in
                    if album.selected == photo.id { bar } else { Label("\(photo.id)") }
                })
            for selected in [0, 2, 1, nil, 1] {
                album.selected = selected
                test.turn { texts(in: list.pointer) == (0..<3).filter { $0 != selected }.map { "\($0)" } }
                test.draw(list.pointer)
                XCTAssertEqual(gtk_widget_is_ancestor(bar.pointer, list.pointer), selected == nil ? 0 : 1)
                XCTAssertEqual(gtk_widget_get_mapped(bar.pointer), selected == nil ? 0 : 1)
            }
        }
    }

    func testAWidgetOfTheProgramThatIsDeclaredTwiceIsShownOnce() {
        GtkFixture.run { test in
            let (model, bar) = (Model(), Widget(gtk_level_bar_new()))
            let row = test.shown(
                Row {
                    bar
                    Label(model.title)
                    bar
                })
            for title in ["first", "second"] {
                model.title = title
                test.turn { texts(in: row.pointer) == [title] }
                XCTAssertEqual(gtk_widget_get_last_child(row.pointer), bar.pointer)
                XCTAssertNotEqual(gtk_widget_get_first_child(row.pointer), bar.pointer)
            }
        }
    }

    func testAWidgetOfTheProgramThatIsDeclaredTwiceLeavesNoEmptyCell() {
        GtkFixture.run { test in
            let (model, bar) = (Model(), Widget(gtk_level_bar_new()))
            let box = test.shown(
                FlowBox {
                    bar
                    Label(model.title)
                    bar
                })
            for title in ["first", "second"] {
                model.title = title
                test.turn { texts(in: box.pointer) == [title] }
                XCTAssertEqual(children(of: box.pointer).count, 2)
            }
        }
    }

    func testAWidgetOfTheProgramThatIsDeclaredInAColumnTooIsShownThere() {
        GtkFixture.run { test in
            let (model, bar) = (Model(), Widget(gtk_level_bar_new()))
            let row = test.shown(
                Row {
                    bar
                    Column {
                        Label(model.title)
                        bar
                    }
                })
            test.turn { texts(in: row.pointer) == ["first"] }
            XCTAssertEqual(children(of: row.pointer).count, 1)
            XCTAssertEqual(gtk_widget_is_ancestor(bar.pointer, row.pointer), 1)
        }
    }

    func testAWidgetOfTheProgramFollowsItsValuesAfterItWasRemoved() {
        GtkFixture.run { test in
            let model = Model()
            let hint = Column { Label(model.title) }.content
            test.watch(hint, "the hint")
            let column = test.shown(Column { if model.isShown { hint } })
            model.isShown = false
            test.turn { texts(in: column.pointer).isEmpty }
            model.title = "second"
            test.settle()
            XCTAssertEqual(texts(in: hint.pointer), ["first"])
            model.isShown = true
            test.turn { texts(in: column.pointer) == ["second"] }
            model.title = "third"
            test.turn { texts(in: column.pointer) == ["third"] }
        }
    }

    /// The observation of the earlier declaration ran again, with an index that was out of range.
    func testAWidgetOfTheProgramThatReturnsIsObservedByItsNewDeclarationAlone() {
        GtkFixture.run { test in
            let (model, bar) = (Model(), Widget(gtk_level_bar_new()))
            var changes: [String] = []
            let column = test.shown(
                Column {
                    if let index = model.selected {
                        bar.onChange(of: index < model.names.count ? model.names[index] : "none") { _, new in
                            changes.append(new)
                        }
                    }
                })
            model.selected = nil
            test.turn { children(of: column.pointer).isEmpty }
            (model.names, model.selected) = (["c"], 0)
            test.turn { children(of: column.pointer) == [bar.pointer] }
            test.settle()
            XCTAssertEqual(changes, [])
            model.names = ["d"]
            test.turn { changes == ["d"] }
        }
    }

    /// The return of the widget resumed the observation.
    func testAnObservationThatIsNotDeclaredAgainEndsForGood() {
        GtkFixture.run { test in
            let model = Model()
            var changes: [String] = []
            let observed = NetworkImage(nil as String?).onChange(of: model.title) { _, new in changes.append(new) }
            let view = test.view(observed)
            let column = test.shown(Column { if model.isShown { view } })
            view.image = NetworkImage(nil as String?)
            for isShown in [false, true] {
                model.isShown = isShown
                test.turn { children(of: column.pointer).isEmpty != isShown }
            }
            model.title = "second"
            test.settle()
            XCTAssertEqual(changes, [])
            view.image = observed
            model.title = "third"
            test.turn { changes == ["third"] }
            view.image = NetworkImage(nil as String?)
            model.title = "fourth"
            view.image = observed
            test.settle()
            XCTAssertEqual(changes, ["third"], "the first value is no change")
        }
    }

    /// A click called the handler of an earlier declaration.
    func testAWidgetOfTheProgramHasTheHandlersOfItsNewestDeclarationAlone() throws {
        try GtkFixture.run { test in
            let (model, label) = (Model(), Label("text").content)
            var clickCount = 0
            test.shown(Column { if model.isShown { label.onClick { clickCount += 1 } } else { label } })
            let gestures = Emission.controllers(gtk_gesture_click_get_type(), of: label.pointer)
            let gesture = try XCTUnwrap(gestures.first)
            for isShown in [true, false, true] {
                model.isShown = isShown
                test.settle()
                test.draw(label.pointer)
                clickCount = 0
                Emission.emit("released", of: gesture, 1, 5, 5)
                XCTAssertEqual(clickCount, isShown ? 1 : 0)
            }
            XCTAssertEqual(Emission.controllers(gtk_gesture_click_get_type(), of: label.pointer), gestures)
        }
    }

    /// A container that declared the widget ended them.
    func testTheObservationsOfAWidgetThatTheProgramAskedForGoOn() {
        GtkFixture.run { test in
            let model = Model()
            var changes: [String] = []
            let button = Widget(gtk_button_new()).onChange(of: model.title) { _, new in changes.append("own " + new) }
                .content
            test.shown(Column { button.onChange(of: model.title) { _, new in changes.append("outer " + new) } })
            model.title = "second"
            test.turn { changes.sorted() == ["outer second", "own second"] }
        }
    }

    func testAnotherDeclarationBeginsTheObservationAnew() {
        GtkFixture.run { test in
            let model = Model()
            var changes: [String] = []
            let view = test.view(NetworkImage(nil as String?).onChange(of: "a") { changes.append("old") })
            test.show(view.pointer)
            view.image = NetworkImage(nil as String?).onClick {}.onChange(of: model.title) { _, new in
                changes.append(new)
            }
            test.settle()
            XCTAssertEqual(changes, [])
            model.title = "second"
            test.turn { changes == ["second"] }
        }
    }

    /// The rest of the first declaration followed.
    func testAnImageThatAHandlerDeclaresReplacesTheOneThatIsBeingDeclared() throws {
        try GtkFixture.run { test in
            let model = Model()
            var events: [String] = []
            let view = test.view(NetworkImage("http://test/a.png"))
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { view.model.image?.content == 1 }
            view.image = NetworkImage("http://test/b.png")
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { view.model.image?.content == 2 }
            // A cached image is reported at once.
            view.image = NetworkImage("http://test/a.png").onSuccess { _ in
                events.append("success")
                view.image = NetworkImage("http://test/a.png").onChange(of: model.title) { _, new in events.append(new)
                }
            }
            .onClick { events.append("click") }
            test.turn { events == ["success"] }
            model.title = "second"
            test.turn { events == ["success", "second"] }
            for gesture in Emission.controllers(gtk_gesture_click_get_type(), of: view.pointer) {
                Emission.emit("released", of: gesture, 1, 5, 5)
            }
            XCTAssertEqual(events, ["success", "second"])
        }
    }

    func testTheWidgetsOfAnOverlayFollowItsDeclaration() {
        GtkFixture.run { test in
            let model = Model()
            let row = test.shown(
                Row {
                    for name in model.names {
                        Overlay {
                            Label("below " + name)
                        } overlays: {
                            if model.isShown { Label("middle") }
                            Label("above " + name)
                        }
                    }
                })
            XCTAssertEqual(
                texts(in: row.pointer), ["below a", "middle", "above a", "below b", "middle", "above b"])
            model.names = ["c"]
            model.isShown = false
            test.turn { texts(in: row.pointer) == ["below c", "above c"] }
            model.isShown = true
            test.turn { texts(in: row.pointer) == ["below c", "middle", "above c"] }
        }
    }

    func testABuiltInHandlerAndThoseOfTheProgramAreCalled() throws {
        try GtkFixture.run { test in
            var calls: [String] = []
            let button = Button("button") { calls.append("action") }.on("clicked") { calls.append("first") }
                .on("clicked") { calls.append("second") }
            let column = test.shown(Column { button })
            Emission.emit("clicked", of: OpaquePointer(try XCTUnwrap(children(of: column.pointer).first)))
            XCTAssertEqual(calls, ["action", "first", "second"])
        }
    }

    func testTheContentOfARemovedViewIsNotBuiltAgain() throws {
        try GtkFixture.run { test in
            let model = Model()
            let column = test.shown(
                Column {
                    for index in model.names.indices {
                        NetworkImage("http://test/cat.png") { _ in
                            Label(model.names[index])
                        }
                        .pipeline(test.pipeline)
                    }
                })
            try test.transfer().succeed(TestImage().bytes)
            test.turn { texts(in: column.pointer) == ["a", "b"] }
            model.names = ["z"]
            test.turn { texts(in: column.pointer) == ["z"] }
        }
    }

    func testAFieldInTheContentOfAViewKeepsItsFocus() throws {
        try GtkFixture.run { test in
            let model = Model()
            let view = NetworkImage("http://test/cat.png") { _ in
                SearchField(text: Binding(model, \.title))
            }.pipeline(test.pipeline)
            let widget = test.shown(view)
            try test.transfer().succeed(TestImage().bytes)
            test.turn { first(gtk_search_entry_get_type(), in: widget.pointer) != nil }
            let field = try XCTUnwrap(first(gtk_search_entry_get_type(), in: widget.pointer))
            gtk_editable_set_text(field, "typed")
            test.turn { model.title == "typed" }
            test.settle()
            XCTAssertEqual(first(gtk_search_entry_get_type(), in: widget.pointer), field)
        }
    }

    func testAPictureInAContainerIsKept() throws {
        try GtkFixture.run { test in
            let model = Model()
            let images = [TestImage(1).decoded, TestImage(2).decoded]
            let column = test.shown(
                Column {
                    Picture(images[model.names.count - 1], contentFit: model.isWide ? .cover : .contain)
                        .accessibleLabel(model.title)
                })
            let picture = try XCTUnwrap(first(gtk_picture_get_type(), in: column.pointer))
            let paintable = gtk_picture_get_paintable(picture)
            (model.title, model.isWide) = ("second", true)
            test.turn { gtk_picture_get_content_fit(picture) == GTK_CONTENT_FIT_COVER }
            XCTAssertEqual(gtk_picture_get_alternative_text(picture).map { String(cString: $0) }, "second")
            XCTAssertEqual(gtk_picture_get_paintable(picture), paintable, "the same image is not made again")
            model.names = ["a"]
            test.turn { gtk_picture_get_paintable(picture) != paintable }
            XCTAssertEqual(first(gtk_picture_get_type(), in: column.pointer), picture)
        }
    }

    func testOneViewValueIsOneWidget() {
        GtkFixture.run { test in
            let model = Model()
            let view = RemoteImageView(NetworkImage("http://test/cat.png"), pipeline: test.pipeline)
            let column = test.shown(
                Column {
                    Label(model.title)
                    if model.isShown { Label("shown") }
                    view
                })
            XCTAssertEqual(children(of: column.pointer).last, view.pointer)
            view.source = "http://test/dog.png"
            model.isShown = false
            test.turn { texts(in: column.pointer) == ["first"] }
            XCTAssertEqual(children(of: column.pointer).last, view.pointer)
            XCTAssertEqual(view.source, "http://test/dog.png")
        }
    }

    /// A container used to make a second widget.
    func testAViewThatIsChangedBeforeItIsDeclaredIsOneWidget() {
        GtkFixture.run { test in
            let view = RemoteImageView(NetworkImage("http://test/cat.png"))
            view.source = "http://test/dog.png"
            let column = test.shownOverNetwork(Column { view })
            XCTAssertEqual(children(of: column.pointer), [view.pointer])
            XCTAssertEqual(view.source, "http://test/dog.png")
        }
    }

    func testAChangeDirectlyInAScrollViewKeepsTheOtherWidgets() throws {
        try GtkFixture.run { test in
            let model = Model()
            model.isShown = false
            let scroller = test.shown(
                ScrollView {
                    if model.isShown { Label("hint") }
                    SearchField(text: Binding(model, \.title))
                    Label("below")
                })
            let field = try XCTUnwrap(first(gtk_search_entry_get_type(), in: scroller.pointer))
            model.isShown = true
            test.turn { texts(in: scroller.pointer) == ["hint", "below"] }
            XCTAssertEqual(first(gtk_search_entry_get_type(), in: scroller.pointer), field)
        }
    }

    func testSettingsThatAreNotDeclaredAgainAreGone() throws {
        try GtkFixture.run { test in
            let model = Model()
            let column = test.shown(
                Column {
                    model.isShown ? Label("text").lineLimit(2) : Label("text")
                })
            XCTAssertEqual(gtk_label_get_lines(OpaquePointer(try XCTUnwrap(children(of: column.pointer).first))), 2)
            model.isShown = false
            test.settle()
            XCTAssertEqual(gtk_label_get_lines(OpaquePointer(try XCTUnwrap(children(of: column.pointer).first))), -1)
        }
    }
}
