import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

final class ScrollingTests: XCTestCase {
    /// Rows are reused while their old images are still loading.
    func testAFastScrollNeverShowsAnImageInAnotherRow() {
        GtkFixture.run { test in
            let transport = FakeTransport { request in
                .ok(TestImage(Self.content(of: Self.row(in: request.address.string))).bytes)
            }
            let pipeline = ImagePipeline.test(transport) { $0.rateLimit = nil }
            let grid = TestGrid(count: 600) {
                let view = RemoteImageView(NetworkImage(nil) { Picture($0) }, pipeline: pipeline)
                gtk_widget_set_size_request(view.pointer, 60, 40)
                return view
            } source: { row in
                ImageSource("http://test/\(row).png")
            }
            let window = test.show(grid.widget.pointer, width: 400, height: 300)

            @MainActor func checkImages() -> Int {
                var shownCount = 0
                for (child, row) in grid.rows {
                    guard let image = RemoteImageView(of: child)?.model.image else { continue }
                    XCTAssertEqual(image.content, Self.content(of: row), "row \(row)")
                    shownCount += 1
                }
                return shownCount
            }

            var shownCount = 0
            // Jumps down, up again, and back and forth.
            let steps = (0...30).map { Double($0) / 30 } + [0.5, 0.52, 0.5, 0.1, 0.9, 0.12, 0.88] + [0]
            for step in steps {
                grid.scroll(to: step * grid.maxPosition)
                test.draw(grid.widget.pointer)
                shownCount += checkImages()
            }
            // At the end all visible images are loaded.
            test.turn {
                grid.rows.keys.filter { gtk_widget_get_mapped($0) != 0 }
                    .allSatisfy { RemoteImageView(of: $0)?.model.phase.kind == .success }
            }
            shownCount += checkImages()
            XCTAssertGreaterThan(shownCount, 100)
            window.destroy()
            pipeline.configuration.memoryCache?.removeAll()
        }
    }

    private nonisolated static func row(in address: String) -> Int {
        address.split(separator: "/").last.flatMap { $0.split(separator: ".").first }.flatMap { Int($0) } ?? 0
    }

    /// Neighbouring rows have different contents, and no row has content 0, which is a broken
    /// image.
    private nonisolated static func content(of row: Int) -> UInt8 {
        UInt8(row % 251 + 1)
    }
}
