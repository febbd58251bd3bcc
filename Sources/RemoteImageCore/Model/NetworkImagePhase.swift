/// Where the life of a remote image stands.
public enum NetworkImagePhase: Sendable {
    /// Nothing is asked for, nothing is shown.
    case empty
    /// The image is being loaded.
    case loading(LoadingState)
    /// The image is there.
    case success(LoadedImage)
    /// The load failed.
    case failure(ImageError)

    /// The image, once it is there.
    public var image: LoadedImage? {
        if case .success(let image) = self { image } else { nil }
    }

    /// Why there is none, once that is known.
    public var error: ImageError? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// The phase without what it carries.
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
    /// Whether content built for `other` still fits: the same kind, and the same image or error.
    /// Progress and previews do not count: they reach content that is already there.
    package func hasSameContent(as other: NetworkImagePhase) -> Bool {
        switch (self, other) {
        case (.empty, .empty), (.loading, .loading): true
        case (.success(let mine), .success(let theirs)): mine.isSameImage(as: theirs) && mine.scale == theirs.scale
        case (.failure(let mine), .failure(let theirs)): mine == theirs
        default: false
        }
    }
}
