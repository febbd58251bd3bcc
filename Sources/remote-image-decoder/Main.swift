// The program of the decoder process, which IsolatedDecoder starts.

import CRemoteImagePlatform
import Glibc
import RemoteImageDecoders

/// Loads the codecs, confines the process, and answers messages until the socket closes or the
/// process is idle for too long.
@main
enum DecoderProgram {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        var status = stat()
        guard numbers.count == 5, let formats = Set<ImageFormat>(bits: numbers[4]),
            fstat(DecoderService.socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK
        else {
            let text = "remote-image-decoder is started by the library remote-image and has no use by itself.\n"
            _ = write(STDERR_FILENO, text, text.utf8.count)
            exit(64)
        }
        let (parent, memory, seconds, idle) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard platform_die_with_parent(pid_t(truncatingIfNeeded: parent)) == 0 else { exit(0) }
        platform_close_from(DecoderService.socket + 1)

        platform_keep_freed_memory()
        // libde265 leaves the pixels of missing slices unwritten.
        if formats.contains(.heic) { platform_zero_allocations() }
        // Loads all files now, since the confined process cannot open any.
        let codecs = CodecSet(formats, of: [SVGDecoder(isConfined: true)] + .standard(isolation: .none))
        // A process of drawings decodes nothing else.
        let fonts = formats == [.svg] ? SVGDecoder.fontFiles : nil

        var isConfined = false
        // The runtime of a sanitizer does not fit into the limits.
        if platform_is_sanitized() == 0 {
            // Descriptors: the standard streams, the socket, one that is attached to a message, and
            // fonts.
            var limits = platform_limits(
                memory_bytes: UInt64(max(0, memory)), cpu_seconds: UInt64(max(1, seconds)),
                open_files: fonts == nil ? 6 : 64)
            guard platform_limit_process(&limits) == 0 else { exit(70) }
            let confinement = confine(readable: fonts)
            guard confinement >= 0 else { exit(71) }
            isConfined = confinement & Int32(PLATFORM_FILTERED) != 0
        }
        var service = DecoderService(
            codecs, maxProcessorSeconds: Double(seconds) / 2, idleMilliseconds: Int32(clamping: idle))
        service.run(isConfined: isConfined)
    }

    /// Confines the process, which can then read only the given files; `nil` forbids opening files.
    private static func confine(readable: Set<String>?) -> Int32 {
        guard let readable else { return platform_confine_process(DecoderService.socket, nil) }
        var paths = readable.map { UnsafePointer(strdup($0)) } + [nil]
        defer { paths.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
        return platform_confine_process(DecoderService.socket, &paths)
    }
}
