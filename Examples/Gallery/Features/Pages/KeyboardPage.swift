import RemoteImageGtk

struct KeyboardPage: WidgetDeclaration {
    let features: FeatureState

    var body: DeclaredWidget {
        let server = features.server
        FeatureCells(
            "Tab goes to the next widget, the arrow keys move in a list or an image, Return opens or tries again, and "
                + "Escape goes back. A ring is around the widget that has the focus."
        ) {
            FeatureCell(features.opened.map { "Image \($0) was opened" } ?? "Arrows and Return") {
                ImageGrid(
                    Array(90..<102), id: \.self, columns: 2...4, selection: Binding(features, \.selected)
                ) { number in
                    NetworkImage(server.address(.small(number)))
                        .contentFit(.cover).accessibleLabel("Image \(number)").frame(width: 56, height: 56)
                } onActivate: {
                    features.opened = $0
                }
            }
            FeatureCell("Menu, or Shift+F10") {
                NetworkImage(server.address(.image(90))).contentFit(.cover).contextMenu().expand()
            }
            FeatureCell("Return tries again") { NetworkImage(server.address(.missing)).expand() }
            FeatureCell("+, −, 0, 1 and arrows") {
                RemoteImageViewer(server.address(.map)).accessibleLabel("Map").expand()
            }
            FeatureCell("Return and the space bar") {
                Column(spacing: 6) {
                    Button("Forget it") { features.opened = nil }
                    Toggle("Gray", isOn: Binding(features, \.isGray)).align(horizontal: .center)
                }
                .align(vertical: .center).expand()
            }
        }
    }
}
