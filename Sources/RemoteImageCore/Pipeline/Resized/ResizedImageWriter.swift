// Stores resized images while a pipeline has nothing else to do.

import DequeModule

/// Encodes images that were decoded or processed, and stores them beside their originals.
///
/// An image waits until the pipeline has no job, and then for a pause, so that the images that a
/// view requests next do not wait. One image is encoded at a time.
final class ResizedImageWriter: Sendable {
    /// A candidate without its pixels.
    struct Details: Sendable {
        let storeKey: String
        /// The body that the image was made of.
        let version: ContentVersion
        let description: ResizedImage.Description
        /// How long decoding the original takes.
        let decodeTime: DecodeTime

        func hasPlace(of other: Details) -> Bool {
            storeKey == other.storeKey && description.hasPlace(of: other.description)
        }
    }

    struct Candidate: Sendable {
        let details: Details
        let pixels: PixelBuffer

        /// Whether decoding the original takes so much longer that the resized image is worth its
        /// storage.
        func isWorth(_ byteCount: Int, isLossless: Bool) -> Bool {
            let time = DecodeTime(ofEncoded: pixels, byteCount: byteCount, isLossless: isLossless)
            return details.decodeTime.isAtLeast(3, times: time)
        }
    }

    /// A candidate that waits. Most pixels are held by the memory cache or a view; without them,
    /// the candidate is dropped.
    private struct Waiting {
        let details: Details
        weak var pixels: PixelBuffer?
    }

    private enum Step {
        case resting
        /// A pause has begun, or an image is being encoded.
        case working
    }

    private struct State {
        var step = Step.resting
        var waiting: Deque<Waiting> = []
    }

    /// The maximum number of candidates that wait; the oldest are dropped.
    static let countLimit = 512
    /// How long the pipeline has no job before images are encoded.
    static let pause = Duration.milliseconds(250)

    private let state = Lock(State())
    private let store: any ResponseStore
    private let encoding: ResizedImageEncoding
    private let decodeScheduler: DecodeScheduler
    private let background: PendingCacheWork
    private let configuration: ImagePipeline.Configuration

    /// `nil` if the pipeline has no store, or no decoder with an encoder.
    init?(
        _ configuration: ImagePipeline.Configuration, _ decoders: DecoderRegistry, _ decodeScheduler: DecodeScheduler,
        _ background: PendingCacheWork
    ) {
        guard let store = configuration.responseStore, store.keepsResizedImages,
            let encoding = ResizedImageEncoding(decoders)
        else { return nil }
        self.store = store
        self.encoding = encoding
        self.decodeScheduler = decodeScheduler
        self.background = background
        self.configuration = configuration
    }

    /// Stores an image that a request received, at once or when the pipeline is idle.
    func consider(_ image: LoadedImage, _ key: ImageKey, _ options: ImageOptions) async {
        guard let candidate = Self.candidate(image, key, options) else { return }
        if configuration.storesResizedImagesAtOnce { return await write(candidate) }
        let details = candidate.details
        state.withLock { state in
            if let index = state.waiting.firstIndex(where: { $0.details.hasPlace(of: details) }) {
                let known = state.waiting[index].details
                let isCovered = known.version == details.version && known.description.covers(details.description)
                if isCovered, state.waiting[index].pixels != nil { return }
                state.waiting.remove(at: index)
            }
            if state.waiting.count >= Self.countLimit { state.waiting.removeFirst() }
            state.waiting.append(Waiting(details: details, pixels: candidate.pixels))
        }
    }

    /// Whether no pause has begun and no image is being encoded.
    var isResting: Bool {
        state.withLock { state in
            if case .resting = state.step { true } else { false }
        }
    }

    /// The number of images that wait, also those whose pixels are gone.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// `nil` for an image that must not be stored or is not worth it.
    static func candidate(_ image: LoadedImage, _ key: ImageKey, _ options: ImageOptions) -> Candidate? {
        let info = image.info
        guard options.cachesResizedImages, options.cachePolicy != .noStore,
            options.processors.allSatisfy(\.hasStableIdentity), let original = image.retention.original,
            let decodeTime = original.decodeTime, !image.retention.isKeptOnlyWhileInUse, let format = info.format
        else { return nil }
        let description = ResizedImage.Description(
            size: image.pixels.size, processedSize: info.processedSize, processing: key.processing,
            originalSize: info.size, originalFormat: format)
        let details = Details(
            storeKey: original.storeKey, version: image.version, description: description, decodeTime: decodeTime)
        let candidate = Candidate(details: details, pixels: image.pixels)
        // The shape of a processed image differs from that of the original.
        guard !description.processing.isEmpty || image.pixels.size.pixelCount <= info.size.pixelCount / 2
        else { return nil }
        // A tenth of a byte per pixel is the least that photographs need.
        let byteCount = image.pixels.size.pixelCount / 10
        return candidate.isWorth(byteCount, isLossless: image.pixels.format != .rgb8) ? candidate : nil
    }

    // MARK: Idle time

    /// Begins to store the waiting images, after a pause.
    func jobsHaveEnded(_ jobs: JobScheduler) {
        let begins = state.withLock { state in
            guard case .resting = state.step, !state.waiting.isEmpty else { return false }
            state.step = .working
            return true
        }
        guard begins else { return }
        configuration.clock.schedule(after: Self.pause) { [weak self, weak jobs] in
            guard let self, let jobs else { return }
            writeNext(jobs)
        }
    }

    private func writeNext(_ jobs: JobScheduler) {
        let isIdle = jobs.isIdle && !configuration.network.savesPower
        let candidate = state.withLock { state -> Candidate? in
            while isIdle, let next = state.waiting.popFirst() {
                if let pixels = next.pixels { return Candidate(details: next.details, pixels: pixels) }
            }
            state.step = .resting
            return nil
        }
        guard let candidate else {
            // The last job may have ended between the two checks.
            if !isIdle, jobs.isIdle, !configuration.network.savesPower { jobsHaveEnded(jobs) }
            return
        }
        Task(executorPreference: decodeScheduler.threads) { [self, weak jobs] in
            await write(candidate)
            if let jobs { writeNext(jobs) }
        }
    }

    /// Encodes and stores an image on a decode thread, unless the store has another body by now.
    private func write(_ candidate: Candidate) async {
        background.begin()
        defer { background.end() }
        guard let response = await onDisk({ $0.response(for: candidate.details) }) else { return }
        let limit = configuration.decodeLimits.timeout
        let encoded = try? await decodeScheduler.run(
            candidate.pixels.byteCount * 2, .prefetch, limit: limit, expire: {}
        ) {
            () throws(ImageError) in try encoding.encode(candidate.pixels)
        }
        guard let encoded, candidate.isWorth(encoded.data.count, isLossless: encoded.isLossless) else { return }
        let image = ResizedImage(candidate.details.description, data: encoded.data)
        await onDisk { $0.store(image, of: response, for: candidate.details.storeKey) }
    }

    private func onDisk<Value: Sendable>(_ body: @escaping @Sendable (any ResponseStore) -> Value) async -> Value {
        await WorkerThreads.disk.run { [store] in body(store) }
    }
}

extension ResponseStore {
    /// The response with the body that an image was made of, if it has no such or larger image yet.
    fileprivate func response(for image: ResizedImageWriter.Details) -> StoredResponse? {
        let response = responses(for: image.storeKey).first { ContentVersion($0.body) == image.version }
        guard let response else { return nil }
        var isKnown = false
        _ = resizedImage(of: response, for: image.storeKey) { known in
            isKnown = known.contains { $0.hasPlace(of: image.description) && $0.covers(image.description) }
            return nil
        }
        return isKnown ? nil : response
    }
}

extension ResizedImage {
    /// The value of ``ImageInfo/decoder`` for images made from a resized image.
    static let decoderName = "stored"
}
