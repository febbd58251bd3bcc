// Decoding in a process of its own, so that a file made to break a decoder breaks nothing else.

import Glibc
import Logging

/// Decodes as the decoders of the calling process do, in a process that can do nothing but that.
///
/// The process, `remote-image-decoder`, has limits to its memory, its processor time and its descriptors; it can open no
/// file, no connection and no other process: a filter of system calls ends it if it tries. It gets the bytes of a
/// picture in a sealed memory file and gives its pixels in another, which are used without a copy. It is kept for
/// the next picture, there is one for each thread that decodes at the same time at most, and it leaves when it had
/// nothing to do for 30 seconds. One that crashes, takes too long or exceeds its limits costs its picture
/// `ImageError.Code.corrupt` and is replaced; one that was ended from outside costs nothing, since the picture is
/// given to another.
///
/// SVG is none of its formats, since drawings need fonts, which it cannot open; and nothing is shown of pictures that are
/// not all there yet.
///
/// Where there is no such program, pictures are decoded in the calling process, and one line in the log says so.
///
/// Measured with 400 photographs of 1600 × 1200 decoded at 320 on two cores, it costs 10 % more processor time than
/// decoding in the calling process (2.15 s and 1.95 s, medians of nine runs), the start of two processes included.
///
/// ```swift
/// var configuration = ImagePipeline.Configuration(decoders: .standard(isIsolated: true))
/// ```
public final class IsolatedDecoder: ImageDecoder {
    public struct Configuration: Sendable {
        /// The program of the process. Nil, the default, looks beside the program that runs and in the `libexec` folder of the
        /// prefix that it, or the library, is installed in.
        public var path: String?
        /// How long a picture may take, where nine tenths of what its limits say are not less, and the process to start:
        /// 30 seconds by default.
        public var deadline: Duration = .seconds(30)
        /// Bytes of address space of a process, with its program and libraries: 1.5 GiB by default.
        public var maxMemoryByteCount: Int = 3 << 29
        /// How long a process waits for another picture before it leaves: 30 seconds by default.
        public var idleTime: Duration = .seconds(30)
        /// Where it is said, once, that pictures are decoded in the calling process, or that the kernel filters no system
        /// calls.
        public var logger = Logger(label: "remote-image")

        public init() {}

        /// What the process is started with.
        var arguments: [String] {
            let seconds = max(1, Int(deadline / .seconds(1)))
            return [
                // Its processor time is that of many pictures; it leaves in time.
                "\(getpid())", "\(maxMemoryByteCount)", "\(maxMemoryByteCount / 2)", "\(seconds * 4)",
                "\(max(1, Int(idleTime / .milliseconds(1))))",
            ]
        }
    }

    private enum Program {
        case unknown
        case found(String, hasWorked: Bool)
        case missing
    }

    private struct State {
        var program = Program.unknown
        /// Those that wait for a picture, the last used at the end.
        var idle: [DecoderProcess] = []
    }

    private let configuration: Configuration
    private let local: DecoderRegistry
    private let state = Lock(State())

    /// - Parameter local: The decoders of the calling process. The helper has the same ones.
    public init(_ local: [any ImageDecoder], _ configuration: Configuration = Configuration()) {
        self.local = DecoderRegistry(local)
        self.configuration = configuration
    }

    public var formats: Set<ImageFormat> { local.formats.subtracting([.svg]) }

    /// The numbers of the processes that wait for a picture.
    package var idleProcesses: [Int32] { state.withLock { $0.idle.compactMap(\.process) } }

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        var mayTryAgain = true
        // A pipeline gives a picture up after its time; the process has less, so that it is known what went wrong.
        let end = ContinuousClock.now + min(configuration.deadline, request.limits.timeout * 0.9)
        while true {
            guard let process = try takeProcess(fresh: !mayTryAgain) else { return try local.decode(bytes, request) }
            switch process.decode(bytes, request, until: end) {
            case .answered(let result):
                putBack(process)
                return try result.get()
            case .ended(let isItsOwnDoing):
                guard mayTryAgain, !isItsOwnDoing else {
                    throw ImageError(.corrupt, "the decoder process ended")
                }
                mayTryAgain = false
            case .hung: throw ImageError(.corrupt, "the decoder process took too long")
            case .lied: throw ImageError(.corrupt, "the decoder process gave no valid answer")
            }
        }
    }

    /// One that waits, or a new one; nil where pictures are decoded here.
    private func takeProcess(fresh: Bool) throws(ImageError) -> DecoderProcess? {
        let (path, hasWorked, waiting) = state.withLock { state -> (String?, Bool, DecoderProcess?) in
            if case .unknown = state.program {
                state.program =
                    DecoderLocation.find(given: configuration.path).map { .found($0, hasWorked: false) } ?? .missing
                if case .missing = state.program { report("is not installed") }
            }
            guard case .found(let path, let hasWorked) = state.program else { return (nil, false, nil) }
            var process: DecoderProcess?
            while !fresh, process == nil, let last = state.idle.popLast() {
                // It may have left.
                if last.process != nil { process = last }
            }
            return (path, hasWorked, process)
        }
        if let waiting { return waiting }
        guard let path else { return nil }
        do throws(StartFailure) {
            let process = try DecoderProcess(path, configuration)
            let isFirst = state.withLock { state in
                guard case .found(_, hasWorked: false) = state.program else { return false }
                state.program = .found(path, hasWorked: true)
                return true
            }
            if isFirst, !process.isConfined {
                configuration.logger.warning("\(DecoderLocation.name) runs without a filter of system calls")
            }
            return process
        } catch {
            // A failure of the moment is no reason to give up the protection, nor is any once it worked.
            guard error == .unusable, !hasWorked else {
                throw ImageError(.io, "the decoder process cannot be started")
            }
            let isFirst = state.withLock { state in
                guard case .found(_, hasWorked: false) = state.program else { return false }
                state.program = .missing
                return true
            }
            if isFirst { report("does not start") }
            return nil
        }
    }

    private func putBack(_ process: DecoderProcess) {
        // Those that are too many end here, outside the lock.
        _ = state.withLock { state -> DecoderProcess? in
            state.idle.append(process)
            return state.idle.count > WorkerThreads.shared.count ? state.idle.removeFirst() : nil
        }
    }

    private func report(_ what: String) {
        configuration.logger.warning("\(DecoderLocation.name) \(what): pictures are decoded in this process")
    }
}
