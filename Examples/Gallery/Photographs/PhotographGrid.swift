import RemoteImageGtk

/// The photographs with their captions, and a search field.
struct PhotographGrid: WidgetDeclaration {
    let model: GalleryModel

    var body: DeclaredWidget {
        Column {
            Row(spacing: 12) {
                SearchField("Search titles and names", text: Binding(model, \.search))
                    .accessibleLabel("Search photographs")
                    .expand(vertical: false)
                Label("\(model.found.count) of \(model.photographs.count)")
                    .lineLimit(1)
                    .cssClass("dim-label")
                    .frame(width: 84)
            }
            .padding(horizontal: 18, vertical: 6)
            if model.found.isEmpty {
                Message(icon: "edit-find-symbolic", text: model.photographs.isEmpty ? "No images." : "Nothing found.")
            } else {
                grid
            }
            if model.scroll.isRunning { Row {}.onFrame { model.scroll.frame(at: $0) } }
        }
    }

    private var grid: DeclaredWidget {
        ImageGrid(model.found, columns: 2...8, selection: Binding(model, \.selected)) { photograph in
            PhotographCell(photograph: photograph)
        } onActivate: { photograph in
            model.open(photograph)
        }
        .cssClass("photographs")
        .scrollPosition(Binding(model.scroll, \.position))
    }
}

/// A photograph in the grid.
struct PhotographCell: WidgetDeclaration {
    let photograph: Photograph

    var body: DeclaredWidget {
        Column(spacing: 4) {
            NetworkImage(photograph.address)
                .contentFit(.cover)
                .accessibleLabel(photograph.title)
                .frame(width: 150, height: 132)
                .cssClass("tile").clipped()
            Label(photograph.title).lineLimit(1).textAlignment(0)
            if !photograph.photographer.isEmpty {
                Label(photograph.photographer).lineLimit(1).textAlignment(0).cssClass("dim-label").cssClass("small")
            }
        }
    }
}

/// An icon and a sentence in the middle of an area without content.
struct Message: WidgetDeclaration {
    let icon: String
    let text: String

    var body: DeclaredWidget {
        Column(spacing: 12) {
            Icon(icon, size: 48).cssClass("dim-label")
            Label(text)
        }
        .align(vertical: .center).expand()
    }
}
