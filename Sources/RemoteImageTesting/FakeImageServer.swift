// A pipeline for tests and previews, which loads images from a table. The test decides when each
// response arrives.

import RemoteImageCore

/// A table of images and errors by address, which replaces the network.
///
/// ```swift
/// let white = PixelBuffer.filled(with: .white, width: 40, height: 30)
/// let server = FakeImageServer(["https://example.org/cat.jpg": .image(white)])
/// let pipeline = ImagePipeline(fake: server)
/// let model = NetworkImageModel("https://example.org/cat.jpg", pipeline: pipeline)
/// ```
///
/// The server responds at once, or, while ``isPaused`` is `true`, when the test calls
/// ``release(_:)``, so that a test can check each phase without waiting for time to pass. The other
/// parts of the pipeline are real: memory cache, coalescing, priorities and processors.
public final class FakeImageServer: Sendable {
    /// The response of an address.
    public enum Answer: Sendable {
        /// An image with these pixels.
        case image(PixelBuffer)
        /// A file, decoded by the decoders of the pipeline.
        case file([UInt8])
        /// A failed transfer.
        case failure(ImageError)
        /// A response without a body.
        case status(Int)
    }

    fileprivate struct State {
        var answers: [WebAddress: Answer]
        var isPaused: Bool
        /// The requests that wait; those that were cancelled are already kept.
        var held: [(address: WebAddress, answer: Promise<Answer>)] = []
        var requested: [WebAddress] = []
        var waiters: [(WebAddress, Promise<Void>)] = []
    }

    private let state: Lock<State>

    /// - Parameters:
    ///   - answers: The responses by address. Invalid addresses are ignored, since they cannot be
    ///     requested. Addresses without an entry respond with status 404.
    ///   - isPaused: Whether responses wait for ``release(_:)``. Default: `false`.
    public init(_ answers: [String: Answer] = [:], isPaused: Bool = false) {
        var table: [WebAddress: Answer] = [:]
        for (text, answer) in answers {
            if let address = try? WebAddress(text) { table[address] = answer }
        }
        state = Lock(State(answers: table, isPaused: isPaused))
    }

    /// The response of an address. A change applies from its next response on.
    public subscript(address: WebAddress) -> Answer? {
        get { state.withLock { $0.answers[address] } }
        set { state.withLock { $0.answers[address] = newValue } }
    }

    /// Whether responses wait for ``release(_:)``. Setting `false` releases the waiting responses.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set {
            state.withLock { state in
                state.isPaused = newValue
                if !newValue { state.release { _ in true } }
            }
        }
    }

    /// Responds to the requests that are waiting for an address. Later requests wait again.
    public func release(_ address: WebAddress) {
        state.withLock { $0.release { $0 == address } }
    }

    /// The requested addresses, in order. Views that share a transfer make one request.
    public var requests: [WebAddress] { state.withLock { $0.requested } }

    /// Waits for the first request for an address; returns at once if there was one already, or if
    /// the task is cancelled.
    public func requested(_ address: WebAddress) async {
        let promise = Promise<Void>()
        _ = state.withLock { state in
            guard !state.requested.contains(address) else { return promise.keep(.success(())) }
            state.waiters.append((address, promise))
            return false
        }
        try? await promise.value
    }

    // MARK: For the transport

    /// The response to a request, once it is released.
    func answer(to address: WebAddress) async throws(ImageError) -> Answer {
        let answer = Promise<Answer>()
        let waiters = state.withLock { state in
            state.requested.append(address)
            if state.isPaused { state.held.append((address, answer)) } else { answer.keep(state.answer(to: address)) }
            let waiters = state.waiters.filter { $0.0 == address }.map(\.1)
            state.waiters.removeAll { $0.0 == address }
            return waiters
        }
        for waiter in waiters { waiter.keep(.success(())) }
        return try await answer.value
    }
}

extension FakeImageServer.State {
    fileprivate mutating func release(where isReleased: (WebAddress) -> Bool) {
        for request in held where isReleased(request.address) { request.answer.keep(answer(to: request.address)) }
        held.removeAll { isReleased($0.address) }
    }

    fileprivate func answer(to address: WebAddress) -> Result<FakeImageServer.Answer, ImageError> {
        .success(answers[address] ?? .status(404))
    }
}

extension ImagePipeline {
    /// Makes a pipeline that loads from a fake server instead of the network. It does not retry,
    /// unless `configure` sets a retry policy.
    ///
    /// - Parameters:
    ///   - server: The responses by address.
    ///   - decoders: The decoders for ``FakeImageServer/Answer/file(_:)``. Default: none.
    ///   - configure: Changes the configuration of the pipeline.
    public convenience init(
        fake server: FakeImageServer, decoders: [any ImageDecoder] = [],
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration(transport: TableTransport(table: server), decoders: decoders)
        configuration.retryPolicy = .never
        configure(&configuration)
        configuration.decoders = [TableImages(configuration.decoders)]
        self.init(configuration)
    }
}
