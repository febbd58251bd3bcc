// The thread on which libcurl runs.

import CRemoteImageCurl
import CRemoteImagePlatform
import Glibc

/// Owns the multi handle and runs it. Other threads send commands through a mailbox.
///
/// Unchecked: the contents of the mailbox are accessed under its lock. All other state belongs to
/// the thread once it has started, and is accessed under the same lock before that.
final class CurlThread: @unchecked Sendable {
    private enum Command {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        case setProxy(CurlTransport.Proxy)
        case raiseLimits(connections: Int, perHost: Int)
        case run(UnownedJob)
        case stop
    }

    /// The life of the thread. A post does not wake a thread that is awake, since it checks the
    /// mailbox before it sleeps.
    private enum Life {
        case notStarted
        case awake(CurlMulti)
        case asleep(CurlMulti)
        case stopped
    }

    private struct Mailbox {
        var commands: [Command] = []
        var life = Life.notStarted
    }

    private let mailbox = Lock(Mailbox())
    private let starter: ThreadStarter

    // State of the curl thread.
    private var configuration: CurlTransport.Configuration
    private var underWay: [UnsafeMutableRawPointer: (transfer: CurlTransfer, easy: CurlEasy)] = [:]
    private var idle: [CurlEasy] = []
    /// Transfers that wait until the proxy is known.
    private var waiting: [CurlTransfer] = []

    init(_ configuration: CurlTransport.Configuration, _ starter: ThreadStarter) {
        self.configuration = configuration
        self.starter = starter
    }

    // MARK: From any thread

    func start(_ transfer: CurlTransfer) {
        let isAccepted = mailbox.withLock { mailbox in
            if case .notStarted = mailbox.life, !launch(&mailbox) { return false }
            return post(.start(transfer), to: &mailbox)
        }
        if !isAccepted {
            transfer.finish(.failure(ImageError(.connection, "no thread for the network could be started")))
        }
    }

    func cancel(_ transfer: CurlTransfer) {
        mailbox.withLock { mailbox in
            guard !transfer.isCancelRequested else { return }
            transfer.isCancelRequested = true
            post(.cancel(transfer), to: &mailbox)
        }
    }

    func setProxy(_ proxy: CurlTransport.Proxy) {
        mailbox.withLock { mailbox in
            if case .notStarted = mailbox.life {
                configuration.proxy = proxy
            } else {
                post(.setProxy(proxy), to: &mailbox)
            }
        }
    }

    func raiseLimits(connections: Int, perHost: Int) {
        mailbox.withLock { mailbox in
            if case .notStarted = mailbox.life {
                configuration.raiseLimits(connections: connections, perHost: perHost)
            } else {
                post(.raiseLimits(connections: connections, perHost: perHost), to: &mailbox)
            }
        }
    }

    func stop() {
        mailbox.withLock { mailbox in
            if case .notStarted = mailbox.life {
                mailbox.life = .stopped
            } else {
                post(.stop, to: &mailbox)
            }
        }
    }

    func isCancelRequested(_ transfer: CurlTransfer) -> Bool {
        mailbox.withLock { _ in transfer.isCancelRequested }
    }

    /// Returns `false` if there is no thread.
    @discardableResult
    private func post(_ command: Command, to mailbox: inout Mailbox) -> Bool {
        switch mailbox.life {
        case .notStarted, .stopped: return false
        case .awake: break
        case .asleep(let multi):
            mailbox.life = .awake(multi)
            multi.wake()
        }
        mailbox.commands.append(command)
        return true
    }

    private func launch(_ mailbox: inout Mailbox) -> Bool {
        guard let multi = CurlMulti(configuration) else { return false }
        mailbox.life = .awake(multi)

        // The thread retains this object until it ends.
        let failure = starter.start(nil) { [self] in run() }
        if failure != 0 { mailbox.life = .notStarted }
        return failure == 0
    }

    // MARK: The thread

    private func run() {
        platform_set_thread_name("remote-img net")
        blockSignals()
        guard case .awake(let multi) = mailbox.withLock({ $0.life }) else { return }

        var commands: [Command] = []
        while true {
            takeCommands(&commands)
            for command in commands {
                guard carryOut(command, multi) else { return end() }
            }
            commands.removeAll(keepingCapacity: true)

            var code = multi.perform()
            while let ended = multi.nextEnded() { hopEnded(ended.easy, ended.code, multi) }
            endOverdue(multi)
            if code == CURLM_OK, fallAsleep(multi) { code = multi.poll(for: timeToDeadline) }
            if code != CURLM_OK { giveUp(code, multi) }
        }
    }

    /// Signals are handled by the program's other threads; SIGPIPE is raised by TLS connections
    /// that the peer has closed. Signals for faults stay unblocked, since they are delivered to the
    /// faulting thread.
    private func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func takeCommands(_ commands: inout [Command]) {
        mailbox.withLock { mailbox in
            if case .asleep(let multi) = mailbox.life { mailbox.life = .awake(multi) }
            swap(&mailbox.commands, &commands)
        }
    }

    private func fallAsleep(_ multi: CurlMulti) -> Bool {
        mailbox.withLock { mailbox in
            guard mailbox.commands.isEmpty else { return false }
            mailbox.life = .asleep(multi)
            return true
        }
    }

    /// Returns `false` if the thread must end.
    private func carryOut(_ command: Command, _ multi: CurlMulti) -> Bool {
        switch command {
        case .start(let transfer):
            begin(transfer, multi)
        case .cancel(let transfer):
            if let easy = transfer.easy {
                multi.remove(easy)
                finish(transfer, easy, .failure(.cancelled))
            } else {
                endWaiting(where: { $0 === transfer }, .cancelled)
            }
        case .setProxy(let proxy):
            configuration.proxy = proxy
            let transfers = waiting
            waiting = []
            for transfer in transfers { begin(transfer, multi) }
        case .raiseLimits(let connections, let perHost):
            configuration.raiseLimits(connections: connections, perHost: perHost)
            multi.setLimits(configuration)
        case .run(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .stop:
            return false
        }
        return true
    }

    private func begin(_ transfer: CurlTransfer, _ multi: CurlMulti) {
        if isCancelRequested(transfer) {
            transfer.finish(.failure(.cancelled))
        } else if let refusal = transfer.refusal {
            transfer.finish(.failure(refusal))
        } else if transfer.lacksProxy(configuration) {
            waiting.append(transfer)
        } else if let easy = idle.popLast() ?? CurlEasy(configuration) {
            beginHop(of: transfer, easy, multi)
        } else {
            transfer.finish(.failure(ImageError(.connection, "out of memory")))
        }
    }

    private func beginHop(of transfer: CurlTransfer, _ easy: CurlEasy, _ multi: CurlMulti) {
        transfer.prepareHop(easy, configuration)
        if let error = easy.refusal(of: transfer.address) { return finish(transfer, easy, .failure(error)) }
        let code = multi.add(easy)
        if code == CURLM_OK {
            underWay[easy.handle] = (transfer, easy)
        } else {
            finish(transfer, easy, .failure(ImageError(.connection, String(cString: curl_multi_strerror(code)))))
        }
    }

    private func hopEnded(_ handle: UnsafeMutableRawPointer, _ code: CURLcode, _ multi: CurlMulti) {
        guard let (transfer, easy) = underWay[handle] else { return }
        multi.remove(easy)
        switch transfer.hopEnded(code) {
        case .redirected where transfer.lacksProxy(configuration):
            release(easy)
            transfer.leaveHandle()
            waiting.append(transfer)
        case .redirected: beginHop(of: transfer, easy, multi)
        case .finished(let result): finish(transfer, easy, result)
        }
    }

    /// Releases the handle before the next transfer can start.
    private func finish(_ transfer: CurlTransfer, _ easy: CurlEasy, _ result: Result<Void, ImageError>) {
        release(easy)
        transfer.finish(result)
    }

    private func release(_ easy: CurlEasy) {
        underWay[easy.handle] = nil
        if idle.count < Self.maxIdleHandles { idle.append(easy) }
    }

    /// Ends waiting transfers with an error.
    private func endWaiting(where isMeant: (CurlTransfer) -> Bool, _ error: ImageError) {
        guard !waiting.isEmpty else { return }
        let ended = waiting.filter(isMeant)
        waiting.removeAll(where: isMeant)
        for transfer in ended { transfer.finish(.failure(error)) }
    }

    /// Aborts transfers that are under way, with an error.
    private func abort(_ multi: CurlMulti, where isMeant: (CurlTransfer) -> Bool, _ error: ImageError) {
        for (transfer, easy) in underWay.values where isMeant(transfer) {
            multi.remove(easy)
            finish(transfer, easy, .failure(error))
        }
    }

    /// The time until the first transfer is overdue.
    private var timeToDeadline: Duration? {
        let ofWaiting = waiting.lazy.map(\.timeLeft).min()
        let ofUnderWay = underWay.values.lazy.map { $0.transfer.timeLeft + Self.grace }.min()
        return [ofWaiting, ofUnderWay].compactMap(\.self).min()
    }

    private func endOverdue(_ multi: CurlMulti) {
        endWaiting(where: { $0.timeLeft <= .zero }, ImageError(.timeout, "the proxy is not known yet"))
        abort(multi, where: { $0.timeLeft + Self.grace <= .zero }, ImageError(.timeout, "no connection became free"))
    }

    /// libcurl ends a transfer at its deadline and says where it stood, but not while the transfer
    /// waits for a connection (7.88). Only those are still there after this time.
    private static let grace = Duration.milliseconds(50)

    /// The default number of concurrent transfers. A handle costs some kilobytes of memory, and
    /// creating one some microseconds.
    private static let maxIdleHandles = 16

    /// Called when libcurl fails because memory or file descriptors have run out. All running
    /// transfers fail; the next transfer tries again.
    private func giveUp(_ code: CURLMcode, _ multi: CurlMulti) {
        abort(multi, where: { _ in true }, ImageError(.connection, String(cString: curl_multi_strerror(code))))
        // Prevents a busy loop if `poll` keeps failing at once.
        usleep(100_000)
    }

    /// Closes the connections. No transfer is under way and no job is left, since each retains the
    /// transport.
    private func end() {
        mailbox.withLock { $0 = Mailbox(life: .stopped) }
        idle = []
    }
}

/// A load runs on the thread that receives its response, and goes on from there without a hop to
/// another one. It must not block. Until its first transfer has started the thread, it runs on
/// ``WorkerThreads/loads``.
extension CurlThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isPosted = mailbox.withLock { post(.run(job), to: &$0) }
        if !isPosted { WorkerThreads.loads.enqueue(ExecutorJob(job)) }
    }
}
