// A pipeline for tests and previews: what is loaded comes from a table, when the test says so.

import RemoteImageCore

/// Images and errors by their addresses, in place of a network.
///
/// ```swift
/// let table = ImageTable(["https://example.org/cat.jpg": .image(.filled(with: .white, width: 40, height: 30))])
/// let pipeline = ImagePipeline(answeringFrom: table)
/// let model = NetworkImageModel("https://example.org/cat.jpg", pipeline: pipeline)
/// ```
///
/// Answers come at once, or, while ``isHolding`` is set, when the test calls ``release(_:)``: a test sees each phase for as
/// long as it likes and never waits for time to pass. Everything else of the pipeline is real: its memory, its sharing, its
/// order, its processors.
public final class ImageTable: Sendable {
    /// What comes from an address.
    public enum Answer: Sendable {
        /// These pixels, by way of a decoder that needs no file.
        case image(PixelBuffer)
        /// A file, for the decoders that the pipeline was given.
        case file([UInt8])
        /// A failed transfer.
        case failure(ImageError)
        /// A response without a body.
        case status(Int)
    }

    fileprivate struct State {
        var answers: [WebAddress: Answer]
        var isHolding: Bool
        var held: [TableTransfer] = []
        var requested: [WebAddress] = []
        var waiters: [(WebAddress, CheckedContinuation<Void, Never>)] = []
    }

    private let state: Lock<State>

    /// - Parameters:
    ///   - answers: By address; an invalid address is left out, since nothing can be asked of it. What is not in the
    ///     table is answered with status 404.
    ///   - isHolding: Whether answers wait for ``release(_:)``: false by default.
    public init(_ answers: [String: Answer] = [:], isHolding: Bool = false) {
        var table: [WebAddress: Answer] = [:]
        for (text, answer) in answers {
            if let address = try? WebAddress(text) { table[address] = answer }
        }
        state = Lock(State(answers: table, isHolding: isHolding))
    }

    /// The answer of an address, from its next request on.
    public subscript(address: WebAddress) -> Answer? {
        get { state.withLock { $0.answers[address] } }
        set { state.withLock { $0.answers[address] = newValue } }
    }

    /// Whether answers wait. Ending it releases those that do.
    public var isHolding: Bool {
        get { state.withLock { $0.isHolding } }
        set {
            let released = state.withLock { state -> [TableTransfer] in
                state.isHolding = newValue
                return newValue ? [] : state.takeHeld { _ in true }
            }
            answer(released)
        }
    }

    /// Answers those who wait for an address now; those who ask later wait again.
    public func release(_ address: WebAddress) {
        answer(state.withLock { $0.takeHeld { $0 == address } })
    }

    /// What was asked for, in order. Views that share a transfer ask once.
    public var requests: [WebAddress] { state.withLock { $0.requested } }

    /// Waits until an address is asked for, if it was not yet.
    public func requested(_ address: WebAddress) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.requested.contains(address) { return true }
                state.waiters.append((address, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    // MARK: For the transport

    func receive(_ transfer: TableTransfer) {
        let address = transfer.address
        let (isHeld, waiters) = state.withLock { state in
            state.requested.append(address)
            if state.isHolding { state.held.append(transfer) }
            let waiters = state.waiters.filter { $0.0 == address }.map(\.1)
            state.waiters.removeAll { $0.0 == address }
            return (state.isHolding, waiters)
        }
        for waiter in waiters { waiter.resume() }
        if !isHeld { answer([transfer]) }
    }

    private func answer(_ transfers: [TableTransfer]) {
        for transfer in transfers { transfer.answer(self[transfer.address] ?? .status(404)) }
    }
}

extension ImageTable.State {
    mutating func takeHeld(where isTaken: (WebAddress) -> Bool) -> [TableTransfer] {
        defer { held.removeAll { isTaken($0.address) } }
        return held.filter { isTaken($0.address) }
    }
}

extension ImagePipeline {
    /// A pipeline whose network is a table. It tries nothing again, unless `configure` says otherwise.
    ///
    /// - Parameters:
    ///   - table: What comes from which address.
    ///   - decoders: For ``ImageTable/Answer/file(_:)``: none by default.
    ///   - configure: Changes what the pipeline is made of.
    public convenience init(
        answeringFrom table: ImageTable, decoders: [any ImageDecoder] = [],
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        let images = TableImages(decoders)
        var configuration = Configuration(
            transport: TableTransport(table: table, images: images), decoders: [images])
        configuration.retryPolicy = StandardRetryPolicy.never
        configure(&configuration)
        self.init(configuration)
    }
}
