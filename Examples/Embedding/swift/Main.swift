// The smallest program: one remote image in a window.

import CGtk
import Glibc
import RemoteImageGtk

@main
struct Main {
    // Synchronous: GTK's main loop has the main thread, and the main actor runs on it.
    static func main() {
        setlocale(LC_ALL, "")
        guard CommandLine.arguments.count == 2 else {
            print("usage: Embedding URL")
            exit(64)
        }
        gtk_init()
        MainActor.assumeIsolated {
            show(CommandLine.arguments[1])
        }
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 {
            g_main_context_iteration(nil, 1)
        }
    }

    @MainActor
    static func show(_ address: String) {
        let view = RemoteImageView(
            NetworkImage(address) { image in
                Picture(image)
            } placeholder: {
                Spinner()
            } failure: { error, retry in
                Label(error.message)
                Button("Try again", action: retry)
            })
        guard let window = OpaquePointer(gtk_window_new()).map({ UnsafeMutablePointer<GtkWindow>($0) }) else { return }
        gtk_window_set_default_size(window, 640, 480)
        gtk_window_set_child(window, view.pointer)
        gtk_window_present(window)
    }
}
