import CRemoteImageGtk
import GtkDeclarations
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// Prefetching in lists with a model of the program, as programs in C, Python and Vala use it.
final class ListPrefetcherTests: XCTestCase {
    func testTheNextPageIsInMemoryInTheSizeOfTheVisibleRows() {
        GtkFixture.run { test in
            let list = ModelList(count: 500, in: test)
            test.turn { list.addresses.contains("http://test/6.png") }
            // Four rows are visible, and one page more is prefetched.
            test.turn {
                list.pipeline.cachedImage(for: ImageRequest("http://test/6.png", target: .longestSide(50))) != nil
            }
            XCTAssertFalse(list.addresses.contains("http://test/12.png"))
            let image = list.pipeline.cachedImage(for: ImageRequest("http://test/6.png", target: .longestSide(50)))
            XCTAssertLessThan(image?.info.decodedSize.width ?? 1000, 240)
            list.end()
        }
    }

    func testTheProgramMaySetTheSizeOfThePrefetchedImages() {
        GtkFixture.run { test in
            let list = ModelList(count: 500, in: test)
            list.prefetch(maxPixelSize: 20) { item in
                gtk_string_object_get_string(OpaquePointer(item)).map { ImageSource(String(cString: $0)) }
            }
            var options = ImageOptions()
            options.maxPixelSize = PixelSize(side: 20)
            let request = ImageRequest("http://test/6.png", options: options)
            test.turn { list.pipeline.cachedImage(for: request) != nil }
            XCTAssertEqual(list.pipeline.cachedImage(for: request)?.info.decodedSize, PixelSize(side: 20))
            list.end()
        }
    }

    func testPrefetchingKeepsNoItem() {
        GtkFixture.run { test in
            final class Mark {}
            let marks = ObjectData<Mark>("remote-image-test-mark")
            var made: [() -> Mark?] = []
            let list = ModelList(count: 500, in: test)
            list.prefetch(maxPixelSize: 20) { item in
                if marks[item] == nil {
                    let mark = Mark()
                    made.append { [weak mark] in mark }
                    marks[item] = mark
                }
                return gtk_string_object_get_string(OpaquePointer(item)).map { ImageSource(String(cString: $0)) }
            }
            test.turn { made.count >= 3 }
            let old = made
            XCTAssertTrue(old.allSatisfy { $0() != nil })
            list.replaceItems(with: ["http://test/1.png"])
            test.turn { old.allSatisfy { $0() == nil } }
            list.end()
        }
    }

    func testPrefetchingFollowsTheScrollInItsDirection() {
        GtkFixture.run { test in
            let list = ModelList(count: 500, in: test)
            test.turn { list.addresses.contains("http://test/6.png") }
            list.scroll(to: 10_000)
            test.turn { list.addresses.contains("http://test/\(list.row(at: 10_300)).png") }
            XCTAssertFalse(list.addresses.contains("http://test/\(list.row(at: 9_900)).png"))
            list.scroll(to: 9_990)
            test.turn { list.addresses.contains("http://test/\(list.row(at: 9_900)).png") }
            list.end()
        }
    }

    func testPrefetchingFollowsTheModelAndItsItems() {
        GtkFixture.run { test in
            let list = ModelList(count: 500, in: test)
            test.turn { list.addresses.contains("http://test/6.png") }
            list.replaceItems(with: (1000..<1500).map { "http://test/\($0).png" })
            test.turn { list.addresses.contains("http://test/1006.png") }
            gtk_list_view_set_model(list.view.opaque, nil)
            test.draw(list.window.pointer)
            let other = gtk_string_list_new(nil)
            for row in 2000..<2100 { gtk_string_list_append(other, "http://test/\(row).png") }
            let selection = gtk_no_selection_new(other)
            gtk_list_view_set_model(list.view.opaque, selection)
            g_object_unref(UnsafeMutableRawPointer(selection!))
            test.turn { list.addresses.contains("http://test/2006.png") }
            list.end()
        }
    }

    func testAHiddenListPrefetchesNothing() {
        GtkFixture.run { test in
            // GTK 4.8 may keep any list that was scrolled while it was hidden.
            let list = ModelList(count: 500, isWatched: false, in: test)
            test.turn { list.addresses.contains("http://test/6.png") }
            gtk_widget_set_visible(list.window.pointer, 0)
            list.scroll(to: 10_000)
            test.settle()
            let count = list.addresses.count
            list.replaceItems(with: (1000..<1500).map { "http://test/\($0).png" })
            test.settle()
            XCTAssertEqual(list.addresses.count, count)
            list.end()
        }
    }

    func testTheFunctionIsReleasedWithTheListAndByItsReplacement() {
        GtkFixture.run { test in
            final class Token {}
            weak var (first, second): (Token?, Token?)
            let list = ModelList(count: 50, in: test)
            do {
                let (one, two) = (Token(), Token())
                (first, second) = (one, two)
                list.prefetch { _ in withExtendedLifetime(one) { nil } }
                list.prefetch { _ in withExtendedLifetime(two) { nil } }
            }
            XCTAssertNil(first)
            XCTAssertNotNil(second)
            XCTAssertTrue(
                ListPrefetcher.set(nil, on: list.view.pointer, pipeline: nil, maxPixelSize: nil))
            XCTAssertNil(second)
            list.end()
        }
    }

    func testALabelIsNoList() {
        GtkFixture.run { test in
            let label = Widget(gtk_label_new(nil))
            XCTAssertFalse(ListPrefetcher.set({ _ in nil }, on: label.pointer, pipeline: nil, maxPixelSize: nil))
        }
    }

    /// The first row of a horizontal list of a right-to-left language is at the end of its
    /// adjustment.
    func testAHorizontalListPrefetchesInBothDirectionsOfText() {
        for direction in [GTK_TEXT_DIR_LTR, GTK_TEXT_DIR_RTL] {
            GtkFixture.run { test in
                let list = ModelList(count: 500, isHorizontal: true, direction: direction, in: test)
                test.turn { list.addresses.contains("http://test/6.png") }
                test.settle()
                XCTAssertFalse(list.addresses.contains("http://test/490.png"))
                list.end()
            }
        }
    }
}

/// A list of a `GtkStringList` of addresses whose rows have views.
@MainActor
private final class ModelList {
    let window = Widget(gtk_scrolled_window_new())
    let view: Widget
    private let transport = FakeTransport { _ in .ok(TestImage(9, width: 240, height: 240).bytes) }
    let pipeline: ImagePipeline
    private let names: OpaquePointer?
    private let isHorizontal: Bool

    init(
        count: Int, isHorizontal: Bool = false, direction: GtkTextDirection = GTK_TEXT_DIR_LTR,
        isWatched: Bool = true, in test: GtkFixture
    ) {
        self.isHorizontal = isHorizontal
        pipeline = .test(transport, decoder: test.decoder) { $0.rateLimit = nil }
        names = gtk_string_list_new(nil)
        for row in 0..<count { gtk_string_list_append(names, "http://test/\(row).png") }
        let factory = gtk_signal_list_item_factory_new()
        let reference = ObjectReference(borrowing: UnsafeMutableRawPointer(factory!))
        view = Widget(gtk_list_view_new(gtk_no_selection_new(names), factory))
        gtk_widget_set_direction(view.pointer, direction)
        if isHorizontal { gtk_orientable_set_orientation(view.opaque, GTK_ORIENTATION_HORIZONTAL) }
        let pipeline = pipeline
        Signal.connect(row: "setup", of: reference) { row in
            // The prefetcher alone loads the images ahead.
            var options = ImageOptions()
            options.viewportMargin = 0
            let view = RemoteImageView(
                NetworkImage(nil as String?, options: options) { Picture($0) }, pipeline: pipeline)
            gtk_widget_set_size_request(view.pointer, 50, 50)
            gtk_list_item_set_child(row, view.pointer)
        }
        Signal.connect(row: "bind", of: reference) { row in
            RemoteImageView(of: gtk_list_item_get_child(row))?.source =
                gtk_list_item_get_item(row).flatMap { Self.source(of: $0) }
        }
        gtk_scrolled_window_set_child(window.opaque, view.pointer)
        prefetch { Self.source(of: $0) }
        if isWatched { test.watch(view, "the list") }
        test.show(window.pointer, width: isHorizontal ? 200 : 100, height: isHorizontal ? 100 : 200)
    }

    private static func source(of item: UnsafeMutableRawPointer) -> ImageSource? {
        gtk_string_object_get_string(OpaquePointer(item)).map { ImageSource(String(cString: $0)) }
    }

    func prefetch(maxPixelSize: Int? = nil, _ source: @escaping ListPrefetcher.Source) {
        XCTAssertTrue(ListPrefetcher.set(source, on: view.pointer, pipeline: nil, maxPixelSize: maxPixelSize))
    }

    func replaceItems(with addresses: [String]) {
        let count = g_list_model_get_n_items(names)
        addresses.withCStrings { gtk_string_list_splice(names, 0, count, $0) }
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        isHorizontal
            ? gtk_scrolled_window_get_hadjustment(window.opaque) : gtk_scrolled_window_get_vadjustment(window.opaque)
    }

    func scroll(to position: Double) { gtk_adjustment_set_value(adjustment, position) }

    /// The number of the row at a place of the content.
    func row(at place: Double) -> Int {
        Int(place / gtk_adjustment_get_upper(adjustment) * Double(g_list_model_get_n_items(names)))
    }

    var addresses: Set<String> { Set(transport.addresses) }

    func end() { pipeline.configuration.memoryCache?.removeAll() }
}

extension [String] {
    /// Calls `body` with the texts as a `NULL`-terminated vector.
    fileprivate func withCStrings(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Void) {
        let copies = map { g_strdup($0) }
        defer { for copy in copies { g_free(copy) } }
        body(copies.map { UnsafePointer($0) } + [nil])
    }
}
