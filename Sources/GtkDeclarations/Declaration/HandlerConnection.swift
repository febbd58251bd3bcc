/// What calls a handler of a widget, such as an event controller. It is kept when the widget is
/// declared with another handler or without one.
@MainActor
final class HandlerConnection {
    /// The handler of the newest declaration; `nil` if it has none.
    var handler: Any?
    /// Ends what the handler has started, once it is no longer declared.
    var handlerRemoved: @MainActor () -> Void = {}
    /// Starts what a handler does that is declared again.
    var handlerReturned: @MainActor () -> Void = {}
}
