import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The properties and signals of views, as programs in other languages use them.
final class ViewPropertyTests: XCTestCase {
    /// A view without a declaration.
    @MainActor
    private static func propertyView(_ test: GtkFixture) throws -> RemoteImageView {
        let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
        test.watch(view.content, "the view")
        view.content.imagePipeline = test.pipeline
        return view
    }

    // MARK: The state

    func testTheReadOnlyPropertiesFollowThePhase() throws {
        try GtkFixture.run { test in
            let view = try Self.propertyView(test)
            let object = UnsafeMutableRawPointer(view.pointer)
            @MainActor func state() -> [Int32] {
                ["phase", "status", "image-width", "image-height"].map { (name: String) in shim_get_int(object, name) }
            }
            @MainActor func progress() -> Double { shim_get_double(object, "progress") }
            test.show(view.pointer)
            XCTAssertEqual(state(), [0, 0, 0, 0])
            XCTAssertEqual(progress(), 0)
            shim_set_pointer(object, "uri", "http://test/a.png")
            let transfer = try test.transfer()
            XCTAssertEqual(progress(), 0, "the length is unknown")
            transfer.respond(expected: 200)
            transfer.send([UInt8](repeating: 1, count: 50))
            test.turn { progress() == 0.25 }
            XCTAssertEqual(state(), [1, 0, 0, 0])
            XCTAssertNil(view.state.error)
            transfer.fail(.httpStatus(404))
            test.turn { state() == [3, 404, 0, 0] }
            XCTAssertEqual(progress(), 0)
            XCTAssertEqual(view.state.error?.pointee.code, 10)
            shim_set_pointer(object, "uri", "http://test/b.png")
            try test.transfer(2).succeed(TestImage(7, width: 60, height: 40).bytes)
            test.turn { state() == [2, 200, 60, 40] }
            XCTAssertEqual(progress(), 1)
            XCTAssertEqual(shim_get_boolean(object, "animated"), 0)
            XCTAssertNil(view.state.error)
            shim_set_pointer(object, "uri", nil)
            XCTAssertEqual(state(), [0, 0, 0, 0])
            XCTAssertEqual(progress(), 0)
        }
    }

    func testAnImageThatIsShownAgainIsReportedAgain() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            var log: [String] = []
            for signal in ["loaded", "failed"] {
                SignalClosure.connect(signal, of: UnsafeMutableRawPointer(view.pointer)) { () -> Void in
                    log.append(signal)
                }
            }
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { log.count == 1 }
            view.source = nil
            test.settle()
            view.source = "http://test/a.png"
            test.turn { log.count == 2 }
            view.source = "http://test/b.png"
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { log.count == 3 }
            view.source = "http://test/a.png"
            test.turn { log.count == 4 }
            view.source = "http://test/c.png"
            try test.transfer(3).fail(.httpStatus(404))
            test.turn { log.count == 5 }
            view.source = "http://test/a.png"
            test.turn { log.count == 6 }
            test.settle()
            XCTAssertEqual(log, ["loaded", "loaded", "loaded", "loaded", "failed", "loaded"])
        }
    }

    func testAHandlerThatRequestsAnotherImageEndsTheReportOfTheFirst() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            let pointer = view.pointer
            var loaded: [UInt8?] = []
            Signal.connect(property: "phase", of: pointer) {
                guard let view = RemoteImageView(of: pointer), view.model.image?.content == 1 else { return }
                view.source = "http://test/b.png"
            }
            Signal.connect("loaded", of: pointer) { loaded.append(RemoteImageView(of: pointer)?.model.image?.content) }
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            try test.transfer(2).succeed(TestImage(2).bytes)
            test.turn { !loaded.isEmpty }
            test.settle()
            XCTAssertEqual(loaded, [2])
        }
    }

    // MARK: Declarations by properties

    func testAViewThatCodeDeclaresFollowsOnlyTheAddressAmongItsProperties() {
        GtkFixture.run { test in
            let view = test.view(
                NetworkImage("http://test/a.png", options: ImageOptions(priority: .high)) { Picture($0) })
            view.content.imagePipeline = test.pipeline
            test.show(view.pointer)
            shim_set_number(view.pointer, "priority", -1)
            XCTAssertEqual(view.image.options.priority, .high)
            XCTAssertEqual(view.source, "http://test/a.png")
            shim_set_pointer(view.pointer, "uri", "http://test/b.png")
            XCTAssertEqual(view.source, "http://test/b.png")
            XCTAssertEqual(view.image.options.priority, .low)
            XCTAssertTrue(view.model.pipeline === test.pipeline)
        }
    }

    /// They would replace the image of code by that of the properties, which is none.
    func testPropertiesOfTheWidgetAndOfTheLoadDeclareNoImage() throws {
        try GtkFixture.run { test in
            for name in ["corner-radius", "decorative", "playing", "priority", "max-retries", "timeout"] {
                let view = try Self.propertyView(test)
                shim_set_number(view.pointer, name, name == "playing" ? 0 : 1)
                view.source = "http://test/a.png"
                shim_set_number(view.pointer, "release-delay", 7)
                XCTAssertEqual(view.source, "http://test/a.png", name)
                test.show(view.pointer)
            }
        }
    }

    func testAReservedSizeNeedsNoAddress() throws {
        try GtkFixture.run { test in
            let view = try Self.propertyView(test)
            shim_set_number(view.pointer, "reserved-width", 30)
            shim_set_number(view.pointer, "reserved-height", 20)
            test.show(view.pointer)
            XCTAssertEqual(view.state.reservedSize, .points(width: 30, height: 20))
        }
    }

    func testAnotherAddressIsLoadedAfterACancellation() throws {
        try GtkFixture.run { test in
            let view = try Self.propertyView(test)
            shim_set_pointer(view.pointer, "uri", "http://test/a.png")
            test.show(view.pointer)
            let transfer = try test.transfer()
            view.state.cancel()
            test.turn { transfer.isCancelled }
            XCTAssertEqual(view.model.phase.kind, .empty)
            shim_set_number(view.pointer, "priority", 1)
            test.settle()
            XCTAssertEqual(test.transport.transfers.count, 1, "another property loads nothing")
            shim_set_pointer(view.pointer, "uri", "http://test/b.png")
            XCTAssertEqual(try test.transfer(2).request.address.string, "http://test/b.png")
        }
    }

    // MARK: Retries

    func testARetryAfterTheNetworkHasReturnedDelaysTheNextOneUntilAnImageIsLoaded() {
        GtkFixture.run { test in
            let network = NetworkConditions()
            let retries = NetworkReturn()
            var count = 0
            @MainActor func failAndReturn() {
                network.isConnected = false
                retries.follow(.failure(ImageError(.connection)), on: network) { count += 1 }
                network.isConnected = true
            }
            failAndReturn()
            test.turn { count == 1 }
            XCTAssertEqual(retries.delay, .seconds(2))
            retries.follow(.loading(LoadingState()), on: network) { count += 1 }
            failAndReturn()
            test.settle()
            XCTAssertEqual(count, 1)
            retries.follow(.success(TestImage(1).decoded), on: network) { count += 1 }
            XCTAssertEqual(retries.delay, .zero)
            failAndReturn()
            test.turn { count == 2 }
            retries.end()
        }
    }
}
