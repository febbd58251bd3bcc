/// The kind of response for a number of the gallery: mostly images, and some failures, so that
/// every phase can be seen.
public enum Exhibit: Hashable, Sendable {
    case image
    /// An image that arrives in small pieces within two seconds.
    case slow
    /// Status 503 for the first request, an image from the second on.
    case flaky
    /// Status 404.
    case missing
    /// Text with the content type of an image.
    case text
    case emptyBody
    /// The first half of an image file.
    case truncated
    /// A PNG header that declares 3.6 gigapixels.
    case enormous

    public init(number: Int) {
        self =
            switch number % 60 {
            case 4, 33: .slow
            case 9: .missing
            case 14: .text
            case 22: .flaky
            case 26: .truncated
            case 38: .emptyBody
            case 47: .enormous
            default: .image
            }
    }
}
