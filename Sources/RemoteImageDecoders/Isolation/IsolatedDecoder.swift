// Decodes in a separate process, so that a malicious file can only harm that process.

import CRemoteImagePlatform
import Glibc

/// Decodes like the decoders of the calling process, in a confined process.
///
/// The process, `remote-image-decoder`, has limits for its memory, processor time and descriptors,
/// and no access to files, connections or other processes: a filter of system calls ends it if it
/// tries, and Landlock, if the kernel has it, also denies files. The application shares memory with
/// the process: it contains the bytes of the image, and the process decodes into the same memory.
/// Up to 2 MiB are kept for the next images. Larger images have separate memory, which is sealed
/// and used without a copy. The canvas of an animation is in memory that the application attaches
/// to each exchange, so that any process can decode the next frames; it returns several frames at
/// once, scaled down.
///
/// Before a process confines itself, it loads the codecs of its formats: JPEG, PNG, GIF, BMP and
/// ICO, and the formats of the images decoded so far. The first image of another format gets a new
/// process, which replaces a waiting one.
///
/// Before its first image, a process decodes a test image of the format of that image, and one of
/// each of its other formats that no process has tested. If a test fails or a process does not find
/// the codec, the format is ruled out for 0.1 seconds, and twice as long after each further
/// failure, up to 30 seconds. Meanwhile, images of the format fail with `ImageError.Code.io`.
///
/// There are at most as many processes as decode threads. They are started while the first images
/// are loading, kept for the next images, and ended after 30 idle seconds. A process that crashes,
/// takes too long or exceeds its limits is replaced, and so is one that was started five minutes
/// ago, since an image may have taken it over. An image that takes too long fails with
/// `ImageError.Code.decodeTimeout`. After another end, the image is decoded again in a new process
/// if the old one had decoded other images before or was ended from outside. Otherwise the image
/// fails: with `ImageError.Code.corrupt` after a crash, and with `ImageError.Code.io` if the new
/// process was also ended from outside.
///
/// SVG has processes of its own, with less memory, which can read the font files that fontconfig
/// finds, and no other file. Fonts that the program adds to its own fontconfig configuration are
/// not among them. Without Landlock, text has only the default fonts.
///
/// Formats for which only a GdkPixbuf with glycin has a decoder are not supported, such as AVIF
/// without libavif and libheif: glycin starts processes, which the filter forbids.
///
/// If the program is not installed, images are decoded in the calling process, which is logged
/// once. With ``Configuration-swift.struct/isRequired``, they fail with `ImageError.Code.io`
/// instead. If the program is installed but fails to start, images fail with the same error, and
/// the program is started again after a pause that also grows from 0.1 to 30 seconds. If the start
/// was ended from outside or the system lacked memory, a pipeline decodes these images after the
/// pause, unless they would wait for more than 30 seconds in all. If the program is removed or
/// replaced, as by a package upgrade, images fail while it is missing; new processes are started
/// from the new program if it has the same protocol version. Otherwise images fail until the
/// application is restarted.
///
/// ```swift
/// var configuration = ImagePipeline.Configuration(decoders: .standard(isolation: .required))
/// ```
public final class IsolatedDecoder: ConfinedDecoder, EncodingDecoder {
    struct State {
        /// `nil` before the first search.
        var program: Program?
        /// The record of the program that was found last.
        var record = ProgramRecord(nil)
        /// `nil` before the first use.
        var formats: Set<ImageFormat>?
        /// The formats that new processes are started for.
        var wantedFormats: Set<ImageFormat>
        var hasToldConfinement = false

        /// The formats that a process for an image of `format` is started for. Drawings have
        /// processes of their own.
        func startFormats(for format: ImageFormat?, at now: ContinuousClock.Instant) -> Set<ImageFormat> {
            if format == .svg || wantedFormats == [.svg] { return [.svg] }
            return wantedFormats.subtracting([.svg]).union(format.map { [$0] } ?? [])
                .filter { !record.isRuledOut($0, at: now) }
        }
    }

    enum Program {
        case found(ProgramFile)
        case missing
    }

    /// The most common formats, whose libraries are linked or which need no library: they do not
    /// slow down the start of a process.
    static let firstFormats: Set<ImageFormat> = [.jpeg, .png, .gif, .bmp, .ico]

    /// The formats that processes are started for before the first image; empty for a decoder of
    /// SVG alone, since most programs that allow drawings show none at first.
    let firstFormats: Set<ImageFormat>
    let configuration: Configuration
    let pool: DecoderPool
    let state: Lock<State>
    /// The clock for pauses.
    let now: @Sendable () -> ContinuousClock.Instant
    private let local: [any ImageDecoder]

    /// - Parameters:
    ///   - local: The decoders of the calling process. The decoder process has the same ones.
    ///   - configuration: The limits of the decoder process, and the behavior without its program.
    public convenience init(_ local: [any ImageDecoder], _ configuration: Configuration = Configuration()) {
        self.init(local, configuration) { .now }
    }

    init(
        _ local: [any ImageDecoder], _ configuration: Configuration,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.local = local
        self.configuration = configuration
        self.now = now
        let isForDrawings = !local.isEmpty && local.allSatisfy { $0 is SVGDecoder }
        firstFormats = isForDrawings ? [] : Self.firstFormats
        state = Lock(State(wantedFormats: firstFormats))
        pool = DecoderPool(
            maxCount: WorkerThreads.decoding.count, idleTime: configuration.idleTime, now: now)
    }

    public var formats: Set<ImageFormat> {
        if let known = state.withLock({ $0.formats }) { return known }
        let formats = local.reduce(into: Set<ImageFormat>()) { formats, decoder in
            let unconfinable = (decoder as? any ConfinableDecoder)?.unconfinableFormats ?? []
            formats.formUnion(decoder.formats.subtracting(unconfinable))
        }
        state.withLock { $0.formats = formats }
        return formats
    }

    /// Queries the decoders of the calling process only for this format.
    public func decodes(_ format: ImageFormat) -> Bool {
        if let known = state.withLock({ $0.formats }) { return known.contains(format) }
        return local.contains { decoder in
            let confinable = decoder as? any ConfinableDecoder
            return decoder.decodes(format) && confinable?.unconfinableFormats.contains(format) != true
        }
    }

    /// The encoder of the decoders of the calling process. It runs there: it never reads a file.
    package var encoder: (any ImageEncoder)? {
        local.lazy.compactMap { ($0 as? any EncodingDecoder)?.encoder }.first
    }

    package var isConfined: Bool { program() != nil || !configuration.fallsBack }

    /// The process ids of the waiting processes.
    package var idleProcesses: [Int32] { pool.processes }

    public func prepare() {
        recordEndedStarts()
        guard state.withLock({ !$0.wantedFormats.isEmpty }) else { return }
        pool.startAhead { [weak self] () throws(StartFailure) in
            guard let self, let program = program() else { return nil }
            return try start(program, for: nil)
        }
    }

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard let program = program() else {
            guard configuration.fallsBack else { throw ImageError(.io, "\(DecoderLocation.name) is not installed") }
            return try local.decode(bytes, request)
        }
        return try decode(bytes, request, isBeginning: false, in: program)
    }

    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        guard let program = program() else {
            return configuration.fallsBack ? local.decodeBeginning(bytes, request) : nil
        }
        return try? decode(bytes, request, isBeginning: true, in: program).pixels
    }

    private func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, isBeginning: Bool, in program: ProgramFile
    ) throws(ImageError) -> DecodedImage {
        // Refused here, an image costs no process.
        try request.limits.check(request.header)
        let images = try ask(program, for: request.header.format, request.limits) { process, end in
            process.decode(bytes, request, isBeginning: isBeginning, until: end)
        }
        return images[0]
    }

    package func frames(
        _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
    ) throws(ImageError) -> [PixelBuffer] {
        guard let program = program() else {
            guard configuration.fallsBack else { throw ImageError(.io, "\(DecoderLocation.name) is not installed") }
            return try local.frames(request, from: files, cursor)
        }
        let known = cursor.take() as? SharedCanvas
        guard known != nil || request.previous == nil else { throw ImageError(.io, "the canvas is lost") }
        let canvas = if let known { known } else { try SharedCanvas(request) }
        guard canvas.place(files) else { throw ImageError(.corrupt, "frames that are larger than their file") }
        // A process that ended may have drawn some of the frames.
        var isIntact = true
        defer { if isIntact { cursor.keep(canvas, byteCount: canvas.byteCount) } }
        return try ask(program, for: request.format, request.limits) { process, end in
            isIntact = false
            let outcome = process.frames(request, fileByteCounts: files.map(\.count), on: canvas, until: end)
            if case .answered = outcome { isIntact = true }
            return outcome
        } mayRepeat: {
            isIntact || request.previous == nil
        }.map(\.pixels)
    }

    /// Takes a process and lets `body` ask it. After an end that another image may have caused,
    /// asks a new process.
    ///
    /// - Parameter mayRepeat: Whether `body` may be called again.
    private func ask(
        _ program: ProgramFile, for format: ImageFormat, _ limits: DecodeLimits,
        _ body: (DecoderProcess, _ end: ContinuousClock.Instant) -> DecoderProcess.Outcome,
        mayRepeat: () -> Bool = { true }
    ) throws(ImageError) -> [DecodedImage] {
        // The process has less time than the timeout of the pipeline, so that its outcome is known
        // before the pipeline gives up.
        let end = ContinuousClock.now + min(configuration.deadline, limits.timeout * 0.9)
        var isRetry = false
        while true {
            try want(format)
            let process = try readyProcess(program, for: format, fresh: isRetry, until: end)
            let isFresh = !process.hasHadImage
            let outcome: DecoderProcess.Outcome
            switch try isFresh ? test(process, for: format, until: end) : .usable {
            case .usable: outcome = body(process, end)
            // New processes are no longer started for the format whose test ended this one.
            case .unusable: continue
            case .interrupted(let end): outcome = end
            }
            if case .answered(let result) = outcome {
                // An old process is replaced for the next image.
                if !pool.putBack(process) { prepare() }
                return try result.get()
            }
            pool.drop()
            // Starts a process for the next image.
            defer { prepare() }
            guard !isRetry, isWorthRetrying(outcome, isFresh: isFresh) else {
                var error = failure(outcome)
                // Ended from outside before it had an image, as if its start had failed.
                if !process.hasHadImage, error.code == .io { error.retryDelay = RetryPause.shortest }
                throw error
            }
            guard mayRepeat() else { throw ImageError(.io, "the decoder process ended") }
            isRetry = true
        }
    }

    /// Whether a new process may decode the image, since another image or process may have caused
    /// the failure.
    private func isWorthRetrying(_ outcome: DecoderProcess.Outcome, isFresh: Bool) -> Bool {
        switch outcome {
        case .ended: true
        // An earlier image may have damaged the memory of the process.
        case .crashed, .exceededTime, .violated, .invalidAnswer, .needsMemory: !isFresh
        case .answered, .hung: false
        }
    }

    private func failure(_ outcome: DecoderProcess.Outcome) -> ImageError {
        let reason =
            switch outcome {
            case .crashed: "the decoder process crashed"
            case .answered, .ended: "the decoder process ended"
            case .violated(let systemCall):
                "the decoder process made the forbidden system call \(String.systemCall(systemCall))"
            case .hung, .exceededTime: "the decoder process took too long"
            case .invalidAnswer, .needsMemory: "the decoder process gave no valid answer"
            }
        configuration.logger.debug("\(reason)")
        // A pipeline deletes the stored data of a corrupt image, so slowness and lack of memory
        // must not be reported as `corrupt`.
        let code: ImageError.Code =
            switch outcome {
            case .hung, .exceededTime: .decodeTimeout
            case .ended: .io
            case .answered, .crashed, .violated, .invalidAnswer, .needsMemory: .corrupt
            }
        return ImageError(code, reason)
    }
}
