import Gtk
import GtkBackend
import RemoteImageGtk
import SwiftCrossUI

/// A view of an image with an address. It fills the size that is proposed to it.
struct RemoteImage: View {
    let address: String

    // A new address creates a new widget, since representables do not receive new values.
    var body: some View {
        ForEach([address], id: \.self) { RemoteImageWidget(address: $0) }
    }
}

private struct RemoteImageWidget: GtkWidgetRepresentable {
    let address: String

    func makeGtkWidget(context: Context) -> Gtk.Widget {
        Gtk.Widget(RemoteImageView(NetworkImage(address).contentFit(.cover)).pointer)
    }

    func updateGtkWidget(_ widget: Gtk.Widget, context: Context) {}

    func sizeThatFits(_ proposal: ProposedViewSize, gtkWidget: Gtk.Widget, context: Context) -> ViewSize {
        ViewSize(proposal.width ?? 320, proposal.height ?? 240)
    }
}
