import RemoteImageGtk

struct DrawingPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        FeatureCells("How an image is scaled and placed in its view. It is decoded at the size at which it is drawn.") {
            drawn("contain", 5) { Picture($0) }
            drawn("cover", 5) { Picture($0, contentFit: .cover) }
            drawn("fill", 5) { Picture($0, contentFit: .fill) }
            FeatureCell("scaleDown, small image") {
                NetworkImage(server.address(.small(6))).contentFit(.scaleDown).expand()
            }
            drawn("position(x: 0, y: 0.5)", 1) { Picture($0).position(x: 0, y: 0.5) }
            drawn("position(x: 1, y: 0.5)", 1) { Picture($0).position(x: 1, y: 0.5) }
            drawn("cover, position(x: 0.5, y: 0)", 1) { Picture($0, contentFit: .cover).position(x: 0.5, y: 0) }
            drawn("cornerRadius(24)", 7) { Picture($0, contentFit: .cover).cornerRadius(24) }
            FeatureCell("Transparent image") { NetworkImage(server.address(.pattern(2))).expand() }
            processed("Cropped to a circle", [.circle()])
            processed("Blurred", [.gaussianBlur(sigma: 8)])
            processed("Gray", [.grayscale])
        }
    }

    private func drawn(
        _ name: String, _ number: Int, _ picture: @escaping @MainActor (LoadedImage) -> Picture
    ) -> FeatureCell {
        FeatureCell(name) { NetworkImage(server.address(.image(number))) { picture($0) }.expand() }
    }

    private func processed(_ name: String, _ processors: [ImageProcessor]) -> FeatureCell {
        FeatureCell(name) { NetworkImage(server.address(.image(8))).processors(processors).expand() }
    }
}
