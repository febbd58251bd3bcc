import Dispatch
import RemoteImageCore

extension LoadExecutor {
    /// Waits until all loads posted so far have started or been cancelled, and those that started
    /// have reached the disk or the transport.
    package func settled() async {
        await withCheckedContinuation { continuation in post { continuation.resume() } }
        await Task(executorPreference: WorkerThreads.loads) {}.value
    }

    /// Like ``settled()``, but blocks the calling thread, for tests on the main thread.
    package func settle() {
        let done = DispatchSemaphore(value: 0)
        post { done.signal() }
        guard done.wait(timeout: .now() + 20) == .success else { return print("The thread of loads hangs.") }
        Task(executorPreference: WorkerThreads.loads) { done.signal() }
        guard done.wait(timeout: .now() + 20) == .success else { return print("The thread of loads hangs.") }
    }
}
