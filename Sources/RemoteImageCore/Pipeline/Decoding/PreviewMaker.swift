/// Makes previews of one image as its bytes arrive: on a decode thread, one at a time, at most one
/// every 200 ms.
final class PreviewMaker: Sendable {
    private struct State {
        var isDecoding = false
        var hasThumbnail = false
        var isEnded = false
        var scanCount = 0
        /// For JPEG XL, whose previews each decode the file from the start.
        var growth = PreviewGrowth()
        /// The number of bytes at the last check.
        var lookedAt = 0
        var lastTime: Duration?
    }

    private static let interval = Duration.milliseconds(200)
    /// The minimum number of new bytes between two checks of a small file. For a large one it is a
    /// sixteenth of the file, since the transport copies all bytes that a check still holds.
    private static let step = 16 << 10

    private let options: PreviewOptions
    private let decoders: DecoderRegistry
    private let limits: DecodeLimits
    private let clock: any PipelineClock
    private let decodeScheduler: DecodeScheduler
    private let target: @Sendable () -> TargetSize?
    private let receive: @Sendable (LoadedImage) -> Void
    private let state = Lock(State())

    /// - Parameters:
    ///   - limits: The limits of the job.
    ///   - target: Returns the current target size.
    ///   - receive: Called with each preview, on a decode thread.
    init(
        _ options: PreviewOptions, _ decoders: DecoderRegistry, _ decodeScheduler: DecodeScheduler,
        limits: DecodeLimits, clock: any PipelineClock,
        target: @escaping @Sendable () -> TargetSize?, receive: @escaping @Sendable (LoadedImage) -> Void
    ) {
        self.options = options
        self.decoders = decoders
        self.limits = limits
        self.clock = clock
        self.decodeScheduler = decodeScheduler
        self.target = target
        self.receive = receive
    }

    /// Receives the bytes that have arrived so far, on the thread of the transport.
    func look(at bytes: [UInt8]) {
        let now = clock.now
        let isDue = state.withLock { state in
            guard !state.isEnded, !state.isDecoding,
                bytes.count >= state.lookedAt + max(Self.step, state.lookedAt / 16),
                state.lastTime.map({ now - $0 >= Self.interval }) ?? true
            else { return false }
            state.lookedAt = bytes.count
            state.isDecoding = true
            return true
        }
        guard isDue else { return }
        Task(executorPreference: decodeScheduler.threads) { [self] in
            let preview = await preview(of: bytes)
            let isWanted = state.withLock { state in
                state.isDecoding = false
                if preview != nil { state.lastTime = clock.now }
                return !state.isEnded
            }
            if let preview, isWanted { receive(preview) }
        }
    }

    /// Ends the previews, when all bytes have arrived or the transfer has failed.
    func end() {
        state.withLock { $0.isEnded = true }
    }

    private func preview(of bytes: [UInt8]) async -> LoadedImage? {
        guard let (decoder, header) = try? decoders.decoder(for: bytes) else { return nil }
        guard [.jpeg, .jxl].contains(header.format), (try? limits.check(header)) != nil else { return noMore() }
        if header.format == .jxl {
            guard options.contains(.progressive) else { return noMore() }
            let isDue = state.withLock { $0.growth.isDue(at: bytes.count) }
            return isDue ? await beginning(of: bytes, header, decoder) : nil
        }
        let scans = bytes.withUnsafeBytes { JPEGScans(ByteReader($0)) }
        if options.contains(.progressive), scans.isProgressive {
            let isNew = state.withLock { state in
                defer { state.scanCount = max(state.scanCount, scans.completeCount) }
                return scans.completeCount > state.scanCount
            }
            return isNew ? await beginning(of: bytes, header, decoder) : nil
        }
        guard options.contains(.embeddedThumbnail), !state.withLock({ $0.hasThumbnail }),
            let range = bytes.withUnsafeBytes({ JPEGHeader.thumbnail(ByteReader($0)) })
        else { return noMore() }
        state.withLock { $0.hasThumbnail = true }
        let thumbnail = Array(bytes[range])
        guard var small = try? ImageHeader.read(thumbnail), small.format == .jpeg,
            small.storedSize.pixelCount <= header.storedSize.pixelCount
        else { return nil }
        // The orientation of the image applies to the thumbnail, which has none of its own.
        small.orientation = header.orientation
        let request = DecodeRequest(header: small, limits: limits)
        let decoded = await decode(request.estimatedByteCount(of: thumbnail), with: decoder) { () throws(ImageError) in
            try decoder.decode(thumbnail, request)
        }
        return decoded.map { image($0.pixels, header, bytes.count) }
    }

    /// Ends the previews of a file that has none, or no other one.
    private func noMore() -> LoadedImage? {
        end()
        return nil
    }

    private func beginning(
        of bytes: [UInt8], _ header: ImageHeader, _ decoder: OrientedDecoder
    ) async -> LoadedImage? {
        let request = DecodeRequest(header: header, target: target(), limits: limits)
        let pixels = await decode(request.estimatedByteCount(of: bytes), with: decoder) { () throws(ImageError) in
            decoder.decodeBeginning(bytes, request)
        }
        return pixels?.map { image($0, header, bytes.count) }
    }

    /// `nil` also if the decode would have to wait for memory: the next check sees more bytes. No
    /// further previews are made after a decode that never ends.
    private func decode<Output>(
        _ byteCount: Int, with decoder: OrientedDecoder, _ body: () throws(ImageError) -> Output
    ) async -> Output? {
        guard !state.withLock({ $0.isEnded }) else { return nil }
        return try? await decodeScheduler.run(
            byteCount, .low, limit: limits.timeout, isConfined: decoder.isConfined, willWait: { _ in false },
            expire: {}, body)
    }

    private func image(_ pixels: PixelBuffer, _ header: ImageHeader, _ byteCount: Int) -> LoadedImage {
        LoadedImage(
            pixels: pixels,
            info: ImageInfo(
                size: header.size, decodedSize: pixels.size, format: header.format, origin: .network,
                byteCount: byteCount))
    }
}
