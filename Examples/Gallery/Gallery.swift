// A gallery of remote images, from its own server, a folder or a list of addresses.

import ArgumentParser
import CGtk
import GalleryServer
import Glibc
import RemoteImageGtk

// `main` is synchronous, since GTK's main loop owns the main thread, on which the main actor runs.
@main
struct Gallery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Shows what remote images can do, page by page.",
        discussion: """
            Without arguments it serves images of its own on the loopback interface, slow and broken ones among \
            them. Escape goes back from a large image, the arrow keys go to its neighbours.
            """)

    @Argument(help: ArgumentHelp("Addresses of images, http or https.", valueName: "url"))
    var addresses: [String] = []

    @Option(help: ArgumentHelp("Show the addresses in this file, one a line.", valueName: "file"))
    var urls: String?

    @Option(help: ArgumentHelp("Show the images of this folder, through a server.", valueName: "dir"))
    var folder: String?

    @Option(help: ArgumentHelp("How many images the gallery's own server has.", valueName: "n"))
    var count: Int = 600

    @Option(help: ArgumentHelp("Write a screenshot once all visible images are there, and end.", valueName: "png"))
    var screenshot: String?

    @Option(help: ArgumentHelp("Write a screenshot of each page into this folder, and end.", valueName: "dir"))
    var screenshots: String?

    @Option(help: ArgumentHelp("Show this page first.", valueName: "name"))
    var page: String?

    @Option(help: ArgumentHelp("Open this image in large, from 1.", valueName: "n"))
    var open: Int?

    @Flag(help: "Scroll from end to end, say how smooth that was, and end; for images of the gallery's own server.")
    var scroll = false

    @Flag(help: "Prefer the theme's dark looks.")
    var dark = false

    @Flag(help: "Lay everything out from right to left.")
    var rightToLeft = false

    func validate() throws {
        if screenshots != nil, urls != nil || folder != nil || !addresses.isEmpty {
            throw ValidationError("--screenshots is for the gallery's own pages.")
        }
        let given = [!addresses.isEmpty, urls != nil, folder != nil].count { $0 }
        if given > 1 { throw ValidationError("Give addresses, or --urls, or --folder.") }
        if count < 1 { throw ValidationError("--count must be at least 1.") }
    }

    private var errand: GalleryApplication.Errand? {
        if scroll { return .scroll }
        if let screenshots { return .screenshots(folder: screenshots) }
        return screenshot.map { .screenshot(path: $0) }
    }

    func run() throws {
        // libcurl needs the locale for international host names.
        setlocale(LC_ALL, "")
        let exhibits: GalleryApplication.Images
        if let folder {
            exhibits = .folder(try ImageFolder(path: folder))
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
            return GalleryApplication(images: exhibits, looks: looks, errand: errand).run()
        }
        guard status == 0 else { throw ExitCode(status) }
    }
}
