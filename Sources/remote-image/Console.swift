import ArgumentParser
import Glibc
import RemoteImageCore

/// The standard streams, each line written at once so that programs which read them need not wait.
enum Console {
    /// A long line takes several writes: no other may come between them.
    private static let turn = Lock(())
    private static let hasFailed = Lock(false)

    static var showsErrors: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a line to standard output. What a terminal would act on is replaced: the text has addresses, names of files and
    /// what servers and decoders said.
    static func printLine(_ text: String) { write("\(text.printableLine)\n", to: STDOUT_FILENO) }

    /// The same on standard error.
    static func printError(_ text: String) { write("\(text.printableLine)\n", to: STDERR_FILENO) }

    /// Writes to standard error as it is, escapes of terminals included.
    static func draw(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes bytes as they are to standard output, on a thread of its own: who reads them may be slow, and Swift's own
    /// threads must not wait.
    static func send(_ bytes: [UInt8]) async {
        await Task(executorPreference: outputThread) {
            bytes.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
        }.value
    }

    private static let outputThread = WorkerThreads("remote-image out", count: 1, nice: 0)

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Ends with a failure where standard output did not take everything: its disk may be full.
    static func checkOutput() throws {
        if hasFailed.withLock({ $0 }) { throw ExitCode(1) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        turn.withLock { _ in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else {
                    if descriptor == STDOUT_FILENO { hasFailed.withLock { $0 = true } }
                    return
                }
                written += count
            }
        }
    }
}

extension String {
    /// Printable but for tabs, which separate columns.
    fileprivate var printableLine: String {
        split(separator: "\t", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\t")
    }
}
