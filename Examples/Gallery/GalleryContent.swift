import RemoteImageGtk

/// The content of the window: the photographs, and with the gallery's own server the other
/// sections.
struct GalleryContent: WidgetDeclaration {
    let model: GalleryModel

    var body: DeclaredWidget {
        Column {
            if let failure = model.failure {
                Message(icon: "dialog-error-symbolic", text: failure)
            } else if model.isReady {
                Stack(selection: model.isLarge ? "large" : "browse") {
                    Stack.Page("browse") {
                        if let features = model.features { sections(features) } else { photographs }
                    }
                    Stack.Page("large") { LargePhotograph(model) }
                }
            } else {
                Spinner().expand()
            }
        }
    }

    private var photographs: PhotographGrid { PhotographGrid(model: model) }

    @WidgetBuilder
    private func sections(_ features: FeatureState) -> DeclaredWidget {
        Column {
            Row {
                for section in GalleryModel.Section.allCases {
                    Button(section.rawValue) { model.section = section }
                        .cssClass("chosen", isOn: model.section == section)
                        .accessibleLabel(model.section == section ? "\(section.rawValue), shown" : section.rawValue)
                        .id(section)
                }
            }
            .cssClass("linked").align(horizontal: .center).padding(horizontal: 12, vertical: 8)
            Stack(selection: model.section.rawValue) {
                Stack.Page(GalleryModel.Section.photographs.rawValue) { photographs }
                Stack.Page(GalleryModel.Section.feed.rawValue) { FeedPage(server: features.server) }
                Stack.Page(GalleryModel.Section.features.rawValue) { FeatureList(model: model, features: features) }
            }
        }
    }
}
