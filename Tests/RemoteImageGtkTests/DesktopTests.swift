import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class DesktopTests: XCTestCase {
    func testAViewLoadsTheLowDataImageOnAMeteredNetwork() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            world.desktop.state.isMetered = true
            let view = world.view(.adaptive(regular: "http://test/large.png", lowData: "http://test/small.png"))
            test.show(view.pointer)
            XCTAssertEqual(try test.transfer().request.address.string, "http://test/small.png")
        }
    }

    func testAViewLoadsTheRegularImageAfterAMeteredNetworkAndKeepsItOnTheNext() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            world.desktop.state.isMetered = true
            let view = world.view(.adaptive(regular: "http://test/large.png", lowData: "http://test/small.png"))
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { view.model.image?.content == 1 }
            world.desktop.state.isMetered = false
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { view.model.image?.content == 2 }
            world.desktop.state.isMetered = true
            test.settle()
            XCTAssertEqual(test.transport.addresses, ["http://test/small.png", "http://test/large.png"])
        }
    }

    func testPrefetchingStopsOnAMeteredNetworkAndWhilePowerIsSaved() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let prefetcher = ImagePrefetcher(pipeline: world.pipeline)
            world.desktop.state.isPowerSaving = true
            prefetcher.start(["http://test/a.png"])
            test.settle()
            XCTAssertEqual(test.transport.addresses, [])
            world.desktop.state.isMetered = true
            world.desktop.state.isPowerSaving = false
            test.settle()
            XCTAssertEqual(test.transport.addresses, [])
            world.desktop.state.isMetered = false
            XCTAssertEqual(try test.transfer().request.address.string, "http://test/a.png")
            prefetcher.stopAll()
        }
    }

    /// The gallery fakes a desktop; any report of the real desktop restarted its animations.
    func testPowerIsSavedWhileAnyOfSeveralDesktopsSavesPower() {
        GtkFixture.run { test in
            XCTAssertFalse(DesktopFollower.savesPower)
            let played = DesktopWorld(test)
            played.desktop.state.isPowerSaving = true
            do {
                let real = DesktopWorld(test)
                for isMetered in [true, false] {
                    real.desktop.state.isMetered = isMetered
                    XCTAssertTrue(DesktopFollower.savesPower)
                }
                real.desktop.state.isPowerSaving = true
                played.desktop.state.isPowerSaving = false
                XCTAssertTrue(DesktopFollower.savesPower)
                XCTAssertFalse(played.follower.state.isPowerSaving)
            }
            // A follower that was released does not count.
            XCTAssertFalse(DesktopFollower.savesPower)
        }
    }

    /// A running transition used to continue.
    func testARunningTransitionEndsWhenPowerIsSaved() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            var options = ImageOptions()
            options.transition = .crossFade(.seconds(60))
            let view = test.view(
                NetworkImage("http://test/a.png", options: options) { Picture($0, contentFit: .fill) })
            let picture = test.watch(Widget(gtk_picture_new()), "image")
            var isThere = false
            picture.opaque.setImage(
                "http://test/b.png", placeholder: .iconName("image-missing-symbolic"),
                transition: .crossFade(.seconds(60)), pipeline: test.pipeline, completion: { _ in isThere = true })
            for (number, widget) in [view.pointer, picture.pointer].enumerated() {
                test.show(widget, width: 100, height: 100)
                try test.transfer(number + 1).succeed(TestImage(200, width: 100, height: 100).bytes)
                test.turn { number == 0 ? view.model.phase.kind == .success : isThere }
                test.draw(widget)
                XCTAssertNotEqual(try Drawing(widget).middle, [200, 200, 200, 255])
                world.desktop.state.isPowerSaving = true
                test.draw(widget)
                XCTAssertEqual(try Drawing(widget).middle, [200, 200, 200, 255])
                world.desktop.state.isPowerSaving = false
            }
        }
    }

    func testAViewThatFailedWithoutANetworkLoadsAgainWhenItReturns() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let view = world.view("http://test/a.png")
            test.show(view.pointer)
            world.desktop.state.isConnected = false
            try test.transfer().fail(ImageError(.connection))
            test.turn { view.model.phase.kind == .failure }
            world.desktop.state.isConnected = true
            try test.transfer(2).succeed(TestImage(5).bytes)
            test.turn { view.model.image?.content == 5 }
        }
    }

    func testAnImageThatIsNotStoredIsRequestedWhenTheNetworkReturns() throws {
        for source: ImageSource in ["http://test/a.png", .fallbacks(["http://test/a.png", "http://test/b.png"])] {
            try GtkFixture.run { test in
                let world = DesktopWorld(test)
                let view = world.view(source)
                view.image.options.cachePolicy = .cacheElseLoad
                test.show(view.pointer)
                world.desktop.state.isConnected = false
                test.turn {
                    for transfer in test.transport.transfers where transfer.state == .running {
                        transfer.fail(ImageError(.connection))
                    }
                    return view.model.phase.error?.code == .notStored
                }
                let count = test.transport.transfers.count
                world.desktop.state.isConnected = true
                try test.transfer(count + 1).succeed(TestImage(5).bytes)
                test.turn { view.model.image?.content == 5 }
            }
        }
    }

    func testAnUnstableNetworkDoesNotCauseARequestAtEachChange() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let view = world.view("http://test/a.png")
            test.show(view.pointer)
            try test.transfer().fail(ImageError(.connection))
            test.turn { view.model.phase.kind == .failure }
            @MainActor func comeAndGo() {
                world.desktop.state.isConnected = false
                world.desktop.state.isConnected = true
            }
            comeAndGo()
            try test.transfer(2).fail(ImageError(.connection))
            test.turn { view.model.phase.kind == .failure }
            let start = ContinuousClock.now
            for _ in 0..<20 { comeAndGo() }
            _ = try test.transfer(3)
            XCTAssertGreaterThan(ContinuousClock.now - start, .milliseconds(1900))
            XCTAssertEqual(test.transport.transfers.count, 3)
        }
    }

    func testAfterASuccessTheNextRetryIsImmediateAgain() {
        GtkFixture.run { test in
            let network = NetworkConditions()
            let retries = NetworkReturn()
            var count = 0
            @MainActor func comeAndGo() {
                retries.follow(.failure(ImageError(.connection)), on: network) { count += 1 }
                (network.isConnected, network.isConnected) = (false, true)
            }
            comeAndGo()
            test.turn { count == 1 }
            XCTAssertEqual(retries.delay, .seconds(2), "the network seems to be unstable")
            retries.follow(.success(TestImage(5).decoded), on: network) {}
            XCTAssertEqual(retries.delay, .zero)
            comeAndGo()
            test.turn { count == 2 }
        }
    }

    func testAModelThatAnotherOneHasReplacedIsNotRetried() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let retries = NetworkReturn()
            let model = NetworkImageModel("http://test/a.png", pipeline: world.pipeline)
            retries.follow(model)
            model.appear()
            try test.transfer().fail(ImageError(.connection))
            test.turn { model.phase.kind == .failure }
            let other = NetworkImageModel(nil, pipeline: world.pipeline)
            retries.follow(other)
            world.desktop.state.isConnected = false
            world.desktop.state.isConnected = true
            test.settle()
            XCTAssertEqual(test.transport.transfers.count, 1)
            XCTAssertEqual(model.phase.kind, .failure)
        }
    }

    func testOtherFailuresAreNotRetriedWhenTheNetworkReturns() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let view = world.view("http://test/a.png")
            test.show(view.pointer)
            try test.transfer().succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
            world.desktop.state.isConnected = false
            world.desktop.state.isConnected = true
            test.draw(view.pointer)
            XCTAssertEqual(test.transport.transfers.count, 1)
        }
    }

    func testLowMemoryEmptiesTheCacheAndKeepsVisibleImages() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let view = world.view("http://test/a.png")
            let window = test.show(view.pointer)
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { view.model.phase.kind == .success }
            world.follower.add(world.pipeline)
            let cache = try XCTUnwrap(world.pipeline.configuration.memoryCache as? MemoryCache)
            XCTAssertEqual(cache.count, 1)
            world.desktop.needMemory(.low)
            XCTAssertEqual(cache.count, 1, "far below half of the limit")
            world.desktop.needMemory(.critical)
            XCTAssertEqual(cache.count, 0)
            XCTAssertEqual(view.model.image?.content, 5)
            // The visible image is still shared with the next request.
            let second = world.view("http://test/a.png")
            window.setChild(second.pointer)
            test.turn { second.model.image?.content == 5 }
            XCTAssertEqual(test.transport.transfers.count, 1)
            cache.removeAll()
        }
    }

    func testTheDesktopProxyReachesTheTransport() {
        GtkFixture.run { test in
            let world = DesktopWorld(test)
            world.desktop.state.proxy = .address("http://proxy:8080")
            world.desktop.state.isMetered = true
            world.desktop.state.proxy = .environment
            XCTAssertEqual(world.proxies, [.address("http://proxy:8080"), .environment])
        }
    }

    func testAddedTransportsUseTheDesktopProxy() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let origin = try RawOrigin()
            origin.respond(to: "http://images.example/a", with: .ok("from the proxy"))
            let early = CurlTransport()
            world.follower.add(early)
            world.desktop.state.proxy = .address("http://127.0.0.1:\(origin.port)")
            let late = CurlTransport()
            world.follower.add(late)
            for transport in [early, late] {
                let receiver = RecordingReceiver()
                let request = TransferRequest(try WebAddress("http://images.example/a"))
                _ = transport.start(request, receiver: receiver)
                test.turn { !receiver.record.results.isEmpty }
                XCTAssertEqual(String(decoding: receiver.record.body, as: UTF8.self), "from the proxy")
            }
        }
    }

    /// Images used to be loaded without the proxy until GLib had answered.
    func testTransfersWaitForTheFirstReportOfTheDesktop() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            world.desktop.state.proxy = .pending
            let (origin, proxy) = (try RawOrigin(), try RawOrigin())
            let address = try origin.address("/a")
            proxy.respond(to: address.string, with: .ok("from the proxy"))
            let transport = CurlTransport()
            world.follower.add(transport)
            let receiver = RecordingReceiver()
            _ = transport.start(TransferRequest(address), receiver: receiver)
            world.desktop.state.proxy = .address("http://127.0.0.1:\(proxy.port)")
            test.turn { !receiver.record.results.isEmpty }
            XCTAssertEqual(String(decoding: receiver.record.body, as: UTF8.self), "from the proxy")
            XCTAssertEqual(origin.connectionCount, 0)
        }
    }

    func testADesktopThatReportsNothingDelaysNoTransfer() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let origin = try RawOrigin()
            let address = try origin.address("/a")
            origin.respond(to: "/a", with: .ok("from the origin"))
            let transport = CurlTransport()
            world.follower.add(transport)
            let receiver = RecordingReceiver()
            _ = transport.start(TransferRequest(address), receiver: receiver)
            test.turn { !receiver.record.results.isEmpty }
            XCTAssertEqual(String(decoding: receiver.record.body, as: UTF8.self), "from the origin")
        }
    }

    func testATransportKeepsItsOwnProxyIfTheDesktopHasNone() throws {
        try GtkFixture.run { test in
            let world = DesktopWorld(test)
            let proxy = try RawOrigin()
            proxy.respond(to: "http://images.example/a", with: .ok("from the proxy"))
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .address("http://127.0.0.1:\(proxy.port)")
            let early = CurlTransport(configuration)
            world.follower.add(early)
            world.desktop.state.proxy = .pending
            world.desktop.state.proxy = .environment
            let late = CurlTransport(configuration)
            world.follower.add(late)
            for transport in [early, late] {
                let receiver = RecordingReceiver()
                let request = TransferRequest(try WebAddress("http://images.example/a"))
                _ = transport.start(request, receiver: receiver)
                test.turn { !receiver.record.results.isEmpty }
                XCTAssertEqual(String(decoding: receiver.record.body, as: UTF8.self), "from the proxy")
            }
        }
    }

    func testAnAddedTransportCanBeReleased() {
        GtkFixture.run { test in
            let world = DesktopWorld(test)
            weak var gone: CurlTransport?
            do {
                let transport = CurlTransport()
                world.follower.add(transport)
                gone = transport
            }
            XCTAssertNil(gone)
            world.desktop.state.proxy = .address("http://proxy:8080")
        }
    }

    func testAnyObjectOfTheLibraryStartsTheFollower() throws {
        try GtkFixture.run { _ in
            let pipeline = try XCTUnwrap(shim_object_new(PipelineObject.type))
            XCTAssertTrue(DesktopFollower.shared.isStarted)
            g_object_unref(pipeline)
        }
    }

    func testTheFollowerKnowsTheTransportOfAPipelineWithAUserAgent() throws {
        try GtkFixture.run { _ in
            let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
            shim_set_pointer(object, "user-agent", "Photos/1.0")
            let transport = PipelineObject.of(object).pipeline.configuration.transport as? CurlTransport
            XCTAssertTrue(DesktopFollower.shared.transports.contains { $0.transport === transport && transport != nil })
            g_object_unref(object)
        }
    }

    func testProxyAddressesAreConverted() {
        XCTAssertEqual(DesktopProxy.proxy(from: "direct://"), .environment)
        XCTAssertEqual(DesktopProxy.proxy(from: "http://proxy:8080"), .desktop("http://proxy:8080"))
        XCTAssertEqual(DesktopProxy.proxy(from: "socks://proxy:1080"), .desktop("socks5h://proxy:1080"))
        XCTAssertEqual(DesktopProxy.proxy(from: "nonsense"), .environment)
    }

    func testTheSystemDesktopReportsWithoutAMessageBus() {
        GtkFixture.run { test in
            var events: [DesktopEvent] = []
            let desktop = SystemDesktop()
            desktop.watch { events.append($0) }
            test.turn {
                events.contains { event in
                    if case .state(let state) = event { state.proxy != .pending } else { false }
                }
            }
        }
    }

    func testTheSystemDesktopReportsTheNetworkOfTheMonitorAndWarningsOfMemory() throws {
        try GtkFixture.run { test in
            var events: [DesktopEvent] = []
            let desktop = SystemDesktop()
            desktop.watch { events.append($0) }
            var pending = DesktopState()
            pending.proxy = .pending
            XCTAssertEqual(events, [.state(pending)])
            // The monitors and the proxy.
            test.turn { events.count == 3 }
            guard case .state(let state) = events[2] else { return XCTFail("\(events)") }
            let network = try XCTUnwrap(g_network_monitor_get_default())
            XCTAssertEqual(
                [state.isConnected, state.isMetered],
                [g_network_monitor_get_network_available(network), g_network_monitor_get_network_metered(network)]
                    .map { $0 != 0 })
            XCTAssertNotEqual(state.proxy, .pending)
            // A change without a difference.
            Emission.emit("network-changed", of: network, 1)
            XCTAssertEqual(events.count, 3)
            guard let memory = g_memory_monitor_dup_default() else { return }
            defer { g_object_unref(UnsafeMutableRawPointer(memory)) }
            for level: Int32 in [50, 100, 255] { Self.warn(level, of: UnsafeMutableRawPointer(memory)) }
            XCTAssertEqual(events.dropFirst(3), [.lowMemory(.low), .lowMemory(.medium), .lowMemory(.critical)])
        }
    }

    @MainActor
    private static func warn(_ level: Int32, of monitor: UnsafeMutableRawPointer) {
        let type = shim_type_of(monitor)
        var values = [GValue(), GValue()]
        g_value_init(&values[0], type)
        g_value_set_object(&values[0], monitor)
        g_value_init(&values[1], g_memory_monitor_warning_level_get_type())
        g_value_set_enum(&values[1], level)
        g_signal_emitv(&values, g_signal_lookup("low-memory-warning", type), 0, nil)
        for index in values.indices { g_value_unset(&values[index]) }
    }
}

/// A fake desktop, and a pipeline that follows it.
@MainActor
private final class DesktopWorld {
    let desktop = FakeDesktop()
    let follower: DesktopFollower
    let pipeline: ImagePipeline
    private let test: GtkFixture
    private let recorder = ProxyRecorder()

    var proxies: [CurlTransport.Proxy] { recorder.proxies }

    init(_ test: GtkFixture) {
        self.test = test
        let network = NetworkConditions()
        pipeline = .test(test.transport) { $0.network = network }
        follower = DesktopFollower(desktop, network: network) { [recorder] in recorder.proxies.append($0) }
        follower.start()
    }

    func view(_ source: ImageSource) -> RemoteImageView {
        let view = RemoteImageView(NetworkImage(source) { Picture($0) }, pipeline: pipeline)
        test.watch(view.content, "the view")
        return view
    }

    private final class ProxyRecorder {
        var proxies: [CurlTransport.Proxy] = []
    }
}
