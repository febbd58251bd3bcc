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

    func testASecondAnswerIsReported() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            let criticals = Criticals()
            let (asked, unasked, cancelled) = (Asked(), Asked(), Asked())
            unasked.answer.give(.success(1), in: "unasked")
            XCTAssertEqual(criticals.messages, ["unasked: the request was not made by RemoteImage"])
            _ = asked.begin()
            let task = cancelled.begin()
            test.turn { asked.count == 1 && cancelled.count == 1 }
            XCTAssertFalse(unasked.answer.isAwaited)
            asked.answer.give(.failure(ImageError(.tls)), in: "first")
            asked.answer.give(.success(2), in: "second")
            XCTAssertEqual(criticals.messages.dropFirst(), ["second: the request is answered already"])
            task.cancel()
            test.turn { cancelled.error != nil && asked.error != nil }
            cancelled.answer.give(.success(3), in: "late")
            XCTAssertEqual(criticals.messages.count, 2, "an answer after a cancellation is no mistake")
            cancelled.answer.give(.success(4), in: "later")
            XCTAssertEqual(criticals.messages.last, "later: the request is answered already")
            XCTAssertEqual(asked.error?.code, .tls)
        }
    }

    func testAQuestionThatIsReleasedWithoutAnAnswerFails() throws {
        try GtkFixture.run { test in
            try MainLoop.install()
            let warnings = Warnings()
            let asked = Asked()
            asked.answer.end("Request")
            XCTAssertEqual(warnings.messages, [], "it was not asked")
            _ = asked.begin()
            test.turn { asked.count == 1 }
            asked.answer.end("Request")
            asked.answer.end("Request")
            XCTAssertEqual(
                warnings.messages, ["Request: it was released without an answer, so its load fails"])
            test.turn { asked.error != nil }
            XCTAssertEqual(asked.error?.code, .source)
            XCTAssertEqual(asked.error?.detail, "Request was released without an answer")
        }
    }

    func testARequestThatAProgramMadeAcceptsNoAnswer() throws {
        try GtkFixture.run { _ in
            let object = try XCTUnwrap(shim_object_new(CredentialRequestObject.type))
            let request = CredentialRequestObject.of(object)
            let criticals = Criticals()
            request.respond("token", in: "respond")
            request.fail(with: nil, in: "fail")
            for value in ["a\u{7}", "ä", "a\u{7F}"] { request.respond(value, in: "invalid") }
            let (unmade, invalid) = (
                "the request was not made by RemoteImage",
                "value has characters that a header cannot contain, so its requests fail"
            )
            XCTAssertEqual(
                criticals.messages,
                ["respond: \(unmade)", "fail: error is NULL"]
                    + (0..<3).flatMap { _ in ["invalid: \(invalid)", "invalid: \(unmade)"] })
            request.respond(" ~", in: "valid")
            XCTAssertEqual(criticals.messages.last, "valid: \(unmade)")
            XCTAssertEqual(criticals.messages.count, 9)
            XCTAssertNil(request.cancellable)
            g_object_unref(object)
        }
    }
}
