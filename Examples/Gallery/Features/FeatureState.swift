import RemoteImageGtk

/// What the pages of the features show from the gallery's server, and what their buttons change.
@Observable @MainActor
final class FeatureState {
    let server: RunningServer
    /// A view that is kept, so that it can be refreshed.
    let refreshed: RemoteImageView
    let background: RemoteImagePaintable

    var cachePolicy = CachePolicy.http
    /// The number of the first image of the transitions.
    var firstTransition = 20
    /// The zoom factor of the map; `nil` shows the whole map.
    var zoom: Double?
    /// The images of the page of the keyboard that its user selects and opens.
    var selected: Int?
    var opened: Int?
    var isGray = false
    var isRound = false
    var isSmall = false

    init(_ server: RunningServer) {
        self.server = server
        background = RemoteImagePaintable(server.address(.image(16)))
        refreshed = RemoteImageView(NetworkImage(server.address(.image(12))).contentFit(.cover))
    }

    /// The options of the page of inherited options.
    var options: ImageOptions {
        var processors: [ImageProcessor] = []
        if isGray { processors.append(.grayscale) }
        if isRound { processors.append(.circle()) }
        return ImageOptions(maxPixelSize: isSmall ? 40 : nil, processors: processors)
    }
}
