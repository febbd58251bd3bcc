/// Declares and draws the image that a ``WidgetLoadController`` loads.
@MainActor
protocol WidgetLoadClient: AnyObject {
    var loadDeclaration: WidgetLoadController.Declaration { get }
    /// The pixels to decode; `nil` while the widget has no size.
    ///
    /// - Parameters:
    ///   - size: The size of the widget in points: the present one, or the expected one of a widget
    ///     that is not allocated yet.
    ///   - fit: The fit of the options; `nil` if they set none.
    func target(_ size: (width: Int, height: Int), _ fit: ContentFit?) -> TargetSize?
    /// The size that the widget will have where a similar widget has the size `other`.
    func expectedSize(like other: (width: Int32, height: Int32)) -> (width: Int32, height: Int32)
    /// The controller has another model.
    func modelReplaced(by model: NetworkImageModel)
    /// The options of the view, of its ancestors or of the pipeline may have changed.
    func optionsChanged(to options: ImageOptions)
    func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase)
    /// The model was told that the widget is visible. It already shows a cached image.
    func appeared(_ model: NetworkImageModel)
    /// The model has released the image, since the widget is out of sight. The widget keeps its
    /// size.
    func imageReleased()
    /// The widget is about to be drawn, and the memory cache has the image. Called between layout
    /// and drawing; the phase follows.
    ///
    /// - Returns: Whether it is the released image, which is then drawn again.
    func drawAgain(_ image: LoadedImage) -> Bool
}

extension WidgetLoadClient {
    func expectedSize(like other: (width: Int32, height: Int32)) -> (width: Int32, height: Int32) { other }
    func optionsChanged(to options: ImageOptions) {}
    func appeared(_ model: NetworkImageModel) {}
}
