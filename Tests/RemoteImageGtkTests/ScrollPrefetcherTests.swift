import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// A prefetcher over an adjustment, without a list.
final class ScrollPrefetcherTests: XCTestCase {
    /// Rows of 5 points: the content of 1,000 points has 200 rows, and a page has 10. At most two
    /// images are prefetched at a time.
    @MainActor
    private final class World {
        let transport: FakeTransport
        let adjustment = gtk_adjustment_new(0, 0, 1000, 1, 10, 50)!
        var pipeline: ImagePipeline?
        var sets: [Int: [String]] = [:]
        /// The rows whose requests were asked for, in order.
        var asked: [Int] = []
        var prefetcher: ScrollPrefetcher?

        init(isAnswering: Bool, isMirrored: Bool = false, hasPipeline: Bool = true) {
            transport = FakeTransport { _ in isAnswering ? .ok(TestImage().bytes) : nil }
            g_object_ref_sink(adjustment)
            pipeline = hasPipeline ? World.pipeline(transport) : nil
            prefetcher = ScrollPrefetcher(along: adjustment, isMirrored: isMirrored, count: 200) { [unowned self] in
                pipeline
            } requests: { [unowned self] row in
                asked.append(row)
                return (sets[row] ?? ["http://test/\(row).png"]).map { ImageRequest(ImageSource($0)) }
            }
        }

        static func pipeline(_ transport: FakeTransport) -> ImagePipeline {
            ImagePipeline.test(transport) { $0.rateLimit = nil }
        }

        func end() {
            prefetcher = nil
            g_object_unref(adjustment)
        }

        /// The rows whose images were requested.
        var requested: Set<Int> { Set(transport.transfers.compactMap(Self.row)) }

        /// The rows of the running transfers.
        var running: Set<Int> {
            Set(transport.transfers.filter { $0.state == .running && !$0.isCancelled }.compactMap(Self.row))
        }

        private static func row(of transfer: FakeTransfer) -> Int? {
            Int(transfer.request.address.string.dropFirst("http://test/".count).dropLast(".png".count))
        }
    }

    func testTheNearestRowsAreLoadedFirstAndThoseNoLongerAheadAreCancelled() {
        GtkFixture.run { test in
            let world = World(isAnswering: false)
            test.turn { world.running == [11, 12] }
            XCTAssertEqual(world.prefetcher?.rows, 11..<20)
            XCTAssertEqual(world.asked, Array(11..<20))
            gtk_adjustment_set_value(world.adjustment, 20)
            test.turn { world.running == [15, 16] }
            XCTAssertEqual(world.asked, Array(11..<24), "the others are not asked again")
            // A step back of less than a point is no change of the direction.
            gtk_adjustment_set_value(world.adjustment, 19.5)
            test.turn { world.prefetcher?.rows == 14..<23 }
            XCTAssertEqual(world.running, [15, 16])
            gtk_adjustment_set_value(world.adjustment, 500)
            test.turn { world.running == [111, 112] }
            gtk_adjustment_set_value(world.adjustment, 499)
            test.turn { world.running == [98, 97] }
            XCTAssertEqual(world.prefetcher?.rows, 89..<99)
            world.end()
            test.turn { world.running.isEmpty }
        }
    }

    func testTheFirstRowOfAMirroredListIsAtTheEndOfTheAdjustment() {
        GtkFixture.run { test in
            let world = World(isAnswering: false, isMirrored: true)
            gtk_adjustment_set_value(world.adjustment, 950)
            gtk_adjustment_set_value(world.adjustment, 900)
            test.turn { world.running == [21, 22] }
            XCTAssertEqual(world.prefetcher?.rows, 21..<30)
            gtk_adjustment_set_value(world.adjustment, 910)
            test.turn { world.running == [7, 6] }
            XCTAssertEqual(world.prefetcher?.rows, 0..<8)
            world.end()
        }
    }

    /// The new pipeline loaded only rows that were not ahead before.
    func testAnotherPipelineLoadsAllRowsAhead() {
        GtkFixture.run { test in
            let world = World(isAnswering: false)
            test.turn { world.running == [11, 12] }
            let other = FakeTransport { _ in .ok(TestImage().bytes) }
            world.pipeline = World.pipeline(other)
            gtk_adjustment_set_value(world.adjustment, 5)
            test.turn { other.transfers.count == 9 }
            XCTAssertEqual(other.addresses, (12..<21).map { "http://test/\($0).png" })
            test.turn { world.running.isEmpty }
            world.end()
        }
    }

    func testRowsAreAskedAgainForTheRequestsOfOtherItems() {
        GtkFixture.run { test in
            let world = World(isAnswering: true)
            world.sets[12] = ["http://test/112.png", "http://test/212.png"]
            world.sets[13] = []
            test.turn { world.requested == Set([11, 112, 212] + Array(14..<20)) }
            world.asked = []
            world.sets[14] = ["http://test/114.png"]
            world.prefetcher?.itemsChanged(count: 200)
            test.turn { world.requested.contains(114) }
            XCTAssertEqual(world.asked, Array(11..<20))
            // A row without a request is asked again.
            world.asked = []
            world.sets[13] = nil
            world.prefetcher?.count = 200
            test.turn { world.requested.contains(13) }
            XCTAssertEqual(world.asked, [13])
            // Fewer rows: each is twice as long.
            world.prefetcher?.itemsChanged(count: 100)
            test.turn { world.prefetcher?.rows == 6..<10 }
            world.end()
        }
    }

    func testTheNumberOfPagesCanBeChanged() {
        GtkFixture.run { test in
            let world = World(isAnswering: true)
            world.prefetcher?.screens = 2
            test.turn { world.requested == Set(11..<30) }
            world.prefetcher?.screens = 0.5
            gtk_adjustment_set_value(world.adjustment, 5)
            test.turn { world.prefetcher?.rows == 12..<16 }
            world.end()
        }
    }

    func testAPipelineThatComesLaterLoadsTheRows() {
        GtkFixture.run { test in
            let world = World(isAnswering: true, hasPipeline: false)
            test.turn { world.prefetcher?.rows == 11..<20 }
            XCTAssertEqual(world.asked, [])
            world.pipeline = World.pipeline(world.transport)
            test.turn { world.requested == Set(11..<20) }
            world.end()
        }
    }

    func testRowsAreAskedAgainUntilOneHasARequest() {
        GtkFixture.run { test in
            let world = World(isAnswering: true)
            for row in 11..<20 { world.sets[row] = [] }
            test.turn { world.asked.count >= 18 }
            world.sets[15] = nil
            test.turn { world.requested == [15] }
            world.end()
        }
    }

    /// The time between two attempts doubles, so that after half a second there were at most six.
    /// A check after each frame would make more than thirty.
    func testRowsWithoutRequestsAreAskedAgainRarely() {
        GtkFixture.run { test in
            let world = World(isAnswering: true)
            for row in 11..<20 { world.sets[row] = [] }
            var isOver = false
            let timer = MainLoopTimer()
            timer.start(after: .milliseconds(500)) { isOver = true }
            test.turn { isOver && world.asked.count > 9 }
            XCTAssertLessThanOrEqual(world.asked.count, 9 * 9)
            XCTAssertEqual(Set(world.asked), Set(11..<20))
            world.end()
        }
    }

    /// A list that is scrolled before its rows have a pipeline asks at once again.
    func testAPipelineThatComesAfterAScrollLoadsTheRowsAtTheNewPosition() {
        GtkFixture.run { test in
            let world = World(isAnswering: true, hasPipeline: false)
            test.turn { world.prefetcher?.rows == 11..<20 }
            gtk_adjustment_set_value(world.adjustment, 500)
            test.turn { world.prefetcher?.rows == 111..<120 }
            world.pipeline = World.pipeline(world.transport)
            test.turn { world.requested == Set(111..<120) }
            XCTAssertEqual(world.asked, Array(111..<120))
            world.end()
        }
    }

    func testNoRowsAreAheadInEmptyContent() {
        func rows(page: Double, whole: Double, count: Int, isBackward: Bool = false) -> Range<Int> {
            ScrollPrefetcher.rows(ahead: 1, from: 0, page: page, whole: whole, count: count, isBackward: isBackward)
        }
        XCTAssertEqual(rows(page: 50, whole: 1000, count: 200), 11..<20)
        for isBackward in [false, true] {
            XCTAssertEqual(rows(page: 0, whole: 1000, count: 200, isBackward: isBackward), 0..<0)
            XCTAssertEqual(rows(page: 50, whole: 0, count: 200, isBackward: isBackward), 0..<0)
            XCTAssertEqual(rows(page: 50, whole: 1000, count: 0, isBackward: isBackward), 0..<0)
            XCTAssertEqual(rows(page: 50, whole: 1000, count: -1, isBackward: isBackward), 0..<0)
        }
        XCTAssertEqual(rows(page: 50, whole: 100, count: 2), 2..<2)
        XCTAssertEqual(rows(page: 10, whole: 40, count: 4), 2..<2)
    }

    func testTheRowsAheadEndWithTheContent() {
        func rows(_ screens: Double, from position: Double, isBackward: Bool = false) -> Range<Int> {
            ScrollPrefetcher.rows(
                ahead: screens, from: position, page: 50, whole: 1000, count: 200, isBackward: isBackward)
        }
        XCTAssertEqual(rows(1, from: 900), 191..<200)
        XCTAssertEqual(rows(1, from: 945), 200..<200)
        XCTAssertEqual(rows(1, from: 950), 200..<200)
        XCTAssertEqual(rows(1, from: 20, isBackward: true), 0..<4)
        XCTAssertEqual(rows(1, from: 500, isBackward: true), 90..<100)
        XCTAssertEqual(rows(2, from: 500, isBackward: true), 80..<100)
        XCTAssertEqual(rows(.infinity, from: 500), 111..<200)
        XCTAssertEqual(rows(.infinity, from: 500, isBackward: true), 0..<100)
        for screens in [0, -1, -.infinity] as [Double] {
            XCTAssertEqual(rows(screens, from: 500), 111..<111)
            XCTAssertEqual(rows(screens, from: 500, isBackward: true), 100..<100)
        }
    }

    func testAnImageThatAnotherRowAheadNeedsIsNotCancelled() {
        GtkFixture.run { test in
            let world = World(isAnswering: false)
            world.sets[11] = ["http://test/15.png"]
            test.turn { world.running == [15, 12] }
            gtk_adjustment_set_value(world.adjustment, 20)
            test.turn { world.running == [15, 16] }
            XCTAssertEqual(world.transport.addresses.filter { $0 == "http://test/15.png" }.count, 1)
            world.end()
        }
    }

    func testOnlyAScrolledWindowIsScrolled() {
        GtkFixture.run { test in
            let label = test.watch(Label("text").content, "the label")
            XCTAssertNil(ScrollPrefetcher(of: label.opaque, count: 5, pipeline: test.pipeline) { _ in nil })
        }
    }
}
