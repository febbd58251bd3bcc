import RemoteImageGtk

/// A description, and cells in as many columns as fit.
struct FeatureCells: WidgetDeclaration {
    let text: String
    let cells: @MainActor () -> [DeclaredWidget]
    let footer: @MainActor () -> [DeclaredWidget]

    init(
        _ text: String, @WidgetBuilder cells: @escaping @MainActor () -> [DeclaredWidget],
        @WidgetBuilder footer: @escaping @MainActor () -> [DeclaredWidget] = { [] }
    ) {
        (self.text, self.cells, self.footer) = (text, cells, footer)
    }

    var body: DeclaredWidget {
        ScrollView {
            Column(spacing: 12) {
                Label(text).textAlignment(0)
                FlowBox(columns: 2...6, spacing: 12, content: cells)
                FlowBox(columns: 1...4, spacing: 12, content: footer)
            }
            .padding(18)
        }
    }
}

/// A widget in an area of 150 points, which is as wide as its column, with its name below.
struct FeatureCell: WidgetDeclaration {
    let name: String
    let content: @MainActor () -> [DeclaredWidget]

    init(_ name: String, @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]) {
        (self.name, self.content) = (name, content)
    }

    var body: DeclaredWidget {
        Column(spacing: 6) {
            // The overlay is not measured, so that all cells have the same size.
            Overlay {
                Row {}.frame(width: 150, height: 150).expand(vertical: false)
            } overlays: {
                Column(content: content)
            }
            .cssClass("tile").clipped()
            Label(name).textAlignment(0)
        }
    }
}
