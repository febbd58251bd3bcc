import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The rows of lists and grids that are not mapped, but near the visible ones. The viewport margin
/// had no effect there: a row loaded its image when it became visible.
final class ListMarginTests: XCTestCase {
    func testRowsWithinTheMarginLoadAfterTheVisibleOnes() {
        for isGrid in [false, true] {
            GtkFixture.run { test in
                let list = MarginList(count: 400, isGrid: isGrid, margin: 120, in: test)
                test.show(list.widget.pointer, width: 200, height: 200)
                let visible = list.rows(from: 0, to: 200)
                let near = visible.upperBound..<list.rows(from: 0, to: 320).upperBound
                XCTAssertGreaterThan(near.count, 1)
                test.turn { list.requested.count >= visible.count + near.count }
                XCTAssertEqual(Array(list.requested.prefix(visible.count)), Array(visible))
                XCTAssertEqual(Array(list.requested.dropFirst(visible.count)), Array(near))
                test.draw(list.widget.pointer)
                test.settle()
                XCTAssertEqual(list.requested.count, visible.count + near.count)
            }
        }
    }

    func testWithoutAMarginOnlyVisibleRowsLoad() {
        GtkFixture.run { test in
            let list = MarginList(count: 100, margin: 0, in: test)
            test.show(list.widget.pointer, width: 200, height: 180)
            test.draw(list.widget.pointer)
            test.settle()
            XCTAssertEqual(list.requested, Array(list.rows(from: 0, to: 180)))
        }
    }

    /// The rows above count as well as those below.
    func testRowsOnBothSidesOfTheVisibleOnesLoadAfterAJump() {
        for isGrid in [false, true] {
            GtkFixture.run { test in
                let list = MarginList(count: 800, isGrid: isGrid, margin: 120, in: test)
                test.show(list.widget.pointer, width: 200, height: 200)
                test.turn { list.requested.count >= list.rows(from: 0, to: 320).count }
                let old = list.transport.transfers
                // The first jump in a grid of GTK 4.8 ends where the grid shows no row.
                for place in [4000.0, 5000] {
                    list.scroll(to: place)
                    test.draw(list.widget.pointer)
                }
                test.turn {
                    let expected = list.rows(from: list.position - 120, to: list.position + 320)
                    return list.loading == Set(expected)
                }
                XCTAssertTrue(old.allSatisfy(\.isCancelled))
            }
        }
    }

    func testANearRowThatBecomesVisibleShowsItsImageInTheFirstFrame() {
        GtkFixture.run { test in
            let list = MarginList(count: 100, margin: 120, isAnswering: true, in: test)
            test.show(list.widget.pointer, width: 200, height: 200)
            test.turn { list.loaded.isSuperset(of: list.rows(from: 0, to: 320)) }
            let last = list.rows(from: 0, to: 320).upperBound - 1
            XCTAssertFalse(list.shown.contains(last))
            list.scroll(to: 110)
            test.turn { list.shown.contains(last) }
            XCTAssertTrue(list.shown.isSubset(of: list.loaded))
            XCTAssertEqual(list.requested.filter { $0 == last }.count, 1)
        }
    }

    /// A row without an allocation has no size: its image would be decoded in full.
    func testTheImageOfANearRowIsDecodedForTheSizeOfTheVisibleRows() {
        GtkFixture.run { test in
            let list = MarginList(count: 100, margin: 120, isAnswering: true, in: test)
            test.show(list.widget.pointer, width: 200, height: 200)
            test.turn { list.loaded.isSuperset(of: list.rows(from: 0, to: 320)) }
            XCTAssertEqual(Set(list.decodedSizes).count, 1)
            XCTAssertLessThan(list.decodedSizes.first?.width ?? 1000, 600)
            list.scroll(to: 110)
            test.draw(list.widget.pointer)
            test.turn { list.loaded.isSuperset(of: list.rows(from: 0, to: 430)) }
            XCTAssertEqual(test.decoder.decodeCount, Set(list.requested).count, "no image is decoded again")
        }
    }

    func testAViewWithAnAspectRatioIsDecodedForItsOwnHeight() {
        GtkFixture.run { test in
            let transport = FakeTransport { _ in .ok(TestImage(7, width: 900, height: 900).bytes) }
            let pipeline = ImagePipeline.test(transport, decoder: test.decoder)
            func options(_ number: Int) -> ImageOptions {
                var options = ImageOptions()
                options.reservedSize = .aspectRatio(number < 4 ? 4 : 1)
                options.viewportMargin = 300
                return options
            }
            let widget = WidgetNode.makeWidget(
                ImageList(Array(0..<40), id: \.self, prefetch: { _ in nil }) { number in
                    NetworkImage("http://test/\(number).png").contentFit(.contain).imageOptions(options(number))
                }.body)
            widget.imagePipeline = pipeline
            test.show(widget.pointer, width: 200, height: 150)
            test.turn { transport.addresses.contains("http://test/4.png") }
            test.settle()
            let first = Set((0..<4).map { "http://test/\($0).png" })
            let views = descendants(of: widget.pointer).filter { gtk_widget_get_mapped($0) == 0 }
                .compactMap { RemoteImageView(of: $0) }
                .filter { !first.contains($0.model.source?.identity ?? "") }
            test.turn { views.contains { $0.model.image != nil } }
            let sizes = Set(views.compactMap { $0.model.image?.info.decodedSize }.map { min($0.width, $0.height) })
            XCTAssertEqual(sizes.count, 1)
            XCTAssertGreaterThan(sizes.first ?? 0, 100, "the width of the list, not the height of the first rows")
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testNearRowsStopLoadingWhenTheListIsHidden() {
        GtkFixture.run { test in
            let list = MarginList(count: 100, margin: 120, in: test)
            test.show(list.widget.pointer, width: 200, height: 200)
            test.turn { list.requested.count >= list.rows(from: 0, to: 320).count }
            gtk_widget_set_visible(list.widget.pointer, 0)
            test.turn { list.transport.transfers.allSatisfy(\.isCancelled) }
        }
    }

    func testAnotherImageInANearRowReplacesTheFirst() {
        GtkFixture.run { test in
            let list = MarginList(count: 100, margin: 120, in: test)
            test.show(list.widget.pointer, width: 200, height: 200)
            let last = list.rows(from: 0, to: 320).upperBound - 1
            test.turn { list.requested.contains(last) }
            list.items[last] = 777
            test.turn { list.requested.contains(777) }
            test.turn { list.transport.transfers[list.requested.firstIndex(of: last) ?? 0].isCancelled }
            list.items[90] = 888
            test.draw(list.widget.pointer)
            test.settle()
            XCTAssertFalse(list.requested.contains(888))
        }
    }

    func testNearRowsOfAListOutOfSightDoNotLoad() {
        GtkFixture.run { test in
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let strips = (0..<8).map { number in
                MarginList(count: 100, isHorizontal: true, margin: 60, first: number * 100, in: test)
            }
            for strip in strips {
                gtk_widget_set_size_request(strip.widget.pointer, -1, 80)
                append(strip.widget.pointer, to: box)
            }
            let window = Widget(gtk_scrolled_window_new())
            gtk_scrolled_window_set_child(window.opaque, box.pointer)
            test.show(window.pointer, width: 200, height: 150)
            test.draw(window.pointer)
            test.turn { strips[0].requested.count >= strips[0].rows(from: 0, to: 260).count }
            test.settle()
            XCTAssertEqual(strips[0].requested, Array(strips[0].rows(from: 0, to: 260)))
            XCTAssertEqual(strips[7].requested, [])
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(window.opaque), 490)
            test.turn { strips[7].requested.count >= strips[7].rows(from: 0, to: 260).count }
        }
    }

    func testARowThatBecomesVisibleLoadsBeforeTheRowsThatAreOnlyNear() {
        GtkFixture.run { test in
            let list = MarginList(count: 100, margin: 150, in: test)
            list.pipeline.setConcurrency(transfers: 1, perHost: 1)
            test.show(list.widget.pointer, width: 200, height: 200)
            test.turn { list.appeared.isSuperset(of: list.rows(from: 0, to: 350)) }
            XCTAssertEqual(list.requested, [0])
            list.scroll(to: 150)
            test.draw(list.widget.pointer)
            test.settle()
            XCTAssertEqual(list.requested, [0])
            XCTAssertFalse(list.transport.transfers[0].isCancelled, "the row is near")
            let visible = list.shown.filter { $0 > list.rows(from: 0, to: 200).upperBound - 1 }
            XCTAssertGreaterThan(visible.count, 1)
            for number in 1...visible.count {
                list.transport.transfers[number - 1].succeed(TestImage(9).bytes)
                test.turn { list.requested.count == number + 1 }
            }
            XCTAssertTrue(Set(list.requested.dropFirst()).isSubset(of: list.shown), "\(list.requested)")
            list.pipeline.configuration.memoryCache?.removeAll()
        }
    }

    func testPicturesInNearRowsLoad() {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            let names = gtk_string_list_new(nil)
            for row in 0..<100 { gtk_string_list_append(names, "http://test/\(row).png") }
            let factory = gtk_signal_list_item_factory_new()
            let reference = ObjectReference(borrowing: UnsafeMutableRawPointer(factory!))
            Signal.connect(row: "setup", of: reference) { row in
                let picture = gtk_picture_new()
                gtk_widget_set_size_request(picture, 50, 50)
                gtk_list_item_set_child(row, picture)
            }
            Signal.connect(row: "bind", of: reference) { row in
                guard let picture = gtk_list_item_get_child(row),
                    let text = gtk_string_object_get_string(gtk_list_item_get_item(row).map { OpaquePointer($0) })
                else { return }
                picture.setImage(String(cString: text))
            }
            let window = Widget(gtk_scrolled_window_new())
            window.imagePipeline = test.pipeline
            gtk_scrolled_window_set_child(window.opaque, gtk_list_view_new(gtk_no_selection_new(names), factory))
            test.show(window.pointer, width: 100, height: 200)
            test.turn { test.transport.addresses.contains("http://test/6.png") }
            test.settle()
            XCTAssertFalse(test.transport.addresses.contains("http://test/20.png"))
        }
    }
}

/// A list of images over a network that answers each request, or none.
@MainActor
private final class MarginList {
    let widget = Widget(gtk_scrolled_window_new())
    let transport: FakeTransport
    let pipeline: ImagePipeline
    private let steps = Watched<[String]>([])
    private let factory: ImageListFactory<Int>
    private let list: Widget
    private let isHorizontal: Bool
    private let (count, first): (Int, Int)

    init(
        count: Int, isGrid: Bool = false, isHorizontal: Bool = false, margin: Double, first: Int = 0,
        isAnswering: Bool = false, in test: GtkFixture
    ) {
        (self.count, self.first, self.isHorizontal) = (count, first, isHorizontal)
        transport = FakeTransport { _ in isAnswering ? .ok(TestImage(9, width: 600, height: 600).bytes) : nil }
        let steps = steps
        let pipeline = ImagePipeline.test(transport, decoder: test.decoder) {
            $0.rateLimit = nil
            $0.observers = [{ event in steps.update { $0 += Self.line(of: event).map { [$0] } ?? [] } }]
        }
        self.pipeline = pipeline
        pipeline.setConcurrency(transfers: 200, perHost: 200)
        var options = ImageOptions()
        options.viewportMargin = margin
        options.disappearDelay = .zero
        factory = ImageListFactory(
            items: Array(first..<first + count), source: { ImageSource("http://test/\($0).png") }, pipeline: pipeline
        ) {
            NetworkImage(nil as String?, options: options) { Picture($0, contentFit: .fill) }
        }
        factory.itemSize = (50, 50)
        let model = gtk_no_selection_new(factory.model)
        list = Widget(isGrid ? gtk_grid_view_new(model, factory.factory) : gtk_list_view_new(model, factory.factory))
        if isGrid {
            gtk_grid_view_set_min_columns(list.opaque, 2)
            gtk_grid_view_set_max_columns(list.opaque, 2)
        }
        if isHorizontal { gtk_orientable_set_orientation(list.opaque, GTK_ORIENTATION_HORIZONTAL) }
        gtk_scrolled_window_set_child(widget.opaque, list.pointer)
        test.watch(list, "the list")
    }

    var items: [Int] {
        get { factory.items }
        set { factory.items = newValue }
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        isHorizontal
            ? gtk_scrolled_window_get_hadjustment(widget.opaque) : gtk_scrolled_window_get_vadjustment(widget.opaque)
    }

    var position: Double { gtk_adjustment_get_value(adjustment) }

    func scroll(to position: Double) { gtk_adjustment_set_value(adjustment, position) }

    private nonisolated static func line(of event: PipelineEvent) -> String? {
        let row = event.source.dropFirst("http://test/".count).dropLast(".png".count)
        return switch event.step {
        case .appeared(let width, let height): "+\(row) \(width) × \(height)"
        case .disappeared: "-\(row)"
        default: nil
        }
    }

    /// The rows that have appeared once more than they have disappeared.
    var appeared: Set<Int> {
        var counts: [Int: Int] = [:]
        for step in steps.value {
            let row = step.dropFirst().prefix { $0 != " " }
            counts[Int(row) ?? -1, default: 0] += step.hasPrefix("+") ? 1 : -1
        }
        return Set(counts.filter { $0.value == 1 }.keys)
    }

    /// The rows of the images that were requested, in order.
    var requested: [Int] {
        transport.addresses.compactMap { Int($0.dropFirst("http://test/".count).dropLast(".png".count)) }
    }

    /// The rows of the images whose transfers are running.
    var loading: Set<Int> {
        Set(zip(requested, transport.transfers).filter { $0.1.state == .running }.map(\.0))
    }

    /// The rows in a part of the content, which touches them at least.
    func rows(from start: Double, to end: Double) -> Range<Int> {
        let columns = gtk_grid_view_get_type()
        let isGrid = shim_is_a(UnsafeMutableRawPointer(list.pointer), columns) != 0
        let perLine = isGrid ? 2 : 1
        let length = gtk_adjustment_get_upper(adjustment) / Double(count / perLine)
        // GTK maps rows up to 10 points outside, too; none begins there in these tests.
        let lines = max(0, Int((start / length).rounded(.down)))..<(Int((end / length).rounded(.down)) + 1)
        return first + lines.lowerBound * perLine..<first + min(count, lines.upperBound * perLine)
    }

    private var bound: [(row: Int, view: RemoteImageView)] {
        descendants(of: list.pointer).compactMap { RemoteImageView(of: $0) }.compactMap { view in
            guard let address = view.model.source?.identity,
                let row = Int(address.dropFirst("http://test/".count).dropLast(".png".count))
            else { return nil }
            return (row, view)
        }
    }

    var loaded: Set<Int> { Set(bound.filter { $0.view.model.image != nil }.map(\.row)) }
    var shown: Set<Int> { Set(bound.filter { gtk_widget_get_mapped($0.view.pointer) != 0 }.map(\.row)) }
    var decodedSizes: [PixelSize] { bound.compactMap { $0.view.model.image?.info.decodedSize } }
}
