// What the tests of widgets stand on: GTK on a real display, a network that the test plays, and a
// look at what is left.

import CGtk
import Glibc
import RemoteImageGtk
import TestSupport
import XCTest

/// One test's world. Made by ``run(file:line:_:)``, which also checks that nothing of it survives.
///
/// XCTest's synchronous methods run on the process's main thread, where the main actor can be
/// assumed; the test turns the main loop itself.
@MainActor
final class GtkFixture {
    let transport = FakeTransport()
    let decoder = FakeDecoder()
    let pipeline: ImagePipeline
    private var windows: [TestWindow] = []
    private var watchedObjects: [WatchedObject] = []

    private init() {
        pipeline = .test(transport, decoder: decoder)
    }

    nonisolated static func run(
        file: StaticString = #filePath, line: UInt = #line, _ body: @MainActor (GtkFixture) throws -> Void
    ) rethrows {
        try MainActor.assumeIsolated {
            guard startGtk else {
                return XCTFail("There is no display. `make test` brings one.", file: file, line: line)
            }
            let fixture = GtkFixture()
            // Whatever the test leaves behind in autoreleased and deferred work is gone before the
            // last look.
            defer { fixture.end(file: file, line: line) }
            try body(fixture)
        }
    }

    private static let startGtk: Bool = {
        // A critical message of GLib or GTK is a defect of ours.
        g_log_set_always_fatal(shim_log_fatal)
        // Keeps what screen readers are told where tests can read it.
        setenv("GTK_A11Y", "test", 1)
        return gtk_init_check() != 0
    }()

    private func end(file: StaticString, line: UInt) {
        for window in windows { window.destroy() }
        windows = []
        pipeline.configuration.memoryCache?.removeAll()
        let isClean = turn {
            TextureStore.count == 0 && self.watchedObjects.allSatisfy(\.isGone)
        }
        if !isClean {
            let names = watchedObjects.filter { !$0.isGone }.map(\.name)
            XCTFail(
                "Left alive: \(TextureStore.count) textures, widgets: \(names)", file: file, line: line)
        }
    }

    // MARK: Widgets

    /// A window with `child`, shown, mapped and with its size.
    @discardableResult
    func show(
        _ child: UnsafeMutablePointer<GtkWidget>, width: Int = 200, height: Int = 150,
        in window: UnsafeMutablePointer<GtkWidget>? = gtk_window_new()
    ) -> TestWindow {
        let window = TestWindow(child, width: width, height: height, window: window)
        windows.append(window)
        window.show()
        turn { gtk_widget_get_mapped(window.widget) != 0 && gtk_widget_get_width(window.widget) > 0 }
        return window
    }

    /// A view of `image` over the test's network. It must be gone when the test ends.
    func view(_ image: NetworkImage<Widget>) -> RemoteImageView {
        let view = RemoteImageView(image, pipeline: pipeline)
        watch(view.content, "the view")
        return view
    }

    /// Sees to it that `widget` is gone when the test ends.
    @discardableResult
    func watch(_ widget: Widget, _ name: String) -> Widget {
        watchedObjects.append(WatchedObject(widget.pointer, name))
        return widget
    }

    /// How many of the watched objects with this name are still there.
    func aliveCount(of name: String) -> Int {
        watchedObjects.count { $0.name == name && !$0.isGone }
    }

    // MARK: The main loop

    /// Turns the main loop until `condition` holds; says false, and fails the test, when that takes
    /// half a minute.
    @discardableResult
    func turn(
        file: StaticString = #filePath, line: UInt = #line, until condition: () -> Bool
    ) -> Bool {
        // What is awaited may happen on another thread, which does not wake the main loop. After
        // all else: where a condition takes longer than 2 ms, as under ThreadSanitizer, it would be
        // ready in every turn, and what has a lower priority, such as the main actor's work, would
        // never run.
        let waker = g_timeout_add_full(G_PRIORITY_LOW, 2, { _ in 1 }, nil, nil)
        defer { g_source_remove(waker) }
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while !condition() {
            guard ContinuousClock.now < deadline else {
                XCTFail("What was waited for did not happen.", file: file, line: line)
                return false
            }
            g_main_context_iteration(nil, 1)
        }
        return true
    }

    /// Turns the main loop until it has nothing more to do at once, and all loads that were asked
    /// for have begun.
    func settle() {
        while g_main_context_iteration(nil, 0) != 0 {}
        LoadExecutor.shared.settle()
        while g_main_context_iteration(nil, 0) != 0 {}
    }

    /// Turns the main loop until `widget` has been laid out and drawn.
    func draw(_ widget: UnsafeMutablePointer<GtkWidget>) {
        // The frame that is under way may have been laid out already: the one after it has not.
        let frames = Frames()
        let id = gtk_widget_add_tick_callback(
            widget,
            { _, _, data in
                if let data { Unmanaged<Frames>.fromOpaque(data).takeUnretainedValue().count += 1 }
                return 1
            }, Unmanaged.passUnretained(frames).toOpaque(), nil)
        turn { frames.count >= 3 }
        gtk_widget_remove_tick_callback(widget, id)
    }

    private final class Frames {
        var count = 0
    }

    /// Waits for a transfer, the first by default.
    func transfer(_ number: Int = 1, file: StaticString = #filePath, line: UInt = #line) throws -> FakeTransfer {
        turn(file: file, line: line) { transport.transfers.count >= number }
        return try XCTUnwrap(transport.transfers.dropFirst(number - 1).first, file: file, line: line)
    }
}

/// Knows whether an object is still there, without keeping it.
private final class WatchedObject {
    let name: String
    private(set) var isGone = false

    init(_ object: UnsafeMutablePointer<GtkWidget>, _ name: String) {
        self.name = name
        g_object_weak_ref(
            UnsafeMutableRawPointer(object).assumingMemoryBound(to: GObject.self),
            { data, _ in
                guard let data else { return }
                Unmanaged<WatchedObject>.fromOpaque(data).takeRetainedValue().isGone = true
            }, Unmanaged.passRetained(self).toOpaque())
    }
}
