/// A picture format that can be told by its signature.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg, png, gif, webp, avif, svg
}
