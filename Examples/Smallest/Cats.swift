// The smallest program: a window with one image.
//
//   swift run --package-path Examples Smallest URI

import RemoteImageGtk

@main
struct Cats {
    static func main() {
        Application("org.example.Cats", isUnique: false).run {
            Window("Cats", width: 640, height: 480) {
                NetworkImage(CommandLine.arguments.dropFirst().first)
            }
        }
    }
}
