import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

/// Questions to a program in another language, and its answers.
final class AnswerOnceTests: XCTestCase {
    /// The result of a question, and how often the program was asked.
    @MainActor
    private final class Asked {
        var value: Int?
        var error: ImageError?
        var count = 0
        let answer = AnswerOnce<Int>()!

        func begin() -> Task<Void, Never> {
            Task { [self] in
                do throws(ImageError) {
                    value = try await answer.wait { [self] in count += 1 }
                } catch {
                    self.error = error
                }
            }
        }
    }

    func testAQuestionIsAskedOnceAndItsFirstAnswerHolds() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            let asked = Asked()
            _ = asked.begin()
            test.turn { asked.count == 1 }
            XCTAssertTrue(asked.answer.isAwaited)
            asked.answer.give(.success(5), in: "test")
            test.turn { asked.value != nil }
            XCTAssertEqual(asked.value, 5)
            XCTAssertFalse(asked.answer.isAwaited)
            XCTAssertEqual(asked.count, 1)
        }
    }

    /// A load that was cancelled before it began used to ask the program for its credential.
    func testAQuestionThatIsCancelledFirstIsNotAsked() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            let asked = Asked()
            let task = asked.begin()
            task.cancel()
            test.turn { asked.error != nil }
            test.settle()
            XCTAssertEqual(asked.count, 0)
            XCTAssertEqual(asked.error?.code, .cancelled)
        }
    }

    func testACancellationIsToldToTheProgram() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            let asked = Asked()
            let task = asked.begin()
            test.turn { asked.count == 1 }
            let cancellable = asked.answer.cancellable.pointer.assumingMemoryBound(to: GCancellable.self)
            XCTAssertEqual(g_cancellable_is_cancelled(cancellable), 0)
            task.cancel()
            test.turn { g_cancellable_is_cancelled(cancellable) != 0 }
            // An answer that comes too late has no effect.
            asked.answer.give(.success(5), in: "test")
            test.turn { asked.error != nil || asked.value != nil }
            XCTAssertEqual(asked.error?.code, .cancelled)
        }
    }
}
