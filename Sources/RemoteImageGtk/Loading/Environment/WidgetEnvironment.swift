// Options and pipelines that are set on a widget and apply to all widgets below it.

import CRemoteImageGtk

/// The options and the pipeline of one widget, and their observers. The widget owns this object.
@MainActor
final class WidgetEnvironment {
    private static let data = ObjectData<WidgetEnvironment>("remote-image-environment")

    var options: ImageOptions?
    var pipeline: ImagePipeline?
    private var observers: [Int: @MainActor () -> Void] = [:]
    private var nextObserver = 0
    private var isConnected = false

    /// The environment that is set on the widget itself, or `nil`.
    static func at(_ widget: UnsafeMutablePointer<GtkWidget>) -> WidgetEnvironment? { data[widget] }

    /// Changes the environment of a widget, and notifies all observers at and below it.
    static func change(at widget: UnsafeMutablePointer<GtkWidget>, _ body: @MainActor (WidgetEnvironment) -> Void) {
        body(made(at: widget))
        tell(widget)
    }

    private static func made(at widget: UnsafeMutablePointer<GtkWidget>) -> WidgetEnvironment {
        if let environment = data[widget] { return environment }
        let environment = WidgetEnvironment()
        data[widget] = environment
        return environment
    }

    private static func tell(_ widget: UnsafeMutablePointer<GtkWidget>) {
        // Holds a reference, since the notified observers may change the children.
        let widget = Widget(borrowing: widget)
        if shim_is_a(widget.pointer, RemoteImageViewState.type) != 0 {
            RemoteImageViewState.of(widget.pointer).environmentChanged()
        }
        if let environment = data[widget.pointer] {
            for observer in Array(environment.observers.values) { observer() }
        }
        for child in widget.pointer.children.map({ Widget(borrowing: $0) }) { tell(child.pointer) }
    }

    // MARK: Effective values

    /// The options of a widget merged over those of its ancestors; the nearest take precedence.
    static func options(at widget: UnsafeMutablePointer<GtkWidget>) -> ImageOptions {
        var merged = ImageOptions()
        for widget in sequence(first: widget, next: { gtk_widget_get_parent($0) }) {
            if let options = data[widget]?.options { merged = merged.merged(over: options) }
        }
        return merged
    }

    /// The pipeline of a widget or of its nearest ancestor that has one, else the default pipeline.
    static func effectivePipeline(at widget: UnsafeMutablePointer<GtkWidget>) -> ImagePipeline {
        for widget in sequence(first: widget, next: { gtk_widget_get_parent($0) }) {
            if let pipeline = data[widget]?.pipeline { return pipeline }
        }
        return PipelineObject.defaultPipeline
    }

    // MARK: Observation

    static func observe(
        at widget: UnsafeMutablePointer<GtkWidget>, _ body: @escaping @MainActor () -> Void
    ) -> ObservationToken {
        let environment = made(at: widget)
        environment.nextObserver += 1
        let number = environment.nextObserver
        environment.observers[number] = body
        if !environment.isConnected {
            environment.isConnected = true
            Signal.connect(property: "root", of: UnsafeMutableRawPointer(widget)) { [weak environment] in
                for observer in Array((environment?.observers ?? [:]).values) { observer() }
            }
        }
        return ObservationToken { [weak environment] in
            MainLoop.perform { environment?.observers[number] = nil }
        }
    }
}
