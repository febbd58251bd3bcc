// Runs external programs for tests.

import Foundation
import RemoteImageCore

/// A running program. It is terminated and waited for when the last reference is released.
package final class ChildProcess: Sendable {
    private enum State {
        case running(pid_t)
        case exited(Int32)
    }

    private let state: Lock<State>

    /// - Parameters:
    ///   - environment: Added to the environment of the tests.
    ///   - inherited: A descriptor that the program inherits as descriptor `number`.
    package init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], inheriting inherited: Int32? = nil,
        as number: Int32 = 3
    ) throws {
        guard let path = Self.path(of: name) else { throw SystemError(name, ENOENT) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if let inherited { posix_spawn_file_actions_adddup2(&actions, inherited, number) }

        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, given in given }
        var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }

        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, nil, &argv, &envp)
        guard code == 0 else { throw SystemError("posix_spawn", code) }
        state = Lock(.running(id))
    }

    deinit { terminate() }

    /// Waits for the exit and returns the exit status, or 128 plus the signal number.
    @discardableResult
    package func waitForExit() -> Int32 {
        state.withLock { state in
            guard case .running(let id) = state else { return Self.status(of: state) }
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            state = .exited(signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
            return Self.status(of: state)
        }
    }

    /// Terminates the program (SIGTERM) and waits for its exit.
    func terminate() {
        let isRunning = state.withLock { state in
            guard case .running(let id) = state else { return false }
            kill(id, SIGTERM)
            return true
        }
        if isRunning { waitForExit() }
    }

    private static func status(of state: State) -> Int32 {
        if case .exited(let status) = state { return status }
        return -1
    }

    /// The path of the program, searched in `PATH`, `/usr/sbin` and `/sbin`; `nil` if not found.
    static func path(of name: String) -> String? {
        let listed = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders: [Substring] = listed.split(separator: ":") + ["/usr/sbin", "/sbin"]
        return folders.map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }
}
