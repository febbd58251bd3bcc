import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

final class VisibilityTests: XCTestCase {
    func testOfAThousandViewsInABoxOnlyVisibleViewsLoad() throws {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views(1000, in: test, margin: 100))
            test.show(column.widget.pointer, width: 200, height: 300)
            test.draw(column.widget.pointer)
            // 300 points and 100 more below, 50 points per view; a view that only touches the edge
            // counts.
            XCTAssertEqual(column.begun, Array(0...8))
            test.turn { test.transport.transfers.count == 9 }
        }
    }

    func testTheObserversReceiveWhenAViewAppearsAndDisappears() throws {
        GtkFixture.run { test in
            let recorder = AppearanceRecorder()
            let pipeline = ImagePipeline.test(test.transport) { $0.observers = [recorder.receive] }
            let view = RemoteImageView(NetworkImage("http://me:secret@test/a.png"), pipeline: pipeline)
            test.watch(view.content, "the view")
            test.show(view.pointer, width: 200, height: 150)
            test.turn { !recorder.lines.value.isEmpty }
            gtk_widget_set_visible(view.pointer, 0)
            test.turn { recorder.lines.value.count == 2 }
            XCTAssertEqual(
                recorder.lines.value, ["appeared, 200 × 150 http://test/a.png", "disappeared http://test/a.png"])
        }
    }

    func testTheObserversReceiveThatAViewWithAnEmptyPlaceholderHasNoHeight() throws {
        GtkFixture.run { test in
            let recorder = AppearanceRecorder()
            let pipeline = ImagePipeline.test(test.transport) { $0.observers = [recorder.receive] }
            let image = NetworkImage("http://test/a.png") {
                Picture($0)
            } placeholder: {
                Column {}
            }
            let view = RemoteImageView(image, pipeline: pipeline)
            test.watch(view.content, "the view")
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            gtk_box_append(box.pointer.withMemoryRebound(to: GtkBox.self, capacity: 1) { $0 }, view.pointer)
            test.show(box.pointer, width: 200, height: 150)
            test.turn { !recorder.lines.value.isEmpty }
            XCTAssertEqual(recorder.lines.value, ["appeared, 200 × 0 http://test/a.png"])
        }
    }

    func testScrollingLoadsVisibleViewsAndCancelsHiddenViews() throws {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views(1000, in: test, margin: 0))
            test.show(column.widget.pointer, width: 200, height: 300)
            test.draw(column.widget.pointer)
            test.turn { test.transport.transfers.count == 7 }
            let left = test.transport.transfers
            column.scroll(to: 25_010)
            test.turn { left.allSatisfy(\.isCancelled) }
            XCTAssertEqual(column.begun, Array(500...506))
            XCTAssertEqual(
                Set(test.transport.addresses.dropFirst(7)), Set((500...506).map { "http://test/\($0).png" }))
        }
    }

    func testASourceThatChangesDuringTheDisappearDelayLoadsWhenTheViewReappears() throws {
        try checkChange { $0.source = "http://test/new.png" }
    }

    /// It loaded while it was not visible.
    func testADeclarationThatChangesDuringTheDisappearDelayLoadsWhenTheViewReappears() throws {
        try checkChange { $0.image = NetworkImage("http://test/new.png", options: $0.image.options) }
    }

    private func checkChange(_ change: @MainActor (RemoteImageView) -> Void) throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.viewportMargin = 0
            options.disappearDelay = .seconds(600)
            let views = (0..<20).map { number in
                let view = test.view(NetworkImage("http://test/\(number).png", options: options))
                gtk_widget_set_size_request(view.pointer, 100, 50)
                return view
            }
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views)
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            test.show(column.widget.pointer, width: 200, height: 40)
            let old = try test.transfer()
            column.scroll(to: 500)
            test.draw(column.widget.pointer)
            XCTAssertFalse(old.isCancelled, "it may come back")
            change(views[0])
            test.turn { old.isCancelled }
            test.settle()
            XCTAssertFalse(test.transport.addresses.contains("http://test/new.png"))
            XCTAssertEqual(views[0].model.phase.kind, .empty)
            column.scroll(to: 0)
            test.turn { test.transport.addresses.contains("http://test/new.png") }
        }
    }

    func testAnImageThatArrivesOutOfSightDoesNotFadeIn() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.viewportMargin = 0
            options.disappearDelay = .seconds(600)
            options.transition = .crossFade(.seconds(60))
            let views = [0, 1].map { number in
                let image = NetworkImage("http://test/\(number).png", options: options) {
                    Picture($0)
                } placeholder: {
                    test.watch(Label("before").content, "label \(number)")
                }
                let view = test.view(image)
                gtk_widget_set_size_request(view.pointer, 100, 200)
                return view
            }
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views)
            test.show(column.widget.pointer, width: 100, height: 100)
            let transfer = try test.transfer()
            column.scroll(to: 300)
            test.draw(column.widget.pointer)
            XCTAssertFalse(transfer.isCancelled)
            XCTAssertEqual([0, 1].map { test.aliveCount(of: "label \($0)") }, [1, 1])
            transfer.succeed(TestImage(200).bytes)
            test.turn { views[0].model.phase.kind == .success }
            test.turn { test.aliveCount(of: "label 0") == 0 }
        }
    }

    func testAViewThatReappearsWithinTheDisappearDelayKeepsLoading() throws {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            let column = TestColumn(
                GTK_ORIENTATION_VERTICAL, views(100, in: test, margin: 0, disappearDelay: .seconds(600)))
            test.show(column.widget.pointer, width: 200, height: 300)
            test.draw(column.widget.pointer)
            test.turn { test.transport.transfers.count == 7 }
            column.scroll(to: 400)
            test.draw(column.widget.pointer)
            column.scroll(to: 0)
            test.draw(column.widget.pointer)
            test.turn { Set(column.begun).isSuperset(of: 0...6) }
            XCTAssertTrue(test.transport.transfers.prefix(7).allSatisfy { !$0.isCancelled })
            XCTAssertEqual(test.transport.addresses.filter { $0 == "http://test/0.png" }.count, 1)
        }
    }

    func testAViewIsVisibleOnlyIfAllItsViewportsShowIt() throws {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            // Ten rows, each of ten views side by side.
            let rows = (0..<10).map { row in
                TestColumn(GTK_ORIENTATION_HORIZONTAL, views(10, in: test, margin: 0, first: row * 10))
            }
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for row in rows {
                gtk_widget_set_size_request(row.widget.pointer, -1, 60)
                append(row.widget.pointer, to: box)
            }
            let window = Widget(gtk_scrolled_window_new())
            gtk_scrolled_window_set_child(window.opaque, box.pointer)
            test.show(window.pointer, width: 125, height: 150)
            test.draw(window.pointer)
            XCTAssertEqual(rows.map(\.begun), [[0, 1, 2], [0, 1, 2], [0, 1, 2]] + Array(repeating: [], count: 7))
            rows[1].scroll(to: 200)
            test.turn { rows[1].begun == [3, 4, 5, 6] }
            // This row is out of sight: scrolling it changes nothing.
            rows[8].scroll(to: 200)
            test.draw(window.pointer)
            XCTAssertEqual(rows[8].begun, [])
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(window.opaque), 450)
            test.turn { rows[8].begun == [3, 4, 5, 6] && rows[9].begun == [0, 1, 2] && rows[0].begun == [] }
        }
    }

    func testAViewThatMovesIntoSightWithItsNeighboursLoads() throws {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views(10, in: test, margin: 0))
            test.show(column.widget.pointer, width: 200, height: 100)
            test.draw(column.widget.pointer)
            XCTAssertEqual(column.begun, [0, 1, 2])
            for view in column.views[0..<5] { gtk_widget_set_visible(view.pointer, 0) }
            test.turn { column.begun == [5, 6, 7] }
        }
    }

    func testAnImageInMemoryIsShownWithoutWaiting() throws {
        try GtkFixture.run { test in
            let first = test.view(NetworkImage("http://test/0.png") { Picture($0) })
            let window = test.show(first.pointer, width: 50, height: 50)
            try test.transfer().succeed(TestImage(3).bytes)
            test.turn { first.model.phase.kind == .success }
            window.destroy()
            test.pipeline.setConcurrency(transfers: 64, perHost: 64)
            let column = TestColumn(GTK_ORIENTATION_VERTICAL, views(3, in: test, margin: 0))
            test.show(column.widget.pointer, width: 50, height: 100)
            XCTAssertEqual(column.views[0].model.image?.content, 3)
        }
    }
}

@MainActor
private func views(
    _ count: Int, in test: GtkFixture, margin: Double, first: Int = 0, disappearDelay: Duration? = nil
) -> [RemoteImageView] {
    var options = ImageOptions()
    options.viewportMargin = margin
    if let disappearDelay { options.disappearDelay = disappearDelay }
    return (first..<first + count).map { number in
        let view = test.view(NetworkImage("http://test/\(number).png", options: options) { Picture($0) })
        gtk_widget_set_size_request(view.pointer, 50, 50)
        return view
    }
}

private struct AppearanceRecorder {
    let lines = Watched<[String]>([])

    func receive(_ event: PipelineEvent) {
        switch event.step {
        case .appeared(let width, let height):
            lines.update { $0.append("appeared, \(width) × \(height) \(event.source)") }
        case .disappeared: lines.update { $0.append("disappeared \(event.source)") }
        default: break
        }
    }
}
