// A grid of 5,000 photos with search, captions and selection. The Return key or a double click
// opens a photo in a large view with zoom.
//
//   swift run --package-path Examples Photos ADDRESS
//
// shows the images ADDRESS1 to ADDRESS5000.

import RemoteImageGtk

struct Photo: Identifiable, Equatable {
    let id: Int
    var source: String { "\(CommandLine.arguments[1])\(id)" }
    var title: String { "\(["Bay", "Canyon", "Coast", "Glacier", "Lake", "Meadow", "Valley"][id % 7]) \(id)" }
}

@Observable
final class Library {
    let photos = (1...5000).map(Photo.init)
    var query = ""
    var selected: Int?
    var opened: Photo?
    var found: [Photo] { photos.filter { query.isEmpty || $0.title.lowercased().contains(query.lowercased()) } }
}

@main
struct Photos {
    static func main() {
        let library = Library()
        Application("org.example.Photos", isUnique: false).run {
            Window(library.opened?.title ?? "Photos", width: 960, height: 640) {
                Stack(selection: library.opened == nil ? "grid" : "photo") {
                    Stack.Page("grid") {
                        SearchField("Search", text: Binding(library, \.query)).padding()
                        if library.found.isEmpty { Label("No photos match “\(library.query)”.").padding(24) }
                        ImageGrid(library.found, columns: 2...20, selection: Binding(library, \.selected)) {
                            NetworkImage($0.source).contentFit(.cover).cornerRadius(8).frame(width: 160, height: 120)
                                .padding(6)
                            Label($0.title).lineLimit(1).padding(vertical: 6)
                        } onActivate: {
                            library.opened = $0
                        }
                    }
                    Stack.Page("photo") {
                        RemoteImageViewer(library.opened?.source)
                        Button("Back") { library.opened = nil }.padding().onShortcut("Escape") { library.opened = nil }
                    }
                }
            }
        }
    }
}
