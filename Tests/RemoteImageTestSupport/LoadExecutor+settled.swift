import Dispatch
import RemoteImageCore

extension LoadExecutor {
    /// Waits until all loads posted so far have started or been cancelled.
    package func settled() async {
        await withCheckedContinuation { continuation in post { continuation.resume() } }
    }

    /// Like ``settled()``, but blocks the calling thread, for tests on the main thread.
    package func settle() {
        let done = DispatchSemaphore(value: 0)
        post { done.signal() }
        guard done.wait(timeout: .now() + 20) == .success else { return print("The thread of loads hangs.") }
    }
}
