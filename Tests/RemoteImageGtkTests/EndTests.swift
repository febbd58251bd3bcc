import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// A window can close in any state of its views. The fixture checks that all objects are released,
/// and a critical message of GLib ends the process.
final class EndTests: XCTestCase {
    /// The progress of a load.
    private enum Moment: CaseIterable {
        case withoutSource, asked, responded, halfReceived, shown, fadingIn, failed, reloading, outOfSight
    }

    func testAWindowThatClosesAtAnyMomentLeavesNothingAndBuildsNothingMore() throws {
        for moment in Moment.allCases {
            try GtkFixture.run { test in
                let (builds, phases) = (Builds(), Builds())
                // A separate function, so that this test holds no reference to the view.
                let (window, transfer) = try Self.show(at: moment, builds, phases, test)
                window.destroy()
                test.turn { test.aliveCount(of: "the view") == 0 }
                let (built, seen) = (builds.count, phases.count)
                // Events after the end are dropped.
                transfer?.respond()
                transfer?.send(TestImage(7).bytes)
                transfer?.finish()
                test.settle()
                XCTAssertEqual(builds.count, built, "\(moment)")
                XCTAssertEqual(phases.count, seen, "\(moment)")
            }
        }
    }

    func testClosingAWindowCancelsAHundredRunningLoads() throws {
        GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 100, perHost: 100)
            let builds = Builds()
            let window = Self.showHundred(builds, test)
            test.turn { test.transport.transfers.count == 100 }
            XCTAssertEqual(test.transport.transfers.count, 100)
            for transfer in test.transport.transfers.prefix(30) { transfer.respond() }
            window.destroy()
            test.turn { test.transport.transfers.allSatisfy(\.isCancelled) }
            test.turn { test.aliveCount(of: "the view") == 0 }
            for transfer in test.transport.transfers { transfer.succeed(TestImage(7).bytes) }
            test.settle()
            XCTAssertEqual(builds.count, 0)
        }
    }

    func testQuittingAnApplicationCancelsItsRunningLoads() throws {
        try GtkFixture.run { test in
            test.pipeline.setConcurrency(transfers: 20, perHost: 20)
            let application = try XCTUnwrap(gtk_application_new("org.remoteimage.Test", shim_application_non_unique))
            let gApplication = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
            Signal.connect("activate", of: UnsafeMutableRawPointer(application)) {
                let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
                for number in 0..<20 {
                    let view = test.view(NetworkImage("http://test/\(number).png"))
                    gtk_widget_set_size_request(view.pointer, 20, 10)
                    append(view.pointer, to: box)
                }
                let window = Widget(gtk_application_window_new(application))
                gtk_window_set_child(window.cast(to: GtkWindow.self), box.pointer)
                gtk_window_present(window.cast(to: GtkWindow.self))
            }
            let quits = Quits(gApplication) { test.transport.transfers.count == 20 }
            XCTAssertEqual(g_application_run(gApplication, 0, nil), 0)
            XCTAssertTrue(quits.isDone)
            // A program ends here. A program that continues closes its remaining windows.
            while let window = gtk_application_get_active_window(application) { gtk_window_destroy(window) }
            g_object_unref(application)
            test.turn { test.transport.transfers.allSatisfy(\.isCancelled) }
            test.turn { test.aliveCount(of: "the view") == 0 }
        }
    }

    /// A window with a hundred views.
    @MainActor
    private static func showHundred(_ builds: Builds, _ test: GtkFixture) -> TestWindow {
        let grid = Widget(gtk_flow_box_new())
        for number in 0..<100 {
            let view = test.view(
                NetworkImage("http://test/\(number).png") { image in builds.counted(Picture(image)) })
            gtk_widget_set_size_request(view.pointer, 10, 10)
            gtk_flow_box_insert(grid.opaque, view.pointer, -1)
        }
        return test.show(grid.pointer, width: 400, height: 300)
    }

    /// A window with a view whose load has reached this moment, and its transfer.
    @MainActor
    private static func show(
        at moment: Moment, _ builds: Builds, _ phases: Builds, _ test: GtkFixture
    ) throws -> (TestWindow, FakeTransfer?) {
        var options = ImageOptions()
        if moment == .fadingIn { options.transition = .crossFade(.seconds(60)) }
        let source = moment == .withoutSource ? nil : ImageSource("http://test/a.png")
        let view = test.view(
            NetworkImage(source, options: options) { (phase: NetworkImagePhase) -> Widget in
                builds.count += 1
                switch phase {
                case .success(let image): return Picture(image).content
                case .loading(let state): return LoadingIndicator(state).content
                case .failure(let error): return Label(error.message).content
                case .empty: return Label("nothing").content
                }
            })
        phases.observation = view.model.observePhase { _, _ in phases.count += 1 }
        let window = test.show(view.pointer)
        return (window, try bring(view, to: moment, test))
    }

    /// The transfer that is running at this moment; `nil` if there is none.
    @MainActor
    private static func bring(
        _ view: RemoteImageView, to moment: Moment, _ test: GtkFixture
    ) throws -> FakeTransfer? {
        guard moment != .withoutSource else { return nil }
        let transfer = try test.transfer()
        switch moment {
        case .withoutSource, .asked: break
        case .responded: transfer.respond(expected: 100)
        case .halfReceived:
            transfer.respond(expected: 100)
            transfer.send([UInt8](repeating: 1, count: 50))
            test.turn { view.model.progress.completedByteCount == 50 }
        case .shown:
            transfer.succeed(TestImage(7).bytes)
            test.turn { view.model.phase.kind == .success }
        case .fadingIn:
            transfer.succeed(TestImage(7).bytes)
            test.turn { view.model.phase.kind == .success }
            test.draw(view.pointer)
        case .failed:
            transfer.succeed([], status: 404)
            test.turn { view.model.phase.kind == .failure }
        case .reloading:
            transfer.succeed(TestImage(7).bytes)
            test.turn { view.model.phase.kind == .success }
            view.model.reload()
            return try test.transfer(2)
        case .outOfSight: gtk_widget_set_visible(view.pointer, 0)
        }
        return transfer
    }

    @MainActor
    private final class Builds {
        var count = 0
        var observation: ObservationToken?

        func counted(_ picture: Picture) -> Picture {
            count += 1
            return picture
        }
    }

    /// Quits an application when a condition holds.
    @MainActor
    private final class Quits {
        private(set) var isDone = false
        private let application: UnsafeMutablePointer<GApplication>
        private let condition: () -> Bool
        private let timer = MainLoopTimer()

        init(_ application: UnsafeMutablePointer<GApplication>, when condition: @escaping () -> Bool) {
            (self.application, self.condition) = (application, condition)
            wait()
        }

        private func wait() {
            timer.start(after: .milliseconds(5)) { [weak self] in
                guard let self else { return }
                guard condition() else { return wait() }
                isDone = true
                g_application_quit(application)
            }
        }
    }
}

extension Widget {
    fileprivate func cast<Class>(to type: Class.Type) -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
    }
}
