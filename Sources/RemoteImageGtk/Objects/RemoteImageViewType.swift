import CGtk

/// The GObject type of the widget, for callers outside of this module.
package enum RemoteImageViewType {
    package static var type: GType { RemoteImageViewClass.type }
}
