// Decoding in a process of its own, so that a file made to break a decoder breaks nothing else.

import CPlatform
import Glibc

/// Decodes as the decoders of the calling process do, in a process that can do nothing but that.
///
/// The process, `remote-image-decoder`, has limits to its memory, its processor time and its
/// descriptors, and no file, connection or other process: a filter of system calls ends it if it
/// tries, and Landlock, where the kernel has it, denies files a second time. It gets the bytes of
/// an image in memory that the application shares with it, and decodes into the same memory. Up to
/// 2 MiB are kept for the next images; larger ones have memory of their own, which is sealed and
/// used without a copy.
///
/// A process loads the codecs of some formats before it confines itself: JPEG, PNG, GIF, BMP and
/// ICO, and those of the images that were decoded so far. An image of another format gets a new
/// process, for which one that waits makes room.
///
/// Before its first image a process decodes a test image of that image's format, and one of each
/// other format that no process has tested. While a format is ruled out, its images fail with
/// `ImageError.Code.io`: for 0.1 seconds after its test has failed or a process has not found its
/// codec, and twice as long after each further failure, up to 30 seconds.
///
/// There are as many processes as decode threads at most. They are started while the first images
/// are being loaded, kept for the next images, and end when they had nothing to do for 30 seconds.
/// A process that crashes, takes too long or exceeds its limits is replaced. Its image is decoded
/// again in a new process where another image may be the cause: where the process had decoded
/// images before, or was ended from outside. Else the image fails: with `ImageError.Code.corrupt`
/// after a crash, with `ImageError.Code.decodeTimeout` where it took too long, and with
/// `ImageError.Code.io` where the new process was ended from outside, too.
///
/// SVG is none of its formats, since drawings need fonts, which it cannot open. Neither are formats
/// that only a GdkPixbuf with glycin decodes, AVIF without libheif for example: glycin starts
/// processes of its own, which the filter forbids.
///
/// Where there is no such program, images are decoded in the calling process, and one line in the
/// log says so, or they fail with `ImageError.Code.io` where
/// ``Configuration-swift.struct/isRequired``. A program that is there and fails is an error. It is
/// started again after a pause, which grows likewise; images that come before fail with the same
/// error. A program that was removed is an error, until it is back: a package upgrade may replace
/// it, and processes are started from the new one where it speaks the same version of the messages.
/// Where it does not, images fail until the application is restarted.
///
/// ```swift
/// var configuration = ImagePipeline.Configuration(decoders: .standard(isolation: .required))
/// ```
public final class IsolatedDecoder: ImageDecoder {
    struct State {
        /// `nil` until it is first looked for.
        var program: Program?
        /// What is known of the program that was found last.
        var record = ProgramRecord(nil)
        /// `nil` until they are first used.
        var formats: Set<ImageFormat>?
        /// What processes are started for.
        var wantedFormats = IsolatedDecoder.firstFormats
        var hasToldConfinement = false
    }

    enum Program {
        case found(ProgramFile)
        case missing
    }

    /// What is decoded most, by libraries that are linked, and what needs none: these cost the
    /// start of a process nothing.
    static let firstFormats: Set<ImageFormat> = [.jpeg, .png, .gif, .bmp, .ico]

    let configuration: Configuration
    let pool = DecoderPool(maxCount: WorkerThreads.shared.count)
    let state = Lock(State())
    /// The time for pauses.
    let now: @Sendable () -> ContinuousClock.Instant
    private let local: DecoderRegistry

    /// - Parameters:
    ///   - local: The decoders of the calling process. The helper has the same ones.
    ///   - configuration: The limits of the helper, and what becomes of images where there is none.
    public convenience init(_ local: [any ImageDecoder], _ configuration: Configuration = Configuration()) {
        self.init(local, configuration) { .now }
    }

    init(
        _ local: [any ImageDecoder], _ configuration: Configuration,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.local = DecoderRegistry(local)
        self.configuration = configuration
        self.now = now
    }

    public var formats: Set<ImageFormat> {
        if let known = state.withLock({ $0.formats }) { return known }
        let formats = local.decoders.reduce(into: Set<ImageFormat>()) { formats, decoder in
            let unconfinable = (decoder as? any PartlyConfinableDecoder)?.unconfinableFormats ?? []
            formats.formUnion(decoder.formats.subtracting(unconfinable))
        }.subtracting([.svg])
        state.withLock { $0.formats = formats }
        return formats
    }

    /// Asks the decoders of the calling process for no more than this format.
    public func decodes(_ format: ImageFormat) -> Bool {
        if format == .svg { return false }
        if let known = state.withLock({ $0.formats }) { return known.contains(format) }
        return local.decoders.contains { decoder in
            let confinable = decoder as? any PartlyConfinableDecoder
            return decoder.decodes(format) && confinable?.unconfinableFormats.contains(format) != true
        }
    }

    /// The numbers of the processes that wait for an image.
    package var idleProcesses: [Int32] { pool.processes }

    public func prepare() {
        recordEndedStarts()
        pool.startAhead { [weak self] () throws(StartFailure) in
            guard let self, let program = program() else { return nil }
            return try start(program, for: nil)
        }
    }

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard let program = program() else {
            guard !configuration.isRequired else { throw ImageError(.io, "\(DecoderLocation.name) is not installed") }
            return try local.decode(bytes, request)
        }
        return try decode(bytes, request, isBeginning: false, in: program)
    }

    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        guard let program = program() else {
            return configuration.isRequired ? nil : local.decodeBeginning(bytes, request)
        }
        return try? decode(bytes, request, isBeginning: true, in: program).pixels
    }

    private func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, isBeginning: Bool, in program: ProgramFile
    ) throws(ImageError) -> DecodedImage {
        // A pipeline gives an image up after its time; the process has less, so that it is known
        // what went wrong.
        let end = ContinuousClock.now + min(configuration.deadline, request.limits.timeout * 0.9)
        let format = request.header.format
        var isRetry = false
        while true {
            try want(format)
            let process = try readyProcess(program, for: format, fresh: isRetry, until: end)
            let isFresh = !process.hasHadImage
            let outcome: DecoderProcess.Outcome
            switch try isFresh ? test(process, for: format, until: end) : .ready {
            case .ready: outcome = process.decode(bytes, request, isBeginning: isBeginning, until: end)
            // It is wanted no more.
            case .endedByAnotherFormat: continue
            case .interrupted(let end): outcome = end
            }
            if case .answered(let result) = outcome {
                pool.putBack(process)
                return try result.get()
            }
            pool.drop()
            // The next image finds another one.
            defer { prepare() }
            guard !isRetry, mayBlameAnother(outcome, isFresh: isFresh) else { throw failure(outcome) }
            isRetry = true
        }
    }

    /// Whether something else than the image may have caused the failure.
    private func mayBlameAnother(_ outcome: DecoderProcess.Outcome, isFresh: Bool) -> Bool {
        switch outcome {
        case .ended(isItsOwnDoing: false): true
        // An earlier image may have damaged the memory of the process.
        case .ended(isItsOwnDoing: true), .violated, .lied: !isFresh
        case .answered, .hung: false
        }
    }

    private func failure(_ outcome: DecoderProcess.Outcome) -> ImageError {
        let reason =
            switch outcome {
            case .answered, .ended: "the decoder process ended"
            case .violated(let systemCall):
                "the decoder process made the forbidden system call \(SystemCall(number: systemCall))"
            case .hung: "the decoder process took too long"
            case .lied: "the decoder process gave no valid answer"
            }
        configuration.logger.debug("\(reason)")
        // A pipeline deletes the stored data of a corrupt image. A slow machine or one without
        // memory must not cause that.
        let code: ImageError.Code =
            switch outcome {
            case .hung: .decodeTimeout
            case .ended(isItsOwnDoing: false): .io
            case .answered, .ended, .violated, .lied: .corrupt
            }
        return ImageError(code, reason)
    }
}
