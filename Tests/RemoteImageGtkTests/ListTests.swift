import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class ListTests: XCTestCase {
    func testOfTenThousandScrolledRowsOnlyVisibleRowsLoadAndEachShowsItsOwnImage() throws {
        GtkFixture.run { test in
            for isGrid in [false, true] { scroll(isGrid: isGrid, test) }
        }
    }

    func testAKeyPathGivesTheSourceAndNewItemsUpdateTheRows() throws {
        try GtkFixture.run { test in
            struct Photo { var address: String }
            let rows = ImageListFactory(
                items: [Photo(address: "http://test/a.png")], source: \.address, pipeline: test.pipeline
            ) {
                NetworkImage(nil) { Picture($0) }
            }
            rows.itemSize = (50, 50)
            let list = Widget(gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory))
            test.show(list.pointer)
            XCTAssertEqual(try test.transfer().request.address.string, "http://test/a.png")
            rows.items = [Photo(address: "http://test/b.png"), Photo(address: "http://test/c.png")]
            test.turn { Set(test.transport.addresses).count == 3 }
            XCTAssertEqual(rows.source(ofRow: 1)?.identity, "http://test/c.png")
            XCTAssertNil(rows.source(ofRow: 2))
        }
    }

    func testAReplacedPageLoadsInTheOrderOfTheList() {
        GtkFixture.run { test in
            let rows = ImageListFactory(items: Array(0..<8), source: Self.source, pipeline: test.pipeline) {
                NetworkImage(nil) { Picture($0) }
            }
            rows.itemSize = (50, 20)
            let list = Widget(gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory))
            test.show(list.pointer, width: 100, height: 400)
            test.turn { test.transport.transfers.count == 6 }
            for transfer in test.transport.transfers { transfer.succeed(TestImage().bytes) }
            test.turn { test.transport.transfers.count == 8 }
            for transfer in test.transport.transfers.suffix(2) { transfer.succeed(TestImage().bytes) }
            test.settle()
            rows.items = Array(100..<108)
            test.turn { test.transport.transfers.count == 14 }
            XCTAssertEqual(
                test.transport.addresses.suffix(6), (100..<106).map { "http://test/\($0).png" }[...])
        }
    }

    func testItemsThatAreSetDuringAReplacementReplaceTheOthers() {
        GtkFixture.run { test in
            var setItems: (() -> Void)?
            let rows = ImageListFactory(items: [1, 2]) { row in
                let set = setItems
                setItems = nil
                set?()
                return Self.source(row)
            } image: {
                NetworkImage(nil) { Picture($0) }
            }
            rows.itemSize = (50, 20)
            let list = Widget(gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory))
            list.imagePipeline = test.pipeline
            test.show(list.pointer, width: 100, height: 400)
            test.turn { test.transport.transfers.count == 2 }
            setItems = { rows.items = [7, 8, 9] }
            rows.items = [3, 4, 5, 6]
            XCTAssertEqual(rows.items, [7, 8, 9])
            XCTAssertEqual(
                (0..<4).map { rows.source(ofRow: $0) }, [Self.source(7), Self.source(8), Self.source(9), nil])
            test.settle()
            XCTAssertEqual(g_list_model_get_n_items(gtk_list_view_get_model(list.opaque)), 3)
        }
    }

    func testThePrefetcherRunsAheadOfTheScrollInItsDirection() throws {
        func rows(at position: Double, isBackward: Bool) -> Range<Int> {
            ScrollPrefetcher.rows(
                ahead: 1, from: position, page: 100, whole: 10_000, count: 1000, isBackward: isBackward)
        }
        XCTAssertEqual(rows(at: 0, isBackward: false), 11..<20)
        XCTAssertEqual(rows(at: 5000, isBackward: false), 511..<520)
        XCTAssertEqual(rows(at: 5000, isBackward: true), 490..<500)
        XCTAssertEqual(rows(at: 9900, isBackward: false), 1000..<1000)
        XCTAssertEqual(rows(at: 0, isBackward: true), 0..<0)
    }

    /// An infinite number used to end the process, and so did a negative one during a scroll
    /// backward.
    func testThePrefetcherAcceptsAnyNumberOfScreens() {
        func rows(ahead screens: Double, isBackward: Bool) -> Range<Int> {
            ScrollPrefetcher.rows(
                ahead: screens, from: 5000, page: 100, whole: 10_000, count: 1000, isBackward: isBackward)
        }
        XCTAssertEqual(rows(ahead: .infinity, isBackward: false), 511..<1000)
        XCTAssertEqual(rows(ahead: .infinity, isBackward: true), 0..<500)
        for screens in [0, -2, -.infinity, .nan] as [Double] {
            XCTAssertEqual(rows(ahead: screens, isBackward: false), 511..<511)
            XCTAssertEqual(rows(ahead: screens, isBackward: true), 500..<500)
        }
    }

    func testPrefetchedRowsAreInMemoryWhenTheListReachesThem() throws {
        try GtkFixture.run { test in
            let transport = FakeTransport { _ in .ok(TestImage().bytes) }
            let pipeline = ImagePipeline.test(transport)
            let rows = ImageListFactory(items: Array(0..<500), source: Self.source, pipeline: pipeline) {
                NetworkImage(nil) { Picture($0) }
            }
            let window = Self.scrolledWindow(of: rows, test)
            let prefetcher = try XCTUnwrap(
                ScrollPrefetcher(of: window.opaque, count: 500, pipeline: pipeline) { row in
                    rows.source(ofRow: row).map { ImageRequest($0) }
                })
            test.turn { !prefetcher.rows.isEmpty }
            let first = prefetcher.rows
            XCTAssertGreaterThan(first.lowerBound, 3)
            test.turn {
                first.allSatisfy { pipeline.cachedImage(for: ImageRequest(Self.source($0) ?? "")) != nil }
            }
            XCTAssertLessThan(transport.transfers.count, 20)

            // Backwards. Added rows and a new layout do not count as a change of direction.
            let adjustment = gtk_scrolled_window_get_vadjustment(window.opaque)
            for place in [6000.0, 5000] {
                gtk_adjustment_set_value(adjustment, place)
                // The window shows 200 points, and another 200 are prefetched: first after the
                // visible rows, then before them.
                let expected = (place == 6000 ? 6300 : 4900) / gtk_adjustment_get_upper(adjustment) * 500
                test.turn { prefetcher.rows.contains(Int(expected)) }
            }
            let backward = prefetcher.rows
            prefetcher.count = 499
            prefetcher.count = 500
            for _ in 0..<3 { test.draw(window.pointer) }
            test.settle()
            XCTAssertEqual(prefetcher.rows, backward)

            // The last of several scrolls within a frame gives the direction.
            for place in [8000.0, 7000] { gtk_adjustment_set_value(adjustment, place) }
            test.turn { prefetcher.rows.contains(Int(6900 / gtk_adjustment_get_upper(adjustment) * 500)) }

            // A list truncates fractional positions in its next layout, which is no step back.
            for _ in 0..<3 {
                gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + 12.6)
                test.draw(window.pointer)
            }
            test.turn { prefetcher.rows.contains(Int(7350 / gtk_adjustment_get_upper(adjustment) * 500)) }
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    /// With one transfer at a time, the order of the requests is that of the prefetcher: the row
    /// that becomes visible first comes first, in both directions.
    func testTheRowsThatBecomeVisibleFirstAreLoadedFirst() throws {
        try GtkFixture.run { test in
            let transport = FakeTransport { _ in .ok(TestImage().bytes) }
            let pipeline = ImagePipeline.test(transport) { configuration in
                configuration.maxConcurrentTransfers = 1
                configuration.rateLimit = nil
            }
            // The views of these rows load nothing.
            let rows = ImageListFactory(items: Array(0..<500), source: { _ in nil }) {
                NetworkImage(nil) { Picture($0) }
            }
            let window = Self.scrolledWindow(of: rows, test)
            let prefetcher = try XCTUnwrap(
                ScrollPrefetcher(of: window.opaque, count: 500, pipeline: pipeline) { row in
                    ImageRequest("http://test/\(row).png")
                })
            var seen = 0
            @MainActor func loaded() -> [String] {
                test.turn {
                    prefetcher.rows.allSatisfy {
                        pipeline.cachedImage(for: ImageRequest("http://test/\($0).png")) != nil
                    }
                }
                defer { seen = transport.addresses.count }
                return Array(transport.addresses[seen...])
            }
            func addresses(_ rows: some Sequence<Int>) -> [String] { rows.map { "http://test/\($0).png" } }
            test.turn { !prefetcher.rows.isEmpty }
            XCTAssertEqual(loaded(), addresses(prefetcher.rows))

            let adjustment = gtk_scrolled_window_get_vadjustment(window.opaque)
            for (place, near) in [(6000.0, 6300.0), (5000, 4900)] {
                gtk_adjustment_set_value(adjustment, place)
                test.turn { prefetcher.rows.contains(Int(near / gtk_adjustment_get_upper(adjustment) * 500)) }
                let isBackward = place == 5000
                XCTAssertEqual(loaded(), addresses(isBackward ? prefetcher.rows.reversed() : Array(prefetcher.rows)))
            }
        }
    }

    /// Shows about four rows of 50 points.
    @MainActor
    private static func scrolledWindow(of rows: ImageListFactory<Int>, _ test: GtkFixture) -> Widget {
        rows.itemSize = (50, 50)
        let window = Widget(gtk_scrolled_window_new())
        gtk_scrolled_window_set_child(
            window.opaque, gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory))
        test.show(window.pointer, width: 100, height: 200)
        return window
    }

    private static func source(_ row: Int) -> ImageSource? { ImageSource("http://test/\(row).png") }
}

/// Scrolls through 10,000 rows to the end and back, at various speeds and with delayed answers. The
/// image that each frame shows in a row is compared with the position of the row in the list.
@MainActor
private func scroll(isGrid: Bool, _ test: GtkFixture) {
    var generator = SeededGenerator(seed: 6)
    let transport = FakeTransport()
    let pipeline = ImagePipeline.test(transport) { $0.rateLimit = nil }
    let rows = ImageListFactory(items: Array(0..<10_000)) { row in
        ImageSource("http://test/\(row).png")
    } image: {
        NetworkImage(nil) { Picture($0) }
    }
    rows.itemSize = (60, 40)
    let shownRows = ShownRows(of: rows.factory)
    let model = gtk_no_selection_new(rows.model)
    let window = Widget(gtk_scrolled_window_new())
    window.imagePipeline = pipeline
    let list = Widget(isGrid ? gtk_grid_view_new(model, rows.factory) : gtk_list_view_new(model, rows.factory))
    gtk_scrolled_window_set_child(window.opaque, list.pointer)
    let shown = test.show(window.pointer, width: 300, height: 400)
    shownRows.checkEachFrame(of: window)
    let adjustment = gtk_scrolled_window_get_vadjustment(window.opaque)
    var latencies = Latencies()
    for isForward in [true, false] {
        let range = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        var (place, end) = isForward ? (0, range) : (range, 0)
        while place != end {
            // A crawl, a flick, or a jump over hundreds of rows.
            let speed = [15, 120, 900, range / 12][Int.random(in: 0..<4, using: &generator)]
            for _ in 0..<(speed > 1000 ? 1 : 4) {
                let step = speed * Double.random(in: 0.5...1.5, using: &generator)
                place = isForward ? min(end, place + step) : max(end, place - step)
                gtk_adjustment_set_value(adjustment, place)
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    gtk_widget_queue_draw(window.pointer)
                    let frame = shownRows.frameCount
                    test.turn { shownRows.frameCount > frame }
                    for transfer in latencies.due(of: transport.transfers, &generator) { answer(transfer) }
                }
            }
        }
        test.draw(window.pointer)
        XCTAssertTrue(shownRows.positions.contains(isForward ? 9_999 : 0), "it has come to the end")
    }
    test.turn {
        for transfer in transport.transfers where transfer.state == .running { answer(transfer) }
        return shownRows.mapped.allSatisfy { $0.model.phase.kind == .success }
    }
    test.draw(window.pointer)
    XCTAssertGreaterThan(shownRows.checkedCount, 200)
    XCTAssertGreaterThan(latencies.lateCount, 10, "some answers come when their rows stand for others")
    // Each frame may load the rows that fit into the window, and one more row on each side.
    XCTAssertLessThan(transport.transfers.count, shownRows.frameCount * (isGrid ? 120 : 18))
    shownRows.end()
    shown.destroy()
    pipeline.configuration.memoryCache?.removeAll()
}

/// The delays of the answers: from 0 to 12 frames.
private struct Latencies {
    private var left: [Int] = []
    /// The number of answers that came after the frame of their request.
    private(set) var lateCount = 0

    /// The running transfers that are due.
    mutating func due(of transfers: [FakeTransfer], _ generator: inout SeededGenerator) -> [FakeTransfer] {
        while left.count < transfers.count { left.append(Int.random(in: 0...12, using: &generator)) }
        var due: [FakeTransfer] = []
        for index in transfers.indices where left[index] >= 0 {
            if left[index] == 0, transfers[index].state == .running { due.append(transfers[index]) }
            if left[index] == 1 { lateCount += 1 }
            left[index] -= 1
        }
        return due
    }
}

private func answer(_ transfer: FakeTransfer) {
    transfer.succeed(TestImage(content(of: row(in: transfer.request.address.string))).bytes)
}

/// The rows of a list as seen from outside: their positions, and the images that each frame shows
/// in them.
@MainActor
private final class ShownRows {
    private var rows: [UnsafeMutablePointer<GtkWidget>: Int] = [:]
    private let connections = SignalConnections()
    private(set) var frameCount = 0
    private(set) var checkedCount = 0

    init(of factory: OpaquePointer?) {
        guard let factory = factory.map({ ObjectReference(borrowing: UnsafeMutableRawPointer($0)) }) else { return }
        Signal.connect(row: "bind", of: factory) { [weak self] item in
            if let view = gtk_list_item_get_child(item) { self?.rows[view] = Int(gtk_list_item_get_position(item)) }
        }
        Signal.connect(row: "unbind", of: factory) { [weak self] item in
            if let view = gtk_list_item_get_child(item) { self?.rows[view] = nil }
        }
    }

    /// Continues until ``end()``.
    func checkEachFrame(of widget: Widget) {
        guard let clock = gtk_widget_get_frame_clock(widget.pointer) else { return XCTFail("no frames") }
        connections.connect("after-paint", of: UnsafeMutableRawPointer(clock)) { [weak self] in self?.check() }
    }

    func end() { connections.end() }

    var mapped: [RemoteImageView] {
        rows.keys.filter { gtk_widget_get_mapped($0) != 0 }.compactMap { RemoteImageView(of: $0) }
    }

    var positions: Dictionary<UnsafeMutablePointer<GtkWidget>, Int>.Values { rows.values }

    private func check() {
        frameCount += 1
        for (view, row) in rows where gtk_widget_get_mapped(view) != 0 {
            for shown in drawnContents(of: view) {
                XCTAssertEqual(shown, content(of: row), "row \(row)")
                checkedCount += 1
            }
        }
    }
}

private func row(in address: String) -> Int {
    address.split(separator: "/").last.flatMap { $0.split(separator: ".").first }.flatMap { Int($0) } ?? 0
}

/// Neighbouring rows have different contents, and no row has content 0, which is a broken image.
private func content(of row: Int) -> UInt8 {
    UInt8(row % 251 + 1)
}
