import CRemoteImageGtk
import Glibc
import XCTest

/// Does what a window manager does; the display of the tests has none.
@MainActor
enum WindowManager {
    private typealias GetDisplay = @convention(c) (OpaquePointer?) -> OpaquePointer?
    private typealias GetWindow = @convention(c) (OpaquePointer?) -> CUnsignedLong
    private typealias InternAtom = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CUnsignedLong
    private typealias ChangeProperty =
        @convention(c) (
            OpaquePointer?, CUnsignedLong, CUnsignedLong, CUnsignedLong, CInt, CInt, UnsafeRawPointer?, CInt
        ) -> CInt

    /// Minimises a window, or shows it again: its property `_NET_WM_STATE` changes (Extended Window
    /// Manager Hints).
    static func minimize(_ window: TestWindow, _ isMinimized: Bool = true) throws {
        let surface = try XCTUnwrap(gtk_native_get_surface(window.widget.map { OpaquePointer($0) }))
        let gdk = gdk_surface_get_display(surface)
        let display = try function("gdk_x11_display_get_xdisplay", as: GetDisplay.self)(gdk)
        let atom = try function("XInternAtom", as: InternAtom.self)
        let states = isMinimized ? [atom(display, "_NET_WM_STATE_HIDDEN", 0)] : []
        _ = try function("XChangeProperty", as: ChangeProperty.self)(
            display, try function("gdk_x11_surface_get_xid", as: GetWindow.self)(surface),
            atom(display, "_NET_WM_STATE", 0), atom(display, "ATOM", 0), 32, 0, states, CInt(states.count))
        gdk_display_flush(gdk)
    }

    /// A function of GTK or of libX11, which GTK has loaded.
    private static func function<T>(_ name: String, as type: T.Type) throws -> T {
        unsafeBitCast(try XCTUnwrap(dlsym(nil, name), name), to: type)
    }
}
