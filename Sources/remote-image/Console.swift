import ArgumentParser
import Glibc
import RemoteImageCore

/// The standard streams. Each line is written at once, without buffering.
enum Console {
    /// Keeps lines intact, since a long line takes several writes.
    private static let turn = Lock(())
    private static let hasFailed = Lock(false)

    static var showsErrors: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a line to standard output. Control characters are replaced, since the text contains
    /// addresses, file names and messages of servers and decoders.
    static func printLine(_ text: String) { write("\(text.printableLine)\n", to: STDOUT_FILENO) }

    /// Writes a line to standard error, like ``printLine(_:)``.
    static func printError(_ text: String) { write("\(text.printableLine)\n", to: STDERR_FILENO) }

    /// Writes to standard error unchanged, including terminal escape sequences.
    static func draw(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Prints the reason of the last failed system call. Returns the exit code to throw.
    static func failure(at path: String) -> ExitCode {
        printError("\(path): \(String(cString: strerror(errno)))")
        return ExitCode(1)
    }

    /// Writes bytes to standard output unchanged. It uses a separate thread, since the reader may
    /// be slow and Swift's threads must not block.
    static func send(_ bytes: [UInt8]) async {
        await Task(executorPreference: outputThread) {
            bytes.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
        }.value
    }

    private static let outputThread = WorkerThreads("remote-image out", count: 1)

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Exits with a failure if a write to standard output failed, for example because the disk is
    /// full. The first failure is reported when it happens.
    static func checkOutput() throws {
        if hasFailed.withLock({ $0 }) { throw ExitCode(1) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        guard let failure = turn.withLock({ _ in writeAll(bytes, to: descriptor) }), descriptor == STDOUT_FILENO
        else { return }
        // The reader is gone, and SIGPIPE was ignored or blocked: ends as it would.
        if failure == EPIPE { _exit(1) }
        if !hasFailed.exchange(true) { printError("standard output: \(String(cString: strerror(failure)))") }
    }

    /// The error number if not all bytes could be written.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            written += count
        }
        return nil
    }
}

extension String {
    /// The text with control characters replaced, except tabs, which separate columns.
    fileprivate var printableLine: String {
        guard utf8.contains(UInt8(ascii: "\t")) else { return printable }
        return split(separator: "\t", omittingEmptySubsequences: false)
            .map { String($0).printable }.joined(separator: "\t")
    }
}
