// The life of one child process, from its start to its end.

import CPlatform
import Glibc

/// Starts a process and takes note of its end, on a thread that lives exactly as long as the
/// process.
///
/// The process asks the kernel to end it with the thread that started it: that is how it dies with
/// its user even in the middle of an image, and a thread of a pool may end long before its process
/// does.
final class ChildLife: Sendable {
    private enum State {
        /// `isWanted` is false once it is to end as soon as it runs.
        case starting(isWanted: Bool)
        /// The error number that says why.
        case notStarted(Int32)
        case running(pid_t)
        /// The exit status, or 256 and the signal.
        case ended(Int32)
    }

    private let state = Lock(State.starting(isWanted: true))
    private let ended = Semaphore()

    /// Starts the program with `socket` as its descriptor 3, and closes that here. Does not wait: a
    /// start that fails is an end too.
    init(_ path: String, _ arguments: [String], socket: Int32) throws(StartFailure) {
        let start = Start(life: self, path: path, arguments: arguments, socket: socket)
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 256 << 10)
        let context = Unmanaged.passRetained(start)
        let code = pthread_create(&thread, &attributes, ChildLife.thread, context.toOpaque())
        guard code == 0 else {
            context.release()
            close(socket)
            throw StartFailure(errorNumber: code)
        }
        pthread_detach(thread)
    }

    private final class Start {
        let life: ChildLife
        let path: String
        let arguments: [String]
        let socket: Int32

        init(life: ChildLife, path: String, arguments: [String], socket: Int32) {
            self.life = life
            self.path = path
            self.arguments = arguments
            self.socket = socket
        }
    }

    private static let thread: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        guard let context else { return nil }
        let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        start.life.run(start)
        return nil
    }

    private func run(_ start: Start) {
        platform_set_thread_name("remote-image dec")
        // The process inherits it: decoding never makes a scroll stutter.
        platform_set_thread_nice(5)
        var arguments: [UnsafeMutablePointer<CChar>?] = ([start.path] + start.arguments).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        // Under the lock: the process may answer before this thread runs again, and its number is
        // known then.
        let process = state.withLock { state -> pid_t? in
            guard case .starting(isWanted: true) = state else {
                state = .notStarted(ECANCELED)
                return nil
            }
            var process = pid_t()
            let error = platform_start_confined(start.path, &arguments, start.socket, &process)
            state = error == 0 ? .running(process) : .notStarted(error)
            return error == 0 ? process : nil
        }
        guard let process else {
            ended.post()
            // The other side sees the closed socket and asks for the reason.
            close(start.socket)
            return
        }
        // An open copy here would hide the end of the process.
        close(start.socket)
        // Its number stays its own until it is taken away under the lock, so that no signal meets
        // another process.
        _ = platform_wait_for_exit(process)
        state.withLock { $0 = .ended(platform_take_exit_status(process)) }
        ended.post()
    }

    var process: pid_t? {
        state.withLock { if case .running(let process) = $0 { process } else { nil } }
    }

    /// Whether it has ended, or could not be started.
    var hasEnded: Bool {
        switch state.withLock({ $0 }) {
        case .starting, .running: false
        case .notStarted, .ended: true
        }
    }

    /// Why it did not start; `nil` where it did, and where that is not known yet.
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

    /// How it ended; nil where it has not after `seconds`.
    func exitStatus(within seconds: Int) -> Int32? {
        ended.wait(seconds: seconds)
        return state.withLock { if case .ended(let status) = $0 { status } else { nil } }
    }
}

/// A semaphore that stays open once it is.
private final class Semaphore: @unchecked Sendable {
    // Unchecked: the C library's semaphore is made for threads; its memory lives as long as the
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
    /// It made a system call that is not allowed.
    case violation(systemCall: Int)
    /// It was not ready in the time of the image.
    case late

    /// The kernel's reason.
    init(errorNumber: Int32) { self = .reason(String(cString: strerror(errorNumber))) }
}
