// The property values that limit and time the load of an image.

import CRemoteImageGtk

/// Which stored images a load uses, when it starts and ends, and what is shown until then.
package struct LoadingProperties: Equatable {
    /// Seconds; -1 sets no limit.
    package var expiry: Int32 = -1
    /// Milliseconds.
    package var delay: Int32 = 0
    package var previews: UInt32 = 0
    package var showsStored = false
    /// Seconds; 0 stands for the limit of the pipeline.
    package var timeout: Int32 = 0
    /// -1 stands for the policy of the pipeline.
    package var maxRetries: Int32 = -1
    package var waitsForNetwork = false
    /// Points.
    package var viewportMargin: Int32 = 200
    /// Milliseconds.
    package var disappearDelay: Int32 = 300
    /// Milliseconds; -1 keeps the image.
    package var releaseDelay: Int32 = 5_000

    /// Sets the options of the values that differ from their defaults.
    func apply(to options: inout ImageOptions) {
        let initial = LoadingProperties()
        if expiry >= 0 { options.expiry = .seconds(Int(expiry)) }
        if delay > 0 { options.delay = .milliseconds(Int(delay)) }
        if previews != 0 { options.previews = PreviewOptions(rawValue: Int(previews)) }
        if showsStored, options.cachePolicy == .http { options.cachePolicy = .staleWhileRevalidate }
        if timeout > 0 { options.timeout = .seconds(Int(timeout)) }
        if let retryPolicy { options.retryPolicy = retryPolicy }
        if viewportMargin != initial.viewportMargin { options.viewportMargin = Double(viewportMargin) }
        if disappearDelay != initial.disappearDelay { options.disappearDelay = .milliseconds(Int(disappearDelay)) }
        if releaseDelay != initial.releaseDelay {
            options.releaseDelay = releaseDelay < 0 ? nil : .milliseconds(Int(releaseDelay))
        }
    }

    /// `nil` for the policy of the pipeline.
    private var retryPolicy: RetryPolicy? {
        if maxRetries >= 0 {
            return .standard(maxRetryCount: Int(maxRetries), waitsForConnectivity: waitsForNetwork)
        }
        return waitsForNetwork ? .standard(waitsForConnectivity: true) : nil
    }
}

extension ObjectProperty where Owner: ImageObject {
    /// The properties that limit a load.
    static var limits: [ObjectProperty] {
        [
            .writable("expiry", .integer(-1...Int32.max), \.loading.expiry),
            .writable("previews", .flags(Enumerations.previewOptions), \.loading.previews),
            .writable("show-stored-while-loading", .boolean, \.loading.showsStored),
            .writable("timeout", .integer(0...86_400), \.loading.timeout),
            .writable("max-retries", .integer(-1...100), \.loading.maxRetries),
            .writable("wait-for-network", .boolean, \.loading.waitsForNetwork),
            .writable("release-delay", .integer(-1...3_600_000), \.loading.releaseDelay),
        ]
    }

    /// The properties of loads that depend on the visibility of a widget.
    package static var visibility: [ObjectProperty] {
        [
            .writable("delay", .integer(0...60_000), \.loading.delay),
            .writable("viewport-margin", .integer(0...Int32(Int16.max)), \.loading.viewportMargin),
            .writable("disappear-delay", .integer(0...60_000), \.loading.disappearDelay),
        ]
    }
}
