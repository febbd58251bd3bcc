// `RemoteImageViewer`: the zooming viewer as a widget class, for programs in other languages.

import CRemoteImageGtk
import RemoteImageGtk

/// The property values of a viewer.
struct ViewerProperties: Equatable {
    /// A value of `RemoteImageViewerFit`.
    var fit: Int32 = 0
    var maxZoom = 8.0
    /// 0 for the size of `fit`.
    var zoom = 0.0
}

/// The state of a `RemoteImageViewer`: a widget around the scrolled window of a viewer.
@MainActor
final class ViewerObject: ObjectState {
    private let window: Widget
    /// `nil` once the viewer is disposed and its window is gone.
    private weak var zoom: ViewerZoom?
    private var isWriting = false
    private let connections = SignalConnections()

    init(_ object: UnsafeMutablePointer<GObject>) {
        let view = RemoteImageViewState.make()
        // Its declaration is that of its properties.
        window = RemoteImageView(of: view).map { ViewerZoom.makeWindow($0) } ?? Widget(gtk_scrolled_window_new())
        gtk_widget_set_parent(window.pointer, shim_widget(object))
        zoom = ViewerZoom.data[window.pointer]
        zoom?.zoomFollower = { [weak self] _ in
            if self?.isWriting == false { g_object_notify(object, "zoom") }
        }
        // Another image is shown without a zoom factor, from its start.
        for name in ["uri", "source"] {
            connections.connect(property: name, of: UnsafeMutableRawPointer(view)) { [weak self] in
                self?.zoom?.imageReplaced()
            }
        }
    }

    var properties: ViewerProperties {
        get {
            guard let zoom else { return ViewerProperties() }
            return ViewerProperties(fit: zoom.fit.number, maxZoom: zoom.maxZoom, zoom: zoom.zoom ?? 0)
        }
        set {
            let old = properties
            if newValue.fit != old.fit { zoom?.fit = RemoteImageViewer.Fit(number: newValue.fit) }
            if newValue.maxZoom != old.maxZoom { zoom?.maxZoom = newValue.maxZoom }
            // The table notifies of a zoom factor that it sets.
            isWriting = true
            defer { isWriting = false }
            if newValue.zoom != old.zoom { zoom?.set(newValue.zoom > 0 ? newValue.zoom : nil, around: nil) }
        }
    }

    fileprivate var view: UnsafeMutableRawPointer? { (zoom?.view?.pointer).map { UnsafeMutableRawPointer($0) } }

    func dispose() {
        connections.end()
        zoom?.zoomFollower = nil
        if gtk_widget_get_parent(window.pointer) != nil { gtk_widget_unparent(window.pointer) }
    }
}

extension RemoteImageViewer.Fit {
    private static let all: [Self] = [.whole, .width, .height, .cover, .naturalSize]

    /// The value in `RemoteImageViewerFit`.
    fileprivate var number: Int32 { Int32(Self.all.firstIndex(of: self) ?? 0) }

    fileprivate init(number: Int32) {
        self = Self.all.indices.contains(Int(number)) ? Self.all[Int(number)] : .whole
    }
}

extension ViewerObject {
    nonisolated static let table = PropertyTable<ViewerObject>(
        ViewerProperties(),
        [
            .writable("fit", .enumeration(Enumerations.viewerFit), \.fit),
            .writable("max-zoom", .double(1...1_000), \.maxZoom),
            .writable("zoom", .double(0...1_000), \.zoom),
            .readOnly("view", .object(RemoteImageViewState.type), initially: ObjectSlot(nil)) {
                ObjectSlot(borrowing: $0.view)
            },
        ])

    nonisolated static let typeName: StaticString = "RemoteImageViewer"
    nonisolated static var parentType: GType { gtk_widget_get_type() }
    nonisolated static var parentSize: Int { MemoryLayout<GtkWidget>.size }

    nonisolated static let type: GType = register()

    nonisolated static func initialize(_ classPointer: UnsafeMutableRawPointer) {
        let widgetClass = shim_widget_class(classPointer)
        gtk_widget_class_set_css_name(widgetClass, "remoteimageviewer")
        gtk_widget_class_set_layout_manager_type(widgetClass, gtk_bin_layout_get_type())
        // The scrolled window handles the keys.
        widgetClass?.pointee.grab_focus = { gtk_widget_grab_focus(gtk_widget_get_first_child($0)) }
    }
}
