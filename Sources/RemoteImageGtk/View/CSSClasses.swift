import CRemoteImageGtk

/// The CSS classes of a view: `empty`, `loading`, `success` or `failure`, after its phase.
extension RemoteImageViewState {
    func changeCSSClass(from old: NetworkImagePhase.Kind?, to new: NetworkImagePhase.Kind) {
        if let old { gtk_widget_remove_css_class(widget, old.cssClass) }
        gtk_widget_add_css_class(widget, new.cssClass)
    }
}

extension NetworkImagePhase.Kind {
    /// The CSS class of a view in this phase, and the nick in `RemoteImagePhase`.
    var cssClass: String {
        switch self {
        case .empty: "empty"
        case .loading: "loading"
        case .success: "success"
        case .failure: "failure"
        }
    }
}
