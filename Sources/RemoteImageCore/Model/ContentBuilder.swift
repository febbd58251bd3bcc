/// Lets the closures of a ``NetworkImage`` list their content, with `if`, `switch` and `for`.
@resultBuilder
@MainActor
public struct ContentBuilder<Content: NetworkImageContent> {
    public static func buildExpression(_ content: Content) -> [Content] { [content] }

    public static func buildExpression<Part: NetworkImageContentConvertible>(
        _ part: Part
    ) -> [Content] where Part.Content == Content {
        [part.content]
    }

    /// The image as the front end shows it without a closure.
    public static func buildExpression(_ image: LoadedImage) -> [Content] { [Content.image(image)] }

    public static func buildExpression(_ nothing: Void) -> [Content] { [] }
    public static func buildBlock(_ parts: [Content]...) -> [Content] { parts.flatMap { $0 } }
    public static func buildOptional(_ parts: [Content]?) -> [Content] { parts ?? [] }
    public static func buildEither(first parts: [Content]) -> [Content] { parts }
    public static func buildEither(second parts: [Content]) -> [Content] { parts }
    public static func buildArray(_ parts: [[Content]]) -> [Content] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ parts: [Content]) -> [Content] { parts }

    public static func buildFinalResult(_ parts: [Content]) -> Content {
        switch parts.count {
        case 0: Content.empty()
        case 1: parts[0]
        default: Content.group(parts)
        }
    }
}
