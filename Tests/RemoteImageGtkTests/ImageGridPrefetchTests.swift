import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The images that declared grids and lists prefetch.
final class ImageGridPrefetchTests: XCTestCase {
    func testTheImagesOfTheRowsAheadAreInMemoryInTheSizeOfTheirViews() {
        TestList.run(Array(0..<500), isPrefetching: true) { test, list in
            test.turn { list.views.count > 4 && list.views.allSatisfy { $0.model.phase.kind == .success } }
            let visibleCount = list.captions.count
            // The next page has at least one row of the grid, with up to four columns.
            test.turn { list.transport.transfers.count >= visibleCount + max(4, visibleCount / 2) }
            let cache = list.pipeline.configuration.memoryCache as? MemoryCache
            var count = 0
            repeat {
                // The prefetcher requests the rest of the page a few images at a time.
                count = list.transport.transfers.count
                test.turn { cache?.count == list.transport.transfers.count }
                test.draw(list.pointer!)
            } while count != list.transport.transfers.count
            XCTAssertLessThan(count, visibleCount * 3)
            // The next page loads and decodes nothing.
            list.scroll(to: 60)
            test.draw(list.pointer!)
            XCTAssertTrue(list.views.allSatisfy { $0.model.phase.kind == .success })
            XCTAssertEqual(Set(list.views.compactMap { $0.model.image?.info.decodedSize }).count, 1)
            let requested = list.transport.addresses
            XCTAssertEqual(requested.count, Set(requested).count)
            XCTAssertLessThanOrEqual(list.decoder.decodeCount, requested.count)
        }
    }

    func testPrefetchingFollowsTheDirectionOfTheScroll() {
        TestList.run(Array(0..<500), isPrefetching: true) { test, list in
            list.scroll(to: gtk_adjustment_get_upper(list.adjustment) * 0.6)
            test.draw(list.pointer!)
            list.scroll(to: gtk_adjustment_get_value(list.adjustment) - 100)
            test.draw(list.pointer!)
            let first = list.captions.keys.compactMap { Int($0) }.min() ?? 0
            test.turn { list.transport.addresses.contains("http://test/\(first - 4).png") }
        }
    }

    func testRowsWithoutWidgetsArePrefetchedAfterAJump() {
        TestList.run(Array(0..<500), isPrefetching: true) { test, list in
            list.scroll(to: gtk_adjustment_get_upper(list.adjustment) * 0.8)
            test.draw(list.pointer!)
            list.scroll(to: gtk_adjustment_get_value(list.adjustment) / 2)
            test.draw(list.pointer!)
            let first = list.captions.keys.compactMap { Int($0) }.min() ?? 0
            test.turn { list.transport.addresses.contains("http://test/\(first - 4).png") }
        }
    }

    func testNewItemsArePrefetchedInPlaceOfTheOldOnes() {
        TestList.run(Array(0..<100), isPrefetching: true) { test, list in
            test.turn { list.transport.transfers.count > list.captions.count }
            list.album.photos = (200..<300).map { TestPhoto(id: $0) }
            test.settle()
            test.draw(list.pointer!)
            let last = list.captions.keys.compactMap { Int($0) }.max() ?? 0
            XCTAssertGreaterThan(last, 200)
            test.turn { list.transport.addresses.contains("http://test/\(last + 2).png") }
        }
    }

    func testTheProgramDeclaresWhatIsPrefetched() {
        TestList.run(Array(0..<100)) { test, list in
            list.prefetch = { $0.id % 2 == 0 ? ImageRequest("http://test/9\($0.id).png") : nil }
            list.scroll(to: 300)
            test.draw(list.pointer!)
            let last = list.captions.keys.compactMap { Int($0) }.max() ?? 0
            test.turn { list.transport.addresses.contains { $0.hasPrefix("http://test/9\((last + 2) / 10)") } }
        }
    }

    func testAHiddenListPrefetchesNothing() {
        TestList.run(Array(0..<100), isPrefetching: true) { test, list in
            test.turn { list.transport.transfers.count > list.captions.count }
            gtk_widget_set_visible(list.pointer, 0)
            test.settle()
            let count = list.transport.transfers.count
            list.scroll(to: 500)
            test.settle()
            XCTAssertEqual(list.transport.transfers.count, count)
        }
    }
}
