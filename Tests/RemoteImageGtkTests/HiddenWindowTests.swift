import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// Memory caches shrink while no window is visible.
final class HiddenWindowTests: XCTestCase {
    func testTheCacheShrinksWhenTheLastWindowIsHidden() throws {
        try GtkFixture.run { test in
            try Self.withoutDelay {
                let (window, cache) = try Self.showLoaded(gtk_window_new(), test)
                let other = test.show(Widget(gtk_label_new("another window")).pointer)
                gtk_widget_set_visible(window.widget, 0)
                test.settle()
                XCTAssertEqual(cache.fractions, [], "another window can be seen")
                gtk_widget_set_visible(other.widget, 0)
                gtk_widget_set_visible(window.widget, 1)
                test.turn { gtk_widget_get_mapped(window.widget) != 0 }
                gtk_widget_set_visible(window.widget, 0)
                test.turn { cache.fractions == [HiddenWindows.keptFraction] }
            }
        }
    }

    func testTheCacheShrinksWhenTheWindowIsSuspended() throws {
        try GtkFixture.run { test in
            try Self.withoutDelay {
                let (window, cache) = try Self.showLoaded(SuspendableWindow.make(), test)
                defer { SuspendableWindow.isSuspended = false }
                g_object_notify(try XCTUnwrap(window.widget).object, "suspended")
                test.settle()
                XCTAssertEqual(cache.fractions, [])
                SuspendableWindow.isSuspended = true
                g_object_notify(try XCTUnwrap(window.widget).object, "suspended")
                test.turn { cache.fractions == [HiddenWindows.keptFraction] }
            }
        }
    }

    func testTheCacheShrinksWhenTheWindowIsMinimised() throws {
        try GtkFixture.run { test in
            try Self.withoutDelay {
                let (window, cache) = try Self.showLoaded(gtk_window_new(), test)
                try WindowManager.minimize(window)
                test.turn { cache.fractions == [HiddenWindows.keptFraction] }
                try WindowManager.minimize(window, false)
                test.settle()
                XCTAssertEqual(cache.fractions, [HiddenWindows.keptFraction])
            }
        }
    }

    func testTheCacheShrinksWhenAWindowWithANewSurfaceIsMinimised() throws {
        try GtkFixture.run { test in
            try Self.withoutDelay {
                let (window, cache) = try Self.showLoaded(gtk_window_new(), test)
                gtk_widget_set_visible(window.widget, 0)
                test.turn { cache.fractions.count == 1 }
                gtk_widget_unrealize(window.widget)
                gtk_widget_set_visible(window.widget, 1)
                test.turn { gtk_widget_get_mapped(window.widget) != 0 }
                try WindowManager.minimize(window)
                test.turn { cache.fractions.count == 2 }
            }
        }
    }

    @MainActor
    private static func withoutDelay(_ body: () throws -> Void) rethrows {
        let delay = HiddenWindows.delay
        HiddenWindows.delay = .zero
        defer { HiddenWindows.delay = delay }
        try body()
    }

    /// A window with a view that has loaded its image, and the memory cache of its pipeline.
    @MainActor
    private static func showLoaded(
        _ window: UnsafeMutablePointer<GtkWidget>?, _ test: GtkFixture
    ) throws -> (TestWindow, WatchedCache) {
        let cache = WatchedCache()
        let pipeline = ImagePipeline.test(test.transport, memoryCache: cache)
        let view = RemoteImageView(NetworkImage("http://test/a.png"), pipeline: pipeline)
        let shown = test.show(view.pointer, in: window)
        try test.transfer().succeed(TestImage(7).bytes)
        test.turn { view.model.image != nil }
        return (shown, cache)
    }
}

/// Stores nothing, and records the fractions to which it was asked to shrink.
private final class WatchedCache: ImageCache {
    private let log = Watched<[Double]>([])

    var fractions: [Double] { log.value }

    func entry(for key: ImageCacheKey) -> CachedImage? { nil }
    func store(_ entry: CachedImage, for key: ImageCacheKey) {}
    func remove(_ key: ImageCacheKey) {}
    func removeAll() {}
    func shrink(to fraction: Double) { log.update { $0.append(fraction) } }
    func observe(_ key: ImageCacheKey, _ body: @escaping @Sendable (ImageCacheChange) -> Void) -> ObservationToken {
        ObservationToken()
    }
}
