/// A transport whose requests a hook changes before they are sent. What a store answers is not changed.
struct HookedTransport: Transport {
    let hook: RequestHook
    let transport: any Transport
    let clock: any PipelineClock

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        HookedTransfer(request, hook, transport, clock, receiver)
    }
}

/// A transfer whose request is changed by a hook before it is sent.
private final class HookedTransfer: Transfer {
    private enum State {
        case changing(Task<Void, Never>?)
        case running(any Transfer)
        case cancelled
    }

    private let state = Lock(State.changing(nil))

    init(
        _ request: TransferRequest, _ hook: RequestHook, _ transport: any Transport, _ clock: any PipelineClock,
        _ receiver: any TransferReceiver
    ) {
        let whenThrown: @Sendable (ImageError) -> Void = { receiver.transferDidFinish(.failure($0)) }
        let task = Task { [state] in
            let changed: TransferRequest
            do {
                changed = try await hook.changed(request, clock)
            } catch let error as ImageError {
                return whenThrown(error)
            } catch is CancellationError {
                return whenThrown(.cancelled)
            } catch {
                return whenThrown(ImageError(.source, "\(error)"))
            }
            if Task.isCancelled { return whenThrown(.cancelled) }
            let transfer = transport.start(changed, receiver: receiver)
            let isCancelled = state.withLock { state in
                if case .cancelled = state { return true }
                state = .running(transfer)
                return false
            }
            if isCancelled { transfer.cancel() }
        }
        state.withLock { state in
            if case .changing = state { state = .changing(task) }
        }
    }

    func cancel() {
        let old = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        switch old {
        case .changing(let task): task?.cancel()
        case .running(let transfer): transfer.cancel()
        case .cancelled: break
        }
    }
}
