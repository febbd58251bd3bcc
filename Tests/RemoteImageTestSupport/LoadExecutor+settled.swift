import Dispatch
import RemoteImageCore

extension LoadExecutor {
    /// Returns once all loads posted so far have started or been cancelled.
    package func settled() async {
        await withCheckedContinuation { continuation in post { continuation.resume() } }
    }

    /// The same for the main thread.
    package func settle() {
        let done = DispatchSemaphore(value: 0)
        post { done.signal() }
        guard done.wait(timeout: .now() + 20) == .success else { return print("The thread of loads hangs.") }
    }
}
