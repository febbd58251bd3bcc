// What the builders of both modules take from each other.

extension ContentBuilder where Content == Widget {
    /// A declared widget as the content of an image.
    public static func buildExpression(_ declaration: some WidgetDeclaration) -> [Widget] { [declaration.content] }
}

extension DeclarationBuilder where Kind == Widget {
    /// An image, in a ``Picture``.
    public static func buildExpression(_ image: LoadedImage) -> [DeclaredWidget] { [Picture(image).declared] }
}
