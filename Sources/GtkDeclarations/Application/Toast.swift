import CRemoteImageGtk

/// A text that slides over the content of a window for a while. The window owns this object.
@MainActor
final class Toast {
    static let data = ObjectData<Toast>("remote-image-toast")
    private static let cssClass = "remote-image-toast"
    private static let style = DefaultStyle(
        "remote-image-toast-style", ".\(cssClass) { background-color: rgba(32, 32, 32, 0.96); }")

    /// In the language of GTK itself, or in English. `g_dgettext` may return its argument.
    private static var closeLabel: String { "Close".withCString { String(cString: g_dgettext("gtk40", $0)) } }

    private let overlay = Widget(gtk_overlay_new())
    private let revealer = Widget(gtk_revealer_new())
    private let label = Label("").content
    private let timer = MainLoopTimer()
    private var shown: String?
    var text: Binding<String?>?
    var duration = Duration.zero

    init(in window: UnsafeMutablePointer<GtkWindow>) {
        gtk_window_set_child(window, overlay.pointer)
        // Screen readers announce an alert at once.
        let box = Widget(shim_alert_box_new(6))
        gtk_orientable_set_orientation(box.opaque, GTK_ORIENTATION_HORIZONTAL)
        for name in ["osd", "toolbar", Self.cssClass] { gtk_widget_add_css_class(box.pointer, name) }
        Self.style.add(to: gtk_widget_get_display(box.pointer))
        gtk_widget_set_hexpand(label.pointer, 1)
        let close = Button(icon: "window-close-symbolic", label: Self.closeLabel) { [weak self] in
            self?.text?.change(to: nil)
        }
        for child in [label, close.cssClass("flat").content] {
            gtk_box_append(UnsafeMutableRawPointer(box.pointer).assumingMemoryBound(to: GtkBox.self), child.pointer)
        }
        gtk_revealer_set_child(revealer.opaque, box.pointer)
        gtk_revealer_set_transition_type(revealer.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
        gtk_widget_set_halign(revealer.pointer, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(revealer.pointer, GTK_ALIGN_END)
        gtk_widget_set_margin_bottom(revealer.pointer, 12)
        gtk_overlay_add_overlay(overlay.opaque, revealer.pointer)
        // The next window must not show the text again.
        Signal.connect("destroy", of: UnsafeMutableRawPointer(window)) { [weak self] in
            if self?.shown != nil { self?.text?.change(to: nil) }
        }
    }

    func setContent(_ content: UnsafeMutablePointer<GtkWidget>?) { gtk_overlay_set_child(overlay.opaque, content) }

    func show(_ text: String?) {
        // An update of the window does not restart the time.
        guard text != shown else { return }
        shown = text
        gtk_revealer_set_reveal_child(revealer.opaque, text == nil ? 0 : 1)
        // The old text stays while it slides away.
        guard let text else { return timer.stop() }
        gtk_label_set_text(label.opaque, text)
        timer.start(after: duration) { [weak self] in self?.text?.change(to: nil) }
    }
}
