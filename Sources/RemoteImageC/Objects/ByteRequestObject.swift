// `RemoteImageByteRequest`: a source asks the program for the bytes of an image.

import CRemoteImageGtk
import RemoteImageGtk

/// The state of a `RemoteImageByteRequest`: the program answers with bytes in pieces, or with
/// another source.
@MainActor
final class ByteRequestObject: RequestObject {
    private typealias Pieces = AsyncThrowingStream<[UInt8], any Error>

    private enum Progress {
        case unanswered
        case appending(Pieces.Continuation)
        case reading(Pieces.Continuation)
        case ended
    }

    /// The question is the identity of the source.
    var request: (question: String, answer: AnswerOnce<ProvidedImage>)?
    private var progress = Progress.unanswered
    /// The number of bytes of the image; `nil` if it is unknown.
    private var byteCount: Int?
    private var contentType: String?

    init(_ object: UnsafeMutablePointer<GObject>) {}

    /// A source whose bytes the program provides.
    ///
    /// - Parameter deliver: Passes a new request to the program, on the main thread.
    nonisolated static func source(
        identity: String, _ deliver: @escaping @MainActor @Sendable (UnsafeMutableRawPointer) -> Void
    ) -> ImageSource {
        .provider(ClosureImageProvider(identity: identity) { try await ask(identity, deliver) })
    }

    // MARK: Before the first bytes

    /// - Parameter length: The number of bytes; negative if it is unknown.
    func setLength(_ length: Int64, in function: String) {
        if isUnanswered(function) { byteCount = length >= 0 ? Int(length) : nil }
    }

    func setContentType(_ type: String?, in function: String) {
        if isUnanswered(function) { contentType = type }
    }

    private func isUnanswered(_ function: String) -> Bool {
        if case .unanswered = progress { return true }
        shim_critical("\(function): the answer has begun already")
        return false
    }

    // MARK: The answer

    func append(_ bytes: [UInt8], in function: String) {
        if let pieces = pieces(in: function) { pieces.yield(bytes) }
    }

    func finish(in function: String) {
        guard let pieces = pieces(in: function) else { return }
        progress = .ended
        pieces.finish()
    }

    func fail(_ error: UnsafePointer<GError>?, in function: String) {
        guard let error else { return shim_critical("\(function): error is NULL") }
        fail(ImageError(ofProgram: error), in: function)
    }

    private func fail(_ error: ImageError, in function: String) {
        switch progress {
        case .unanswered:
            answer(.failure(error), in: function)
        case .appending(let pieces): pieces.finish(throwing: error)
        case .reading, .ended: return sayAnswered(function)
        }
        progress = .ended
    }

    /// Loads the image from another source.
    func use(_ source: ImageSource, in function: String) {
        guard case .unanswered = progress else { return sayAnswered(function) }
        progress = .ended
        answer(.success(.source(source)), in: function)
    }

    /// Reads a `GInputStream` to its end. The reader keeps the object.
    func send(_ stream: UnsafeMutableRawPointer, from object: UnsafeMutableRawPointer, in function: String) {
        guard let pieces = pieces(in: function) else { return }
        progress = .reading(pieces)
        StreamReader(stream, cancellable: cancellable) { [reference = ObjectReference(borrowing: object)] piece in
            ByteRequestObject.of(reference.pointer).received(piece, in: function)
        }.readNext()
    }

    private func received(_ piece: Result<[UInt8], ImageError>, in function: String) {
        guard case .reading(let pieces) = progress else { return }
        switch piece {
        case .success(let bytes) where !bytes.isEmpty: pieces.yield(bytes)
        case .success:
            progress = .ended
            pieces.finish()
        case .failure(let error):
            progress = .ended
            pieces.finish(throwing: error)
        }
    }

    /// Where the next bytes go; `nil` with a critical message if none may follow.
    private func pieces(in function: String) -> Pieces.Continuation? {
        switch progress {
        case .appending(let pieces): return pieces
        case .reading, .ended:
            sayAnswered(function)
            return nil
        case .unanswered: return begin(in: function)
        }
    }

    private func begin(in function: String) -> Pieces.Continuation? {
        guard let request else {
            shim_critical("\(function): the request was not made by RemoteImage")
            return nil
        }
        let (stream, pieces) = Pieces.makeStream()
        // The pipeline gives up the stream, also when there are too many bytes.
        pieces.onTermination = { [cancellable = request.answer.cancellable] termination in
            guard case .cancelled = termination else { return }
            Task { @MainActor in
                MainLoop.callBack {
                    g_cancellable_cancel(cancellable.pointer.assumingMemoryBound(to: GCancellable.self))
                }
            }
        }
        progress = .appending(pieces)
        let bytes = ByteStream(stream, byteCount: byteCount, contentType: contentType)
        request.answer.give(.success(.stream(bytes)), in: function)
        return pieces
    }

    private func sayAnswered(_ function: String) {
        shim_critical("\(function): the request is answered already")
    }

    /// Fails the load if the program has released the request before the end of its answer.
    func dispose() {
        switch progress {
        case .unanswered: request?.answer.end(Self.typeName)
        case .appending(let pieces), .reading(let pieces):
            let isNeeded = cancellable.map { g_cancellable_is_cancelled($0.assumingMemoryBound(to: GCancellable.self)) }
            if isNeeded == 0 { shim_warning("\(Self.typeName): it was released before finish(), so its load fails") }
            pieces.finish(throwing: ImageError(.source, "\(Self.typeName) was released before its last bytes"))
        case .ended: break
        }
        progress = .ended
    }
}

extension ByteRequestObject {
    nonisolated static let typeName: StaticString = "RemoteImageByteRequest"

    nonisolated static let type: GType = register()
}
