import RemoteImageGtk

/// The buttons that open the pages of the features, or the open page with the panel below it.
struct FeatureList: WidgetDeclaration {
    let model: GalleryModel
    let features: FeatureState

    var body: DeclaredWidget {
        Stack(selection: model.page == nil ? "list" : "page") {
            Stack.Page("list") { list }
            Stack.Page("page") {
                if let page = model.openedPage { opened(page) }
            }
        }
        .imageOptions(ImageOptions(cachePolicy: features.cachePolicy))
    }

    private var list: ScrollView {
        ScrollView {
            FlowBox(columns: 1...4, spacing: 12) {
                for page in FeaturePage.allCases {
                    Button {
                        model.page = page
                    } content: {
                        Row(spacing: 12) {
                            Icon(page.icon, size: 24)
                            Label(page.title).textAlignment(0).expand(vertical: false)
                        }
                        .padding(12)
                    }
                    .align(horizontal: .fill).frame(width: 220).id(page)
                }
            }
            .padding(18)
        }
    }

    private func opened(_ page: FeaturePage) -> DeclaredWidget {
        Column {
            Row(spacing: 6) {
                Button(icon: "go-previous-symbolic", label: "Back to all features") { model.page = nil }
                Label(page.title).lineLimit(1).textAlignment(0).cssClass("heading").expand(vertical: false)
                Toggle("Panel", isOn: Binding(model, \.showsPanel))
            }
            .padding(horizontal: 12, vertical: 6)
            .onShortcut("Escape|BackSpace") { model.page = nil }
            page.content(features).expand().id(page)
            if model.showsPanel { Panel(model: model, features: features) }
        }
        .body
    }
}
