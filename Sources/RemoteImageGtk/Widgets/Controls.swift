// Widgets that the user operates.

import CRemoteImageGtk

/// A `GtkButton`.
public struct Button: WidgetDeclaration {
    public let body: DeclaredWidget

    /// Creates a button with a text.
    ///
    /// - Parameters:
    ///   - title: The text. It is evaluated again when an observable value that it reads has
    ///     changed.
    ///   - action: Called for each click.
    public init(_ title: @autoclosure @escaping @MainActor () -> String, action: @escaping @MainActor () -> Void) {
        body = Self.declaration("text", action).observing(title) { node, title in
            gtk_button_set_label(node.typed(), title)
        }
    }

    /// Creates a button with an icon.
    ///
    /// - Parameters:
    ///   - icon: The name of a themed icon.
    ///   - label: The text for screen readers and the tooltip.
    ///   - action: Called for each click.
    public init(icon: String, label: String, action: @escaping @MainActor () -> Void) {
        body = Self.declaration("icon", action).setting { gtk_button_set_icon_name($0.typed(), icon) }
            .tooltip(label).accessibleLabel(label)
    }

    /// Creates a button with other widgets.
    ///
    /// - Parameters:
    ///   - action: Called for each click.
    ///   - content: The widgets on the button.
    public init(
        action: @escaping @MainActor () -> Void,
        @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]
    ) {
        body = Self.declaration("content", action).containing(content).observing(content) { node, content in
            let button = node.typed(GtkButton.self)
            node.setChild(content) { gtk_button_set_child(button, $0) }
        }
    }

    private static func declaration(
        _ variant: String, _ action: @escaping @MainActor () -> Void
    ) -> DeclaredWidget {
        DeclaredWidget("GtkButton with \(variant)") {
            let button = Widget(gtk_button_new())
            gtk_widget_set_halign(button.pointer, GTK_ALIGN_CENTER)
            return button
        }
        .setting { $0.on("clicked", action) }
    }
}

/// A `GtkCheckButton`: a choice between on and off.
public struct Toggle: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - title: The text beside the mark.
    ///   - isOn: The value that the user changes.
    public init(_ title: String, isOn: Binding<Bool>) {
        body = DeclaredWidget("GtkCheckButton") { Widget(gtk_check_button_new()) }
            .setting { node in
                gtk_check_button_set_label(node.typed(), title)
                let button = node.typed(GtkCheckButton.self)
                node.on("toggled") { isOn.change(to: gtk_check_button_get_active(button) != 0) }
            }
            .observing({ isOn.value }) { gtk_check_button_set_active($0.typed(), $1 ? 1 : 0) }
    }
}

/// A `GtkDropDown`: a choice of one among several values.
public struct Picker: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - label: The text for screen readers.
    ///   - selection: The value that the user changes. A value that is not among the choices stays,
    ///     and so does the shown choice.
    ///   - choices: The titles and the values, in order.
    public init<Value: Equatable>(
        _ label: String, selection: Binding<Value>, choices: [(title: String, value: Value)]
    ) {
        let titles = choices.map(\.title)
        body = DeclaredWidget("GtkDropDown of \(titles)") {
            let list = gtk_string_list_new(nil)
            for title in titles { gtk_string_list_append(list, title) }
            return Widget(gtk_drop_down_new(list, nil))
        }
        .setting { node in
            let picker = node.opaque
            node.on("notify::selected") {
                let index = Int(gtk_drop_down_get_selected(picker))
                if choices.indices.contains(index) { selection.change(to: choices[index].value) }
            }
        }
        .observing({ selection.value }) { node, value in
            guard let index = choices.firstIndex(where: { $0.value == value }) else { return }
            gtk_drop_down_set_selected(node.opaque, guint(index))
        }
        .accessibleLabel(label)
    }
}

/// A `GtkSearchEntry`.
public struct SearchField: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - placeholder: The text that an empty field shows.
    ///   - text: The text that the user changes. It changes 150 ms after the last key.
    public init(_ placeholder: String = "", text: Binding<String>) {
        body = DeclaredWidget("GtkSearchEntry") { Widget(gtk_search_entry_new()) }
            .setting { node in
                shim_set_pointer(node.pointer, "placeholder-text", placeholder.isEmpty ? nil : placeholder)
                let field = node.opaque
                node.on("search-changed") { [weak node] in
                    let typed = String(cString: gtk_editable_get_text(field))
                    node?.typedText = typed
                    text.change(to: typed)
                }
            }
            .observing({ text.value }) { node, text in
                // GTK may have newer text, which it reports later: pasting first deletes the
                // selection.
                guard text != node.typedText else { return }
                node.typedText = text
                gtk_editable_set_text(node.opaque, text)
            }
    }
}
