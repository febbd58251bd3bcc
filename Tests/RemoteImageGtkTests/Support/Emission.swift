import CRemoteImageGtk

/// Signals that a test emits in place of a missing device, such as a touch screen.
@MainActor
enum Emission {
    /// The controllers of a class on a widget.
    static func controllers(_ type: GType, of widget: UnsafeMutablePointer<GtkWidget>) -> [OpaquePointer] {
        let list = gtk_widget_observe_controllers(widget)
        defer { g_object_unref(list.map { UnsafeMutableRawPointer($0) }) }
        return (0..<g_list_model_get_n_items(list)).compactMap { index in
            guard let item = g_list_model_get_item(list, index) else { return nil }
            // The widget keeps a reference.
            defer { g_object_unref(item) }
            let instance = item.assumingMemoryBound(to: GTypeInstance.self)
            return g_type_check_instance_is_a(instance, type) != 0 ? OpaquePointer(item) : nil
        }
    }

    /// Emits a signal with numeric arguments; other arguments are null. Returns the object that a
    /// handler returns, if any.
    @discardableResult
    static func emit(_ signal: String, of object: OpaquePointer, _ numbers: Double...) -> OpaquePointer? {
        let instance = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GTypeInstance.self)
        let objectType = instance.pointee.g_class.pointee.g_type
        var query = GSignalQuery()
        g_signal_query(g_signal_lookup(signal, objectType), &query)
        var values = [GValue](repeating: GValue(), count: Int(query.n_params) + 1)
        g_value_init(&values[0], objectType)
        g_value_set_object(&values[0], UnsafeMutableRawPointer(object))
        for index in 0..<Int(query.n_params) {
            // Without the flag for static scope.
            let type = query.param_types[index] & ~GType(1)
            g_value_init(&values[index + 1], type)
            guard index < numbers.count else { continue }
            var number = GValue()
            g_value_init(&number, GType(15 << 2))
            g_value_set_double(&number, numbers[index])
            g_value_transform(&number, &values[index + 1])
            g_value_unset(&number)
        }
        defer { for index in values.indices { g_value_unset(&values[index]) } }
        var result = GValue()
        let returned = query.return_type & ~GType(1)
        guard returned != GType(1 << 2) else {
            g_signal_emitv(&values, query.signal_id, 0, nil)
            return nil
        }
        g_value_init(&result, returned)
        defer { g_value_unset(&result) }
        g_signal_emitv(&values, query.signal_id, 0, &result)
        guard g_type_is_a(returned, GType(20 << 2)) != 0 else { return nil }
        return g_value_dup_object(&result).map { OpaquePointer($0) }
    }
}
