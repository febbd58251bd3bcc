// The snippets of the documentation of URLImage (SwiftUI), translated. Above each translation stand
// the heading of the snippet and its number of lines of code, which the translation does not
// exceed.

import CRemoteImageGtk
import Foundation
import Observation
import RemoteImageGtk
import RemoteImageTesting
import Testing
import XCTest

private let url = "https://example.org/cat.jpg"

final class URLImageWidgetTests: XCTestCase {
    func testAnImageThatFitsItsView() throws {
        try Fixture.run { test in
            // Original: URLImage, 5 lines.
            let image = NetworkImage(url) { image in
                Picture(image, contentFit: .contain)
            }
            // Outcome.
            let widget = test.shownByAParent(image)
            try test.respond(with: gray(9))
            test.see(9, in: widget)
        }
    }

    func testAnAddressAndAView() throws {
        try Fixture.run { test in
            // Original: Usage, 7 lines, one of them the import.
            let url = "https://example.org/dog.jpg"

            let image = NetworkImage(url) { image in
                Picture(image, contentFit: .contain)
            }
            // Outcome.
            let widget = test.shownByAParent(image)
            try test.respond(with: gray(7))
            test.see(7, in: widget)
            XCTAssertEqual(test.server.requests.map(\.string), [url])
        }
    }

    func testAViewForEachPhase() throws {
        struct Item { let imageURL = url }
        try Fixture.run { test in
            let item = Item()
            // Original: View Customization, 14 lines.
            let image = NetworkImage(item.imageURL) {
            } inProgress: { _ in
                Label("Loading...")
            } failure: { error, retry in
                Label(error.localizedDescription)
                Button("Retry", action: retry)
            } content: { image in
                Picture(image, contentFit: .contain)
            }
            // Outcome.
            let widget = test.shownByAParent(image)
            XCTAssertEqual(texts(in: widget), ["Loading..."])
            try test.respond(with: .failure(ImageError(.timeout)))
            test.turn { texts(in: widget) == [ImageError(.timeout).localizedDescription, "Retry"] }
            gtk_widget_activate(widgets(gtk_button_get_type(), in: widget)[0].pointer)
            try test.respond(to: 2, with: gray(9))
            test.see(9, in: widget)
        }
    }

    func testOptionsOfAView() throws {
        try Fixture.run { test in
            // Original: Options, first snippet, 8 lines.
            let image = NetworkImage(url) { image in
                Picture(image, contentFit: .contain)
            }
            .imageOptions(
                ImageOptions(
                    maxPixelSize: PixelSize(width: 60, height: 60)
                ))
            // Outcome.
            let widget = test.shownByAParent(Column { image })
            try test.respond(with: gray(9, width: 1200, height: 600))
            let view = try XCTUnwrap(views(in: widget).first)
            test.see(9, in: view.content)
            XCTAssertEqual(view.model.image?.pixels.size.width, 60)
        }
    }

    func testOptionsOfAWindow() throws {
        // The program ends its process, so it runs in another one.
        guard ProcessInfo.processInfo.environment["RUNS_MY_APP"] == nil else {
            Task { try await closeMyApp() }
            MyApp.main()
        }
        let (program, output) = (Process(), Pipe())
        program.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        program.arguments = ["SeedsTests.URLImageWidgetTests/testOptionsOfAWindow"]
        program.environment = ProcessInfo.processInfo.environment.merging(["RUNS_MY_APP": "1"]) { $1 }
        program.standardOutput = output
        try program.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        XCTAssertEqual(program.terminationStatus, 0)
        XCTAssertTrue(text.contains("60 pixels in My app"), text)
    }

    func testAContentFitThatDependsOnTheSizeOfTheImage() throws {
        struct Item { let imageURL: String }
        try Fixture.run { test in
            for (number, (width, opacityOfTheEdge)) in [(1000, UInt8(0)), (1100, 255)].enumerated() {
                let item = Item(imageURL: "https://example.org/\(width).jpg")
                // Original: Image Information, 11 lines.
                let image = NetworkImage(item.imageURL) { image, info in
                    if info.size.width < 1024 {
                        Picture(image, contentFit: .contain)
                    } else {
                        Picture(image, contentFit: .cover)
                    }
                }
                // Outcome.
                let widget = test.shownByAParent(image)
                try test.respond(to: number + 1, with: gray(9, width: width, height: 5000))
                test.see(9, in: widget)
                XCTAssertEqual(try XCTUnwrap(test.rendered(widget))[2, 75].last, opacityOfTheEdge)
            }
        }
    }

    func testAnImageThatZooms() throws {
        try Fixture.run { test in
            // Original: Zoom In, 7 lines, two of them imports.
            let viewer = RemoteImageViewer(url)
            viewer.maxZoom = 4
            // Outcome.
            test.shown(viewer)
            try test.respond(with: gray(9, width: 1000, height: 750))
            test.turn { viewer.view?.model.phase.kind == .success }
            viewer.zoom = 100
            XCTAssertEqual(viewer.zoom, 4)
        }
    }

    func testRowsThatLoadWhenTheyAppear() throws {
        try Fixture.run { test in
            let addresses = (0..<1000).map { "https://example.org/\($0).jpg" }
            // Original: Start Loading, 3 lines.
            let list = ImageList(addresses, id: \.self) { NetworkImage($0).frame(height: 50) }
                .imageOptions(ImageOptions(loadOptions: [.loadOnAppear, .cancelOnDisappear]))
            // Outcome.
            let widget = test.shownByAParent(list)
            for number in 1...3 { try test.respond(to: number, with: gray(9)) }
            test.see(9, in: widget)
            XCTAssertLessThan(test.server.requests.count, 20)
        }
    }

    func testAWidgetOfTheProgramOverAModel() throws {
        // Original: Make Your Own URLImage, 19 lines.
        struct MyURLImage: WidgetDeclaration {
            @State private var remoteImage: NetworkImageModel

            init(pipeline: ImagePipeline, url: String) {
                _remoteImage = State(wrappedValue: NetworkImageModel(url, pipeline: pipeline))
            }

            var body: some WidgetDeclaration {
                Column {
                    if let image = remoteImage.image {
                        Picture(image)
                    }
                }
                .onAppear {
                    remoteImage.load()
                }
            }
        }
        // Outcome.
        try Fixture.run { test in
            let page = Page()
            let widget = test.shown(
                Column {
                    Label("run \(page.number)")
                    if page.number > 1 { Label("more") }
                    MyURLImage(pipeline: test.pipeline, url: url)
                })
            @MainActor func pictures() -> [Widget] { widgets(gtk_picture_get_type(), in: widget) }
            try test.respond(with: gray(9))
            test.turn { !pictures().isEmpty }
            test.see(9, in: pictures()[0])
            // The model stays when the closure around it runs again.
            page.number = 2
            test.turn { texts(in: widget) == ["run 2", "more"] }
            test.see(9, in: pictures()[0])
            XCTAssertEqual(test.server.requests.count, 1)
        }
    }
}

@Observable
private final class Page {
    var number = 1
}

// Original: Options, second snippet, 11 lines, one of them `@main`.
private struct MyApp {
    static func main() -> Never {
        Application("org.example.MyApp").run {
            Window("My app", width: 200, height: 150) {
                contentView
                    .imageOptions(ImageOptions(maxPixelSize: 60))
            }
        }
    }
}
// Outcome: testOptionsOfAWindow.

@MainActor
private var contentView: some WidgetDeclaration {
    let server = FakeImageServer([url: gray(9, width: 1200, height: 600)])
    return Column { NetworkImage(url).expand() }.imagePipeline(ImagePipeline(fake: server))
}

/// Prints what the window of the program shows, and closes it, as a user does.
@MainActor
private func closeMyApp() async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(5))
        guard let pointer = g_list_model_get_item(gtk_window_get_toplevels(), 0) else { continue }
        defer { g_object_unref(pointer) }
        guard let window = Widget(of: pointer), let image = views(in: window).first?.model.image,
            await window.rendered()?.middle == [9, 9, 9, 255]
        else { continue }
        let gtkWindow = pointer.assumingMemoryBound(to: GtkWindow.self)
        print("\(image.pixels.size.width) pixels in \(String(cString: gtk_window_get_title(gtkWindow)))")
        return gtk_window_close(gtkWindow)
    }
    exit(EXIT_FAILURE)
}

@Suite(.timeLimit(.minutes(2)))
struct URLImageTests {
    @Test func `a program shows stored images offline`() async throws {
        // In a process of its own, whose shared pipeline no other test has used.
        await #expect(processExitsWith: .success) {
            // Original: Cache, 13 lines, two of them imports.
            ImagePipeline.configureShared { $0.options.cachePolicy = .cacheElseLoad }
            // Outcome: responses are stored on disk by default, and used without asking the server.
            #expect(ImagePipeline.shared.configuration.diskCache != nil)
            #expect(ImagePipeline.shared.configuration.options.cachePolicy == .cacheElseLoad)
        }
        // What these two values mean, without the user's cache and network.
        let folder = FileManager.default.temporaryDirectory.appending(path: "seeds-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func run(_ server: FakeImageServer) async throws -> UInt8? {
            let pipeline = ImagePipeline(fake: server, decoders: .standard()) {
                $0.diskCache = DiskCache(path: folder)
                $0.options.cachePolicy = .cacheElseLoad
            }
            let level = try await pipeline.image(for: url).gray
            await pipeline.finishWriting()
            return level
        }
        #expect(try await run(FakeImageServer([url: .file(whiteGIF)])) == 255)
        let offline = FakeImageServer([url: .failure(ImageError(.connection))])
        #expect(try await run(offline) == 255)
        #expect(offline.requests.isEmpty)
    }

    @Test func `an image without a view, or nil`() async throws {
        let pipeline = ImagePipeline(fake: FakeImageServer([url: gray(7)]))
        // Original: Fetching an Image, first snippet, 7 lines.
        let image = try? await pipeline.image(for: url)
        // Outcome.
        #expect(image?.gray == 7)
        let failing = ImagePipeline(fake: FakeImageServer())
        #expect((try? await failing.image(for: url)) == nil)
    }

    @Test func `many images at once`() async {
        let urls = (1...3).map { "https://example.org/\($0).jpg" }
        let pipeline = ImagePipeline(fake: FakeImageServer([urls[0]: gray(7), urls[2]: gray(7)]))
        // Original: Fetching an Image, second snippet, 9 lines.
        var images: [LoadedImage?] = []
        for await (_, result) in pipeline.images(for: urls.map { ImageRequest($0) }) {
            images.append(try? result.get())
        }
        // Outcome.
        #expect(images.count == 3)
        #expect(images.compactMap(\.?.gray) == [7, 7])
    }
}
