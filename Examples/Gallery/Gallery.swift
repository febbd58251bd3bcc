// A gallery of remote images: pictures of its own server, of a folder, or of a list of addresses.

import ArgumentParser
import CGtk
import GalleryServer
import Glibc
import RemoteImageGtk

// `main` is synchronous: GTK's main loop has the main thread, and the main actor runs on it.
@main
struct Gallery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Shows remote images in a grid.",
        discussion: """
            Without arguments it serves pictures of its own on the loopback interface, slow and broken ones among \
            them. Escape goes back from a large picture, the arrow keys go to its neighbours.
            """)

    @Argument(help: ArgumentHelp("Addresses of pictures, http or https.", valueName: "url"))
    var addresses: [String] = []

    @Option(help: ArgumentHelp("Show the addresses in this file, one a line.", valueName: "file"))
    var urls: String?

    @Option(help: ArgumentHelp("Show the pictures of this folder, through a server.", valueName: "dir"))
    var folder: String?

    @Option(help: ArgumentHelp("How many pictures the gallery's own server has.", valueName: "n"))
    var count: Int = 600

    @Option(help: ArgumentHelp("Write a picture of the window once all in sight is there, and end.", valueName: "png"))
    var screenshot: String?

    @Option(help: ArgumentHelp("Open this picture in large, from 1.", valueName: "n"))
    var open: Int?

    @Flag(help: "Scroll from end to end, say how smooth that was, and end; for pictures of the gallery's own server.")
    var scroll = false

    @Flag(help: "Prefer the theme's dark looks.")
    var dark = false

    func validate() throws {
        let given = [!addresses.isEmpty, urls != nil, folder != nil].count { $0 }
        if given > 1 { throw ValidationError("Give addresses, or --urls, or --folder.") }
        if count < 1 { throw ValidationError("--count must be at least 1.") }
    }

    private var errand: GalleryApplication.Errand? {
        if scroll { return .scroll }
        return screenshot.map { .screenshot(path: $0) }
    }

    func run() throws {
        // libcurl needs the locale for international names.
        setlocale(LC_ALL, "")
        let pictures: GalleryApplication.Pictures
        if let folder {
            pictures = .folder(try PictureFolder(path: folder))
        } else if let urls {
            pictures = .addresses(try AddressFile.read(urls))
        } else {
            pictures = addresses.isEmpty ? .generated(count: count) : .addresses(addresses)
        }
        let status = MainActor.assumeIsolated {
            GalleryApplication(
                pictures: pictures, isDark: dark, opened: open.map { $0 - 1 }, errand: errand
            ).run()
        }
        guard status == 0 else { throw ExitCode(status) }
    }
}
