// Decoding in a process of its own, so that a file made to break a decoder breaks nothing else.

import CPlatform
import Glibc

/// Decodes as the decoders of the calling process do, in a process that can do nothing but that.
///
/// The process, `remote-image-decoder`, has limits to its memory, its processor time and its descriptors, and no file,
/// connection or other process: a filter of system calls ends it if it tries, and Landlock, where the kernel has it, denies
/// files a second time. It gets the bytes of an image in memory that the application shares with it, and decodes into the same
/// memory. Up to 2 MiB are kept for the next images; larger ones have memory of their own, which is sealed and used without a
/// copy.
///
/// A process loads the codecs of some formats before it confines itself: JPEG and PNG, and those of the images that were
/// decoded so far. An image of another format gets a new process, for which one that waits makes room.
///
/// There are as many processes as decode threads at most. They are started while the first images are being loaded, kept for
/// the next images, and end when they had nothing to do for 30 seconds. A process that crashes, takes too long or exceeds its
/// limits is replaced. Its image is decoded again in a new process where another image may be the cause: where the process
/// had decoded images before, or was ended from outside. Else the image fails: with `ImageError.Code.corrupt` after a crash,
/// with `ImageError.Code.decodeTimeout` where it took too long, and with `ImageError.Code.io` where the new process was ended
/// from outside, too.
///
/// SVG is none of its formats, since drawings need fonts, which it cannot open. Neither are formats that only a GdkPixbuf
/// with glycin decodes, AVIF without libheif for example: glycin starts processes of its own, which the filter forbids.
///
/// Where there is no such program, images are decoded in the calling process, and one line in the log says so, or they fail
/// with `ImageError.Code.io` where ``Configuration-swift.struct/isRequired``. A program that is there and fails is an error.
/// So is one that was removed, until it is back: a package upgrade may replace it, and processes are started from the new one
/// where it speaks the same version of the messages. Where it does not, images fail until the application is restarted.
///
/// ```swift
/// var configuration = ImagePipeline.Configuration(decoders: .standard(isolation: .required))
/// ```
public final class IsolatedDecoder: ImageDecoder {
    private enum Program {
        case unknown
        case found(String)
        case missing
    }

    private struct State {
        var program = Program.unknown
        /// `nil` until they are first used.
        var formats: Set<ImageFormat>?
        /// What processes are started for.
        var wantedFormats = IsolatedDecoder.firstFormats
        /// Formats whose test image cannot be decoded in a confined process.
        var unusableFormats: Set<ImageFormat> = []
        var hasToldConfinement = false
    }

    /// What is decoded most, by libraries that are linked: these cost the start of a process nothing.
    static let firstFormats: Set<ImageFormat> = [.jpeg, .png]

    private let configuration: Configuration
    private let local: DecoderRegistry
    private let pool = DecoderPool(maxCount: WorkerThreads.shared.count)
    private let state = Lock(State())

    /// - Parameters:
    ///   - local: The decoders of the calling process. The helper has the same ones.
    ///   - configuration: The limits of the helper, and what becomes of images where there is none.
    public init(_ local: [any ImageDecoder], _ configuration: Configuration = Configuration()) {
        self.local = DecoderRegistry(local)
        self.configuration = configuration
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
        pool.startAhead { [weak self] () throws(StartFailure) in
            guard let self, let path = program() else { return nil }
            return try start(path)
        }
    }

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard let path = program() else {
            guard !configuration.isRequired else { throw ImageError(.io, "\(DecoderLocation.name) is not installed") }
            return try local.decode(bytes, request)
        }
        return try decode(bytes, request, isBeginning: false, in: path)
    }

    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
        guard let path = program() else {
            return configuration.isRequired ? nil : local.decodeBeginning(bytes, request)
        }
        return try? decode(bytes, request, isBeginning: true, in: path).pixels
    }

    private func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, isBeginning: Bool, in path: String
    ) throws(ImageError) -> DecodedImage {
        // A pipeline gives an image up after its time; the process has less, so that it is known what went wrong.
        let end = ContinuousClock.now + min(configuration.deadline, request.limits.timeout * 0.9)
        let format = request.header.format
        var isRetry = false
        while true {
            try want(format)
            let process = try readyProcess(path, for: format, fresh: isRetry, until: end)
            let isFresh = !process.hasDecoded
            let outcome = process.decode(bytes, request, isBeginning: isBeginning, until: end)
            if case .answered(let result) = outcome {
                pool.putBack(process)
                return try result.get()
            }
            pool.drop()
            // The next image finds another one.
            defer { prepare() }
            // A process that has decoded images may have been taken over by one and must not rule a format out.
            if isFresh, isUnusable(format, outcome) { throw unusable(format) }
            guard !isRetry, mayBlameAnother(outcome, isFresh: isFresh) else { throw failure(outcome) }
            isRetry = true
        }
    }

    /// Whether something else than the image may have caused the failure.
    private func mayBlameAnother(_ outcome: DecoderProcess.Outcome, isFresh: Bool) -> Bool {
        switch outcome {
        case .ended(isItsOwnDoing: false): true
        // An earlier image may have damaged the memory of the process.
        case .ended(isItsOwnDoing: true), .violated, .lied, .unusable: !isFresh
        case .answered, .hung: false
        }
    }

    /// Whether the process said that it cannot decode the test image of the format.
    private func isUnusable(_ format: ImageFormat, _ outcome: DecoderProcess.Outcome) -> Bool {
        switch outcome {
        case .unusable: return true
        case .violated(let systemCall, testing: format?):
            configuration.logger.debug(
                "a test image of \(format.rawValue) made the forbidden system call \(name(systemCall))")
            return true
        case .answered, .ended, .violated, .hung, .lied: return false
        }
    }

    private func failure(_ outcome: DecoderProcess.Outcome) -> ImageError {
        let reason =
            switch outcome {
            case .answered, .unusable, .ended: "the decoder process ended"
            case .violated(let systemCall, _): "the decoder process made the forbidden system call \(name(systemCall))"
            case .hung: "the decoder process took too long"
            case .lied: "the decoder process gave no valid answer"
            }
        configuration.logger.debug("\(reason)")
        // A pipeline deletes the stored data of a corrupt image. A slow machine or one without memory must not cause that.
        let code: ImageError.Code =
            switch outcome {
            case .hung: .decodeTimeout
            case .ended(isItsOwnDoing: false): .io
            case .answered, .unusable, .ended, .violated, .lied: .corrupt
            }
        return ImageError(code, reason)
    }

    /// `41 (socket)`, for example.
    private func name(_ systemCall: Int) -> String {
        let name = platform_system_call_name(Int32(clamping: systemCall)).map { " (\(String(cString: $0)))" }
        return "\(systemCall)\(name ?? "")"
    }

    // MARK: The processes

    /// Where the program is; `nil` where it is not installed, which the log says once. A package upgrade may remove the program
    /// for a moment: one that was found once is never a reason to decode in this process.
    private func program() -> String? {
        let known = state.withLock { $0.program }
        if case .found(let path) = known, DecoderLocation.isProgram(path) { return path }
        let found = DecoderLocation.find(given: configuration.path)
        let isMissed = state.withLock { state in
            if let found {
                state.program = .found(found)
            } else if case .unknown = state.program {
                state.program = .missing
                return true
            }
            return false
        }
        if isMissed, !configuration.isRequired {
            configuration.logger.notice(
                "\(DecoderLocation.name) is not installed: images are decoded in this process")
        }
        if found == nil, case .found(let path) = known { return path }
        return found
    }

    private func start(_ path: String) throws(StartFailure) -> DecoderProcess {
        guard DecoderLocation.isProgram(path) else { throw .reason("\(path) was removed") }
        let formats = state.withLock { $0.wantedFormats }
        return try DecoderProcess(path, configuration.arguments(for: formats), for: formats)
    }

    /// Has processes started for this format too. Throws where that makes no sense.
    private func want(_ format: ImageFormat) throws(ImageError) {
        let (isWanted, isUnusable) = state.withLock {
            ($0.wantedFormats.contains(format), $0.unusableFormats.contains(format))
        }
        guard !isUnusable else { throw Self.unusableError(format) }
        guard !isWanted else { return }
        guard decodes(format) else { throw ImageError(.unsupportedFormat, format.rawValue) }
        state.withLock { _ = $0.wantedFormats.insert(format) }
    }

    /// Takes note that no process can decode a format, which the log says once.
    private func unusable(_ format: ImageFormat) -> ImageError {
        let isFirst = state.withLock { state in
            state.wantedFormats.remove(format)
            return state.unusableFormats.insert(format).inserted
        }
        if isFirst {
            configuration.logger.warning("\(DecoderLocation.name) cannot decode \(format.rawValue) on this system")
        }
        return Self.unusableError(format)
    }

    private static func unusableError(_ format: ImageFormat) -> ImageError {
        // Not `unsupportedFormat`, for which a pipeline deletes stored data.
        ImageError(.io, "the decoder of \(format.rawValue) does not work when it is confined")
    }

    /// One that waits, or a new one, that can decode the format.
    private func readyProcess(
        _ path: String, for format: ImageFormat, fresh: Bool, until end: ContinuousClock.Instant
    ) throws(ImageError) -> DecoderProcess {
        let (process, greeting) = try startedProcess(path, for: format, fresh: fresh, until: end)
        do throws(ImageError) {
            try check(greeting, for: format)
            return process
        } catch {
            pool.putBack(process)
            throw error
        }
    }

    private func startedProcess(
        _ path: String, for format: ImageFormat, fresh: Bool, until end: ContinuousClock.Instant
    ) throws(ImageError) -> (DecoderProcess, DecoderGreeting) {
        do throws(StartFailure) {
            return try pool.take(for: format, fresh: fresh, readyUntil: end) {
                () throws(StartFailure) in try start(path)
            }
        } catch {
            // The codec of another format may have failed to load.
            guard wantNone(but: format) else { throw self.error(of: error) }
        }
        return try startedProcess(path, for: format, fresh: true, until: end)
    }

    /// Has processes started for one format and the first ones alone; whether that is a change.
    private func wantNone(but format: ImageFormat) -> Bool {
        state.withLock { state in
            let few = Self.firstFormats.union([format])
            defer { state.wantedFormats = few }
            return state.wantedFormats != few
        }
    }

    private func error(of failure: StartFailure) -> ImageError {
        let reason =
            switch failure {
            case .reason(let text): text
            case .violation(let systemCall): "it made the forbidden system call \(name(systemCall))"
            }
        configuration.logger.debug("\(DecoderLocation.name) does not start: \(reason)")
        return ImageError(.io, "\(DecoderLocation.name) does not start: \(reason)")
    }

    /// Throws where the process cannot be used for this format.
    private func check(_ greeting: DecoderGreeting, for format: ImageFormat) throws(ImageError) {
        // A sanitizer's runtime cannot be confined.
        if !greeting.isConfined, platform_is_sanitized() == 0 {
            guard !configuration.isRequired else {
                throw ImageError(.io, "this kernel cannot filter the system calls of \(DecoderLocation.name)")
            }
            let isFirst = state.withLock { state in
                defer { state.hasToldConfinement = true }
                return !state.hasToldConfinement
            }
            if isFirst {
                configuration.logger.warning("\(DecoderLocation.name) runs without a filter of system calls")
            }
        }
        guard greeting.formats.contains(format) else { throw unusable(format) }
    }
}
