import Glibc
import Logging

extension IsolatedDecoder {
    /// The environment variables that a process of these formats receives: those that find
    /// libraries, codecs and fonts and that configure sanitizers. Others may contain secrets of the
    /// application.
    static func environmentNames(for formats: Set<ImageFormat>) -> [String] {
        let common = [
            "LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH", "GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR", "XDG_DATA_DIRS",
            "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
        ]
        return formats == [.svg] ? common + namesOfDrawings : common
    }

    /// The variables that find the fonts of the user and choose the language of a drawing.
    private static let namesOfDrawings = [
        "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
        "FONTCONFIG_SYSROOT", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]

    /// The location of the decoder program, the limits of its processes, and the behavior without
    /// the program.
    public struct Configuration: Sendable {
        /// The path of the decoder program. `nil`, the default, looks beside the running program
        /// and in the `libexec` folder of the prefix in which it or the library is installed.
        public var path: String?
        /// Whether images fail if the program is not installed or cannot confine itself: `false` by
        /// default.
        public var isRequired = false
        /// The maximum time for an image, including the start of its process: 30 seconds by
        /// default. If nine tenths of `DecodeLimits.timeout` are less, they apply instead.
        public var deadline: Duration = .seconds(30)
        /// The maximum address space of a process, including its program and libraries, in bytes:
        /// 1.5 GiB by default. A process that draws SVG has at most 768 MiB of it.
        public var maxMemoryByteCount: Int = 3 << 29
        /// The time for which a process waits for another image before it is ended: 30 seconds by
        /// default.
        public var idleTime: Duration = .seconds(30)
        /// The logger. It reports once if images are decoded in the calling process, if a process
        /// runs without a filter of system calls, or if a format is unusable; at debug level, it
        /// reports why a process was replaced.
        public var logger: Logger = {
            var logger = Logger(label: "remote-image")
            if DebugLog.isEnabled { logger.logLevel = .debug }
            return logger
        }()

        /// Whether images are decoded in the calling process if the program is not installed and
        /// not required.
        package var mayFallBack = true

        /// Whether images are decoded in the calling process if the program is not installed.
        var fallsBack: Bool { mayFallBack && !isRequired }

        /// The time after which the test of a format has failed.
        var testLimit: Duration = .seconds(10)

        /// Creates the default settings.
        public init() {}

        /// The arguments of a process.
        func arguments(for formats: Set<ImageFormat>) -> [String] {
            // The processor time is for many images; the process exits before it reaches the limit.
            let seconds = Self.whole(deadline / .seconds(1)) * 4
            // A line with short dashes can take any memory.
            let memory = formats == [.svg] ? min(maxMemoryByteCount, 768 << 20) : maxMemoryByteCount
            return [Int(getpid()), memory, seconds, Self.whole(idleTime / .milliseconds(1)), formats.bits]
                .map(String.init)
        }

        /// The number without its fraction, at least 1 and at most the maximum of a C `int`.
        private static func whole(_ number: Double) -> Int { Int(min(Double(Int32.max), max(1, number))) }
    }
}
