import CRemoteImageGtk
import Dispatch
import RemoteImageCore
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

final class MainLoopTests: XCTestCase {
    func testMainActorTasksRunOnTheMainLoop() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            var steps: [String] = []
            Task {
                MainActor.preconditionIsolated()
                steps.append("task")
                try? await ContinuousClock().sleep(for: .milliseconds(1))
                steps.append("timer")
                await Task.detached {}.value
                steps.append("detached")
                DispatchQueue.main.async { MainActor.assumeIsolated { steps.append("dispatch") } }
            }
            test.turn { steps.count == 4 }
            XCTAssertEqual(steps, ["task", "timer", "detached", "dispatch"])
        }
    }

    func testInstallingTwiceHasNoEffect() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            try MainLoop.install()
            test.settle()
            let before = MainLoop.wakeUpCount.withLock { $0 }
            var hasRun = false
            Task { hasRun = true }
            test.turn { hasRun }
            test.settle()
            XCTAssertEqual(MainLoop.wakeUpCount.withLock { $0 } - before, 1)
        }
    }

    /// A descriptor that is not read before the queue is drained stays readable, and the loop would
    /// spin forever.
    func testAnIdleLoopIsNotWoken() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            var hopCount = 0
            Task {
                for _ in 0..<100 {
                    await Task.detached {}.value
                    hopCount += 1
                }
            }
            test.turn { hopCount == 100 }
            test.settle()
            let before = MainLoop.wakeUpCount.withLock { $0 }
            for _ in 0..<1000 { g_main_context_iteration(nil, 0) }
            XCTAssertEqual(MainLoop.wakeUpCount.withLock { $0 }, before)
        }
    }

    func testInstallingOnAnotherThreadIsRefused() throws {
        try GtkFixture.run { test in
            let error = Watched<MainLoopError?>(nil)
            DispatchQueue.global().async {
                do throws(MainLoopError) {
                    try MainLoop.install()
                } catch let refusal {
                    error.update { $0 = refusal }
                }
            }
            test.turn { error.value != nil }
            let message = try XCTUnwrap(error.value?.description)
            XCTAssertTrue(message.contains("thread that the process began with"), message)
            XCTAssertTrue(message.contains("needs a synchronous main"), message)
        }
    }

    func testEndlessWorkDoesNotPreventDrawing() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            let window = test.show(gtk_label_new("drawn"))
            let work = Task {
                while !Task.isCancelled { await Task.yield() }
            }
            if let widget = window.widget { test.draw(widget) }
            work.cancel()
            test.settle()
        }
    }

    func testManyEventsCauseFewWakeUps() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            test.settle()
            let view = test.view(NetworkImage("http://test/a.png") { Picture($0) })
            test.show(view.pointer)
            let transfer = try test.transfer()
            let before = MainLoop.wakeUpCount.withLock { $0 }
            transfer.respond(expected: 1000)
            for _ in 0..<1000 { transfer.send([0]) }
            test.turn { view.model.progress.completedByteCount == 1000 }
            XCTAssertLessThan(MainLoop.wakeUpCount.withLock { $0 } - before, 20)
        }
    }

    /// libdispatch does not drain its main queue recursively, and a descriptor that is never read
    /// would make the inner loop spin.
    func testWorkForALoopInsideATaskRunsAfterTheTaskAndCausesAWarning() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            test.settle()
            let warnings = Warnings()
            var steps: [String] = []
            Task {
                Task { steps.append("came meanwhile") }
                while warnings.messages.isEmpty { g_main_context_iteration(nil, 1) }
                steps.append("inner loop")
            }
            test.turn { steps.count == 2 }
            XCTAssertEqual(steps, ["inner loop", "came meanwhile"])
            XCTAssertTrue(
                warnings.messages[0].contains("inside a task of Swift's main actor"), warnings.messages[0])
        }
    }
}
