// A photo browser: the images of the command line in a grid.
//
//   swift run --package-path Examples Embedding URI…

import RemoteImageGtk

@main
struct Browser {
    static func main() {
        let addresses = CommandLine.arguments.dropFirst()
        guard !addresses.isEmpty else { fatalError("usage: Embedding URI…") }
        Application("org.example.Photos", isUnique: false).run {
            Window("Photos", width: 560, height: 420) {
                ScrollView {
                    FlowBox(columns: 3...3, spacing: 6) {
                        for address in addresses { photo(address) }
                    }
                    .padding(3)
                }
            }
        }
    }

    @MainActor
    private static func photo(_ address: String) -> NetworkImage {
        NetworkImage(address) { image in
            Picture(image, contentFit: .cover).cornerRadius(12)
        } placeholder: {
            Icon("image-loading-symbolic")
        }
        .frame(minWidth: 160, minHeight: 120)
    }
}
