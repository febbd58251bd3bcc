// `RemoteImageWidgetImage`: a remote image in a `GtkPicture`, a `GtkImage`, an `AdwAvatar` or
// another widget with a property of type `GdkPaintable`.

import CRemoteImageGtk
import RemoteImageGtk

/// The state of a `RemoteImageWidgetImage`. The widget owns the object, which makes a request of
/// `setImage` and changes it with its properties.
@MainActor
final class WidgetImageObject: ImageObject {
    var properties = ImageProperties()
    var shown = ShownPhase()
    var loadedImage: LoadedImage?
    private(set) var isDisposed = false
    private var widget: WeakObject?
    /// The request of the widget, which owns it.
    private weak var request: WidgetImageRequest?
    /// Whether the image of the last report was released.
    private var reportsRelease = false
    // Not owned: the instance owns this state.
    let object: UnsafeMutablePointer<GObject>

    private static let owned = ObjectData<ObjectReference>("remote-image-widget-image")

    init(_ object: UnsafeMutablePointer<GObject>) {
        self.object = object
    }

    /// Makes the object of a widget; `nil` with a critical message if the widget cannot show an
    /// image. The caller releases it.
    static func make(
        for widget: UnsafeMutablePointer<GtkWidget>, property: String? = nil, in function: String
    ) -> UnsafeMutableRawPointer? {
        guard PaintableTarget(widget, property: property) != nil else {
            let wanted = property.map { " named \($0)" } ?? ""
            shim_critical("\(function): the widget has no writable property of type GdkPaintable\(wanted)")
            return nil
        }
        return shim_widget_image_new(type, widget, property)
    }

    /// The object of a widget; `nil` if there is none.
    static func existing(of widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutableRawPointer? {
        owned[widget]?.pointer
    }

    fileprivate var widgetPointer: UnsafeMutableRawPointer? { widget?.strong()?.pointer }

    /// Replaces the previous object of the widget.
    fileprivate func attach(to new: UnsafeMutableRawPointer?) {
        guard let new else { return }
        widget = WeakObject(new)
        Self.owned[new] = ObjectReference(borrowing: UnsafeMutableRawPointer(object))
    }

    func applyProperties(_ changed: Set<String>) {
        if changed.contains("headers") { HeaderLines.warn(of: properties.headers, in: "RemoteImageWidgetImage") }
        properties.warnOfPreviews(in: changed, of: Self.typeName)
        request?.isPlaying = properties.display.isPlaying
        guard changed != ["playing"] else { return }
        // A widget without an image keeps its content.
        if properties.source != nil || request != nil || properties.placeholderIconName != nil
            || changed.contains("widget") && replacesRequest
        {
            show()
        }
    }

    /// Whether the widget has the request of another object, or of Swift code.
    private var replacesRequest: Bool {
        widget?.strong().map { WidgetImageRequest.exists(on: shim_widget($0.pointer)) } ?? false
    }

    private func show() {
        guard !isDisposed, let kept = widget?.strong(),
            Self.owned[kept.pointer]?.pointer == UnsafeMutableRawPointer(object),
            let target = PaintableTarget(shim_widget(kept.pointer), property: properties.propertyName)
        else { return }
        // Without a pipeline, the widget uses that of its ancestors.
        let pipeline = properties.pipeline.pointer == nil ? nil : PipelineObject.pipeline(of: properties.pipeline)
        let declaration = WidgetLoadController.Declaration(
            source: properties.source, options: properties.options, pipeline: pipeline, scale: properties.display.scale)
        let placeholder = properties.placeholderIcon ?? .original
        // A handler may release the widget, which owns the request.
        withExtendedLifetime(kept) {
            if let request, request.isForImage, properties.source != nil {
                request.update(declaration, placeholder: placeholder)
            } else {
                start(declaration, on: target, placeholder)
            }
            report()
        }
    }

    private func start(
        _ declaration: WidgetLoadController.Declaration, on target: PaintableTarget, _ placeholder: ImagePlaceholder
    ) {
        let new = WidgetImageRequest(
            declaration, on: target, placeholder: placeholder, transition: nil, playsAnimation: true, completion: nil)
        new.isPlaying = properties.display.isPlaying
        request = new
        new.phaseFollower = { [weak self, weak new] in
            if let self, request === new { report() }
        }
        new.start()
    }

    private func report() {
        guard !isDisposed else { return }
        let (old, new) = (shown.phase, request?.phase ?? .empty)
        shown.phase = new
        let isReleased = new.image?.isReleased == true
        let isOtherTexture = isReleased != reportsRelease
        reportsRelease = isReleased
        if isOtherTexture { shown.releaseTexture() }
        signal(new, since: old, isOtherTexture: isOtherTexture)
    }

    var refreshError: ImageError? { request?.model?.refreshError }

    func reload() { request?.model?.reload() }

    func cancel() { request?.model?.cancel() }

    func dispose() {
        isDisposed = true
        request?.phaseFollower = nil
        loadedImage = nil
        properties.pipeline = ObjectSlot(nil)
        properties.authorization = ObjectSlot(nil)
        properties.sourceObject = ObjectSlot(nil)
        properties.display.processor = ObjectSlot(nil)
    }
}

extension WidgetImageObject {
    nonisolated static let table = PropertyTable<WidgetImageObject>(
        ImageProperties(),
        ObjectProperty.image + ObjectProperty.visibility + ObjectProperty.outcome + [
            .widget, .writable("property-name", .string, \.propertyName).constructOnly(),
            .writable("transition-duration", .integer(0...60_000), \.transitionDuration),
            .writable("transition-cached", .boolean, \.display.transitionsCached),
            .writable("placeholder-icon-name", .string, \.placeholderIconName),
            .writable("placeholder-icon-size", .integer(0...Int32(Int16.max)), \.placeholderIconSize),
            .writable("playing", .boolean, \.display.isPlaying),
        ])

    nonisolated static let signals = ImageSignals(of: type)

    nonisolated static func initialize(_ classPointer: UnsafeMutableRawPointer) { _ = signals }

    nonisolated static let typeName: StaticString = "RemoteImageWidgetImage"

    nonisolated static let type: GType = register()
}

extension ObjectProperty<WidgetImageObject> {
    /// The widget that owns the object, and that the object must not own.
    fileprivate static var widget: ObjectProperty {
        var property = readOnly("widget", .object(gtk_widget_get_type()), initially: ObjectSlot(nil)) {
            ObjectSlot(borrowing: $0.widgetPointer)
        }
        property.write = { owner, value in
            owner.attach(to: g_value_get_object(value))
            return true
        }
        return property.constructOnly()
    }
}
