// GObjects that carry questions to the program: a method answers each of them once, from the
// handler or later, for example after a task of asyncio has ended.

import CRemoteImageGtk

/// The state of a request object.
@MainActor
package protocol RequestObject: ObjectState where Properties == Void {
    associatedtype Question: Sendable
    associatedtype Answer: Sendable

    /// What the program is asked, with the place of its answer; `nil` in an object that the program
    /// created itself.
    var request: (question: Question, answer: AnswerOnce<Answer>)? { get set }
}

extension RequestObject {
    /// Asks the program and waits for its answer.
    ///
    /// If the task is cancelled, the cancellable of the request is cancelled, and a later answer is
    /// ignored. If the program releases its last reference to the request without an answer, this
    /// function throws ``ImageError/Code/source``.
    ///
    /// - Parameter deliver: Passes a new request to the program, on the main thread. Only the
    ///   references that the program adds keep the request alive.
    package static func ask(
        _ question: Question, _ deliver: @escaping @MainActor (UnsafeMutableRawPointer) -> Void
    ) async throws(ImageError) -> Answer {
        guard let answer = AnswerOnce<Answer>() else { throw .cancelled }
        return try await answer.wait {
            // No variable outside this closure may hold the object: the end of the last reference
            // fails an unanswered request.
            guard let object = shim_object_new(type) else { return }
            of(object).request = (question, answer)
            deliver(object)
            g_object_unref(object)
        }
    }

    /// Answers the request, from a C function.
    package func answer(_ result: Result<Answer, ImageError>, in function: String) {
        guard let request else { return shim_critical("\(function): the request was not made by RemoteImage") }
        request.answer.give(result, in: function)
    }

    /// Fails the request with an error of the program. `NULL` logs a critical message.
    ///
    /// - Parameter hidesMessage: Whether the message of the error is left out, because it may
    ///   contain a secret.
    package func fail(with error: UnsafePointer<GError>?, hidesMessage: Bool = false, in function: String) {
        guard let error else { return shim_critical("\(function): error is NULL") }
        answer(.failure(ImageError(ofProgram: error, hidesMessage: hidesMessage)), in: function)
    }

    /// The `GCancellable` of the request; `nil` in an object that the program created itself.
    package var cancellable: UnsafeMutableRawPointer? { request?.answer.cancellable.pointer }

    /// Fails the request if it was not answered.
    package func dispose() { request?.answer.end(Self.typeName) }
}
