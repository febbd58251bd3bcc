import Glibc
import Logging

extension IsolatedDecoder {
    /// Where the program is, what its processes may take, and what becomes of images without it.
    public struct Configuration: Sendable {
        /// The program of the process. Nil, the default, looks beside the program that runs and in
        /// the `libexec` folder of the prefix that it, or the library, is installed in.
        public var path: String?
        /// Whether images fail where the program is not installed or cannot confine itself: false
        /// by default.
        public var isRequired = false
        /// How long an image may take, where nine tenths of what its limits say are not less, and
        /// the process to start: 30 seconds by default.
        public var deadline: Duration = .seconds(30)
        /// Bytes of address space of a process, with its program and libraries: 1.5 GiB by default.
        public var maxMemoryByteCount: Int = 3 << 29
        /// How long a process waits for another image before it leaves: 30 seconds by default.
        public var idleTime: Duration = .seconds(30)
        /// Where it is said, once, that images are decoded in the calling process, or that a
        /// process is less confined or decodes less than it should. Why a process was replaced is
        /// logged for debugging.
        public var logger: Logger = {
            var logger = Logger(label: "remote-image")
            if PipelineObservers.isDebugging { logger.logLevel = .debug }
            return logger
        }()

        /// How long the test of a format may take before it has failed.
        var testLimit: Duration = .seconds(10)

        /// Creates the default settings.
        public init() {}

        /// What the process is started with.
        func arguments(for formats: Set<ImageFormat>) -> [String] {
            let seconds = max(1, Int(deadline / .seconds(1)))
            // Its processor time is that of many images; it leaves in time.
            return [
                Int(getpid()), maxMemoryByteCount, seconds * 4, max(1, Int(idleTime / .milliseconds(1))), formats.bits,
            ]
            .map(String.init)
        }
    }
}
