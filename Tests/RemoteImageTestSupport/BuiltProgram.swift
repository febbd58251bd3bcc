// Runs the programs of this package as child processes.

import Foundation
import RemoteImageCore

/// A running program of this package. The test writes its standard input and reads its output. The
/// program is killed when the last reference is released.
public final class BuiltProgram: Sendable {
    /// The exit status and output of a program.
    public struct Ending: Sendable {
        /// The exit status, or 128 plus the number of the signal that ended the program.
        public let status: Int32
        public let output: [UInt8]
        public let errors: String

        public var text: String { String(decoding: output, as: UTF8.self) }
        public var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    fileprivate struct State: Sendable {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var openStreamCount = 2
        var status: Int32?
    }

    private let id: pid_t
    private let watched = Watched(State())
    /// The descriptor of the standard input; -1 once closed.
    private let input: Lock<Int32>

    /// - Parameters:
    ///   - name: The program, in the same folder as the test executable.
    ///   - environment: Added to the environment of the tests, without its proxy variables.
    ///   - maxFileBlockCount: The maximum size of a file that the program writes, in blocks of 512
    ///     bytes. Further writes fail, as on a full disk.
    ///   - outputFile: A file that receives the standard output, such as `/dev/full`.
    ///   - errorFile: A file that receives the standard error, such as a terminal.
    public init(
        _ name: String = "remote-image", _ arguments: [String], environment: [String: String] = [:],
        maxFileBlockCount: Int? = nil, outputFile: String? = nil, errorFile: String? = nil
    ) throws {
        let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        var path = folder.joined(separator: "/") + "/\(name)"
        var arguments = arguments
        if maxFileBlockCount != nil || outputFile != nil || errorFile != nil {
            // Ignoring SIGXFSZ makes the write fail instead of killing the program.
            let limit = maxFileBlockCount.map { "trap '' XFSZ; ulimit -f \($0); " } ?? ""
            let redirection = (outputFile.map { " >'\($0)'" } ?? "") + (errorFile.map { " 2>'\($0)'" } ?? "")
            arguments = ["-c", "\(limit)exec \"$0\" \"$@\"\(redirection)", path] + arguments
            path = "/bin/sh"
        }
        let pipes = try (0..<3).map { _ in try Self.pipe() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, pipe) in pipes.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, number == 0 ? pipe.reading : pipe.writing, Int32(number))
        }
        let variables = ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") }
            .merging(environment) { _, given in given }
        var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var id = pid_t()
        // A shell may have started the tests in the background, where it ignores SIGINT.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var interrupt = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &interrupt)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let code = posix_spawn(&id, path, &actions, &attributes, &argv, &envp)
        for (number, pipe) in pipes.enumerated() { close(number == 0 ? pipe.reading : pipe.writing) }
        guard code == 0 else { throw SystemError(path, code) }
        self.id = id
        input = Lock(pipes[0].writing)
        try start(id, output: pipes[1].reading, errors: pipes[2].reading)
    }

    deinit {
        kill()
        closeInput()
    }

    private func start(_ id: pid_t, output: Int32, errors: Int32) throws {
        let watched = watched
        try startThread {
            Self.read(output) { bytes in
                watched.update { $0.output += bytes }
            } end: {
                watched.end()
            }
        }
        try startThread {
            Self.read(errors) { bytes in
                watched.update { $0.errors += bytes }
            } end: {
                watched.end()
            }
        }
        try startThread {
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            watched.update { $0.status = signal == 0 ? status >> 8 & 0xFF : 128 + signal }
        }
    }

    // MARK: Actions

    /// Writes a line to the standard input.
    public func write(_ line: String) {
        input.withLock { descriptor in
            var bytes = Array("\(line)\n".utf8)[...]
            while descriptor >= 0, !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    public func closeInput() {
        input.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Kills the program, by default with SIGKILL, which simulates a power failure.
    public func kill(with signal: Int32 = SIGKILL) {
        // The process ID is valid until `waitpid` has reported the exit.
        watched.update { if $0.status == nil { Glibc.kill(id, signal) } }
    }

    // MARK: Observation

    public var isRunning: Bool { watched.value.status == nil }

    /// Waits until the program has written at least `count` lines, and returns all lines so far.
    public func lines(count: Int) async throws -> [String] {
        try await watched.first { state in
            let lines = state.output.split(separator: UInt8(ascii: "\n"))
            return lines.count >= count ? lines.map { String(decoding: $0, as: UTF8.self) } : nil
        }
    }

    /// Waits until the program has exited and all its output has been read.
    public func ended() async throws -> Ending {
        try await watched.first { state in
            guard let status = state.status, state.openStreamCount == 0 else { return nil }
            return Ending(
                status: status, output: state.output, errors: String(decoding: state.errors, as: UTF8.self))
        }
    }

    // MARK: Streams

    /// Sockets instead of pipes: `SOCK_CLOEXEC` prevents other child processes from inheriting
    /// them, and `MSG_NOSIGNAL` prevents SIGPIPE.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SystemError("socketpair")
        }
        return (ends[0], ends[1])
    }

    private static func read(_ descriptor: Int32, _ receive: ([UInt8]) -> Void, end: () -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            receive(Array(buffer[..<count]))
        }
        close(descriptor)
        end()
    }
}

extension Watched where State == BuiltProgram.State {
    fileprivate func end() { update { $0.openStreamCount -= 1 } }
}
