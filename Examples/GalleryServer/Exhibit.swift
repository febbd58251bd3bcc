/// What hangs at one number of the gallery: mostly images, and here and there something that goes wrong, so
/// that every phase can be seen.
public enum Exhibit: Hashable, Sendable {
    case image
    /// Comes in small pieces, over some seconds.
    case slow
    /// 503 to the first request, an image from the second on.
    case flaky
    /// 404.
    case missing
    /// A page of text that calls itself a JPEG.
    case text
    case emptyBody
    /// An image that ends in its middle.
    case truncated
    /// A header that announces 3.6 gigapixels.
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
