/// The phase of a remote image.
public enum NetworkImagePhase: Sendable {
    /// No image is requested or shown.
    case empty
    /// The image is being loaded.
    case loading(LoadingState)
    /// The image is loaded.
    case success(LoadedImage)
    /// The load failed.
    case failure(ImageError)

    /// The image in the phase ``success(_:)``; otherwise `nil`.
    public var image: LoadedImage? {
        if case .success(let image) = self { image } else { nil }
    }

    /// The error in the phase ``failure(_:)``; otherwise `nil`.
    public var error: ImageError? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// A phase without its values.
    public enum Kind: Hashable, Sendable {
        case empty, loading, success, failure
    }

    /// The phase without its values.
    public var kind: Kind {
        switch self {
        case .empty: .empty
        case .loading: .loading
        case .success: .success
        case .failure: .failure
        }
    }
}

extension NetworkImagePhase {
    /// Whether content built for `other` fits this phase: the phases have the same kind, and the
    /// same image with the same animation, or the same error. Progress and previews are ignored,
    /// since existing content receives them.
    package func hasSameContent(as other: NetworkImagePhase) -> Bool {
        switch (self, other) {
        case (.empty, .empty), (.loading, .loading): true
        case (.success(let mine), .success(let theirs)):
            mine.hasSameContent(as: theirs)
        case (.failure(let mine), .failure(let theirs)): mine == theirs
        default: false
        }
    }
}
