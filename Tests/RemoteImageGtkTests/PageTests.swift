import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

/// Pages for visual inspection, written as PNG files to the folder `REMOTE_IMAGE_PICTURES`. Without
/// it the tests are skipped.
final class PageTests: XCTestCase {
    func testThePhasesSideBySide() throws {
        guard let folder = ProcessInfo.processInfo.environment["REMOTE_IMAGE_PICTURES"] else {
            throw XCTSkip("REMOTE_IMAGE_PICTURES names no folder")
        }
        try GtkFixture.run { test in
            let transport = FakeTransport { request in
                switch Self.path(request.address.string) {
                case "/photo": .ok(SampleImage.progressiveJPEG)
                case "/missing": .status(404)
                case "/broken": .ok(Array(SampleImage.losslessWebP.prefix(30)))
                default: nil
                }
            }
            let pipeline = ImagePipeline.test(transport, decoder: JPEGDecoder())
            let grid = Widget(gtk_flow_box_new())
            gtk_flow_box_set_selection_mode(grid.opaque, GTK_SELECTION_NONE)
            gtk_widget_set_valign(grid.pointer, GTK_ALIGN_START)
            grid.imagePipeline = pipeline
            var options = ImageOptions()
            options.reservedSize = .points(width: 180, height: 130)
            grid.imageOptions = options
            let looks: [(String, NetworkImage)] = [
                ("contain", NetworkImage("http://test/photo") { Picture($0) }),
                (
                    "cover, round",
                    NetworkImage("http://test/photo") { Picture($0, contentFit: .cover).cornerRadius(16) }
                ),
                (
                    "scale down, left above",
                    NetworkImage("http://test/photo") {
                        Picture($0, contentFit: .scaleDown).position(x: 0, y: 0)
                    }
                ),
                ("spinner", NetworkImage("http://test/waits")),
                ("progress", NetworkImage("http://test/half")),
                ("not found", NetworkImage("http://test/missing")),
                ("broken", NetworkImage("http://test/broken")),
            ]
            var views: [RemoteImageView] = []
            for (title, image) in looks {
                let view = RemoteImageView(image)
                views.append(view)
                let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 6))
                append(view.pointer, to: box)
                append(gtk_label_new(title), to: box)
                gtk_flow_box_insert(grid.opaque, box.pointer, -1)
            }
            let window = test.show(grid.pointer, width: 820, height: 380)
            test.turn { transport.transfers.contains { Self.path($0.request.address.string) == "/half" } }
            let half = transport.transfers.first { Self.path($0.request.address.string) == "/half" }
            half?.respond(expected: 100)
            half?.send([UInt8](repeating: 0, count: 60))
            test.turn { views[5].model.phase.kind == .failure && views[6].model.phase.kind == .failure }
            let start = ContinuousClock.now
            test.turn { ContinuousClock.now - start > .milliseconds(700) }
            try Drawing.save(try XCTUnwrap(window.widget), to: "\(folder)/phases.png")
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    private nonisolated static func path(_ address: String) -> String {
        "/" + (address.split(separator: "/").last.map(String.init) ?? "")
    }
}
