import CRemoteImageGtk
import Glibc
import XCTest

/// Mouse and keyboard input on the test's display through XTEST, the X server's extension for
/// tests. Widgets receive it as they receive a user's input.
@MainActor
final class Hands {
    private typealias Open = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias Flush = @convention(c) (OpaquePointer?) -> CInt
    private typealias Keycode = @convention(c) (OpaquePointer?, CUnsignedLong) -> UInt8
    private typealias FakeMotion = @convention(c) (OpaquePointer?, CInt, CInt, CInt, CUnsignedLong) -> CInt
    private typealias Fake = @convention(c) (OpaquePointer?, CUnsignedInt, CInt, CUnsignedLong) -> CInt

    enum Button: CUnsignedInt {
        case primary = 1
        case secondary = 3
        case wheelUp = 4
        case wheelDown = 5
    }

    private let display: OpaquePointer
    private let flush: Flush
    private let close: Flush
    private let keycode: Keycode
    private let fakeMotion: FakeMotion
    private let fakeButton: Fake
    private let fakeKey: Fake
    /// Pixels per point. The window starts at the corner of the screen, as there is no window
    /// manager.
    private let scale: Double

    init(over widget: UnsafeMutablePointer<GtkWidget>) throws {
        let x11 = try XCTUnwrap(dlopen("libX11.so.6", RTLD_NOW), "libX11 is missing")
        let xtst = try XCTUnwrap(
            dlopen("libXtst.so.6", RTLD_NOW), "libXtst is missing; scripts/setup.sh test brings it")
        func function<T>(_ name: String, in library: UnsafeMutableRawPointer, as type: T.Type) throws -> T {
            unsafeBitCast(try XCTUnwrap(dlsym(library, name), name), to: type)
        }
        display = try XCTUnwrap(try function("XOpenDisplay", in: x11, as: Open.self)(nil))
        flush = try function("XFlush", in: x11, as: Flush.self)
        close = try function("XCloseDisplay", in: x11, as: Flush.self)
        keycode = try function("XKeysymToKeycode", in: x11, as: Keycode.self)
        fakeMotion = try function("XTestFakeMotionEvent", in: xtst, as: FakeMotion.self)
        fakeButton = try function("XTestFakeButtonEvent", in: xtst, as: Fake.self)
        fakeKey = try function("XTestFakeKeyEvent", in: xtst, as: Fake.self)
        scale = Double(gtk_widget_get_scale_factor(widget))
    }

    isolated deinit {
        _ = close(display)
    }

    /// Moves to a position in the window, in points.
    func move(to point: (x: Double, y: Double)) {
        _ = fakeMotion(display, -1, CInt(point.x * scale), CInt(point.y * scale), 0)
        _ = flush(display)
    }

    func press(_ button: Button) {
        _ = fakeButton(display, button.rawValue, 1, 0)
        _ = flush(display)
    }

    func release(_ button: Button) {
        _ = fakeButton(display, button.rawValue, 0, 0)
        _ = flush(display)
    }

    func click(_ button: Button = .primary) {
        press(button)
        release(button)
    }

    func type(_ key: Int32) {
        hold(key)
        letGo(key)
    }

    func hold(_ key: Int32) {
        _ = fakeKey(display, CUnsignedInt(keycode(display, CUnsignedLong(key))), 1, 0)
        _ = flush(display)
    }

    func letGo(_ key: Int32) {
        _ = fakeKey(display, CUnsignedInt(keycode(display, CUnsignedLong(key))), 0, 0)
        _ = flush(display)
    }
}
