// A gallery of remote images, from its own server, a folder or a list of addresses.

import ArgumentParser
import GalleryServer
import RemoteImageGtk

@main
struct Gallery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Demonstrates the features of the library, page by page.",
        discussion: """
            Without arguments, the gallery starts an image server on the loopback interface. The images of the page \
            “Slow and broken images” are slow or fail. Escape closes a large image; the arrow keys show the previous \
            and the next one.
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

    @Option(help: ArgumentHelp("Show this page of the features first.", valueName: "name"))
    var page: FeaturePage?

    @Option(help: ArgumentHelp("The width of the window.", valueName: "points"))
    var width: Int = 1080

    @Option(help: ArgumentHelp("Open the image with this number in the large view; the first is 1.", valueName: "n"))
    var open: Int?

    @Flag(help: "Scroll the grid from end to end, print frame times, and exit. Only with the gallery's own server.")
    var scroll = false

    @Flag(help: "Use the theme's dark variant.")
    var dark = false

    @Flag(help: "Lay out all pages from right to left.")
    var rightToLeft = false

    func validate() throws {
        let isOwn = urls == nil && folder == nil && addresses.isEmpty
        if !isOwn, screenshots != nil || page != nil || scroll {
            throw ValidationError("--page, --screenshots and --scroll work only with the gallery's own server.")
        }
        if scroll, open != nil || page != nil {
            throw ValidationError("--scroll works only without --open and --page.")
        }
        let given = [!addresses.isEmpty, urls != nil, folder != nil].count { $0 }
        if given > 1 { throw ValidationError("Give only one of addresses, --urls and --folder.") }
        if count < 1 { throw ValidationError("--count must be at least 1.") }
    }

    func run() throws {
        let options = try options
        Application("org.remoteimage.Gallery", isUnique: false)
            .styleSheet(Style.sheet)
            .rightToLeft(rightToLeft ? true : nil)
            .run(GalleryModel(options)) { model in
                Window("Gallery", width: options.width, height: 760) {
                    GalleryContent(model: model)
                }
                .dark(model.isDark).reference(model.window)
            }
    }

    private var options: GalleryOptions {
        get throws {
            GalleryOptions(
                images: try images, errand: errand, page: page, opened: open, isDark: dark, width: width)
        }
    }

    private var images: GalleryOptions.Images {
        get throws {
            if let folder { return .folder(try ImageFolder(path: folder)) }
            if let urls { return .addresses(try AddressFile.read(urls)) }
            return addresses.isEmpty ? .generated(count: count) : .addresses(addresses)
        }
    }

    private var errand: GalleryOptions.Errand? {
        if scroll { return .scroll }
        if let screenshots { return .screenshots(folder: screenshots) }
        return screenshot.map { .screenshot(path: $0) }
    }
}

extension FeaturePage: ExpressibleByArgument {}
