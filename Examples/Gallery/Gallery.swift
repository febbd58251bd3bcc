// A gallery of remote images, from its own server, a folder or a list of addresses.

import ArgumentParser
import CRemoteImageGtk
import GalleryServer
import Glibc
import RemoteImageGtk

// `main` is synchronous, since GTK's main loop owns the main thread, on which the main actor runs.
@main
struct Gallery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Demonstrates the features of the library, page by page.",
        discussion: """
            Without arguments, the gallery starts an image server on the loopback interface. Some of its images are \
            slow or broken. Escape closes a large image; the arrow keys show the previous and the next one.
            """)

    @Argument(help: ArgumentHelp("Addresses of images, with http or https.", valueName: "url"))
    var addresses: [String] = []

    @Option(help: ArgumentHelp("Show the images of the addresses in this file, one per line.", valueName: "file"))
    var urls: String?

    @Option(help: ArgumentHelp("Show the images of this folder, served by the gallery's server.", valueName: "dir"))
    var folder: String?

    @Option(help: ArgumentHelp("The number of images on the gallery's own server.", valueName: "n"))
    var count: Int = 600

    @Option(help: ArgumentHelp("Write a screenshot once all visible images are loaded, and exit.", valueName: "png"))
    var screenshot: String?

    @Option(help: ArgumentHelp("Write a screenshot of each page into this folder, and exit.", valueName: "dir"))
    var screenshots: String?

    @Option(help: ArgumentHelp("Show this page first.", valueName: "name"))
    var page: String?

    @Option(help: ArgumentHelp("Open the image with this number in the large view; the first is 1.", valueName: "n"))
    var open: Int?

    @Flag(help: "Scroll the grid from end to end, print frame times, and exit. Only with the gallery's own server.")
    var scroll = false

    @Flag(help: "Use the theme's dark variant.")
    var dark = false

    @Flag(help: "Lay out all pages from right to left.")
    var rightToLeft = false

    func validate() throws {
        if screenshots != nil, urls != nil || folder != nil || !addresses.isEmpty {
            throw ValidationError("--screenshots works only with the gallery's own server.")
        }
        let given = [!addresses.isEmpty, urls != nil, folder != nil].count { $0 }
        if given > 1 { throw ValidationError("Give only one of addresses, --urls and --folder.") }
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
                    throw ValidationError("--page must be one of \(names.joined(separator: ", ")).")
                }
            }
            return GalleryApplication(images: exhibits, looks: looks, errand: errand).run()
        }
        guard status == 0 else { throw ExitCode(status) }
    }
}
