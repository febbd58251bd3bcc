import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The rows of declared grids and lists.
final class ImageGridTests: XCTestCase {
    func testRowsShowTheImagesOfTheirItems() {
        TestList.run(Array(0..<20)) { test, list in
            test.turn { list.views.count > 4 && list.views.allSatisfy { $0.model.phase.kind == .success } }
            for view in list.views {
                let caption = text(in: gtk_widget_get_parent(view.pointer)) ?? ""
                XCTAssertEqual(view.model.image?.content, Int(caption).map(TestPhoto.content))
            }
        }
    }

    /// The theme left 12 points on each side.
    func testCellsHaveNoSpaceAroundTheirContent() throws {
        try GtkFixture.run { test in
            let widget = test.shown(
                ImageGrid(Array(0..<4), id: \.self, columns: 2...2) { _ in Column {}.frame(height: 40) })
            let grid = try XCTUnwrap(Widget(of: first(gtk_grid_view_get_type(), in: widget.pointer))).pointer
            test.turn { children(of: grid).count == 4 && gtk_widget_get_width(children(of: grid)[3]) > 0 }
            test.draw(grid)
            let half = Float(gtk_widget_get_width(grid)) / 2
            for (index, cell) in children(of: grid).enumerated() {
                var bounds = graphene_rect_t()
                XCTAssertNotEqual(gtk_widget_compute_bounds(gtk_widget_get_first_child(cell), grid, &bounds), 0)
                XCTAssertEqual(bounds.origin.x, Float(index % 2) * half)
                XCTAssertEqual(bounds.origin.y, Float(index / 2) * 40)
                XCTAssertEqual(bounds.size.width, half)
            }
        }
    }

    func testAChangeOfTheItemsRunsTheClosuresOfNewAndChangedItemsOnly() {
        TestList.run(Array(0..<10)) { test, list in
            test.settle()
            list.runs = []
            list.album.photos.insert(TestPhoto(id: 100), at: 3)
            list.album.photos.removeAll { $0.id == 6 }
            list.album.photos[0].title = " renamed"
            test.settle()
            XCTAssertEqual(list.runs, [0, 100])
            XCTAssertEqual(g_list_model_get_n_items(list.selectionModel), 10)
            test.draw(list.pointer!)
            XCTAssertNotNil(list.captions["0 renamed"])
            XCTAssertNil(list.captions["6"])
        }
    }

    func testTheScrollPositionSurvivesInsertionsBeforeTheVisibleRows() {
        TestList.run(Array(0..<500)) { test, list in
            list.scroll(to: 2000)
            test.draw(list.pointer!)
            let before = list.captions
            XCTAssertGreaterThan(before.count, 3)
            // Full lines, so that the cells of a grid keep their columns.
            list.album.photos.insert(contentsOf: (1000..<1012).map { TestPhoto(id: $0) }, at: 0)
            test.settle()
            test.draw(list.pointer!)
            XCTAssertEqual(list.captions, before)
        }
    }

    func testTheVisibleRowsSurviveThousandsOfRemovals() {
        TestList.run(Array(0..<5000)) { test, list in
            list.album.selected = 4000
            list.scroll(to: gtk_adjustment_get_upper(list.adjustment) / 2)
            test.draw(list.pointer!)
            let visible = list.captions.keys.compactMap { Int($0) }
            list.runs = []
            let row = visible.sorted()[visible.count / 2]
            list.album.photos.removeAll { $0.id % 2 != row % 2 }
            test.settle()
            test.draw(list.pointer!)
            XCTAssertNotNil(list.captions["\(row)"])
            XCTAssertFalse(list.runs.contains(row))
            XCTAssertEqual(g_list_model_get_n_items(list.selectionModel), 2500)
            XCTAssertEqual(list.selectedPosition, row % 2 == 0 ? 2000 : nil)
        }
    }

    func testARowUpdatesAloneWhenAValueThatItReadChanges() {
        TestList.run(Array(0..<10)) { test, list in
            test.settle()
            let views = Set(list.views.map(\.pointer))
            list.runs = []
            // Each row reads the set of marks, which is one value: all rows run, none is made.
            list.album.marked = [2]
            test.settle()
            XCTAssertEqual(list.runs.sorted(), Array(0..<10))
            XCTAssertNotNil(list.captions["2*"])
            XCTAssertEqual(Set(list.views.map(\.pointer)), views)
        }
        GtkFixture.run { test in
            let albums = (0..<5).map { TestAlbum([$0]) }
            var runs: [Int] = []
            let list = ImageList(albums, id: \.photos[0].id) { album in
                let _ = runs.append(album.photos[0].id)
                Label(album.marked.isEmpty ? "plain" : "marked")
                if let selected = album.selected { Label("selected \(selected)") }
            }.content
            test.watch(list, "the list")
            test.show(list.pointer)
            test.settle()
            runs = []
            albums[3].selected = 1
            test.settle()
            XCTAssertEqual(runs, [3])
            XCTAssertTrue(descendants(of: list.pointer).contains { text(in: $0) == "selected 1" })
            albums[3].marked = [1]
            test.settle()
            XCTAssertEqual(runs, [3], "a label follows its own text")
        }
    }

    func testRowsAreRecycled() {
        TestList.run(Array(0..<5000)) { test, list in
            for position in stride(from: 0.0, through: 1, by: 0.1) {
                list.scroll(to: position * gtk_adjustment_get_upper(list.adjustment))
                test.draw(list.pointer!)
            }
            XCTAssertNotNil(list.captions["4999"])
            // GTK keeps 200 rows of a list, and 30 lines of a grid.
            XCTAssertLessThan(list.captionCount, 250)
            XCTAssertGreaterThan(list.runs.count, 1000)
            list.album.photos.removeAll { $0.id % 2 == 1 }
            test.settle()
            XCTAssertEqual(g_list_model_get_n_items(list.selectionModel), 2500)
        }
    }

    func testRowsOutOfReachNeitherLoadNorFollowValues() throws {
        try TestList.run(Array(0..<5000)) { test, list in
            // GTK also declares rows below the viewport.
            let declaredRows = list.runs
            let declared = Set(declaredRows.map { TestPhoto(id: $0).address })
            let visible = Set(list.views.compactMap { $0.source?.identity })
            XCTAssertTrue(visible.isStrictSubset(of: declared))
            // GTK keeps the row with the focus, which is the first one.
            let third = list.views[2]
            XCTAssertEqual(third.source?.identity, "http://test/2.png")
            list.scroll(to: gtk_adjustment_get_upper(list.adjustment) / 2)
            test.draw(list.pointer!)
            test.settle()
            list.runs = []
            list.album.marked = [2]
            test.settle()
            XCTAssertFalse(list.runs.isEmpty)
            XCTAssertFalse(list.runs.contains(2))
            XCTAssertNotEqual(third.source?.identity, "http://test/0.png")
            let requested = Set(list.transport.transfers.map(\.request.address.string))
            XCTAssertFalse(requested.isDisjoint(with: visible))
            // Those near the viewport load, too.
            let last = try XCTUnwrap(declaredRows.max())
            XCTAssertGreaterThan(last, visible.count * 2)
            XCTAssertFalse(requested.contains(TestPhoto(id: last).address))
        }
    }

    /// The next item had the same declaration, which was not applied again, and the row was blank.
    func testAViewThatIsStoredOutsideTheClosureIsShownInRecycledRows() throws {
        try GtkFixture.run { test in
            let album = TestAlbum(0..<5000)
            let logo = NetworkImage("http://test/logo.png")
            let list = test.shownOverNetwork(
                ImageList(album.photos) { photo in
                    Row {
                        logo.frame(width: 20, height: 20)
                        Label("\(photo.id)")
                    }
                })
            @MainActor func views() -> [RemoteImageView] {
                descendants(of: list.pointer).compactMap { RemoteImageView(of: $0) }
            }
            @MainActor func visibleViews() -> [RemoteImageView] {
                views().filter { gtk_widget_get_mapped($0.pointer) != 0 }
            }
            try test.transfer().succeed(TestImage(7).bytes)
            test.turn { visibleViews().allSatisfy { $0.model.phase.kind == .success } }
            let transferCount = test.transport.transfers.count
            let adjustment = gtk_scrolled_window_get_vadjustment(list.opaque)
            for position in [0.5, 0] {
                let old = Set(views().map(\.pointer))
                gtk_adjustment_set_value(adjustment, position * gtk_adjustment_get_upper(adjustment))
                test.draw(list.pointer)
                let recycled = visibleViews().filter { old.contains($0.pointer) }
                XCTAssertFalse(recycled.isEmpty)
                XCTAssertEqual(Set(recycled.map { $0.source?.identity }), ["http://test/logo.png"])
                test.turn { recycled.allSatisfy { $0.model.phase.kind == .success } }
            }
            XCTAssertEqual(test.transport.transfers.count, transferCount, "the image is in memory")
        }
    }

    /// Rows that were loading when they left the viewport are recycled for others out of it.
    func testARecycledRowLoadsNothingUntilItIsVisible() {
        TestList.run(Array(0..<5000), isAnswering: false) { test, list in
            test.turn { list.views.allSatisfy { $0.model.isLoading } }
            let views = list.views
            list.scroll(to: 600)
            test.draw(list.pointer!)
            list.scroll(to: gtk_adjustment_get_upper(list.adjustment) / 2)
            test.draw(list.pointer!)
            let recycled = views.filter {
                // GTK keeps the row with the focus, which is the first one.
                gtk_widget_get_mapped($0.pointer) == 0 && $0.source?.identity != "http://test/0.png"
            }
            XCTAssertFalse(recycled.isEmpty)
            XCTAssertEqual(recycled.filter(\.model.isLoading).count, 0)
        }
    }

    func testAChangedItemUpdatesBothPartsOfAnOverlay() {
        GtkFixture.run { test in
            let album = TestAlbum(0..<1)
            let list = ImageList(album.photos) { photo in
                Overlay {
                    Label("main\(photo.title)")
                } overlays: {
                    Label("overlay\(photo.title)")
                }
            }.content
            test.watch(list, "the list")
            test.show(list.pointer)
            album.photos[0].title = " renamed"
            test.settle()
            let overlay = first(gtk_overlay_get_type(), in: list.pointer)
            XCTAssertEqual(text(in: gtk_overlay_get_child(overlay)), "main renamed")
            XCTAssertTrue(descendants(of: list.pointer).contains { text(in: $0) == "overlay renamed" })
        }
    }

    func testAnEmptyListGetsRowsWithTheFirstItems() {
        TestList.run([]) { test, list in
            XCTAssertEqual(list.captions, [:])
            list.album.selected = 3
            list.album.photos = (0..<5).map { TestPhoto(id: $0) }
            test.settle()
            test.draw(list.pointer!)
            XCTAssertEqual(Set(list.captions.keys), Set((0..<5).map(String.init)))
            XCTAssertEqual(list.selectedPosition, 3)
            list.album.photos = []
            test.settle()
            test.draw(list.pointer!)
            XCTAssertEqual(list.captions, [:])
        }
    }

    func testItemsWithEqualIdentitiesHaveRowsOfTheirOwn() {
        TestList.run([1, 1, 2, 1]) { test, list in
            list.album.photos = [2, 1, 1, 3, 2].map { TestPhoto(id: $0) }
            test.settle()
            list.album.selected = 2
            list.album.photos.removeFirst()
            test.settle()
            XCTAssertEqual(g_list_model_get_n_items(list.selectionModel), 4)
            XCTAssertEqual(list.selectedPosition, 3)
        }
    }

    func testAContainerUpdatesTheClosureOfAListAndKeepsItsWidget() {
        GtkFixture.run { test in
            let album = TestAlbum(0..<3)
            let column = Column {
                let selected = album.selected ?? 0
                ImageList(album.photos) { photo in Label("\(photo.id) of \(selected)") }
                if selected == 5 { Label("five") }
            }.content
            test.watch(column, "the column")
            test.show(column.pointer)
            let list = first(gtk_list_view_get_type(), in: column.pointer)
            album.selected = 5
            test.settle()
            XCTAssertEqual(first(gtk_list_view_get_type(), in: column.pointer), list)
            XCTAssertTrue(descendants(of: column.pointer).contains { text(in: $0) == "2 of 5" })
        }
    }

    func testARemovedListObservesNothing() {
        GtkFixture.run { test in
            let album = TestAlbum(0..<3)
            var runs = 0
            let column = Column {
                if album.selected == nil {
                    ImageList(album.photos) { photo in
                        let _ = (runs += 1, album.marked)
                        Label("\(photo.id)")
                    }
                }
            }.content
            test.watch(column, "the column")
            test.show(column.pointer)
            test.settle()
            XCTAssertEqual(runs, 3)
            // One turn of the main actor: the container runs before the rows.
            album.selected = 1
            album.marked = [1]
            test.settle()
            XCTAssertEqual(runs, 3)
        }
    }

    func testNothingLeaksWhenTheWindowIsClosedDuringLoads() {
        for kind in [TestList.Kind.grid, .list] {
            GtkFixture.run { test in
                weak var album: TestAlbum?
                do {
                    let model = TestAlbum(0..<50)
                    album = model
                    let content: @MainActor (TestPhoto) -> [DeclaredWidget] = {
                        [test.watch(NetworkImage($0.address).content, "a view").frame(width: 60, height: 40)]
                    }
                    let selection = Binding(model, \.selected)
                    let widget =
                        kind == .grid
                        ? ImageGrid(model.photos, selection: selection, content: content).content
                        : ImageList(model.photos, selection: selection, content: content).content
                    widget.imagePipeline = test.pipeline
                    test.watch(widget, "the list")
                    let window = test.show(widget.pointer)
                    test.turn { !test.transport.transfers.isEmpty }
                    window.destroy()
                }
                test.turn { album == nil && test.aliveCount(of: "a view") == 0 }
                XCTAssertEqual(test.aliveCount(of: "the list"), 0)
                test.turn { test.transport.transfers.allSatisfy { $0.state != .running } }
            }
        }
    }
}
