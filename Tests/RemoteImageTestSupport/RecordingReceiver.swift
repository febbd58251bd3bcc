import RemoteImageCore

/// A receiver that records the calls of a transfer, for tests of transports.
public final class RecordingReceiver: TransferReceiver {
    public struct Record: Sendable {
        public var heads: [TransferHead] = []
        public var body: [UInt8] = []
        public var pieceCount = 0
        /// At most one result, if the transport is correct.
        public var results: [Result<Void, ImageError>] = []
        /// Calls after the end, which a transport must not make.
        public var callsAfterEnd = 0

        public var head: TransferHead? { heads.first }

        /// The error of the transfer; `nil` while it is running and after it succeeds.
        public var error: ImageError? {
            guard case .failure(let error) = results.first else { return nil }
            return error
        }
    }

    private let watched = Watched(Record())
    private let onCall: @Sendable (Call) -> Void

    /// A call to the receiver.
    public enum Call: Sendable, Equatable {
        case head, bytes, end
    }

    /// `onCall` runs within each call, on the transport's thread, after the call is recorded.
    public init(onCall: @escaping @Sendable (Call) -> Void = { _ in }) {
        self.onCall = onCall
    }

    public var record: Record { watched.value }

    /// Waits for the end of the transfer.
    @discardableResult
    public func ended(fileID: StaticString = #fileID, line: Int = #line) async throws -> Record {
        try await watched.first("the end of a transfer", fileID: fileID, line: line) { $0.results.isEmpty ? nil : $0 }
    }

    /// Waits for the head of the response.
    @discardableResult
    public func receivedHead(fileID: StaticString = #fileID, line: Int = #line) async throws -> TransferHead {
        try await watched.first("the head of a response", fileID: fileID, line: line) { $0.head }
    }

    /// Waits until the body has at least `count` bytes.
    @discardableResult
    public func received(
        byteCount count: Int, fileID: StaticString = #fileID, line: Int = #line
    ) async throws -> Record {
        try await watched.first("\(count) bytes", fileID: fileID, line: line) { $0.body.count >= count ? $0 : nil }
    }

    public func receive(_ head: TransferHead) {
        watched.update { record in
            if !record.results.isEmpty { record.callsAfterEnd += 1 }
            record.heads.append(head)
        }
        onCall(.head)
    }

    public func receive(_ bytes: borrowing RawSpan) {
        let piece = bytes.withUnsafeBytes { Array($0) }
        watched.update { record in
            if !record.results.isEmpty { record.callsAfterEnd += 1 }
            record.body += piece
            record.pieceCount += 1
        }
        onCall(.bytes)
    }

    fileprivate func end(_ result: Result<Void, ImageError>) {
        watched.update { record in
            if !record.results.isEmpty { record.callsAfterEnd += 1 }
            record.results.append(result)
        }
        onCall(.end)
    }
}

extension Transport {
    /// Starts a transfer in a task and records its result, too.
    @discardableResult
    public func start(_ request: TransferRequest, receiver: RecordingReceiver) -> Task<Void, Never> {
        Task {
            let result: Result<Void, ImageError>
            do throws(ImageError) {
                try await load(request, into: receiver)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            receiver.end(result)
        }
    }
}
