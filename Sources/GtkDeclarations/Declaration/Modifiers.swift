// What every declared widget has: size, place, look and handlers.

import CRemoteImageGtk

/// The place of a widget in a larger area.
public enum Alignment: Hashable, Sendable {
    case start, center, end
    /// Fills the area.
    case fill

    var gtk: GtkAlign {
        switch self {
        case .start: GTK_ALIGN_START
        case .center: GTK_ALIGN_CENTER
        case .end: GTK_ALIGN_END
        case .fill: GTK_ALIGN_FILL
        }
    }
}

/// Sides of a widget.
public struct Edges: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The side above.
    public static let top = Edges(rawValue: 1)
    /// The side below.
    public static let bottom = Edges(rawValue: 2)
    /// Left, or right in languages that are written from right to left.
    public static let leading = Edges(rawValue: 4)
    /// Right, or left in languages that are written from right to left.
    public static let trailing = Edges(rawValue: 8)
    /// Left and right.
    public static let horizontal: Edges = [.leading, .trailing]
    /// Above and below.
    public static let vertical: Edges = [.top, .bottom]
    /// All four sides.
    public static let all: Edges = [.horizontal, .vertical]
}

extension WidgetDeclaration {
    /// Sets the minimum size, in points. `nil`, the default, changes nothing; without a minimum
    /// size a widget has at least that of its content.
    ///
    /// A ``NetworkImage`` requests exactly these lengths whatever it shows; a missing one follows
    /// from its content. With both lengths, nothing moves when its image arrives.
    public func frame(width: Int? = nil, height: Int? = nil) -> Modified {
        modifier("frame(\(width != nil),\(height != nil))") { node in
            node.setMinimum(width, height)
            guard let own = CustomWidgets.at(node.pointer) else { return }
            let old = own.fixedSize
            own.fixedSize = (width.map { max(0, $0) } ?? old.width, height.map { max(0, $0) } ?? old.height)
        }
    }

    /// Sets the minimum and the maximum size, in points. `nil`, the default, changes nothing.
    ///
    /// `.infinity` makes the widget take the space that its container has left. A number limits the
    /// widget in a larger area, in which its alignment places it, by default in the middle. It
    /// never becomes smaller than its content requires. Like a minimum, it does not include the
    /// padding. A change between a number and `.infinity` makes a new widget.
    ///
    /// ```swift
    /// Column(spacing: 12) { Label(photo.title) }.frame(maxWidth: 600)
    /// ```
    public func frame(
        minWidth: Int? = nil, maxWidth: Double? = nil, minHeight: Int? = nil, maxHeight: Double? = nil
    ) -> Modified {
        let expands = (maxWidth == .infinity, maxHeight == .infinity)
        let name = "minimum(\(minWidth != nil),\(minHeight != nil),\(expands))"
        return modified {
            var copy = $0.modifier(name) { node in
                node.setMinimum(minWidth, minHeight)
                if expands.0 { gtk_widget_set_hexpand(node.pointer, 1) }
                if expands.1 { gtk_widget_set_vexpand(node.pointer, 1) }
            }
            copy.maxSize.limit(maxWidth, maxHeight)
            return copy
        }
    }

    /// Sets the space on all sides, in points. Default: 12.
    public func padding(_ points: Int = 12) -> Modified { padding(.all, points) }

    /// Sets the space on some sides, in points. Default: 12.
    public func padding(_ edges: Edges, _ points: Int = 12) -> Modified {
        modifier("padding(\(edges.rawValue))") { node in
            let points = Int32(clamping: max(0, points))
            if edges.contains(.leading) { gtk_widget_set_margin_start(node.pointer, points) }
            if edges.contains(.trailing) { gtk_widget_set_margin_end(node.pointer, points) }
            if edges.contains(.top) { gtk_widget_set_margin_top(node.pointer, points) }
            if edges.contains(.bottom) { gtk_widget_set_margin_bottom(node.pointer, points) }
        }
    }

    /// Sets the space left and right, and above and below, in points. `nil`, the default, changes
    /// nothing.
    public func padding(horizontal: Int? = nil, vertical: Int? = nil) -> Modified {
        modified { declared in
            let wider = horizontal.map { declared.padding(.horizontal, $0) } ?? declared
            return vertical.map { wider.padding(.vertical, $0) } ?? wider
        }
    }

    /// Sets whether the widget takes the space that its container has left. Default: in both
    /// directions.
    public func expand(horizontal: Bool = true, vertical: Bool = true) -> Modified {
        modifier("expand") { node in
            gtk_widget_set_hexpand(node.pointer, horizontal ? 1 : 0)
            gtk_widget_set_vexpand(node.pointer, vertical ? 1 : 0)
        }
    }

    /// Sets the place in a larger area. `nil`, the default, changes nothing; most widgets fill the
    /// area. `.start` is the right side in languages that are written from right to left.
    public func align(horizontal: Alignment? = nil, vertical: Alignment? = nil) -> Modified {
        modifier("align(\(horizontal != nil),\(vertical != nil))") { node in
            if let horizontal { gtk_widget_set_halign(node.pointer, horizontal.gtk) }
            if let vertical { gtk_widget_set_valign(node.pointer, vertical.gtk) }
        }
    }

    /// Sets the opacity, from 0, invisible, to 1.
    public func opacity(_ opacity: Double) -> Modified {
        modifier("opacity") { gtk_widget_set_opacity($0.pointer, opacity) }
    }

    /// Clips the content of the widget to its area, which may have rounded corners.
    public func clipped() -> Modified {
        modifier("clipped") { gtk_widget_set_overflow($0.pointer, GTK_OVERFLOW_HIDDEN) }
    }

    /// Adds a CSS class, or removes it if `isOn` is `false`.
    public func cssClass(_ name: String, isOn: Bool = true) -> Modified {
        modifier("class(\(name))") { node in
            (isOn ? gtk_widget_add_css_class : gtk_widget_remove_css_class)(node.pointer, name)
        }
    }

    /// Sets the text that appears while the pointer rests on the widget; `nil` for none.
    public func tooltip(_ text: String?) -> Modified {
        modifier("tooltip") { gtk_widget_set_tooltip_text($0.pointer, text) }
    }

    /// Sets whether the widget reacts to the user.
    public func enabled(_ isEnabled: Bool) -> Modified {
        modified {
            var copy = $0.modifier("enabled") { gtk_widget_set_sensitive($0.pointer, isEnabled ? 1 : 0) }
            copy.menuItem?.isEnabled = isEnabled
            return copy
        }
    }

    /// Sets the text that screen readers read for the widget.
    public func accessibleLabel(_ text: String) -> Modified {
        modifier("accessible-label") { node in
            guard let own = CustomWidgets.at(node.pointer) else { return shim_update_label(node.pointer, text) }
            own.setAccessibleLabel(text)
        }
    }

    /// Identifies the widget among those of its container, so that it is kept when its position
    /// changes.
    public func id(_ id: some Hashable & Sendable) -> Modified {
        modified { $0.identified(by: AnyHashable(id)) }
    }

    // MARK: Handlers

    /// Calls `action` for each click or tap. Use a ``Button`` where the keyboard should reach it.
    public func onClick(_ action: @escaping @MainActor () -> Void) -> Modified {
        modifier("click") { node in
            let handler = { @MainActor (gesture: OpaquePointer) in
                gtk_gesture_set_state(gesture, GTK_EVENT_SEQUENCE_CLAIMED)
                action()
            }
            node.setHandler("click", handler) { call, _ in
                guard let gesture = gtk_gesture_click_new() else { return }
                let widget = node.pointer
                EventControllers.add(gesture, to: widget)
                SignalClosure.connect("released", of: UnsafeMutableRawPointer(gesture)) {
                    (_: Int, x: Double, y: Double) -> Void in
                    // The pointer may have left the widget.
                    guard gtk_widget_contains(widget, x, y) != 0 else { return }
                    _ = call(gesture)
                }
            }
        }
    }

    /// Calls `action` when the user presses a key while the widget is visible. A widget with the
    /// focus that uses the key itself receives it instead.
    ///
    /// ```swift
    /// Button("Back") { model.shown = nil }.onShortcut("Escape|<Alt>Left") { model.shown = nil }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: Keys in the syntax of `gtk_shortcut_trigger_parse_string`, in which `|` separates
    ///     alternatives. Other text does nothing and is reported with a GLib warning.
    ///   - whileFocused: Whether the focus must be in the widget, which then also receives the keys
    ///     with which the window would move the focus, such as the arrows. Default: `false`, it
    ///     may be anywhere in the window.
    ///   - action: Called for each press.
    public func onShortcut(
        _ keys: String, whileFocused: Bool = false, _ action: @escaping @MainActor () -> Void
    ) -> Modified {
        let scope = whileFocused ? GTK_SHORTCUT_SCOPE_LOCAL : GTK_SHORTCUT_SCOPE_GLOBAL
        return modifier("shortcut(\(keys),\(whileFocused))") { node in
            node.setHandler("shortcut(\(keys),\(whileFocused))", action) { call, _ in
                EventControllers.addShortcut(keys, to: node.pointer, scope) { call() != nil }
            }
        }
    }

    /// Calls `action` when the user presses a key while the widget is visible, before the widget
    /// with the focus receives the key: also for keys that a list or a button uses, such as the
    /// arrows. In a text field only keys with Control, Alt or Super, Escape and the function keys
    /// call `action`; the field receives the others.
    ///
    /// - Parameters:
    ///   - keys: As in ``onShortcut(_:whileFocused:_:)``.
    ///   - action: Called for each press.
    public func onKey(_ keys: String, _ action: @escaping @MainActor () -> Void) -> Modified {
        modifier("key(\(keys))") { node in
            node.setHandler("key(\(keys))", action) { call, _ in
                for key in keys.split(separator: "|") {
                    EventControllers.addShortcut(
                        String(key), to: node.pointer, GTK_SHORTCUT_SCOPE_GLOBAL, beforeFocus: true
                    ) { call() != nil }
                }
            }
        }
    }

    /// Calls `action` each time the widget becomes visible: mapped, and within the viewports of the
    /// scrolled windows around it. In a row of a list it is called for each item.
    public func onAppear(_ action: @escaping @MainActor () -> Void) -> Modified {
        modifier("appear") { node in
            node.setHandler("appear", action) { call, _ in
                node.followVisibility { isVisible in if isVisible { _ = call() } }
            }
        }
    }

    /// Calls `action` each time the widget is no longer visible, also when it is removed. See
    /// ``onAppear(_:)``.
    public func onDisappear(_ action: @escaping @MainActor () -> Void) -> Modified {
        modifier("disappear") { node in
            node.setHandler("disappear", action) { call, _ in
                node.followVisibility { isVisible in if !isVisible { _ = call() } }
            }
        }
    }

    /// Runs `action` as a task each time the widget becomes visible, and cancels the task when it
    /// no longer is. See ``onAppear(_:)``.
    ///
    /// ```swift
    /// Column { for photo in photos { NetworkImage(photo.address) } }
    ///     .task { library.loadMore() }
    /// ```
    public func task(_ action: @escaping @MainActor () async -> Void) -> Modified {
        modifier("task") { node in
            let start = { @MainActor in Task { await action() } }
            node.setHandler("task", start) { call, connection in
                var task: Task<Void, Never>?
                let follow = { @MainActor (isVisible: Bool) in
                    task?.cancel()
                    task = isVisible ? call() : nil
                }
                node.followVisibility(follow)
                connection.handlerRemoved = { follow(false) }
                connection.handlerReturned = { [weak node] in if let node { follow(node.hasAppeared) } }
            }
        }
    }

    /// Calls `action` when a value has changed, with the old and the new one; not for the first
    /// value. A row of a list that comes to show another item begins anew, and so does a widget
    /// that was removed and returns.
    ///
    /// ```swift
    /// Slider("Volume", value: Binding(model, \.volume), in: 0...10)
    ///     .onChange(of: model.volume) { old, new in print("from \(old) to \(new)") }
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value. It is evaluated again when an observable value that it reads has
    ///     changed.
    ///   - action: Called once for all changes in one turn of the main loop.
    public func onChange<Value: Equatable>(
        of value: @autoclosure @escaping @MainActor () -> Value,
        _ action: @escaping @MainActor (_ old: Value, _ new: Value) -> Void
    ) -> Modified {
        modified { declared in
            let number = declared.observedSettings.count
            return declared.modifier("change") { _ in }.observing(value) { node, new in
                node.report(new, number, onChange: action)
            }
        }
    }

    /// Calls `action`, without the values, when a value has changed.
    public func onChange<Value: Equatable>(
        of value: @autoclosure @escaping @MainActor () -> Value, _ action: @escaping @MainActor () -> Void
    ) -> Modified {
        onChange(of: value()) { _, _ in action() }
    }

    /// Calls `action` before each frame while the widget is in a window, with the time of the
    /// frame. GTK then draws frames continuously.
    public func onFrame(_ action: @escaping @MainActor (_ time: Duration) -> Void) -> Modified {
        modifier("frame") { node in
            node.setHandler("frame", action) { call, connection in
                let start = { @MainActor [widget = node.pointer] in
                    FrameTicks(of: widget) { time in call(.microseconds(time)) != nil }
                }
                var ticks = start()
                connection.handlerRemoved = { ticks.stop() }
                connection.handlerReturned = { ticks = start() }
            }
        }
    }

    /// Calls `handler` for each emission of a signal of the widget, with its first arguments:
    /// numbers, booleans and texts.
    ///
    /// ```swift
    /// Widget(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1))
    ///     .on("change-value") { (scroll: Int, value: Double) in model.volume = value }
    /// ```
    ///
    /// If the arguments have other types, a warning is logged and the handler is not called. A
    /// handler that captures its own widget keeps it alive for ever.
    public func on<each Argument: SignalValue>(
        _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Void
    ) -> Modified {
        modifier("on(\(signal))") { $0.on(signal, handler) }
    }

    /// Calls `handler` for each emission of a signal with a Boolean result, in addition to
    /// ``on(_:_:)``. For most signals, `true` means that the handler has handled the event, and
    /// stops other handlers.
    public func handle<each Argument: SignalValue>(
        _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Bool
    ) -> Modified {
        modifier("on(\(signal))") { $0.on(signal, handler) }
    }
}

extension WidgetNode {
    /// Sets the minimum size, in points; `nil` changes nothing.
    fileprivate func setMinimum(_ width: Int?, _ height: Int?) {
        var (oldWidth, oldHeight): (Int32, Int32) = (0, 0)
        gtk_widget_get_size_request(pointer, &oldWidth, &oldHeight)
        gtk_widget_set_size_request(
            pointer, width.map { Int32(clamping: max(0, $0)) } ?? oldWidth,
            height.map { Int32(clamping: max(0, $0)) } ?? oldHeight)
    }
}
