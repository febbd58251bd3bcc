import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

/// The asynchronous calls of programs in other languages.
final class AsyncCallTests: XCTestCase {
    /// The results that a callback received. Only the main thread uses it.
    private final class Call {
        var results: [ObjectReference] = []

        var task: OpaquePointer? { results.first.map { OpaquePointer($0.pointer) } }
    }

    /// Starts a call, which must end before the result is released.
    @MainActor
    private static func start(
        on object: ObjectReference, tag: gpointer? = nil, _ cancellable: UnsafeMutablePointer<GCancellable>? = nil,
        _ work: @escaping @MainActor () async throws(ImageError) -> AsyncAnswer
    ) -> Call {
        let call = Call()
        AsyncCall.start(
            on: object.pointer, tag: tag, cancellable,
            { _, result, call in
                guard let result, let call else { return }
                Unmanaged<Call>.fromOpaque(call).takeUnretainedValue().results.append(
                    ObjectReference(borrowing: UnsafeMutableRawPointer(result)))
            }, Unmanaged.passUnretained(call).toOpaque(), work)
        return call
    }

    @MainActor
    private static func makeObject() -> ObjectReference { ObjectReference(owned: shim_object_new(PipelineObject.type)) }

    func testEachKindOfAnswerReachesItsCallerOnce() throws {
        try GtkFixture.run { test in
            let (object, answer) = (Self.makeObject(), ObjectReference(owned: SourceObject.make("http://test/a.png")))
            let tag = UnsafeMutableRawPointer(bitPattern: 0x40)
            let calls = [
                Self.start(on: object, tag: tag) { () async throws(ImageError) in .object(answer) },
                Self.start(on: object, tag: tag) { () async throws(ImageError) in .count(37) },
                Self.start(on: object, tag: tag) { () async throws(ImageError) in .bytes([1, 2, 3]) },
                Self.start(on: object, tag: tag) { () async throws(ImageError) in throw .httpStatus(404) },
            ]
            XCTAssertEqual(calls.map(\.results.count), [0, 0, 0, 0], "not before the call returns")
            test.turn { calls.allSatisfy { !$0.results.isEmpty } }
            for call in calls {
                XCTAssertEqual(g_task_get_source_tag(call.task), tag)
                XCTAssertEqual(g_task_get_source_object(call.task), object.pointer)
            }
            let taken = g_task_propagate_pointer(calls[0].task, nil)
            XCTAssertEqual(taken, answer.pointer)
            g_object_unref(taken)
            XCTAssertEqual(g_task_propagate_int(calls[1].task, nil), 37)
            let bytes = try XCTUnwrap(g_task_propagate_pointer(calls[2].task, nil).map { OpaquePointer($0) })
            XCTAssertEqual([UInt8](gbytes: bytes), [1, 2, 3])
            g_bytes_unref(bytes)
            var error: UnsafeMutablePointer<GError>?
            XCTAssertEqual(g_task_propagate_int(calls[3].task, &error), -1)
            let failure = try XCTUnwrap(error)
            XCTAssertEqual(failure.pointee.domain, ImageErrorDomain.quark)
            XCTAssertEqual(failure.pointee.code, 10)
            XCTAssertEqual(ImageErrorDomain.status(of: failure), 404)
            g_error_free(failure)
            test.settle()
            XCTAssertEqual(calls.map(\.results.count), [1, 1, 1, 1])
        }
    }

    func testACancelledCallEndsItsWork() throws {
        try GtkFixture.run { test in
            let object = Self.makeObject()
            let cancellable = try XCTUnwrap(g_cancellable_new())
            defer { g_object_unref(cancellable) }
            var log: [String] = []
            let call = Self.start(on: object, cancellable) { () async throws(ImageError) in
                log.append("begun")
                do throws(ImageError) { try await Promise<Void>().value } catch {
                    log.append(error.code.rawValue)
                    throw error
                }
                return .count(1)
            }
            test.turn { log == ["begun"] }
            XCTAssertTrue(Self.isConnected(cancellable))
            g_cancellable_cancel(cancellable)
            test.turn { !call.results.isEmpty }
            XCTAssertEqual(log, ["begun", "cancelled"])
            var error: UnsafeMutablePointer<GError>?
            XCTAssertEqual(g_task_propagate_int(call.task, &error), -1)
            XCTAssertNotNil(error)
            g_error_free(error)
            XCTAssertFalse(Self.isConnected(cancellable))
        }
    }

    func testACallThatHasEndedLeavesItsCancellable() throws {
        try GtkFixture.run { test in
            let object = Self.makeObject()
            let cancellable = try XCTUnwrap(g_cancellable_new())
            defer { g_object_unref(cancellable) }
            let call = Self.start(on: object, cancellable) { () async throws(ImageError) in .count(5) }
            test.turn { !call.results.isEmpty }
            XCTAssertEqual(g_task_propagate_int(call.task, nil), 5)
            XCTAssertFalse(Self.isConnected(cancellable))
            g_cancellable_cancel(cancellable)
            test.settle()
            XCTAssertEqual(call.results.count, 1)
        }
    }

    @MainActor
    private static func isConnected(_ cancellable: UnsafeMutablePointer<GCancellable>) -> Bool {
        let signal = g_signal_lookup("cancelled", g_cancellable_get_type())
        return g_signal_has_handler_pending(cancellable, signal, 0, 1) != 0
    }

    /// A caller that waits in a loop over its own context does not run the default one.
    func testACallOfAnotherContextEndsInThatContext() throws {
        try GtkFixture.run { test in
            let object = Self.makeObject()
            let context = try XCTUnwrap(g_main_context_new())
            defer { g_main_context_unref(context) }
            g_main_context_push_thread_default(context)
            let call = Self.start(on: object) { () async throws(ImageError) in .count(5) }
            g_main_context_pop_thread_default(context)
            let deadline = ContinuousClock.now + .seconds(30)
            while call.results.isEmpty, ContinuousClock.now < deadline { g_main_context_iteration(context, 0) }
            XCTAssertEqual(g_task_propagate_int(call.task, nil), 5)
            // The context runs the work of the main actor only during the call.
            var hasRun = false
            Task { hasRun = true }
            for _ in 0..<5 { g_main_context_iteration(context, 0) }
            XCTAssertFalse(hasRun)
            test.turn { hasRun }
        }
    }
}
