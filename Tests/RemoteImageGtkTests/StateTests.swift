import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

@Observable
private final class Parent {
    var title = "first"
    var names = ["a", "b"]
    var isShown = true
    var photos = (0..<300).map { TestPhoto(id: $0) }
}

/// How often bodies ran and initial values were made.
@MainActor
private final class Runs {
    var bodies = 0
    var initials = 0

    func initial<Value>(_ value: Value) -> Value {
        initials += 1
        return value
    }
}

/// A button that counts its clicks.
private struct Counter: WidgetDeclaration {
    let name: String
    let runs: Runs
    @State private var count: Int

    init(_ runs: Runs, _ name: String = "") {
        (self.name, self.runs) = (name, runs)
        _count = State(wrappedValue: runs.initial(0))
    }

    var body: some WidgetDeclaration {
        let _ = runs.bodies += 1
        Button(action: { count += 1 }) { Label("\(name)\(count)") }
    }
}

/// An image over a model of its own.
private struct OwnImage: WidgetDeclaration {
    @State private var model: NetworkImageModel

    init(_ address: String, _ pipeline: ImagePipeline) {
        _model = State(wrappedValue: NetworkImageModel(address, pipeline: pipeline))
    }

    var body: some WidgetDeclaration {
        Column {
            if let image = model.image { Picture(image) }
        }
        .onAppear { model.load() }
    }
}

private struct Favorite: WidgetDeclaration {
    @State private var isFavorite = false
    @State private var note: String?

    var body: some WidgetDeclaration {
        Toggle("Favorite", isOn: $isFavorite)
        Label(isFavorite ? "yes" : "no")
        if let note { Label(note) }
        Button("Note") { note = "noted" }
    }
}

/// A declaration that edits the state of the one around it.
private struct Mark: WidgetDeclaration {
    @Binding var isOn: Bool

    var body: some WidgetDeclaration {
        Label(isOn ? "on" : "off")
        Button("Change") { isOn.toggle() }
        Toggle("Mark", isOn: $isOn)
    }
}

private struct Marked: WidgetDeclaration {
    @State private var isOn = false

    var body: some WidgetDeclaration {
        Mark(isOn: $isOn)
        Label(isOn ? "marked" : "not marked")
    }
}

/// A body whose widget is of another class in each state.
private struct Swapped: WidgetDeclaration {
    @State private var isButton = false

    var body: some WidgetDeclaration {
        if isButton {
            Button("text") { isButton = false }
        } else {
            Label("text").onFrame { _ in isButton = true }
        }
    }
}

/// Values and models that declarations keep.
final class StateTests: XCTestCase {
    func testAStateKeepsItsValueWhenTheParentRunsAgain() throws {
        try GtkFixture.run { test in
            let (parent, runs) = (Parent(), Runs())
            let widget = test.shown(
                Column {
                    Label(parent.title)
                    if parent.isShown { Label("hint") }
                    Counter(runs)
                })
            try click(in: widget)
            test.turn { texts(in: widget.pointer) == ["first", "hint", "1"] }
            parent.isShown = false
            test.turn { texts(in: widget.pointer) == ["first", "1"] }
            try click(in: widget)
            test.turn { texts(in: widget.pointer) == ["first", "2"] }
            XCTAssertEqual(runs.initials, 1)
        }
    }

    /// A model in a declaration lost its image when the closure around it ran again.
    func testAModelKeepsItsImageAndMakesNoSecondRequest() throws {
        try GtkFixture.run { test in
            let parent = Parent()
            let widget = test.shown(
                Column {
                    let _ = parent.title
                    OwnImage("http://test/a.png", test.pipeline)
                })
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { drawnContents(of: widget.pointer) == [9] }
            let picture = first(gtk_picture_get_type(), in: widget.pointer)
            test.pipeline.configuration.memoryCache?.removeAll()
            parent.title = "second"
            test.settle()
            XCTAssertEqual(drawnContents(of: widget.pointer), [9])
            XCTAssertEqual(first(gtk_picture_get_type(), in: widget.pointer), picture)
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    func testABindingReadsAndChangesAState() throws {
        try GtkFixture.run { test in
            let widget = test.shown(Column { Favorite() })
            let toggle = try XCTUnwrap(first(gtk_check_button_get_type(), in: widget.pointer))
            gtk_check_button_set_active(UnsafeMutablePointer(toggle), 1)
            test.turn { texts(in: widget.pointer).contains("yes") }
            XCTAssertFalse(texts(in: widget.pointer).contains("noted"))
            try click(in: widget)
            test.turn { texts(in: widget.pointer).contains("noted") }
            XCTAssertNotEqual(gtk_check_button_get_active(UnsafeMutablePointer(toggle)), 0)
        }
    }

    func testADeclarationEditsTheStateOfTheOneAroundIt() throws {
        try GtkFixture.run { test in
            let widget = test.shown(Column { Marked() })
            try click(in: widget)
            test.turn { texts(in: widget.pointer).contains("marked") && texts(in: widget.pointer).contains("on") }
            let toggle = try XCTUnwrap(first(gtk_check_button_get_type(), in: widget.pointer))
            XCTAssertNotEqual(gtk_check_button_get_active(UnsafeMutablePointer(toggle)), 0)
            gtk_check_button_set_active(UnsafeMutablePointer(toggle), 0)
            test.turn { texts(in: widget.pointer).contains("not marked") && texts(in: widget.pointer).contains("off") }
        }
    }

    func testBindingsToThePropertiesOfAnObject() throws {
        struct Mark: WidgetDeclaration {
            @Bindable var parent: Parent

            var body: some WidgetDeclaration {
                Toggle(parent.title, isOn: $parent.isShown)
            }
        }
        try GtkFixture.run { test in
            let parent = Parent()
            let widget = test.shown(Column { Mark(parent: parent) })
            let button = try XCTUnwrap(first(gtk_check_button_get_type(), in: widget.pointer))
            XCTAssertEqual(gtk_check_button_get_active(UnsafeMutablePointer(button)), 1)
            gtk_widget_activate(UnsafeMutablePointer(button))
            XCTAssertFalse(parent.isShown)
            parent.isShown = true
            test.turn { gtk_check_button_get_active(UnsafeMutablePointer(button)) == 1 }
        }
    }

    func testABindingToAPropertyOfAState() {
        GtkFixture.run { _ in
            struct Settings { var isRound = false }
            let settings = State(wrappedValue: Settings())
            settings.projectedValue.isRound.wrappedValue = true
            XCTAssertTrue(settings.wrappedValue.isRound)
            let parent = State(wrappedValue: Parent())
            parent.projectedValue.title.wrappedValue = "second"
            XCTAssertEqual(parent.wrappedValue.title, "second")
        }
    }

    func testAChangeRunsOnlyTheBodyThatReadsTheState() throws {
        try GtkFixture.run { test in
            let (outer, first, second) = (Runs(), Runs(), Runs())
            let widget = test.shown(
                Column {
                    let _ = outer.bodies += 1
                    Counter(first, "a")
                    Counter(second, "b")
                })
            try click(in: widget)
            test.turn { texts(in: widget.pointer) == ["a1", "b0"] }
            // The label that reads the state is in a closure of its own.
            XCTAssertEqual([outer.bodies, first.bodies, second.bodies], [1, 1, 1])
        }
    }

    func testAStateThatNothingReadsRunsNothing() throws {
        struct Silent: WidgetDeclaration {
            let runs: Runs
            @State private var count = 0

            var body: some WidgetDeclaration {
                let _ = runs.bodies += 1
                Button("count") { count += 1 }
            }
        }
        try GtkFixture.run { test in
            let runs = Runs()
            let widget = test.shown(Column { Silent(runs: runs) })
            for _ in 0..<3 { try click(in: widget) }
            test.settle()
            XCTAssertEqual(runs.bodies, 1)
        }
    }

    /// One value of a declaration may stand in several places.
    func testADeclarationInTwoPlacesHasTwoStates() throws {
        try GtkFixture.run { test in
            let counter = Counter(Runs(), "")
            let widget = test.shown(
                Column {
                    counter
                    Row { counter }
                })
            try click(0, in: widget)
            test.turn { texts(in: widget.pointer) == ["1", "0"] }
            try click(1, in: widget)
            try click(1, in: widget)
            test.turn { texts(in: widget.pointer) == ["1", "2"] }
        }
    }

    func testStatesFollowTheIdentityOfTheirDeclarations() throws {
        try GtkFixture.run { test in
            let (parent, runs) = (Parent(), Runs())
            let widget = test.shown(Column { for name in parent.names { Counter(runs, name).id(name) } })
            try click(1, in: widget)
            test.turn { texts(in: widget.pointer) == ["a0", "b1"] }
            parent.names = ["b", "c", "a"]
            test.turn { texts(in: widget.pointer) == ["b1", "c0", "a0"] }
            XCTAssertEqual(runs.initials, 3)
        }
    }

    func testTheStateOfARemovedWidgetIsGone() throws {
        try GtkFixture.run { test in
            let (parent, runs) = (Parent(), Runs())
            weak var model: NetworkImageModel?
            struct Kept: WidgetDeclaration {
                @State var model: NetworkImageModel
                var body: some WidgetDeclaration { Label(model.isLoading ? "loading" : "idle") }
            }
            @MainActor func make() -> NetworkImageModel {
                let made = NetworkImageModel("http://test/a.png", pipeline: test.pipeline)
                model = made
                return made
            }
            let widget = test.shown(
                Column {
                    if parent.isShown {
                        Counter(runs)
                        Kept(model: make())
                    }
                })
            try click(in: widget)
            test.turn { texts(in: widget.pointer) == ["1", "idle"] }
            XCTAssertNotNil(model)
            parent.isShown = false
            test.turn { texts(in: widget.pointer).isEmpty && model == nil }
            parent.isShown = true
            test.turn { texts(in: widget.pointer) == ["0", "idle"] }
            XCTAssertEqual(runs.initials, 2)
        }
    }

    func testEachWindowHasItsOwnStates() throws {
        try GtkFixture.run { test in
            let counter = Counter(Runs(), "")
            let (one, two) = (test.shown(Column { counter }), test.shown(Column { counter }))
            try click(in: one)
            test.turn { texts(in: one.pointer) == ["1"] }
            XCTAssertEqual(texts(in: two.pointer), ["0"])
        }
    }

    func testABodyMayDeclareAWidgetOfAnotherClass() {
        GtkFixture.run { test in
            let widget = test.shown(Row { Swapped().frame(width: 80, height: 30) })
            test.turn { first(gtk_button_get_type(), in: widget.pointer) != nil }
        }
    }

    func testStatesOfStatesAreKept() throws {
        struct Outer: WidgetDeclaration {
            let runs: Runs
            @State private var isLarge = false

            var body: some WidgetDeclaration {
                Row {
                    Counter(runs)
                    Button("size") { isLarge.toggle() }
                    if isLarge { Label("large") }
                }
            }
        }
        try GtkFixture.run { test in
            let (parent, runs) = (Parent(), Runs())
            let widget = test.shown(
                Column {
                    let _ = parent.title
                    Outer(runs: runs)
                })
            try click(0, in: widget)
            try click(1, in: widget)
            test.turn { texts(in: widget.pointer) == ["1", "size", "large"] }
            parent.title = "second"
            test.settle()
            XCTAssertEqual(texts(in: widget.pointer), ["1", "size", "large"])
            XCTAssertEqual(runs.initials, 1)
        }
    }

    func testAWidgetThatTheProgramKeepsFollowsItsState() throws {
        try GtkFixture.run { test in
            let parent = Parent()
            let counter = Counter(Runs()).content
            test.watch(counter, "the counter")
            let widget = test.shown(Column { if parent.isShown { counter } })
            try click(in: widget)
            test.turn { texts(in: widget.pointer) == ["1"] }
            parent.isShown = false
            test.turn { texts(in: widget.pointer).isEmpty }
            parent.isShown = true
            test.turn { texts(in: widget.pointer) == ["1"] }
            try click(in: widget)
            test.turn { texts(in: widget.pointer) == ["2"] }
        }
    }

    // MARK: Place

    /// Only the declared widget is visible, not the box around it.
    func testADeclarationWithStatesTakesThePlaceOfItsBody() throws {
        struct Badge: WidgetDeclaration {
            @State private var text = "badge"
            var body: some WidgetDeclaration { Label(text).align(horizontal: .end, vertical: .start) }
        }
        try GtkFixture.run { test in
            let widget = test.shown(
                Overlay {
                    Column {}.expand()
                } overlays: {
                    Badge()
                })
            test.draw(widget.pointer)
            let label = try XCTUnwrap(Widget(of: first(gtk_label_get_type(), in: widget.pointer))).pointer
            let box = try XCTUnwrap(gtk_widget_get_parent(label))
            XCTAssertLessThan(gtk_widget_get_width(box), 100, "the box would take the clicks on the widget below")
            XCTAssertEqual(gtk_widget_get_width(box), gtk_widget_get_width(label))
        }
    }

    func testAViewWithAModelOfItsOwnHasTheSizeOfItsFrame() throws {
        struct Thumbnail: WidgetDeclaration {
            @State private var address = "http://test/a.png"
            var body: some WidgetDeclaration { NetworkImage(address) }
        }
        try GtkFixture.run { test in
            let widget = test.shown(
                Row { Thumbnail().frame(width: 40, height: 30).align(vertical: .start) }.imagePipeline(test.pipeline))
            try test.transfer().succeed(TestImage(9, width: 400, height: 300).bytes)
            test.turn { drawnContents(of: widget.pointer) == [9] }
            test.draw(widget.pointer)
            let view = try XCTUnwrap(Widget(of: first(RemoteImageViewState.type, in: widget.pointer))).pointer
            XCTAssertEqual(gtk_widget_get_width(view), 40)
            XCTAssertEqual(gtk_widget_get_height(view), 30)
        }
    }

    func testTheAlignmentOfADeclarationWithStatesIsItsOwn() throws {
        struct Badge: WidgetDeclaration {
            @State private var text = "badge"
            var body: some WidgetDeclaration { Label(text).align(horizontal: .end, vertical: .start) }
        }
        GtkFixture.run { test in
            let widget = test.shown(
                Overlay {
                    Column {}.expand()
                } overlays: {
                    Badge()
                    Badge().align(horizontal: .center, vertical: .end)
                })
            let boxes = children(of: widget.pointer).suffix(2)
            XCTAssertEqual(boxes.map { gtk_widget_get_halign($0) }, [GTK_ALIGN_END, GTK_ALIGN_CENTER])
            XCTAssertEqual(boxes.map { gtk_widget_get_valign($0) }, [GTK_ALIGN_START, GTK_ALIGN_END])
        }
    }

    func testTheFrameOfADeclarationWithStatesSetsItsOwnSides() {
        struct Thumbnail: WidgetDeclaration {
            let width: Int?
            let height: Int?
            @State private var address = "http://test/a.png"

            init(width: Int? = nil, height: Int? = nil) { (self.width, self.height) = (width, height) }

            var body: some WidgetDeclaration { NetworkImage(address).frame(width: width, height: height) }
        }
        struct Limited: WidgetDeclaration {
            @State private var address = "http://test/a.png"
            var body: some WidgetDeclaration { NetworkImage(address).frame(maxWidth: 300) }
        }
        GtkFixture.run { test in
            let widget = test.shownOverNetwork(
                Column {
                    Thumbnail(height: 30).frame(width: 40)
                    Thumbnail(width: 50).frame(height: 25)
                    Thumbnail(width: 50, height: 30)
                    Limited().frame(width: 70, height: 20)
                })
            let sizes = descendants(of: widget.pointer).filter { RemoteImageView(of: $0) != nil }
                .map { RemoteImageViewState.of($0).fixedSize }.map { [$0.width, $0.height] }
            XCTAssertEqual(sizes, [[40, 30], [50, 25], [50, 30], [70, 20]])
        }
    }

    func testAStateThatIsSetBeforeItsWidgetIsMadeBelongsToTheFirstPlace() {
        struct Number: WidgetDeclaration {
            @State var count = 0
            var body: some WidgetDeclaration { Label("\(count)") }
        }
        GtkFixture.run { test in
            let number = Number()
            number.count = 5
            XCTAssertEqual(number.count, 5)
            let widget = test.shown(
                Column {
                    number
                    Row { number }
                })
            XCTAssertEqual(texts(in: widget.pointer), ["5", "0"])
            // Outside of its widgets, the declaration has the value of the last one.
            number.count = 7
            test.turn { texts(in: widget.pointer) == ["5", "7"] }
        }
    }

    // MARK: Lists

    func testStatesInRowsBelongToTheItems() throws {
        try GtkFixture.run { test in
            let (parent, runs) = (Parent(), Runs())
            let widget = test.shown(
                ImageList(parent.photos) { photo in
                    Row { Counter(runs, "\(photo.id):").frame(height: 40) }
                })
            let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
            test.turn { texts(in: widget.pointer).contains("1:0") }
            // GTK keeps the row of the first item, which would have the focus.
            try click(1, in: widget)
            test.turn { texts(in: widget.pointer).contains("1:1") }
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
            test.turn { texts(in: widget.pointer).contains("299:0") && !texts(in: widget.pointer).contains("1:1") }
            XCTAssertFalse(texts(in: widget.pointer).contains { $0.hasSuffix(":1") })
            gtk_adjustment_set_value(adjustment, 0)
            test.turn { texts(in: widget.pointer).contains("1:1") }
            XCTAssertEqual(texts(in: widget.pointer).count { $0.hasSuffix(":1") }, 1)
            // The states of a removed item end.
            parent.photos.remove(at: 1)
            test.turn { !texts(in: widget.pointer).contains("1:1") }
            parent.photos.insert(TestPhoto(id: 1), at: 1)
            test.turn { texts(in: widget.pointer).contains("1:0") }
        }
    }

    func testStatesOfItemsStayInANewOrder() throws {
        try GtkFixture.run { test in
            let (parent, runs) = (Parent(), Runs())
            parent.photos = (0..<3).map { TestPhoto(id: $0) }
            let widget = test.shown(
                ImageList(parent.photos) { photo in Counter(runs, "\(photo.id):").frame(height: 20) })
            test.turn { texts(in: widget.pointer) == ["0:0", "1:0", "2:0"] }
            try click(0, in: widget)
            try click(2, in: widget)
            try click(2, in: widget)
            test.turn { texts(in: widget.pointer) == ["0:1", "1:0", "2:2"] }
            parent.photos = [2, 0, 1].map { TestPhoto(id: $0) }
            test.turn { texts(in: widget.pointer) == ["2:2", "0:1", "1:0"] }
            parent.photos = [2, 0, 1].map { TestPhoto(id: $0, title: "changed") }
            test.settle()
            XCTAssertEqual(texts(in: widget.pointer), ["2:2", "0:1", "1:0"])
            XCTAssertEqual(runs.initials, 3)
        }
    }

    /// Both parts had the same key.
    func testTheTwoPartsOfAnOverlayInARowHaveTheirOwnStates() throws {
        try GtkFixture.run { test in
            let (parent, runs) = (Parent(), Runs())
            parent.photos = [TestPhoto(id: 0)]
            let widget = test.shown(
                ImageList(parent.photos) { _ in
                    Overlay {
                        Counter(runs, "main:")
                    } overlays: {
                        Counter(runs, "overlay:")
                    }
                })
            test.turn { texts(in: widget.pointer) == ["main:0", "overlay:0"] }
            try click(0, in: widget)
            test.turn { texts(in: widget.pointer).contains("main:1") }
            test.settle()
            XCTAssertEqual(texts(in: widget.pointer), ["main:1", "overlay:0"])
        }
    }

    func testAStateInARowEndsWithItsDeclaration() throws {
        try GtkFixture.run { test in
            let (parent, runs) = (Parent(), Runs())
            parent.photos = [TestPhoto(id: 0)]
            let widget = test.shown(
                ImageList(parent.photos) { photo in
                    Column {
                        Label("row")
                        if parent.isShown { Counter(runs) }
                    }
                })
            test.turn { texts(in: widget.pointer) == ["row", "0"] }
            try click(in: widget)
            test.turn { texts(in: widget.pointer) == ["row", "1"] }
            for (isShown, expected) in [(false, ["row"]), (true, ["row", "0"])] {
                parent.isShown = isShown
                test.turn { texts(in: widget.pointer) == expected }
            }
        }
    }

    /// A list of models would otherwise keep all images that it has ever shown.
    func testTheModelOfAnItemOutOfSightReleasesItsImage() {
        GtkFixture.run { test in
            let parent = Parent()
            let transport = FakeTransport { _ in .ok(TestImage(9).bytes) }
            let pipeline = ImagePipeline.test(transport)
            let widget = test.shown(
                ImageList(parent.photos) { photo in OwnImage(photo.address, pipeline).frame(height: 60) })
            let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
            test.turn { drawnContents(of: widget.pointer).contains(9) }
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
            test.turn { transport.addresses.contains("http://test/299.png") }
            test.settle()
            pipeline.configuration.memoryCache?.removeAll()
            let before = transport.transfers.count
            gtk_adjustment_set_value(adjustment, 0)
            test.turn { transport.transfers.count > before }
            XCTAssertTrue(transport.addresses.dropFirst(before).contains("http://test/1.png"))
            test.turn { drawnContents(of: widget.pointer).contains(9) }
            pipeline.configuration.memoryCache?.removeAll()
        }
    }
}

/// Clicks a visible button at or below a widget.
@MainActor
private func click(_ index: Int = 0, in widget: Widget) throws {
    let buttons = descendants(of: widget.pointer).filter {
        shim_is_a($0, gtk_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
    }
    Emission.emit("clicked", of: OpaquePointer(try XCTUnwrap(buttons.dropFirst(index).first)))
}
