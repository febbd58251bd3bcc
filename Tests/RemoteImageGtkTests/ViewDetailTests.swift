import CRemoteImageGtk
import HTTPTypes
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

private let nothing: [UInt8] = [0, 0, 0, 0]
private let gray: [UInt8] = [90, 90, 90, 255]

/// The looks, the transitions and the reports of views.
final class ViewDetailTests: XCTestCase {
    // MARK: Corners

    func testTheCornersOfAViewAreThoseOfItsDrawnImage() throws {
        let cases: [(GtkContentFit, image: (Int, Int), x: Double, y: Double, [(Int, Int, [UInt8])])] = [
            (
                GTK_CONTENT_FIT_CONTAIN, (60, 60), 0.5, 0.5,
                [
                    (31, 1, nothing), (88, 1, nothing), (31, 58, nothing), (60, 1, gray), (31, 30, gray),
                    (28, 30, nothing),
                ]
            ),
            (GTK_CONTENT_FIT_CONTAIN, (60, 60), 0, 0.5, [(1, 1, nothing), (30, 1, gray), (58, 58, nothing)]),
            (GTK_CONTENT_FIT_COVER, (60, 60), 0.5, 0.5, [(1, 1, nothing), (31, 1, gray), (118, 58, nothing)]),
            (GTK_CONTENT_FIT_FILL, (60, 60), 0.5, 0.5, [(1, 1, nothing), (31, 1, gray), (118, 58, nothing)]),
            (
                GTK_CONTENT_FIT_SCALE_DOWN, (40, 30), 1, 0,
                [(81, 1, nothing), (118, 1, nothing), (100, 1, gray), (118, 28, nothing), (118, 15, gray)]
            ),
        ]
        for (fit, image, x, y, points) in cases {
            try GtkFixture.run { test in
                let view = try propertyView(test)
                shim_set_number(view.pointer, "content-fit", Int32(fit.rawValue))
                view.state.properties.display.xAlign = x
                view.state.properties.display.yAlign = y
                shim_set_number(view.pointer, "corner-radius", 10)
                shim_set_pointer(view.pointer, "uri", "http://test/a.png")
                test.show(view.pointer, width: 120, height: 60)
                try test.transfer().succeed(TestImage(90, width: image.0, height: image.1).bytes)
                test.turn { view.model.phase.kind == .success }
                test.draw(view.pointer)
                let rounded = try Drawing(view.pointer)
                for (x, y, color) in points {
                    XCTAssertEqual(rounded[x, y], color, "\(fit.rawValue), \(x), \(y)")
                }
                shim_set_number(view.pointer, "corner-radius", 0)
                test.draw(view.pointer)
                let plain = try Drawing(view.pointer)
                XCTAssertEqual(plain[points[0].0, points[0].1], gray)
            }
        }
    }

    // MARK: Placeholders

    func testAPlaceholderIconHasItsSize() throws {
        try GtkFixture.run { test in
            let view = try propertyView(test)
            let object = UnsafeMutableRawPointer(view.pointer)
            shim_set_pointer(object, "placeholder-icon-name", "image-missing-symbolic")
            @MainActor func pixelSize() throws -> gint {
                gtk_image_get_pixel_size(try XCTUnwrap(first(gtk_image_get_type(), in: view.pointer)))
            }
            test.show(view.pointer)
            XCTAssertEqual(try pixelSize(), -1)
            for size in [1, 20] as [gint] {
                shim_set_number(object, "placeholder-icon-size", size)
                XCTAssertEqual(try pixelSize(), size)
            }
            // A widget takes precedence.
            let label = Widget(gtk_label_new("wait"))
            shim_set_pointer(object, "placeholder", label.pointer)
            XCTAssertEqual(children(of: view.pointer).last, label.pointer)
        }
    }

    func testEachPhaseOfAViewWithPropertiesHasItsWidget() throws {
        try GtkFixture.run { test in
            let view = try propertyView(test)
            let object = UnsafeMutableRawPointer(view.pointer)
            let (before, after) = (Widget(gtk_label_new("before")), Widget(gtk_label_new("failed")))
            shim_set_pointer(object, "placeholder", before.pointer)
            shim_set_pointer(object, "failure", after.pointer)
            test.show(view.pointer)
            XCTAssertEqual(texts(in: view.pointer), ["before"])
            shim_set_pointer(object, "uri", "http://test/a.png")
            let transfer = try test.transfer()
            XCTAssertEqual(texts(in: view.pointer), ["before"])
            transfer.fail(.httpStatus(404))
            test.turn { texts(in: view.pointer) == ["failed"] }
            shim_set_pointer(object, "uri", "http://test/b.png")
            try test.transfer(2).succeed(TestImage(90).bytes)
            test.turn { drawnContents(of: view.pointer) == [90] }
            test.turn { texts(in: view.pointer) == [] }
        }
    }

    func testAWidgetWithAnotherParentIsNoPlaceholder() throws {
        try GtkFixture.run { test in
            let view = try propertyView(test)
            let (box, label) = (Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)), Widget(gtk_label_new("elsewhere")))
            append(label.pointer, to: box)
            append(view.pointer, to: box)
            let window = test.show(box.pointer)
            let warnings = Warnings()
            let own = Widget(gtk_label_new("own"))
            shim_set_pointer(view.pointer, "placeholder", own.pointer)
            XCTAssertEqual(texts(in: view.pointer), ["own"])
            XCTAssertEqual(warnings.messages, [])
            for widget in [label.pointer, box.pointer, view.pointer, window.widget] {
                let count = warnings.messages.count
                shim_set_pointer(view.pointer, "placeholder", widget)
                XCTAssertGreaterThan(warnings.messages.count, count)
                XCTAssertEqual(texts(in: view.pointer), [])
            }
            XCTAssertEqual(
                Set(warnings.messages),
                [
                    "RemoteImageView: a widget for its placeholder or failure has another parent, or is around the view, and is not shown"
                ])
            shim_set_pointer(view.pointer, "placeholder", nil)
            XCTAssertEqual(gtk_widget_get_parent(label.pointer), box.pointer)
        }
    }

    func testTheChildrenOfAViewInAFileAreItsPlaceholderAndItsFailure() throws {
        try GtkFixture.run { test in
            _ = RemoteImageViewState.type
            let warnings = Warnings()
            let builder = gtk_builder_new_from_string(
                """
                <interface><object class="RemoteImageView" id="view">
                <child type="placeholder"><object class="GtkLabel" id="before"/></child>
                <child type="failure"><object class="GtkLabel" id="after"/></child>
                <child type="other"><object class="GtkLabel" id="other"/></child>
                <child><object class="GtkLabel" id="none"/></child>
                <child><object class="GtkGestureClick" id="click"/></child>
                </object></interface>
                """, -1)
            defer { g_object_unref(builder.map { UnsafeMutableRawPointer($0) }) }
            let view = try XCTUnwrap(
                RemoteImageView(of: gtk_builder_get_object(builder, "view").map { UnsafeMutableRawPointer($0) }))
            for (name, id) in [("placeholder", "before"), ("failure", "after")] {
                XCTAssertEqual(
                    shim_get_object(view.pointer, name),
                    gtk_builder_get_object(builder, id).map { UnsafeMutableRawPointer($0) })
            }
            XCTAssertEqual(
                warnings.messages,
                ["other", "none"].map {
                    "RemoteImageView: a child is of type “placeholder” or “failure”, not “\($0)”"
                })
            XCTAssertTrue(
                Emission.controllers(gtk_gesture_click_get_type(), of: view.pointer).contains {
                    UnsafeMutableRawPointer($0)
                        == gtk_builder_get_object(builder, "click").map { UnsafeMutableRawPointer($0) }
                })
        }
    }

    // MARK: Transitions

    func testAnEffectDrawsAPartOfTheNewImage() throws {
        try GtkFixture.run { test in
            let clip = Clip()
            var options = ImageOptions()
            options.transition = .crossFade(.seconds(60))
            options.transitionEffect = TransitionEffect { frame in
                clip.size = [frame.width, frame.height]
                frame.drawNew(clippedTo: clip.width)
            }
            let view = test.view(
                NetworkImage("http://test/a.png", options: options) { image in
                    Picture(image, contentFit: .fill)
                } placeholder: {
                    Label("")
                })
            test.show(view.pointer, width: 60, height: 40)
            try test.transfer().succeed(TestImage(90, width: 60, height: 40).bytes)
            test.turn { view.model.phase.kind == .success }
            for (width, drawn, undrawn) in [
                (20.0, 18 as Int?, 22 as Int?), (-5, nil, 1), (500, 58, nil), (59, 57, nil),
            ] {
                clip.width = width
                test.draw(view.pointer)
                let drawing = try Drawing(view.pointer)
                for y in [1, 38] {
                    if let drawn { XCTAssertEqual(drawing[drawn, y], gray, "\(width)") }
                    if let undrawn { XCTAssertEqual(drawing[undrawn, y], nothing, "\(width)") }
                }
            }
            XCTAssertEqual(clip.size, [60, 40])
        }
    }

    func testATransitionHasItsDurationUnlessNothingMoves() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage(nil))
            test.show(view.pointer)
            func image(_ origin: ImageOrigin) -> LoadedImage {
                let size = PixelSize(width: 1, height: 1)
                return LoadedImage(
                    pixels: TestImage(1, width: 1, height: 1).decoded.pixels,
                    info: ImageInfo(size: size, decodedSize: size, format: nil, origin: origin))
            }
            @MainActor func duration(_ transition: ImageTransition, _ origin: ImageOrigin) -> Duration? {
                CrossFade.duration(of: transition, to: image(origin), on: view.pointer)
            }
            let (fade, also) = (
                ImageTransition.crossFade(.milliseconds(1)),
                ImageTransition.crossFade(.milliseconds(1), appliesToMemoryHits: true)
            )
            for origin in [ImageOrigin.network, .disk, .stale] {
                XCTAssertEqual(duration(fade, origin), .milliseconds(1))
                XCTAssertEqual(duration(also, origin), .milliseconds(1))
                XCTAssertNil(duration(.none, origin))
            }
            XCTAssertNil(duration(fade, .memory))
            XCTAssertEqual(duration(also, .memory), .milliseconds(1))
            DesktopAnimations.set(false, for: view)
            XCTAssertNil(duration(also, .network))
            DesktopAnimations.set(true, for: view)
            XCTAssertNotNil(duration(also, .network))
        }
    }

    func testATransitionProgressesInEachFrameUntilItIsFinishedOrStopped() {
        GtkFixture.run { test in
            let label = Widget(gtk_label_new(""))
            test.show(label.pointer)
            for isFinished in [true, false] {
                var values: [Double] = []
                let fade = CrossFade(duration: .seconds(60), on: label.pointer) { values.append($0) }
                XCTAssertEqual(fade.progress, 0)
                test.turn { values.count >= 5 }
                XCTAssertEqual(values.first, 0)
                XCTAssertTrue(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "\(values)")
                XCTAssertEqual(fade.progress, values.last)
                let before = values
                if isFinished { fade.finish() } else { fade.stop() }
                XCTAssertEqual(fade.progress, isFinished ? 1 : before[before.count - 1])
                // Its end is its last call.
                fade.finish()
                test.draw(label.pointer)
                XCTAssertEqual(values, before + (isFinished ? [1] : []))
            }
        }
    }

    func testATransitionEndsWithOneOnce() {
        GtkFixture.run { test in
            let view = test.view(NetworkImage(nil))
            test.show(view.pointer)
            for (isAnimated, expected) in [(true, [0.0, 1.0]), (false, [1])] {
                DesktopAnimations.set(isAnimated, for: view)
                defer { DesktopAnimations.set(true, for: view) }
                var values: [Double] = []
                // Shorter than a frame.
                let fade = CrossFade(duration: .microseconds(100), on: view.pointer) { values.append($0) }
                test.turn { values.contains { $0 >= 1 } }
                fade.finish()
                test.draw(view.pointer)
                XCTAssertEqual(values, expected)
                XCTAssertEqual(fade.progress, 1)
            }
        }
    }

    // MARK: Reports

    func testSignalsOfNestedWorkAreEmittedOnceAfterAllOfIt() {
        GtkFixture.run { test in
            let delay = SignalDelay()
            var log: [String] = []
            XCTAssertTrue(delay.mayEmit())
            delay.run {
                XCTAssertFalse(delay.mayEmit())
                delay.run {
                    XCTAssertFalse(delay.mayEmit())
                } then: {
                    log.append("inner")
                }
                XCTAssertEqual(log, [])
            } then: {
                log.append("outer")
            }
            XCTAssertEqual(log, [], "not within the work")
            test.turn { !log.isEmpty }
            test.settle()
            XCTAssertEqual(log, ["outer"])
            // Work without a change, and a change that is emitted meanwhile, emit nothing later.
            delay.run({}, then: { log.append("none") })
            delay.run({ _ = delay.mayEmit() }, then: { log.append("emitted") })
            XCTAssertTrue(delay.mayEmit())
            delay.run({ _ = delay.mayEmit() }, then: { log.append("stopped") })
            delay.stop()
            test.settle()
            XCTAssertEqual(log, ["outer"])
        }
    }

    func testEachChangeOfThePhaseChangesItsProperties() {
        let (a, b) = (TestImage(1).decoded, TestImage(2).decoded)
        let (missing, broken) = (ImageError.httpStatus(404), ImageError.httpStatus(500))
        let loading = NetworkImagePhase.loading(LoadingState())
        let ofImage = ["texture", "image-width", "image-height", "animated"]
        let cases: [(NetworkImagePhase, NetworkImagePhase, [String])] = [
            (.empty, .empty, []), (loading, loading, ["progress"]), (.empty, loading, ["progress", "phase"]),
            (loading, .success(a), ["progress", "phase"]), (.success(a), .success(b), ["progress"]),
            (.success(a), .success(a), []), (loading, .failure(missing), ["progress", "phase", "error", "status"]),
            (.failure(missing), .failure(missing), []),
            (.failure(missing), .failure(broken), ["progress", "error", "status"]),
            (.failure(ImageError(.tls)), .failure(ImageError(.io)), ["progress", "error"]),
            (.failure(missing), .empty, ["progress", "phase", "error", "status"]),
        ]
        for (old, new, expected) in cases {
            XCTAssertEqual(new.changedProperties(since: old, withImage: false), expected)
            let hasImage = !expected.isEmpty && !(old.kind == .loading && new.kind == .loading)
            XCTAssertEqual(
                new.changedProperties(since: old, withImage: true), hasImage ? expected + ofImage : expected)
        }
    }

    func testEachLoadEndsWithOneSignal() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage("http://test/a.png"))
            var log: [String] = []
            let pointer = view.pointer
            for signal in ["loaded", "failed"] {
                SignalClosure.connect(signal, of: UnsafeMutableRawPointer(pointer)) { () -> Void in
                    log.append("\(signal) \(RemoteImageViewState.of(pointer).phase.kind.cssClass)")
                }
            }
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { log == ["loaded success"] }
            view.model.reload()
            try test.transfer(2).fail(.httpStatus(500))
            test.turn { log.count == 2 }
            view.model.reload()
            try test.transfer(3).succeed(TestImage(2).bytes)
            test.turn { log.count == 3 }
            view.source = "http://test/b.png"
            try test.transfer(4).fail(.httpStatus(404))
            test.turn { log.count == 4 }
            view.source = nil
            test.settle()
            XCTAssertEqual(log, ["loaded success", "failed success", "loaded success", "failed failure"])
        }
    }

    func testOnlyAFailureThatTheNetworkMayMendIsRetriedWhileItIsShown() {
        GtkFixture.run { test in
            let network = NetworkConditions()
            let retries = NetworkReturn()
            var count = 0
            @MainActor func comeAndGo() {
                (network.isConnected, network.isConnected) = (false, true)
                test.settle()
            }
            XCTAssertEqual(retries.delay, .zero)
            retries.follow(.failure(.httpStatus(404)), on: network) { count += 1 }
            comeAndGo()
            for phase in [NetworkImagePhase.empty, .loading(LoadingState()), .success(TestImage(1).decoded)] {
                retries.follow(.failure(ImageError(.connection)), on: network) { count += 1 }
                retries.follow(phase, on: network) { count += 1 }
                comeAndGo()
            }
            retries.follow(.failure(ImageError(.connection)), on: network) { count += 1 }
            network.isConnected = false
            test.settle()
            retries.end()
            network.isConnected = true
            test.settle()
            XCTAssertEqual(count, 0)
            XCTAssertEqual(retries.delay, .zero)
        }
    }

    func testAViewHasTheClassOfItsPhaseAlone() throws {
        try GtkFixture.run { test in
            let view = test.view(NetworkImage(nil))
            @MainActor func classes() -> [String] {
                ["empty", "loading", "success", "failure"].filter { gtk_widget_has_css_class(view.pointer, $0) != 0 }
            }
            test.show(view.pointer)
            XCTAssertEqual(classes(), ["empty"])
            view.source = "http://test/a.png"
            XCTAssertEqual(classes(), ["loading"])
            try test.transfer().fail(.httpStatus(404))
            test.turn { view.model.phase.kind == .failure }
            XCTAssertEqual(classes(), ["failure"])
            view.source = "http://test/b.png"
            try test.transfer(2).succeed(TestImage(5).bytes)
            test.turn { view.model.phase.kind == .success }
            XCTAssertEqual(classes(), ["success"])
            view.source = nil
            XCTAssertEqual(classes(), ["empty"])
        }
    }

    // MARK: Handles

    func testAHandleReadsAndChangesItsView() {
        GtkFixture.run { test in
            let view = test.view(
                NetworkImage("http://test/a.png").priority(.high).processors([.grayscale])
                    .transition(.crossFade(.milliseconds(7))).decorative().playing(false).accessibleLabel("A cat"))
            test.show(view.pointer)
            XCTAssertEqual(view.image.options.priority, .high)
            XCTAssertEqual(view.image.options.processors.map(\.identity), ["grayscale"])
            XCTAssertEqual(view.image.options.transition, .crossFade(.milliseconds(7)))
            XCTAssertTrue(view.isDecorative)
            XCTAssertFalse(view.isPlaying)
            XCTAssertEqual(view.accessibleLabel, "A cat")
            (view.isDecorative, view.isPlaying, view.accessibleLabel) = (false, true, nil)
            XCTAssertFalse(view.isDecorative)
            XCTAssertTrue(view.isPlaying)
            XCTAssertNil(view.accessibleLabel)
            view.image = NetworkImage("http://test/b.png")
            XCTAssertTrue(view.image.pipeline === test.pipeline, "it keeps its pipeline")
            let other = ImagePipeline.test(FakeTransport())
            view.image = NetworkImage("http://test/b.png").pipeline(other)
            XCTAssertTrue(view.image.pipeline === other)
            XCTAssertTrue(view.model.pipeline === other)
            XCTAssertEqual(RemoteImageView(of: UnsafeMutableRawPointer(view.pointer))?.pointer, view.pointer)
            let window = gtk_widget_get_parent(view.pointer)
            XCTAssertNil(RemoteImageView(of: window))
            XCTAssertNil(RemoteImageView(of: nil as OpaquePointer?))
        }
    }

    func testTheHandlersOfAnImageReceiveItsResults() throws {
        try GtkFixture.run { test in
            var log: [String] = []
            let view = test.view(
                NetworkImage("http://test/a.png").onSuccess { log.append("image \($0.content ?? 0)") }
                    .onFailure { log.append("error \($0.status ?? 0)") })
            test.show(view.pointer)
            try test.transfer().succeed(TestImage(5).bytes)
            test.turn { log == ["image 5"] }
            view.source = "http://test/b.png"
            try test.transfer(2).fail(.httpStatus(404))
            test.turn { log.count == 2 }
            // A failed reload that keeps the image is no failure of the view.
            view.source = "http://test/a.png"
            test.turn { log.count == 3 }
            view.model.reload()
            try test.transfer(3).fail(.httpStatus(500))
            test.turn { view.model.refreshError != nil }
            test.settle()
            XCTAssertEqual(log, ["image 5", "error 404", "image 5"])
        }
    }
}

/// The width of a clip, and the size of the last frame.
@MainActor
private final class Clip {
    var width = 0.0
    var size: [Double] = []
}

/// A view as programs in other languages declare it.
@MainActor
private func propertyView(_ test: GtkFixture) throws -> RemoteImageView {
    let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
    test.watch(view.content, "the view")
    view.content.imagePipeline = test.pipeline
    return view
}
