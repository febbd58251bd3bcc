// What the tests share: widgets in a window over a fake server, read as a user sees them.

import CRemoteImageGtk
import Observation
import RemoteImageGtk
import RemoteImageTesting
import XCTest

/// The server and the windows of a test of widgets.
///
/// XCTest calls synchronous methods on the main thread of the process, where GTK and the main actor
/// run. The test runs the main loop itself.
@MainActor
final class Fixture {
    let server = FakeImageServer(isPaused: true)
    let pipeline: ImagePipeline
    private var windows: [UnsafeMutablePointer<GtkWindow>] = []
    private var aliveCount = 0

    private init(_ configure: @Sendable (inout ImagePipeline.Configuration) -> Void) {
        pipeline = ImagePipeline(fake: server, configure: configure)
    }

    /// Runs a test, and checks that the widgets that it has shown are released.
    nonisolated static func run(
        configure: @Sendable (inout ImagePipeline.Configuration) -> Void = { _ in },
        body: @MainActor (Fixture) throws -> Void
    ) rethrows {
        try MainActor.assumeIsolated {
            guard gtk_init_check() != 0 else { return XCTFail("There is no display. `make test` brings one.") }
            // A critical message of GLib or GTK is a defect of the library.
            g_log_set_always_fatal(shim_log_fatal)
            let test = Fixture(configure)
            defer {
                for window in test.windows { gtk_window_destroy(window) }
                test.turn { test.aliveCount == 0 }
            }
            try body(test)
        }
    }

    /// Shows a declaration in a window of 200 × 150 points. Its images come from the server.
    @discardableResult
    func shown(_ declaration: some WidgetDeclaration) -> Widget {
        let widget = declaration.imagePipeline(pipeline).content
        aliveCount += 1
        g_object_weak_ref(
            UnsafeMutableRawPointer(widget.pointer).assumingMemoryBound(to: GObject.self),
            { test, _ in
                let test = test.map { Unmanaged<Fixture>.fromOpaque($0).takeRetainedValue() }
                MainActor.assumeIsolated { test?.aliveCount -= 1 }
            }, Unmanaged.passRetained(self).toOpaque())
        let window = UnsafeMutableRawPointer(Widget(gtk_window_new()).pointer).assumingMemoryBound(to: GtkWindow.self)
        windows.append(window)
        gtk_window_set_decorated(window, 0)
        gtk_window_set_default_size(window, 200, 150)
        gtk_window_set_child(window, widget.pointer)
        gtk_window_present(window)
        turn { gtk_widget_get_mapped(widget.pointer) != 0 && gtk_widget_get_width(widget.pointer) > 0 }
        return widget
    }

    @Observable
    final class Parent {
        var change = 0
        @ObservationIgnored var runCount = 0
    }

    /// Shows a declaration in a parent whose closure runs again and declares it anew, which must
    /// keep its widget.
    @discardableResult
    func shownByAParent(
        _ declaration: @autoclosure @escaping @MainActor () -> some WidgetDeclaration, file: StaticString = #filePath,
        line: UInt = #line
    ) -> Widget {
        let parent = Parent()
        let widget = shown(
            Overlay {
                let _ = (parent.change, parent.runCount += 1)
                declaration()
            } overlays: {
            })
        let (child, runCount) = (widgets(in: widget).dropFirst().first?.pointer, parent.runCount)
        parent.change += 1
        turn { parent.runCount > runCount }
        _ = rendered(widget)
        XCTAssertNotNil(child, file: file, line: line)
        XCTAssertEqual(widgets(in: widget).dropFirst().first?.pointer, child, file: file, line: line)
        return widget
    }

    /// Runs the main loop until `condition` holds. Fails the test after half a minute.
    func turn(file: StaticString = #filePath, line: UInt = #line, until condition: () -> Bool) {
        // The condition may come true on another thread, which does not wake the main loop.
        let waker = g_timeout_add_full(G_PRIORITY_LOW, 2, { _ in 1 }, nil, nil)
        defer { g_source_remove(waker) }
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition() {
            guard ContinuousClock.now < deadline else {
                return XCTFail("What was waited for did not happen.", file: file, line: line)
            }
            g_main_context_iteration(nil, 1)
        }
    }

    /// Waits for a request, the first by default, and responds to it.
    func respond(
        to number: Int = 1, with answer: FakeImageServer.Answer, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        turn(file: file, line: line) { server.requests.count >= number }
        let address = try XCTUnwrap(server.requests.dropFirst(number - 1).first, file: file, line: line)
        server[address] = answer
        server.release(address)
    }

    /// The pixels of a widget after its next frame; `nil` if it draws nothing.
    func rendered(_ widget: Widget) -> PixelBuffer? {
        var result: PixelBuffer??
        Task { result = .some(await widget.rendered()) }
        turn { result != nil }
        return result ?? nil
    }

    /// Waits until the middle of a widget shows a ``gray(_:width:height:)`` image.
    func see(_ level: UInt8, in widget: Widget, file: StaticString = #filePath, line: UInt = #line) {
        turn(file: file, line: line) { rendered(widget)?.middle == [level, level, level, 255] }
    }
}

/// The widgets of a class at or below `widget`, in order.
@MainActor
func widgets(_ type: GType = gtk_widget_get_type(), in widget: Widget) -> [Widget] {
    let first = gtk_widget_get_first_child(widget.pointer)
    let children = sequence(state: first) { child in
        defer { child = child.flatMap { gtk_widget_get_next_sibling($0) } }
        return child
    }
    return (shim_is_a(widget.pointer, type) != 0 ? [widget] : []) + children.flatMap { widgets(type, in: Widget($0)) }
}

@MainActor
func views(in widget: Widget) -> [RemoteImageView] {
    widgets(in: widget).compactMap { RemoteImageView(of: $0.pointer) }
}

/// The texts of the labels at or below `widget` that are not empty.
@MainActor
func texts(in widget: Widget) -> [String] {
    widgets(gtk_label_get_type(), in: widget).map { String(cString: gtk_label_get_text($0.opaque)) }
        .filter { !$0.isEmpty }
}

/// An image of one gray level.
func gray(_ level: UInt8, width: Int = 8, height: Int = 6) -> FakeImageServer.Answer {
    .image(.filled(with: ImageColor(red: level, green: level, blue: level), width: width, height: height))
}

/// A file with one white pixel.
let whiteGIF =
    Array("GIF89a".utf8) + [
        1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    ]

extension PixelBuffer {
    /// The bytes of a pixel.
    subscript(x: Int, y: Int) -> [UInt8] {
        withUnsafeBytes { Array($0.dropFirst(y * stride + x * format.bytesPerPixel).prefix(format.bytesPerPixel)) }
    }

    var middle: [UInt8] { self[size.width / 2, size.height / 2] }
}

extension LoadedImage {
    /// The level of a ``gray(_:width:height:)`` image.
    var gray: UInt8? { pixels.middle.first }
}

extension NetworkImageModel {
    /// Waits for a phase.
    func reached(_ kind: NetworkImagePhase.Kind) async -> NetworkImagePhase? {
        for await phase in phases where phase.kind == kind { return phase }
        return nil
    }
}
