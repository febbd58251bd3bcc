// Starts one child process and observes its end.

import CRemoteImagePlatform
import Glibc

/// Starts a process and waits for its end, on a thread that lives exactly as long as the process.
///
/// The process asks the kernel to kill it when the thread that started it ends, so that it dies
/// with the application even while it decodes. A pool thread may end earlier than the process, so
/// each process has its own thread.
final class ChildLife: Sendable {
    private enum State {
        /// `isWanted` is `false` after ``kill()`` was called before the start.
        case starting(isWanted: Bool)
        /// The error number of the failed start.
        case notStarted(Int32)
        case running(pid_t)
        /// The exit status, or 256 plus the signal.
        case ended(Int32)
    }

    private let state = Lock(State.starting(isWanted: true))
    /// Not part of `state`, whose lock is held during the start.
    private let isOver = Lock(false)
    private let whenEnded: @Sendable () -> Void
    private let ended = Semaphore()

    /// Starts the program with `socket` as its descriptor 3, and closes `socket` in this process.
    /// Does not wait for the start; a failed start counts as an end.
    ///
    /// - Parameters:
    ///   - environment: The names of the variables that the process receives, if they are set.
    ///   - ended: Called on another thread after the end.
    init(
        _ path: String, _ arguments: [String], environment: [String], socket: Int32,
        ended: @escaping @Sendable () -> Void
    ) throws(StartFailure) {
        whenEnded = ended
        let code = ThreadStarter.system.start(256 << 10) {
            self.run(path, arguments, environment, socket: socket)
        }
        guard code == 0 else {
            close(socket)
            throw StartFailure(errorNumber: code)
        }
    }

    private func run(_ path: String, _ arguments: [String], _ environment: [String], socket: Int32) {
        platform_set_thread_name("remote-image dec")
        var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        // The rest of the environment may contain secrets of the application.
        var environment: [UnsafeMutablePointer<CChar>?] = environment.compactMap { name in
            getenv(name).flatMap { strdup("\(name)=\(String(cString: $0))") }
        }
        environment.append(nil)
        defer { environment.forEach { free($0) } }
        // Under the lock, so that the process id is known when the process answers, which may
        // happen before this thread runs again.
        let process = state.withLock { state -> pid_t? in
            guard case .starting(isWanted: true) = state else {
                state = .notStarted(ECANCELED)
                return nil
            }
            var process = pid_t()
            let error = platform_start_confined(path, &arguments, &environment, socket, &process)
            state = error == 0 ? .running(process) : .notStarted(error)
            return error == 0 ? process : nil
        }
        guard let process else {
            end()
            // The application sees the closed socket and reads the reason from the state.
            close(socket)
            return
        }
        // An open copy in this process would hide the end of the child.
        close(socket)
        // The process id stays reserved until the exit status is taken under the lock, so that no
        // signal reaches another process.
        _ = platform_wait_for_exit(process)
        state.withLock { $0 = .ended(platform_take_exit_status(process)) }
        end()
    }

    private func end() {
        isOver.withLock { $0 = true }
        ended.post()
        whenEnded()
    }

    var process: pid_t? {
        state.withLock { if case .running(let process) = $0 { process } else { nil } }
    }

    /// Whether the process has ended or could not be started. Never waits for a start.
    var hasEnded: Bool { isOver.withLock { $0 } }

    /// The reason why the process did not start; `nil` if it started or the start is still pending.
    var startFailure: StartFailure? {
        if case .notStarted(let error) = state.withLock({ $0 }) { StartFailure(errorNumber: error) } else { nil }
    }

    func kill() {
        state.withLock { state in
            switch state {
            case .starting: state = .starting(isWanted: false)
            case .running(let process): _ = Glibc.kill(process, SIGKILL)
            case .notStarted, .ended: break
            }
        }
    }

    /// The exit status, or 256 plus the signal; `nil` if the process has not ended after `seconds`.
    func exitStatus(within seconds: Int) -> Int32? {
        ended.wait(seconds: seconds)
        return state.withLock { if case .ended(let status) = $0 { status } else { nil } }
    }
}

/// A semaphore that stays open after the first `post()`.
private final class Semaphore: @unchecked Sendable {
    // Unchecked: the semaphore of the C library is thread-safe, and its memory lives as long as the
    // object.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func post() { sem_post(semaphore) }

    func wait(seconds: Int) {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += seconds
        while sem_timedwait(semaphore, &end) != 0 {
            guard errno == EINTR else { return }
        }
        post()
    }
}

/// Why a process did not start.
enum StartFailure: Error, Equatable {
    case reason(String)
    /// The process was ended from outside, or the system lacked memory, processes or descriptors.
    case transient(String)
    /// The process made a forbidden system call.
    case violation(systemCall: Int)
    /// The process was not ready before the deadline of the image.
    case late

    /// Creates a failure with the text of an error number.
    init(errorNumber: Int32) {
        let text = String(cString: strerror(errorNumber))
        self = [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(errorNumber) ? .transient(text) : .reason(text)
    }
}
