import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

/// Conversions of what the desktop reports, and the timers and calls of the main loop.
final class PlatformDetailTests: XCTestCase {
    // MARK: The desktop

    func testTheLevelOfAMemoryWarningDecidesHowMuchIsKept() {
        let levels: [(UInt32, MemoryPressure, Double)] = [
            (0, .low, 0.5), (50, .low, 0.5), (99, .low, 0.5), (100, .medium, 0.25), (101, .medium, 0.25),
            (254, .medium, 0.25), (255, .critical, 0), (256, .critical, 0),
        ]
        for (level, pressure, fraction) in levels {
            XCTAssertEqual(MemoryPressure(level: level), pressure, "\(level)")
            XCTAssertEqual(MemoryPressure(level: level).keptFraction, fraction, "\(level)")
        }
    }

    func testProxiesOfEachSchemeAreConverted() {
        let addresses: [(String, String?)] = [
            ("http://proxy:8080", "http://proxy:8080"), ("HTTPS://proxy:8080/a", "https://proxy:8080/a"),
            ("socks4://proxy", "socks4://proxy"), ("socks4a://proxy", "socks4a://proxy"),
            ("socks5://proxy:1", "socks5h://proxy:1"), ("socks://me:word@proxy:1", "socks5h://me:word@proxy:1"),
            ("http://a://b", "http://a://b"), ("ftp://proxy", nil), ("direct://", nil), ("://proxy", nil), ("", nil),
            ("http:/proxy", nil), ("http:", nil),
        ]
        for (address, converted) in addresses {
            XCTAssertEqual(DesktopProxy.proxy(from: address), converted.map { .desktop($0) } ?? .environment, address)
        }
    }

    func testTheProxyThatAProgramChoosesIsConverted() {
        let texts: [(String?, CurlTransport.Proxy?)] = [
            (nil, nil), ("", nil), ("default", nil), ("none", .direct), ("http://proxy:1", .address("http://proxy:1")),
            ("socks5://proxy:1", .address("socks5h://proxy:1")), ("nonsense", .address("nonsense")),
        ]
        for (text, proxy) in texts { XCTAssertEqual(DesktopProxy.chosen(text), proxy, text ?? "nil") }
    }

    func testEachValueOfTheDesktopReachesTheNetworkConditions() {
        GtkFixture.run { _ in
            let (desktop, network) = (FakeDesktop(), NetworkConditions())
            let follower = DesktopFollower(desktop, network: network)
            follower.start()
            func values() -> [Bool] { [network.isConstrained, network.isConnected, network.savesPower] }
            for changed in 0..<3 {
                var state = DesktopState()
                state.isMetered = changed == 0
                state.isConnected = changed != 1
                state.isPowerSaving = changed == 2
                desktop.state = state
                XCTAssertEqual(values(), [changed == 0, changed != 1, changed == 2])
                XCTAssertEqual(follower.state, state)
            }
            desktop.state = DesktopState()
        }
    }

    func testATransportThatIsAddedTwiceIsFollowedOnce() {
        GtkFixture.run { _ in
            let follower = DesktopFollower(FakeDesktop(), network: NetworkConditions())
            let (first, second) = (CurlTransport(), CurlTransport())
            for transport in [first, second, first] { follower.add(transport) }
            XCTAssertEqual(follower.transports.map { $0.transport === first }, [false, true])
        }
    }

    // MARK: Items out of sight

    func testAModelOfAnItemOutOfSightStopsAndGoesOnWithItsRow() throws {
        try GtkFixture.run { test in
            let model = NetworkImageModel("http://test/a.png", pipeline: test.pipeline)
            model.load()
            let transfer = try test.transfer()
            XCTAssertTrue(model.itemDisappeared())
            test.turn { transfer.isCancelled }
            XCTAssertFalse(model.isLoading)
            model.itemAppeared(wasInterrupted: false)
            XCTAssertFalse(model.isLoading)
            model.itemAppeared(wasInterrupted: true)
            XCTAssertTrue(model.isLoading)
            try test.transfer(2).succeed(TestImage(7).bytes)
            test.turn { model.image?.content == 7 }
            XCTAssertFalse(model.itemDisappeared())
            XCTAssertTrue(model.isReleased)
            model.itemAppeared(wasInterrupted: false)
            test.turn { model.image?.content == 7 }
        }
    }

    func testAModelReleasesItsImageOnlyIfItsOptionsHaveADelay() throws {
        try GtkFixture.run { test in
            let cases: [(own: Duration??, ofPipeline: Duration??, isReleased: Bool)] = [
                (nil, nil, true), (.some(nil), nil, false), (nil, .some(nil), false),
                (.seconds(1), .some(nil), true), (.some(nil), .seconds(1), false),
            ]
            for (number, (own, ofPipeline, isReleased)) in cases.enumerated() {
                let pipeline = ImagePipeline.test(test.transport) {
                    if let ofPipeline { $0.options.releaseDelay = ofPipeline }
                }
                var options = ImageOptions()
                if let own { options.releaseDelay = own }
                let model = NetworkImageModel("http://test/\(number).png", pipeline: pipeline, options: options)
                model.load()
                try test.transfer(number + 1).succeed(TestImage(7).bytes)
                test.turn { model.image?.content == 7 }
                XCTAssertFalse(model.itemDisappeared())
                XCTAssertEqual(model.isReleased, isReleased, "\(number)")
                pipeline.configuration.memoryCache?.removeAll()
            }
        }
    }

    // MARK: Timers and frames

    func testATimerCallsItsLastFunctionOnce() {
        GtkFixture.run { test in
            let (timer, other) = (MainLoopTimer(), MainLoopTimer())
            var calls: [String] = []
            XCTAssertFalse(timer.isRunning)
            timer.start(after: .zero) { calls.append("first") }
            timer.start(after: .milliseconds(1)) { calls.append("second \(timer.isRunning)") }
            other.start(after: .zero) { calls.append("stopped") }
            XCTAssertTrue(timer.isRunning)
            other.stop()
            XCTAssertFalse(other.isRunning)
            test.turn { !calls.isEmpty }
            test.settle()
            XCTAssertEqual(calls, ["second false"])
            // A function may start its timer again.
            timer.start(after: .milliseconds(-5)) {
                calls.append("third")
                timer.start(after: .zero) { calls.append("fourth") }
            }
            test.turn { calls.count == 3 }
            XCTAssertEqual(calls, ["second false", "third", "fourth"])
            XCTAssertFalse(timer.isRunning)
        }
    }

    func testATimerThatIsReleasedCallsNothing() {
        GtkFixture.run { test in
            var calls = 0
            do {
                let timer = MainLoopTimer()
                timer.start(after: .zero) { calls += 1 }
            }
            var isOver = false
            let other = MainLoopTimer()
            other.start(after: .milliseconds(5)) { isOver = true }
            test.turn { isOver }
            XCTAssertEqual(calls, 0)
        }
    }

    func testFramesThatTakeAllTheTimeDoNotHoldATimerBack() {
        GtkFixture.run { test in
            let label = test.watch(Label("frames").content, "label")
            test.show(label.pointer)
            let timer = MainLoopTimer()
            var (frameCount, isCalled) = (0, false)
            // Longer than a frame of any display, so that the next frame is due at once.
            let frames = FrameTicks(of: label.pointer) { _ in
                usleep(50_000)
                frameCount += 1
                if frameCount == 3 { timer.start(after: .milliseconds(1)) { isCalled = true } }
                return frameCount < 40
            }
            test.turn { isCalled || frameCount == 40 }
            frames.stop()
            XCTAssertTrue(isCalled)
            XCTAssertLessThan(frameCount, 10)
        }
    }

    func testTheEndOfTicksIsReportedOnceForEachReason() {
        GtkFixture.run { test in
            var ends: [String] = []
            let label = test.watch(Label("ticks").content, "label")
            let window = test.show(label.pointer)
            var count = 0
            let finished = FrameTicks(of: label.pointer) {
                ends.append("finished")
            } _: { _ in
                count += 1
                return count < 2
            }
            test.turn { ends == ["finished"] }
            finished.stop()
            let stopped = FrameTicks(of: label.pointer) {
                ends.append("stopped")
            } _: { _ in
                true
            }
            stopped.stop()
            stopped.stop()
            XCTAssertEqual(ends, ["finished", "stopped"])
            let destroyed = FrameTicks(of: window.widget!) {
                ends.append("destroyed")
            } _: { _ in
                true
            }
            window.destroy()
            test.turn { ends.count == 3 }
            destroyed.stop()
            XCTAssertEqual(ends, ["finished", "stopped", "destroyed"])
        }
    }

    func testAWidgetWithoutASizeIsWaitedForDuringThreeFrames() {
        GtkFixture.run { test in
            let (sized, empty) = (Label("text").content, Column {}.content)
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            for widget in [sized, empty] { append(widget.pointer, to: box) }
            test.show(box.pointer)
            var calls: [String] = []
            XCTAssertNil(FrameTicks.whenSized(sized.pointer) { calls.append("at once") })
            XCTAssertEqual(calls, ["at once"])
            // Both are called before the same frames.
            let counting = FrameTicks(of: empty.pointer) { _ in
                calls.append("frame")
                return true
            }
            let waiting = FrameTicks.whenSized(empty.pointer) { calls.append("now") }
            XCTAssertNotNil(waiting)
            test.turn { calls.count >= 6 }
            counting.stop()
            XCTAssertEqual(calls.filter { $0 == "now" }.count, 1)
            let frames = calls.firstIndex(of: "now").map { calls[..<$0].count { $0 == "frame" } } ?? 0
            XCTAssertTrue((2...3).contains(frames), "\(calls)")
            // It gets a size during the wait.
            calls = []
            let second = FrameTicks.whenSized(empty.pointer) { calls.append("sized") }
            gtk_widget_set_size_request(empty.pointer, 10, 10)
            test.turn { calls == ["sized"] }
            second?.stop()
        }
    }

    func testCallsOfATaskAreMadeAfterItInTheirOrder() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            var steps: [String] = []
            MainLoop.callBack { steps.append("outside") }
            XCTAssertEqual(steps, ["outside"])
            Task {
                MainLoop.callBack {
                    steps.append("first")
                    // It waits for the second call, in a loop within the loop.
                    while !steps.contains("second") { g_main_context_iteration(nil, 1) }
                    steps.append("end of first")
                }
                MainLoop.callBack { steps.append("second") }
                steps.append("task")
            }
            test.turn { steps.count == 5 }
            XCTAssertEqual(steps, ["outside", "task", "first", "second", "end of first"])
            Task { MainLoop.callBack { steps.append("later") } }
            test.turn { steps.last == "later" }
        }
    }
}
