// Options and pipelines that are set on a widget for everything below it.

import CGtk

/// The options and the pipeline that are set on one widget, and their observers. The widget owns it.
@MainActor
final class WidgetEnvironment {
    private static let data = ObjectData<WidgetEnvironment>("remote-image-environment")

    var options: ImageOptions?
    var pipeline: ImagePipeline?
    private var observers: [Int: @MainActor () -> Void] = [:]
    private var nextObserver = 0
    private var isConnected = false

    /// What is set on a widget itself; nil where nothing is.
    static func at(_ widget: UnsafeMutablePointer<GtkWidget>) -> WidgetEnvironment? { data[widget] }

    /// Changes what is set on a widget, and tells all observers at and below it.
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
        // Held: what is told may change the children.
        let widget = Widget(widget)
        if RemoteImageViewClass.isInstance(UnsafeMutableRawPointer(widget.pointer)) {
            RemoteImageViewClass.state(of: widget.pointer).environmentChanged()
        }
        if let environment = data[widget.pointer] {
            for observer in Array(environment.observers.values) { observer() }
        }
        var children: [Widget] = []
        var next = gtk_widget_get_first_child(widget.pointer)
        while let child = next {
            children.append(Widget(child))
            next = gtk_widget_get_next_sibling(child)
        }
        for child in children { tell(child.pointer) }
    }

    // MARK: What holds at a widget

    /// The options that are set around a widget and on it; the nearest win.
    static func options(at widget: UnsafeMutablePointer<GtkWidget>) -> ImageOptions {
        var merged = ImageOptions()
        var next: UnsafeMutablePointer<GtkWidget>? = widget
        while let current = next {
            if let options = data[current]?.options { merged = merged.merged(over: options) }
            next = gtk_widget_get_parent(current)
        }
        return merged
    }

    /// The pipeline that is set nearest to a widget; nil where none is.
    static func pipeline(at widget: UnsafeMutablePointer<GtkWidget>) -> ImagePipeline? {
        var next: UnsafeMutablePointer<GtkWidget>? = widget
        while let current = next {
            if let pipeline = data[current]?.pipeline { return pipeline }
            next = gtk_widget_get_parent(current)
        }
        return nil
    }

    /// The same, or that of the program.
    static func effectivePipeline(at widget: UnsafeMutablePointer<GtkWidget>) -> ImagePipeline {
        pipeline(at: widget) ?? PipelineObject.defaultPipeline
    }

    // MARK: Observation

    static func observe(
        at widget: UnsafeMutablePointer<GtkWidget>, _ body: @escaping @MainActor () -> Void
    ) -> EnvironmentObservation {
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
        return EnvironmentObservation { [weak environment] in environment?.observers[number] = nil }
    }
}

/// Keeps an observation of what is set around a widget. Ends it when it is released.
@MainActor
public final class EnvironmentObservation {
    private let end: @MainActor () -> Void

    init(_ end: @escaping @MainActor () -> Void) {
        self.end = end
    }

    isolated deinit {
        end()
    }
}
