import RemoteImageGtk

struct OptionsPage: WidgetDeclaration {
    let features: FeatureState

    var body: DeclaredWidget {
        Column {
            FeatureCells(
                "Views inherit the options of the widgets around them. The switches set options on the page, not on its "
                    + "views."
            ) {
                for number in 50..<56 {
                    FeatureCell("Image \(number)") { NetworkImage(features.server.address(.image(number))).expand() }
                }
            } footer: {
                Toggle("Gray", isOn: Binding(features, \.isGray))
                Toggle("Circles", isOn: Binding(features, \.isRound))
                Toggle("At most 40 pixels", isOn: Binding(features, \.isSmall))
            }
            .imageOptions(features.options)
        }
    }
}
