// The snippets of the documentation of URLImage (SwiftUI), translated. Above each translation stand
// the heading of the snippet and its number of lines of code, which the translation does not
// exceed.

import CRemoteImageGtk
import Observation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

private let url = "https://example.org/cat.jpg"

final class URLImageSnippetTests: XCTestCase {
    func testAnImageThatFitsItsView() throws {
        try GtkFixture.run { test in
            // Original: URLImage, 5 lines.
            let image = NetworkImage(url) { image in
                Picture(image, contentFit: .contain)
            }
            // Outcome.
            let view = test.shownByAParent(image)
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { drawnContents(of: view.pointer) == [9] }
        }
    }

    func testAnAddressAndAView() throws {
        try GtkFixture.run { test in
            // Original: Usage, 7 lines, one of them the import.
            let url = "https://example.org/dog.jpg"

            let image = NetworkImage(url) { image in
                Picture(image, contentFit: .contain)
            }
            // Outcome.
            let view = test.shownByAParent(image)
            try test.transfer().succeed(TestImage(7).bytes)
            test.turn { drawnContents(of: view.pointer) == [7] }
            XCTAssertEqual(test.transport.addresses, [url])
        }
    }

    func testAViewForEachPhase() throws {
        struct Item { let imageURL = url }
        try GtkFixture.run { test in
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
            XCTAssertEqual(text(in: widget.pointer), "Loading...")
            try test.transfer().fail(ImageError(.timeout))
            test.turn { texts(in: widget.pointer) == [ImageError(.timeout).localizedDescription, "Retry"] }
            gtk_widget_activate(UnsafeMutablePointer(first(gtk_button_get_type(), in: widget.pointer)))
            try test.transfer(2).succeed(TestImage(9).bytes)
            test.turn { drawnContents(of: widget.pointer) == [9] }
        }
    }

    func testOptionsOfAView() throws {
        try GtkFixture.run { test in
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
            try test.transfer().succeed(TestImage(9, width: 1200, height: 600).bytes)
            test.turn { textureWidths(in: widget.pointer) == [60] }
        }
    }

    func testOptionsOfAWindow() {
        GtkFixture.run { test in
            let contentView = Column { NetworkImage(url).expand() }.imagePipeline(test.pipeline)
            // Original: Options, second snippet, 11 lines, with the type that has `main`.
            let application = Application("org.example.MyApp")
            @DeclarationBuilder<Window> var windows: [DeclaredWidget] {
                Window("My app", width: 200, height: 150) {
                    contentView
                        .imageOptions(ImageOptions(maxPixelSize: 60))
                }
            }
            // Outcome.
            var widths: [Int] = []
            let status = start(application) {
                return windows
            } during: {
                test.turn { test.transport.transfers.count == 1 }
                test.transport.transfers.first?.succeed(TestImage(9, width: 1200, height: 600).bytes)
                test.turn {
                    widths = toplevels(of: gtk_window_get_type()).flatMap(textureWidths)
                    return !widths.isEmpty
                }
                closeWindow("My app")
            }
            XCTAssertEqual(status, 0)
            XCTAssertEqual(widths, [60])
        }
    }

    func testAContentFitThatDependsOnTheSizeOfTheImage() throws {
        struct Item { let imageURL: String }
        try GtkFixture.run { test in
            for (number, (width, middleLeft)) in [(1000, 0), (1100, 255)].enumerated() {
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
                let view = RemoteImageView(image)
                test.shownOverNetwork(view)
                try test.transfer(number + 1).succeed(TestImage(9, width: width, height: 5000).bytes)
                test.turn { view.model.phase.kind == .success }
                test.draw(view.pointer)
                XCTAssertEqual(Int(try Drawing(view.pointer)[2, 75][3]), middleLeft)
            }
        }
    }

    func testAnImageThatZooms() throws {
        try GtkFixture.run { test in
            // Original: Zoom In, 7 lines, two of them imports.
            let viewer = RemoteImageViewer(url)
            viewer.maxZoom = 4
            // Outcome.
            test.shownOverNetwork(viewer)
            try test.transfer().succeed(TestImage(9, width: 1000, height: 750).bytes)
            test.turn { viewer.view?.model.phase.kind == .success }
            viewer.zoom = 100
            XCTAssertEqual(viewer.zoom, 4)
        }
    }

    func testRowsThatLoadWhenTheyAppear() throws {
        try GtkFixture.run { test in
            let addresses = (0..<1000).map { "https://example.org/\($0).jpg" }
            // Original: Start Loading, 3 lines.
            let list = ImageList(addresses, id: \.self) { NetworkImage($0).frame(height: 50) }
                .imageOptions(ImageOptions(loadOptions: [.loadOnAppear, .cancelOnDisappear]))
            // Outcome.
            test.shownOverNetwork(list)
            try test.transfer().succeed(TestImage().bytes)
            test.settle()
            XCTAssertLessThan(test.transport.transfers.count, 20)
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
        try GtkFixture.run { test in
            let page = Page()
            let widget = test.shown(
                Column {
                    Label("run \(page.number)")
                    if page.number > 1 { Label("more") }
                    MyURLImage(pipeline: test.pipeline, url: url)
                })
            try test.transfer().succeed(TestImage(9).bytes)
            test.turn { drawnContents(of: widget.pointer) == [9] }
            // The model stays when the closure around it runs again.
            page.number = 2
            test.turn { texts(in: widget.pointer) == ["run 2", "more"] }
            test.turn { drawnContents(of: widget.pointer) == [9] }
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }
}

@Observable
private final class Page {
    var number = 1
}
