// The decoder process: started by IsolatedDecoder, never by a person.

import CPlatform
import Glibc
import RemoteImagePixbuf

/// Locks itself in and answers questions until nobody has any.
@main
enum DecoderProgram {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        var status = stat()
        guard numbers.count == 5, fstat(DecoderService.socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            let text = "remote-image-decoder is started by the library remote-image and has no use by itself.\n"
            _ = write(STDERR_FILENO, text, text.utf8.count)
            exit(64)
        }
        guard platform_die_with_parent(pid_t(truncatingIfNeeded: numbers[0])) == 0 else { exit(0) }
        platform_close_from(DecoderService.socket + 1)

        platform_keep_freed_memory()
        // All that needs files: what is loaded later would be refused.
        [any ImageDecoder].prepareStandard()
        let service = DecoderService(
            maxProcessorSeconds: Double(numbers[3]) / 2, idleMilliseconds: Int32(clamping: numbers[4]))
        service.tryOut()

        var isConfined = false
        // A sanitizer's runtime fits into no limits.
        if platform_is_sanitized() == 0 {
            var limits = platform_limits(
                memory_bytes: numbers[1], file_bytes: numbers[2], cpu_seconds: numbers[3], open_files: 16)
            guard platform_limit_process(&limits) == 0 else { exit(70) }
            let result = platform_confine_process()
            guard result >= 0 else { exit(71) }
            isConfined = result == 1
        }
        // Where a loader cannot work like this, the user of this process is better off without it.
        guard service.tryOut() else { exit(72) }
        service.run(isConfined: isConfined)
    }
}
