// A photo browser: the images of the command line in a grid.
//
//   swift run --package-path Examples Embedding URI…

import CRemoteImageGtk
import Glibc
import RemoteImageGtk

@main
struct Browser {
    // Synchronous, since GTK's main loop owns the main thread, on which the main actor runs.
    static func main() {
        setlocale(LC_ALL, "")
        guard CommandLine.arguments.count > 1 else {
            print("usage: \(CommandLine.arguments[0]) URI…")
            exit(64)
        }
        guard let application = gtk_application_new("org.example.Photos", shim_application_non_unique) else { exit(1) }
        g_signal_connect_data(
            application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
        exit(g_application_run(UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), 0, nil))
    }

    private static let activate: @convention(c) (UnsafeMutablePointer<GtkApplication>, gpointer?) -> Void = {
        application, _ in
        nonisolated(unsafe) let application = application  // Used only in this call, on the main thread.
        MainActor.assumeIsolated { openWindow(application, CommandLine.arguments.dropFirst()) }
    }

    @MainActor
    private static func openWindow(_ application: UnsafeMutablePointer<GtkApplication>, _ uris: ArraySlice<String>) {
        let box = Widget(gtk_flow_box_new())
        gtk_flow_box_set_selection_mode(box.opaque, GTK_SELECTION_NONE)
        gtk_flow_box_set_min_children_per_line(box.opaque, 3)
        gtk_flow_box_set_max_children_per_line(box.opaque, 3)
        gtk_widget_set_valign(box.pointer, GTK_ALIGN_START)
        for uri in uris { gtk_flow_box_append(box.opaque, view(of: uri).pointer) }

        let scroller = Widget(gtk_scrolled_window_new())
        gtk_scrolled_window_set_child(scroller.opaque, box.pointer)
        let window = UnsafeMutableRawPointer(gtk_application_window_new(application))
            .assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_title(window, "Photos")
        gtk_window_set_default_size(window, 560, 420)
        gtk_window_set_child(window, scroller.pointer)
        gtk_window_present(window)
    }

    @MainActor
    private static func view(of uri: String) -> RemoteImageView {
        let view = RemoteImageView(
            NetworkImage(uri) { image in
                Picture(image, contentFit: .cover).cornerRadius(12)
            } placeholder: {
                Icon("image-loading-symbolic")
            })
        gtk_widget_set_size_request(view.pointer, 160, 120)
        return view
    }
}
