// The basis of widget tests: GTK on a real display, a fake network, and a check for leaked objects.

import CRemoteImageGtk
import Glibc
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

/// The environment of a test, made by ``run(file:line:_:)``, which also checks that no object
/// survives.
///
/// XCTest's synchronous methods run on the main thread of the process, where the main actor can be
/// assumed; the test runs the main loop itself.
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
            // Autoreleased objects and deferred work of the test are gone before the final check.
            defer { fixture.end(file: file, line: line) }
            try body(fixture)
        }
    }

    private static let startGtk: Bool = {
        // A critical message of GLib or GTK is a defect of this library.
        g_log_set_always_fatal(shim_log_fatal)
        // Makes the accessible values readable for tests.
        setenv("GTK_A11Y", "test", 1)
        // A view installs the main loop; work without one needs it, too.
        return gtk_init_check() != 0 && (try? MainLoop.install()) != nil
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

    /// A view of `image` over the fake network. It must be released when the test ends.
    func view(_ image: NetworkImage) -> RemoteImageView {
        let view = RemoteImageView(image, pipeline: pipeline)
        watch(view.content, "the view")
        return view
    }

    /// Checks that `widget` is released when the test ends.
    @discardableResult
    func watch(_ widget: Widget, _ name: String) -> Widget {
        watchedObjects.append(WatchedObject(widget.pointer, name))
        return widget
    }

    /// The number of watched objects with this name that are still alive.
    func aliveCount(of name: String) -> Int {
        watchedObjects.count { $0.name == name && !$0.isGone }
    }

    // MARK: The main loop

    /// Runs the main loop until `condition` holds. Returns false and fails the test after half a
    /// minute.
    @discardableResult
    func turn(
        file: StaticString = #filePath, line: UInt = #line, until condition: () -> Bool
    ) -> Bool {
        // The condition may be met on another thread, which does not wake the main loop. The
        // timeout has a low priority: if a condition takes longer than 2 ms, as under
        // ThreadSanitizer, the timeout would be ready in every iteration, and work of a lower
        // priority, such as the main actor's, would never run.
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

    /// Runs the main loop until it has no more pending work and all requested loads have started.
    func settle() {
        while g_main_context_iteration(nil, 0) != 0 {}
        LoadQueue.shared.settle()
        while g_main_context_iteration(nil, 0) != 0 {}
    }

    /// Runs the main loop until `widget` has been laid out and drawn.
    func draw(_ widget: UnsafeMutablePointer<GtkWidget>) {
        // The current frame may have been laid out already; the next frame has not.
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

/// Knows whether an object is still alive, without holding a reference.
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
