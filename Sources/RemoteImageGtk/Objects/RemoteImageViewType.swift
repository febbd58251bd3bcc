import CGtk

/// The GObject type of the widget, for those who make it by its type.
package enum RemoteImageViewType {
    package static var type: GType { RemoteImageViewClass.type }
}
