import Dispatch
import RemoteImageCore

extension LoadQueue {
    /// Waits until all loads posted so far have started or been cancelled, and those that started
    /// wait for the disk, a transport or another thread.
    package func settled() async {
        await withCheckedContinuation { continuation in post { continuation.resume() } }
        var isIdle = false
        while !isIdle {
            isIdle = await Task(executorPreference: WorkerThreads.loads) { Self.isIdle }.value
        }
    }

    /// Like ``settled()``, but blocks the calling thread, for tests on the main thread.
    package func settle() {
        let (done, isIdle) = (DispatchSemaphore(value: 0), Lock(false))
        post { done.signal() }
        while true {
            guard done.wait(timeout: .now() + 20) == .success else { return print("The thread of loads hangs.") }
            if isIdle.withLock({ $0 }) { return }
            Task(executorPreference: WorkerThreads.loads) {
                isIdle.withLock { $0 = Self.isIdle }
                done.signal()
            }
        }
    }

    /// Whether nothing but the calling job runs or waits on the thread of loads.
    private static var isIdle: Bool { WorkerThreads.loads.waitingCount == 0 }
}
