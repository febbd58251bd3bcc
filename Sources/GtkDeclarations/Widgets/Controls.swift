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
        var declared = Self.declaration("text", action).observing(title) { node, title in
            gtk_button_set_label(node.typed(), title)
        }
        declared.menuItem = (title, true, action)
        body = declared
    }

    /// Creates a button with an icon.
    ///
    /// - Parameters:
    ///   - icon: The name of a themed icon.
    ///   - label: The text for screen readers, the tooltip, and the item in a menu.
    ///   - action: Called for each click.
    public init(icon: String, label: String, action: @escaping @MainActor () -> Void) {
        var declared = Self.declaration("icon", action).setting { gtk_button_set_icon_name($0.typed(), icon) }
            .tooltip(label).accessibleLabel(label)
        declared.menuItem = ({ label }, true, action)
        body = declared
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
        let show: @MainActor (WidgetNode, Bool) -> Void = { gtk_check_button_set_active($0.typed(), $1 ? 1 : 0) }
        body = DeclaredWidget("GtkCheckButton") { Widget(gtk_check_button_new()) }
            .setting { node in
                gtk_check_button_set_label(node.typed(), title)
                let button = node.typed(GtkCheckButton.self)
                node.on("toggled") { [weak node] in
                    isOn.change(to: gtk_check_button_get_active(button) != 0, by: node, show: show)
                }
            }
            .observing({ isOn.wrappedValue }, show)
    }
}

/// A `GtkDropDown`: a choice of one among several values.
public struct Picker: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - label: The text for screen readers.
    ///   - selection: The value that the user changes. A value that is not among the choices stays,
    ///     and so does the shown choice. That is none at first; GTK 4.18 and later always show one,
    ///     which the user cannot choose before another.
    ///   - choices: The titles and the values, in order.
    public init<Value: Equatable>(
        _ label: String, selection: Binding<Value>, choices: [(title: String, value: Value)]
    ) {
        let titles = choices.map(\.title)
        let show: @MainActor (WidgetNode, Value) -> Void = { node, value in
            guard let index = choices.firstIndex(where: { $0.value == value }) else { return }
            gtk_drop_down_set_selected(node.opaque, guint(index))
        }
        body = DeclaredWidget("GtkDropDown of \(titles)") {
            let list = gtk_string_list_new(nil)
            for title in titles { gtk_string_list_append(list, title) }
            let picker = Widget(gtk_drop_down_new(list, nil))
            // Not the first choice, which the user could then not choose. GTK 4.18 ignores this.
            gtk_drop_down_set_selected(picker.opaque, guint.max)
            return picker
        }
        .setting { node in
            let picker = node.opaque
            node.on("notify::selected") { [weak node] in
                let index = Int(gtk_drop_down_get_selected(picker))
                if choices.indices.contains(index) { selection.change(to: choices[index].value, by: node, show: show) }
            }
        }
        .observing({ selection.wrappedValue }, show)
        .accessibleLabel(label)
    }
}

/// A `GtkScale`: a number in a range.
public struct Slider: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - label: The text for screen readers.
    ///   - value: The value that the user changes. One out of range stays until the user moves the
    ///     slider.
    ///   - range: The values at the ends. Default: 0 to 1.
    ///   - step: The distance of the values that the user can choose, above 0. Default: `nil`, any
    ///     value; so are other numbers.
    public init(
        _ label: String, value: Binding<Double>, in range: ClosedRange<Double> = 0...1, step: Double? = nil
    ) {
        let length = range.upperBound - range.lowerBound
        let step = step.flatMap { $0 > 0 ? $0 : nil }
        let show: @MainActor (WidgetNode, Double) -> Void = { node, value in
            node.receive { gtk_range_set_value(node.typed(), value) }
        }
        body = DeclaredWidget("GtkScale") {
            let scale = Widget(gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, nil))
            gtk_widget_set_size_request(scale.pointer, 120, -1)
            return scale
        }
        .setting { node in
            let slider = node.typed(GtkRange.self)
            node.receive {
                gtk_range_set_range(slider, range.lowerBound, range.upperBound)
                gtk_range_set_increments(slider, step ?? length / 100, max(step ?? 0, length / 10))
            }
            node.on("value-changed") { [weak node] in
                guard node?.isReceiving == false else { return }
                let new = gtk_range_get_value(slider)
                let steps = step.map { ((new - range.lowerBound) / $0).rounded() * $0 + range.lowerBound }
                let rounded = min(steps ?? new, range.upperBound)
                node?.receive { gtk_range_set_value(slider, rounded) }
                value.change(to: rounded, by: node, show: show)
            }
        }
        .observing({ value.wrappedValue }, show)
        .accessibleLabel(label)
    }
}

/// A `GtkEntry`: a line of text.
///
/// In a ``Row`` it has its natural width; `frame(maxWidth: .infinity)` gives it the rest.
///
/// ```swift
/// TextField("Photo", text: Binding(library, \.query)).onSubmit { library.loadMore() }
/// TextField("Password", text: Binding(model, \.page), isPassword: true)
/// ```
public struct TextField: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - placeholder: The text that an empty field shows.
    ///   - text: The text that the user changes.
    ///   - isPassword: Whether the text is hidden until the user asks for it, in a
    ///     `GtkPasswordEntry`. Default: `false`.
    public init(_ placeholder: String = "", text: Binding<String>, isPassword: Bool = false) {
        body = .field(isPassword ? "GtkPasswordEntry" : "GtkEntry", placeholder, text, "changed") {
            guard isPassword else { return Widget(gtk_entry_new()) }
            let field = Widget(gtk_password_entry_new())
            gtk_password_entry_set_show_peek_icon(field.opaque, 1)
            return field
        }
    }
}

/// A `GtkSearchEntry`.
public struct SearchField: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - placeholder: The text that an empty field shows.
    ///   - text: The text that the user changes. It changes 150 ms after the last key.
    public init(_ placeholder: String = "", text: Binding<String>) {
        body = .field("GtkSearchEntry", placeholder, text, "search-changed") { Widget(gtk_search_entry_new()) }
    }
}

extension DeclaredWidget {
    /// A text field.
    ///
    /// - Parameter signal: The signal with which the field reports a new text.
    fileprivate static func field(
        _ kind: String, _ placeholder: String, _ text: Binding<String>, _ signal: String,
        make: @escaping @MainActor () -> Widget
    ) -> DeclaredWidget {
        let show: @MainActor (WidgetNode, String) -> Void = { node, text in
            // GTK may have newer text, which it reports later: pasting first deletes the selection.
            guard text != node.typedText else { return }
            node.typedText = text
            let position = gtk_editable_get_position(node.opaque)
            node.receive { gtk_editable_set_text(node.opaque, text) }
            gtk_editable_set_position(node.opaque, position)
        }
        return DeclaredWidget(kind, make: make)
            .setting { node in
                shim_set_pointer(node.pointer, "placeholder-text", placeholder.isEmpty ? nil : placeholder)
                node.reportText = { [weak node] in
                    guard let node, !node.isReceiving else { return }
                    node.typedText = String(cString: gtk_editable_get_text(node.opaque))
                    text.change(to: node.typedText, by: node, show: show)
                }
                node.on(signal) { [weak node] in node?.reportText() }
            }
            .observing({ text.wrappedValue }, show)
    }
}

extension Binding where Value: Equatable {
    /// Sets the value that the user has chosen in a control, and shows that of the binding, which
    /// may refuse or change it without a notification.
    fileprivate func change(to new: Value, by node: WidgetNode?, show: @escaping @MainActor (WidgetNode, Value) -> Void)
    {
        change(to: new)
        guard wrappedValue != new else { return }
        // Deferred, since GTK is reporting the value.
        let correct = { @MainActor [weak node] in
            if let node { show(node, wrappedValue) }
        }
        Task { @MainActor in correct() }
    }
}

extension WidgetDeclaration {
    /// Calls `action` when the user presses the Return key in a ``TextField`` or a ``SearchField``,
    /// whose binding has the text by then.
    public func onSubmit(_ action: @escaping @MainActor () -> Void) -> Modified {
        modifier("submit") { node in
            guard shim_is_a(node.pointer, gtk_editable_get_type()) != 0 else {
                return shim_warning("RemoteImage: onSubmit is a modifier of text fields, not of a widget around them")
            }
            node.on("activate") { [weak node] in
                node?.reportText()
                action()
            }
        }
    }
}
