// Signal handlers with typed arguments.

import CRemoteImageGtk

/// A type of the arguments of a signal handler. Only `Bool`, `Int`, `Double` and `String` conform.
public protocol SignalValue {
    /// The value of an argument; `nil` if it has another type.
    static func value(of argument: SignalArgument) -> Self?
}

/// An argument of a signal.
public struct SignalArgument {
    let pointer: UnsafePointer<GValue>

    fileprivate func value<Value>(as type: GType, _ get: (UnsafePointer<GValue>) -> Value) -> Value? {
        guard g_value_type_transformable(pointer.pointee.g_type, type) != 0 else { return nil }
        var value = GValue()
        g_value_init(&value, type)
        defer { g_value_unset(&value) }
        return g_value_transform(pointer, &value) != 0 ? get(&value) : nil
    }
}

extension Bool: SignalValue {
    public static func value(of argument: SignalArgument) -> Bool? {
        argument.value(as: shim_type_boolean) { g_value_get_boolean($0) != 0 }
    }
}

extension Int: SignalValue {
    public static func value(of argument: SignalArgument) -> Int? {
        argument.value(as: shim_type_int64) { Int(g_value_get_int64($0)) }
    }
}

extension Double: SignalValue {
    public static func value(of argument: SignalArgument) -> Double? {
        argument.value(as: shim_type_double) { g_value_get_double($0) }
    }
}

extension String: SignalValue {
    public static func value(of argument: SignalArgument) -> String? {
        guard argument.pointer.pointee.g_type == shim_type_string else { return nil }
        return g_value_get_string(argument.pointer).map { String(cString: $0) } ?? ""
    }
}

/// Connects closures whose arguments are read from the values of a signal.
@MainActor
package enum SignalClosure {
    private typealias Values = (arguments: UnsafeBufferPointer<GValue>, result: UnsafeMutablePointer<GValue>?)

    private struct TypeMismatch: Error {}

    @discardableResult
    package static func connect<each Argument: SignalValue, Result>(
        _ signal: String, of object: UnsafeMutableRawPointer,
        _ handler: @escaping @MainActor (repeat each Argument) -> Result
    ) -> gulong {
        let data = Callback<Values, Void>.retained { arguments, result in
            var position = 0
            func next<Value: SignalValue>(_ type: Value.Type) throws -> Value {
                defer { position += 1 }
                guard arguments.indices.contains(position), let base = arguments.baseAddress,
                    let value = Value.value(of: SignalArgument(pointer: base + position))
                else { throw TypeMismatch() }
                return value
            }
            let answer: Result
            do {
                let given = (repeat try next((each Argument).self))
                answer = handler(repeat each given)
            } catch {
                shim_warning("the handler of the signal \(signal) has other arguments than the signal")
                return
            }
            if let answer = answer as? Bool, let result { g_value_set_boolean(result, answer ? 1 : 0) }
        }
        return shim_connect_values(
            object, signal,
            { data, values, count, result in
                Callback<Values, Void>.call(data, (UnsafeBufferPointer(start: values, count: Int(count)), result))
            }, data, Signal.release)
    }
}
