import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The zoom factors, sizes and positions of a viewer, and each of its keys.
final class ViewerDetailTests: XCTestCase {
    // MARK: Keys

    func testEachKeyMovesTheImageUntilItsEdge() throws {
        try withViewer(ofImage: (1000, 750)) { test, viewer, zoom in
            viewer.zoom = 1
            test.turn { upper(viewer) == [1000, 750] }
            let keys: [(left: Int32, right: Int32, up: Int32, down: Int32)] = [
                (GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down),
                (GDK_KEY_KP_Left, GDK_KEY_KP_Right, GDK_KEY_KP_Up, GDK_KEY_KP_Down),
            ]
            for (left, right, up, down) in keys {
                zoom.scroll(to: (400, 300))
                for (key, x, y) in [(left, 360.0, 300.0), (up, 360, 260), (right, 400, 260), (down, 400, 300)] {
                    XCTAssertTrue(press(key, zoom))
                    XCTAssertEqual([zoom.position.x, zoom.position.y], [x, y])
                }
                zoom.scroll(to: (0, 0))
                for key in [left, up] { XCTAssertFalse(press(key, zoom), "at the edge") }
                zoom.scroll(to: (790, 590))
                for key in [right, down] { XCTAssertTrue(press(key, zoom)) }
                XCTAssertEqual([zoom.position.x, zoom.position.y], [800, 600])
                for key in [right, down] { XCTAssertFalse(press(key, zoom), "at the edge") }
            }
        }
    }

    func testEachKeyZoomsByAStepOrToASize() throws {
        try withViewer(ofImage: (1000, 750)) { _, viewer, zoom in
            let keys: [(Int32, from: Double?, to: Double?)] = [
                (GDK_KEY_plus, 1, 1.25), (GDK_KEY_equal, 1, 1.25), (GDK_KEY_KP_Add, 2, 2.5), (GDK_KEY_minus, 1, 0.8),
                (GDK_KEY_KP_Subtract, 2, 1.6), (GDK_KEY_0, 2, nil), (GDK_KEY_KP_0, 2, nil), (GDK_KEY_1, 2, 1),
                (GDK_KEY_KP_1, nil, 1), (GDK_KEY_plus, nil, 0.25), (GDK_KEY_minus, nil, nil),
            ]
            for (key, from, to) in keys {
                viewer.zoom = from
                XCTAssertTrue(press(key, zoom))
                XCTAssertEqual(viewer.zoom, to, "\(key)")
            }
            viewer.zoom = 2
            for modifier in [GDK_ALT_MASK, GDK_SUPER_MASK, GDK_HYPER_MASK, GDK_META_MASK] {
                XCTAssertFalse(ViewerInput.press(UInt32(GDK_KEY_plus), modifier, zoom))
            }
            for key in [GDK_KEY_plus, GDK_KEY_KP_Add, GDK_KEY_minus, GDK_KEY_KP_Subtract] {
                XCTAssertTrue(ViewerInput.press(UInt32(key), GDK_CONTROL_MASK, zoom))
            }
            XCTAssertEqual(viewer.zoom, 2)
            XCTAssertTrue(ViewerInput.press(UInt32(GDK_KEY_1), GDK_SHIFT_MASK, zoom))
            XCTAssertEqual(viewer.zoom, 1)
        }
    }

    func testATouchpadZoomsByAStepForFiftyPoints() {
        XCTAssertEqual(ViewerInput.factor(of: -50, GDK_SCROLL_UNIT_SURFACE), 1.25, accuracy: 1e-9)
        XCTAssertEqual(ViewerInput.factor(of: 100, GDK_SCROLL_UNIT_SURFACE), 0.64, accuracy: 1e-9)
        XCTAssertEqual(ViewerInput.factor(of: 2, GDK_SCROLL_UNIT_WHEEL), 0.64, accuracy: 1e-9)
    }

    // MARK: Factors

    func testTheZoomStaysBetweenTheWholeImageAndItsMaximum() throws {
        try withViewer(ofImage: (1000, 750)) { _, viewer, _ in
            XCTAssertEqual(viewer.maxZoom, 8)
            for (set, kept) in [
                (0.1, nil), (0.2, nil), (0.2001, nil), (0.21, 0.21), (7.9, 7.9), (8, 8), (8.1, 8), (-3, nil),
            ] as [(Double, Double?)] {
                viewer.zoom = nil
                viewer.zoom = set
                XCTAssertEqual(viewer.zoom, kept, "\(set)")
            }
            for (set, kept) in [(0.5, 1), (1, 1), (1.5, 1.5)] as [(Double, Double)] {
                viewer.maxZoom = set
                XCTAssertEqual(viewer.maxZoom, kept)
                viewer.zoom = 4
                XCTAssertEqual(viewer.zoom, kept)
            }
        }
    }

    /// The image used to keep its size.
    func testALowerMaximumAppliesToTheShownImage() throws {
        try withViewer(ofImage: (1000, 750)) { _, viewer, zoom in
            var reported: [Double?] = []
            zoom.zoomFollower = { reported.append($0) }
            viewer.zoom = 6
            viewer.maxZoom = 2
            XCTAssertEqual(viewer.zoom, 2)
            XCTAssertEqual(viewer.view?.state.reservedSize, .points(width: 2000, height: 1500))
            viewer.maxZoom = 8
            XCTAssertEqual(viewer.zoom, 2)
            XCTAssertEqual(reported, [6, 2])
            zoom.zoomFollower = nil
        }
        // Without a factor, the image has the size of the fit.
        try withViewer(ofImage: (10, 5), fit: .width) { test, viewer, _ in
            XCTAssertEqual(viewer.view?.state.fixedSize.width, 80)
            viewer.maxZoom = 2
            test.turn { viewer.view?.state.fixedSize.width == 20 }
            XCTAssertNil(viewer.zoom)
        }
    }

    func testADoubleClickDoublesAnImageThatFits() throws {
        try withViewer(ofImage: (100, 80)) { _, viewer, zoom in
            for (maximum, expected) in [(8.0, 2.0), (1.5, 1.5)] {
                viewer.maxZoom = maximum
                zoom.toggle(around: nil)
                XCTAssertEqual(viewer.zoom, expected)
                zoom.toggle(around: nil)
                XCTAssertNil(viewer.zoom)
            }
            // Its natural size is a factor like any other.
            viewer.zoom = 1
            XCTAssertEqual(viewer.zoom, 1)
            viewer.zoom = 0.5
            XCTAssertEqual(viewer.zoom, 1)
        }
    }

    func testAViewerWithoutAnImageKeepsAnyFactorWithinItsLimits() {
        GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline)
            test.watch(viewer.content, "the viewer")
            test.show(viewer.pointer)
            for (set, kept) in [(0.001, 0.01), (0.02, 0.02), (3, 3), (9, 8)] as [(Double, Double)] {
                viewer.zoom = set
                XCTAssertEqual(viewer.zoom, kept)
            }
        }
    }

    /// A viewer of 200 × 150 points.
    func testEachFitHasItsFactor() throws {
        let cases: [(RemoteImageViewer.Fit, image: (Int, Int), size: (Int, Int))] = [
            (.whole, (1000, 750), (200, 150)), (.whole, (100, 80), (100, 80)), (.whole, (400, 150), (200, 75)),
            (.whole, (100, 300), (50, 150)), (.width, (10, 5), (80, 40)), (.width, (100, 30), (200, 60)),
            (.height, (10, 5), (80, 40)), (.height, (100, 50), (300, 150)), (.cover, (10, 5), (80, 40)),
            (.cover, (100, 50), (300, 150)), (.cover, (50, 100), (200, 400)), (.naturalSize, (1000, 30), (1000, 30)),
            (.naturalSize, (10, 5), (10, 5)),
        ]
        for (fit, image, size) in cases {
            try withViewer(ofImage: image, fit: fit) { test, viewer, _ in
                test.turn { viewer.view?.state.fixedSize.width != nil }
                test.draw(viewer.pointer)
                XCTAssertEqual(
                    viewer.view?.state.reservedSize, .points(width: size.0, height: size.1), "\(fit), \(image)")
                XCTAssertNil(viewer.zoom)
            }
        }
    }

    /// A viewer of 200 × 150 points. Without a factor, the image has the first one.
    func testEachFitHasItsLimitsAndItsDoubleClick() throws {
        let cases: [(RemoteImageViewer.Fit, image: (Int, Int), [(set: Double, kept: Double?)], clicked: Double)] = [
            (
                .width, (100, 600),
                [(0.01, 0.25), (0.25, 0.25), (1.99, 1.99), (2, nil), (2.01, 2.01), (9, 8)], clicked: 1
            ),
            (.naturalSize, (1000, 750), [(0.01, 0.2), (0.5, 0.5), (1, 1), (9, 8)], clicked: 2),
            (.width, (10, 5), [(0.5, 1), (7, 7), (8, nil), (9, nil)], clicked: 1),
            (.height, (1000, 50), [(0.1, 0.2), (3, nil), (3.1, 3.1)], clicked: 1),
            (.cover, (50, 100), [(0.5, 1), (4, nil), (5, 5)], clicked: 1),
        ]
        for (fit, image, factors, clicked) in cases {
            try withViewer(ofImage: image, fit: fit) { _, viewer, zoom in
                for (set, kept) in factors {
                    viewer.zoom = nil
                    viewer.zoom = set
                    XCTAssertEqual(viewer.zoom, kept, "\(fit), \(image), \(set)")
                }
                viewer.zoom = nil
                zoom.toggle(around: nil)
                XCTAssertEqual(viewer.zoom, clicked, "\(fit), \(image)")
                zoom.toggle(around: nil)
                XCTAssertNil(viewer.zoom)
            }
        }
    }

    /// A narrow side that is rounded down would change the shape of an image that fits.
    func testAnImageHasAWholeNumberOfPoints() throws {
        let cases: [(image: (Int, Int), zoom: Double?, size: (Int, Int))] = [
            ((800, 50), nil, (200, 13)), ((50, 600), nil, (13, 150)), ((999, 750), nil, (199, 150)),
            ((1000, 1), nil, (200, 1)), ((801, 51), 0.5, (400, 25)), ((51, 801), 0.5, (25, 400)),
            ((1000, 1), 0.5, (500, 1)), ((1, 1000), 0.5, (1, 500)),
        ]
        for (image, factor, size) in cases {
            try withViewer(ofImage: image) { _, viewer, _ in
                viewer.zoom = factor
                XCTAssertEqual(viewer.zoom, factor)
                XCTAssertEqual(
                    viewer.view?.state.reservedSize, .points(width: size.0, height: size.1), "\(image), \(size)")
            }
        }
    }

    // MARK: Positions

    func testAnImageBeginsAtTheEdgeWhereReadingBegins() throws {
        for (direction, x) in [(GTK_TEXT_DIR_LTR, 0.0), (GTK_TEXT_DIR_RTL, 1300)] {
            try GtkFixture.run { test in
                let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline).fit(.height)
                test.watch(viewer.content, "the viewer")
                gtk_widget_set_direction(viewer.pointer, direction)
                test.show(viewer.pointer, width: 200, height: 150)
                try test.transfer().succeed(TestImage(90, width: 1000, height: 100).bytes)
                let zoom = try XCTUnwrap(ViewerZoom.data[viewer.pointer])
                test.turn { upper(viewer)[0] == 1500 }
                test.draw(viewer.pointer)
                XCTAssertEqual([zoom.position.x, zoom.position.y], [x, 0])
            }
        }
    }

    func testAZoomKeepsThePointOfTheImage() throws {
        try withViewer(ofImage: (1000, 750)) { test, viewer, zoom in
            // The whole image is 200 × 150 points large: (50, 30) shows its point (250, 150).
            zoom.set(1, around: (50, 30))
            XCTAssertEqual([zoom.position.x, zoom.position.y], [200, 120])
            test.turn { upper(viewer) == [1000, 750] }
            zoom.set(2, around: (100, 50))
            XCTAssertEqual([zoom.position.x, zoom.position.y], [500, 290])
            zoom.set(1, around: nil)
            XCTAssertEqual([zoom.position.x, zoom.position.y], [200, 107.5])
            // The edge of the image is the limit.
            zoom.scroll(to: (800, 600))
            zoom.set(0.5, around: (0, 0))
            XCTAssertEqual([zoom.position.x, zoom.position.y], [300, 225])
        }
    }

    /// An image that is smaller than the viewer is in its middle.
    func testAZoomKeepsThePointOfASmallImage() throws {
        try withViewer(ofImage: (100, 50)) { _, viewer, zoom in
            // It begins at (50, 50): (75, 60) shows its point (25, 10).
            zoom.set(8, around: (75, 60))
            XCTAssertEqual([zoom.position.x, zoom.position.y], [125, 20])
            let pages = [adjustments(viewer).x, adjustments(viewer).y].map { gtk_adjustment_get_page_size($0) }
            XCTAssertEqual(pages, [200, 150])
            XCTAssertEqual(upper(viewer), [800, 400])
            XCTAssertEqual(gtk_adjustment_get_lower(adjustments(viewer).x), 0)
        }
    }

    func testAViewerIsAFocusableScrolledWindowThatExpands() throws {
        try withViewer(ofImage: (100, 50)) { _, viewer, _ in
            let window = viewer.content
            XCTAssertNotEqual(gtk_widget_get_focusable(window.pointer), 0)
            XCTAssertNotEqual(gtk_widget_get_hexpand(window.pointer), 0)
            XCTAssertNotEqual(gtk_widget_get_vexpand(window.pointer), 0)
            XCTAssertNotEqual(gtk_widget_has_css_class(window.pointer, "image-viewer"), 0)
            XCTAssertNotEqual(gtk_scrolled_window_get_kinetic_scrolling(window.opaque), 0)
            let view = try XCTUnwrap(viewer.view)
            XCTAssertEqual(
                [gtk_widget_get_halign(view.pointer), gtk_widget_get_valign(view.pointer)],
                [GTK_ALIGN_CENTER, GTK_ALIGN_CENTER])
        }
    }

    /// The viewer has the focus in place of its view, and had no name.
    func testTheLabelOfTheImageIsThatOfTheViewer() throws {
        try withViewer(ofImage: (100, 50)) { _, viewer, _ in
            let view = try XCTUnwrap(viewer.view)
            XCTAssertEqual(gtk_accessible_get_accessible_role(viewer.content.opaque), GTK_ACCESSIBLE_ROLE_GROUP)
            for label in ["A map", "Another map", nil] as [String?] {
                view.accessibleLabel = label
                XCTAssertNil(shim_check_label(viewer.pointer, label ?? ""))
            }
        }
        GtkFixture.run { test in
            let viewer = test.watch(
                RemoteImageViewer(NetworkImage("http://test/a.png").accessibleLabel("A map")).content, "the viewer")
            XCTAssertNil(shim_check_label(viewer.pointer, "A map"))
        }
    }

    // MARK: Menus

    /// A drag of the zoomed image used to begin drag and drop.
    func testOnlyAnImageThatFitsIsDraggedIntoOtherPrograms() throws {
        try withViewer(ofImage: (1000, 750)) { test, viewer, _ in
            let view = try XCTUnwrap(viewer.view)
            view.hasContextMenu = true
            let source = try XCTUnwrap(Emission.controllers(gtk_drag_source_get_type(), of: view.pointer).first)
            for (factor, isDragged) in [(nil, true), (1, false), (nil, true)] as [(Double?, Bool)] {
                viewer.zoom = factor
                test.draw(viewer.pointer)
                let content = Emission.emit("prepare", of: source, 5, 5)
                XCTAssertEqual(content != nil, isDragged)
                if let content { g_object_unref(UnsafeMutableRawPointer(content)) }
            }
        }
    }

    /// The keys used to open the menu only while its view had the focus.
    func testTheMenuKeyOpensTheMenuWhileTheViewerHasTheFocus() throws {
        try withViewer(ofImage: (100, 50)) { _, viewer, _ in
            let view = try XCTUnwrap(viewer.view)
            view.hasContextMenu = true
            let menu = try XCTUnwrap(Widget(of: first(gtk_popover_menu_get_type(), in: view.pointer))).pointer
            for keys in Emission.controllers(gtk_event_controller_key_get_type(), of: viewer.pointer) {
                Emission.emit("key-pressed", of: keys, Double(GDK_KEY_Menu))
            }
            XCTAssertNotEqual(gtk_widget_get_visible(menu), 0)
            // The start of an image that is zoomed in may be out of sight.
            var place = GdkRectangle()
            gtk_popover_get_pointing_to(UnsafeMutableRawPointer(menu).assumingMemoryBound(to: GtkPopover.self), &place)
            XCTAssertEqual(Double(place.x), Double(gtk_widget_get_width(view.pointer)) / 2, accuracy: 1)
            XCTAssertEqual(Double(place.y), Double(gtk_widget_get_height(view.pointer)) / 2, accuracy: 1)
            gtk_widget_set_visible(menu, 0)
            let count = Emission.controllers(gtk_event_controller_key_get_type(), of: viewer.pointer).count
            view.hasContextMenu = false
            XCTAssertEqual(
                Emission.controllers(gtk_event_controller_key_get_type(), of: viewer.pointer).count, count - 1)
        }
    }

    func testAnImageOfAHighDensityScreenHasItsSizeInPoints() throws {
        try GtkFixture.run { test in
            let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline, scale: 2)
            test.watch(viewer.content, "the viewer")
            test.show(viewer.pointer, width: 200, height: 150)
            try test.transfer().succeed(TestImage(90, width: 101, height: 60).bytes)
            test.turn { viewer.view?.state.fixedSize.width != nil }
            XCTAssertEqual(viewer.view?.state.reservedSize, .points(width: 50, height: 30))
            XCTAssertNil(RemoteImageViewer(of: OpaquePointer(gtk_widget_get_parent(viewer.pointer))))
            XCTAssertNil(RemoteImageViewer(of: nil as OpaquePointer?))
        }
    }

    func testTheErrorOfAnotherImageFillsTheViewer() throws {
        try withViewer(ofImage: (100, 50)) { test, viewer, _ in
            let view = try XCTUnwrap(viewer.view)
            test.turn { view.state.fixedSize.width == 100 }
            view.source = "http://test/b.png"
            try test.transfer(2).fail(.httpStatus(404))
            test.turn { view.model.phase.kind == .failure && view.state.fixedSize == (nil, nil) }
            XCTAssertEqual(
                [gtk_widget_get_halign(view.pointer), gtk_widget_get_valign(view.pointer)],
                [GTK_ALIGN_FILL, GTK_ALIGN_FILL])
            test.turn { gtk_widget_get_width(view.pointer) == 200 && gtk_widget_get_height(view.pointer) == 150 }
        }
    }

    func testAnotherImageIsShownWithoutTheZoomFactor() throws {
        try withViewer(ofImage: (1000, 750)) { test, viewer, zoom in
            var reported: [Double?] = []
            zoom.zoomFollower = { reported.append($0) }
            viewer.zoom = 2
            viewer.zoom = 2
            XCTAssertEqual(reported, [2])
            zoom.imageReplaced()
            XCTAssertNil(viewer.zoom)
            XCTAssertEqual(reported, [2, nil])
            zoom.zoomFollower = nil
            test.settle()
        }
    }
}

@MainActor
private func press(_ key: Int32, _ zoom: ViewerZoom) -> Bool {
    ViewerInput.press(UInt32(key), GdkModifierType(0), zoom)
}

@MainActor
private func adjustments(
    _ viewer: RemoteImageViewer
) -> (x: UnsafeMutablePointer<GtkAdjustment>?, y: UnsafeMutablePointer<GtkAdjustment>?) {
    let window = viewer.content.opaque
    return (gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window))
}

@MainActor
private func upper(_ viewer: RemoteImageViewer) -> [Double] {
    [gtk_adjustment_get_upper(adjustments(viewer).x), gtk_adjustment_get_upper(adjustments(viewer).y)]
}

/// A viewer of 200 × 150 points.
private func withViewer(
    ofImage size: (Int, Int), fit: RemoteImageViewer.Fit = .whole,
    _ body: @MainActor (GtkFixture, RemoteImageViewer, ViewerZoom) throws -> Void
) throws {
    try GtkFixture.run { test in
        let viewer = RemoteImageViewer("http://test/a.png", pipeline: test.pipeline).fit(fit)
        test.watch(viewer.content, "the viewer")
        test.show(viewer.pointer, width: 200, height: 150)
        try test.transfer().succeed(TestImage(90, width: size.0, height: size.1).bytes)
        test.turn { viewer.view?.model.phase.kind == .success }
        test.turn { viewer.view?.state.fixedSize.width != nil }
        test.draw(viewer.pointer)
        try body(test, viewer, try XCTUnwrap(ViewerZoom.data[viewer.pointer]))
    }
}
