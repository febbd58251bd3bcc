import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// Work of many views, which the main thread does in time slices.
final class IdleQueueTests: XCTestCase {
    @MainActor
    private final class Log {
        var done: [Int] = []
        /// How often other work ran on the main loop, and the counts at which queued work was done.
        var turn = 0
        var turns: Set<Int> = []

        func work(_ number: Int) {
            let turn = MainThreadTimeSlice()
            while !turn.isOver {}
            done.append(number)
            turns.insert(self.turn)
        }
    }

    func testTheFirstItemRunsAtOnceAndTheRestInTimeSlices() {
        GtkFixture.run { test in
            test.settle()
            let log = Log()
            for number in 0..<6 { IdleQueue.shared.perform { log.work(number) } }
            XCTAssertEqual(log.done, [0])
            // Other work of the same priority runs in between.
            let other = g_idle_add_full(
                G_PRIORITY_DEFAULT,
                { data in
                    if let data {
                        MainActor.assumeIsolated { Unmanaged<Log>.fromOpaque(data).takeUnretainedValue().turn += 1 }
                    }
                    return 1
                }, Unmanaged.passUnretained(log).toOpaque(), nil)
            test.turn { log.done.count == 6 }
            g_source_remove(other)
            XCTAssertEqual(log.done, [0, 1, 2, 3, 4, 5])
            XCTAssertGreaterThanOrEqual(log.turns.count, 5)
        }
    }

    func testNewItemsRunAfterWaitingItems() {
        GtkFixture.run { test in
            test.settle()
            var done: [Int] = []
            let log = Log()
            IdleQueue.shared.perform { log.work(0) }
            IdleQueue.shared.perform {
                done.append(1)
                IdleQueue.shared.perform { done.append(3) }
            }
            IdleQueue.shared.perform { done.append(2) }
            test.turn { done.count == 3 }
            XCTAssertEqual(done, [1, 2, 3])
            // The time slice is over: new work need not wait.
            test.settle()
            IdleQueue.shared.perform { done.append(4) }
            XCTAssertEqual(done, [1, 2, 3, 4])
        }
    }

    /// A handler that runs the main loop until another view has its image.
    func testAnItemThatRunsTheMainLoopDoesNotBlockTheOtherItems() {
        GtkFixture.run { test in
            test.settle()
            let log = Log()
            var isNested = false
            IdleQueue.shared.perform { log.work(0) }
            IdleQueue.shared.perform { isNested = test.turn { log.done.count == 2 } }
            IdleQueue.shared.perform { log.work(1) }
            test.turn { isNested }
            XCTAssertEqual(log.done, [0, 1])
        }
    }

    func testDelayedItemsRunInTheOrderOfTheirTimesAndNotEarlier() {
        GtkFixture.run { test in
            var done: [Int] = []
            var early: [Int] = []
            let start = ContinuousClock.now
            for (number, delay) in [60, 20, 40, 20, 0].enumerated() {
                DelayQueue.shared.perform(after: .milliseconds(delay)) {
                    if ContinuousClock.now - start < .milliseconds(delay) { early.append(number) }
                    done.append(number)
                }
            }
            test.turn { done.count == 5 }
            XCTAssertEqual(done, [4, 1, 3, 2, 0])
            XCTAssertEqual(early, [])
        }
    }

    /// The conversion to milliseconds used to end the process.
    func testADelayMayBeEndless() {
        GtkFixture.run { test in
            var callCount = 0
            let timer = MainLoopTimer()
            XCTAssertFalse(timer.isRunning)
            timer.start(after: .seconds(Int.max)) { callCount += 1 }
            DelayQueue.shared.perform(after: .seconds(Int.max)) { callCount += 1 }
            XCTAssertTrue(timer.isRunning)
            test.settle()
            XCTAssertEqual(callCount, 0)
        }
    }

    func testTheDelaysOfAViewMayBeEndless() throws {
        try GtkFixture.run { test in
            var options = ImageOptions()
            options.disappearDelay = .seconds(Int.max)
            let view = test.view(
                NetworkImage("http://test/a", options: options) {
                    Picture($0)
                } inProgress: {
                    LoadingIndicator($0, delay: .seconds(Int.max))
                })
            test.show(view.pointer, width: 50, height: 50)
            let transfer = try test.transfer()
            gtk_widget_set_visible(view.pointer, 0)
            test.settle()
            XCTAssertFalse(transfer.isCancelled)
            gtk_widget_set_visible(view.pointer, 1)
            transfer.succeed(TestImage().bytes)
            test.turn { view.model.phase.kind == .success }
        }
    }

    // MARK: Views

    func testAmongManyNewViewsImagesInMemoryAppearInTheFirstFrameAndTheOthersLoad() throws {
        try GtkFixture.run { test in
            let count = 300
            try remember("http://test/known", in: test)
            let (column, addresses) = column(of: count, in: test)
            var shownFirst = 0
            let frame = FirstFrame { shownFirst = column.views.count { $0.model.phase.kind == .success } }
            let window = TestWindow(column.widget.pointer, width: 200, height: 150)
            frame.connect(to: window)
            window.show()
            test.turn { frame.isOver }
            XCTAssertEqual(shownFirst, count / 2)
            test.turn { column.views.allSatisfy { $0.model.phase.kind != .empty } }
            // One transfer for each of the other images, and none for the known image.
            try answer(count: count / 2, in: test)
            test.turn { column.views.allSatisfy { $0.model.phase.kind == .success } }
            XCTAssertEqual(Set(test.transport.transfers.map(\.request.address.string)), Set(addresses))
            XCTAssertEqual(test.transport.transfers.count, count / 2 + 1)
            window.destroy()
        }
    }

    /// A row that is reused before its view had its turn.
    func testAWaitingViewShowsAnImageInMemoryOfItsNextSourceAtOnce() throws {
        try GtkFixture.run { test in
            try remember("http://test/known", in: test)
            let changes: [@MainActor (RemoteImageView) -> Void] = [
                { $0.source = "http://test/known" },
                { $0.image = NetworkImage("http://test/known") { Picture($0) } },
            ]
            for change in changes {
                let view = test.view(NetworkImage("http://test/a") { Picture($0) })
                let window = showWaiting(view.pointer, in: test)
                change(view)
                XCTAssertEqual(view.model.phase.kind, .success)
                test.settle()
                XCTAssertEqual(view.model.phase.kind, .success)
                XCTAssertEqual(test.transport.transfers.map(\.request.address.string), ["http://test/known"])
                window.destroy()
            }
        }
    }

    func testAViewThatIsDestroyedBeforeItsTurnLoadsNothing() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a") { Picture($0) })
            let window = showWaiting(view.pointer, in: test)
            XCTAssertEqual(view.model.phase.kind, .loading)
            window.destroy()
            test.turn { view.model.phase.kind == .empty }
            test.settle()
            XCTAssertTrue(test.transport.transfers.isEmpty)
        }
    }

    func testAnImageThatIsSetAgainBeforeItsTurnIsFetchedOnce() throws {
        try GtkFixture.run { test in
            let picture = test.watch(Widget(gtk_picture_new()), "the image")
            picture.imagePipeline = test.pipeline
            picture.opaque.setImage("http://test/a")
            test.show(picture.pointer, width: 50, height: 50)
            let transfer = try test.transfer()
            let busy = Log()
            IdleQueue.shared.perform { busy.work(0) }
            picture.opaque.setImage("http://test/a", transition: .crossFade)
            test.settle()
            XCTAssertFalse(transfer.isCancelled)
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    // MARK: Empty content

    func testEmptyContentHasNoWidgetUntilTheProgramUsesIt() throws {
        try GtkFixture.run { test in
            let view = test.view(
                NetworkImage("http://test/a") {
                    Picture($0)
                } placeholder: {
                })
            test.show(view.pointer, width: 50, height: 50)
            let transfer = try test.transfer()
            XCTAssertNil(gtk_widget_get_first_child(view.pointer))
            let empty = Widget.empty()
            let drawn = try XCTUnwrap(empty.drawn)
            XCTAssertEqual(drawn.requestMode, GTK_SIZE_REQUEST_CONSTANT_SIZE)
            for orientation in [GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL] {
                let (minimum, natural) = drawn.measure(orientation, forSize: 50)
                XCTAssertEqual([minimum, natural], [0, 0])
            }
            XCTAssertEqual(shim_is_a(empty.pointer, gtk_box_get_type()), 1)
            XCTAssertEqual(empty.pointer, empty.pointer)
            transfer.succeed(TestImage(7, width: 50, height: 50).bytes)
            test.turn { (try? Drawing(view.pointer).middle) == [7, 7, 7, 255] }
        }
    }

    func testAViewWhosePlaceholderBecomesEmptyShowsNothing() {
        GtkFixture.run { test in
            let view = test.view(
                NetworkImage("http://test/a") {
                    Picture($0)
                } placeholder: {
                    test.watch(Label("x").content, "label")
                })
            test.show(view.pointer, width: 50, height: 50)
            XCTAssertEqual(text(in: view.pointer), "x")
            view.image = NetworkImage("http://test/a") {
                Picture($0)
            } placeholder: {
            }
            test.turn { test.aliveCount(of: "label") == 0 }
            XCTAssertNil(text(in: view.pointer))
        }
    }
}

// MARK: Support

/// A window with a visible view that waits for its turn.
@MainActor
private func showWaiting(_ view: UnsafeMutablePointer<GtkWidget>, in test: GtkFixture) -> TestWindow {
    test.settle()
    IdleQueue.shared.perform {
        let turn = MainThreadTimeSlice()
        while !turn.isOver {}
    }
    let window = TestWindow(view, width: 50, height: 50)
    window.show()
    // The queue continues as soon as the main loop runs, so the size is allocated here.
    gtk_widget_measure(view, GTK_ORIENTATION_HORIZONTAL, -1, nil, nil, nil, nil)
    gtk_widget_allocate(view, 50, 50, -1, nil)
    return window
}

/// Loads an image into memory.
@MainActor
private func remember(_ address: String, in test: GtkFixture) throws {
    let model = NetworkImageModel(address, pipeline: test.pipeline)
    model.load()
    try test.transfer().succeed(TestImage(5, width: 20, height: 20).bytes)
    test.turn { model.phase.kind == .success }
}

/// A column of views, every second of which has the image in memory. All of them count as visible.
@MainActor
private func column(of count: Int, in test: GtkFixture) -> (TestColumn, addresses: [String]) {
    var options = ImageOptions()
    options.viewportMargin = 1_000_000
    options.reservedSize = .points(width: 20, height: 20)
    test.pipeline.setConcurrency(transfers: count, perHost: count)
    let addresses = (0..<count).map { $0.isMultiple(of: 2) ? "http://test/known" : "http://test/\($0)" }
    let views = addresses.map { address in test.view(NetworkImage(address, options: options) { Picture($0) }) }
    return (TestColumn(GTK_ORIENTATION_VERTICAL, views), addresses)
}

@MainActor
private func answer(count: Int, in test: GtkFixture) throws {
    for number in 2..<count + 2 {
        try test.transfer(number).succeed(TestImage(UInt8(number % 200), width: 20, height: 20).bytes)
    }
}

/// Runs a closure after the first layout of a window, before its frame is drawn.
@MainActor
private final class FirstFrame {
    private let look: @MainActor () -> Void
    private let connections = SignalConnections()
    private(set) var isOver = false

    init(_ look: @escaping @MainActor () -> Void) {
        self.look = look
    }

    func connect(to window: TestWindow) {
        gtk_widget_realize(window.widget)
        guard let clock = gtk_widget_get_frame_clock(window.widget) else { return }
        connections.connect("paint", of: UnsafeMutableRawPointer(clock)) { [weak self] in
            guard let self, !isOver else { return }
            isOver = true
            look()
        }
    }
}
