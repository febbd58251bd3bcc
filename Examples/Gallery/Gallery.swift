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
        abstract: "Shows what remote images can do, page by page.",
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

    @Option(help: ArgumentHelp("Write a picture of each page into this folder, and end.", valueName: "dir"))
    var pictures: String?

    @Option(help: ArgumentHelp("Show this page first.", valueName: "name"))
    var page: String?

    @Option(help: ArgumentHelp("Open this picture in large, from 1.", valueName: "n"))
    var open: Int?

    @Flag(help: "Scroll from end to end, say how smooth that was, and end; for pictures of the gallery's own server.")
    var scroll = false

    @Flag(help: "Prefer the theme's dark looks.")
    var dark = false

    @Flag(help: "Lay everything out from right to left.")
    var rightToLeft = false

    func validate() throws {
        if pictures != nil, urls != nil || folder != nil || !addresses.isEmpty {
            throw ValidationError("--pictures is for the gallery's own pages.")
        }
        let given = [!addresses.isEmpty, urls != nil, folder != nil].count { $0 }
        if given > 1 { throw ValidationError("Give addresses, or --urls, or --folder.") }
        if count < 1 { throw ValidationError("--count must be at least 1.") }
    }

    private var errand: GalleryApplication.Errand? {
        if scroll { return .scroll }
        if let pictures { return .pictures(folder: pictures) }
        return screenshot.map { .screenshot(path: $0) }
    }

    func run() throws {
        // libcurl needs the locale for international names.
        setlocale(LC_ALL, "")
        let exhibits: GalleryApplication.Pictures
        if let folder {
            exhibits = .folder(try PictureFolder(path: folder))
        } else if let urls {
            exhibits = .addresses(try AddressFile.read(urls))
        } else {
            exhibits = addresses.isEmpty ? .generated(count: count) : .addresses(addresses)
        }
        let status = try MainActor.assumeIsolated {
            var looks = GalleryApplication.Looks()
            (looks.isDark, looks.isRightToLeft, looks.opened) = (dark, rightToLeft, open.map { $0 - 1 })
            if let page {
                looks.page = Page.all.first { $0.name == page }
                let names = ["grid"] + Page.all.map(\.name)
                guard names.contains(page) else {
                    throw ValidationError("--page is one of \(names.joined(separator: ", ")).")
                }
            }
            return GalleryApplication(pictures: exhibits, looks: looks, errand: errand).run()
        }
        guard status == 0 else { throw ExitCode(status) }
    }
}
