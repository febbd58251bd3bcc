import Dispatch
import RemoteImageCore

extension LoadExecutor {
    /// Returns once what was asked for so far has begun, and what was given up is given up.
    package func settled() async {
        await withCheckedContinuation { continuation in post { continuation.resume() } }
    }

    /// The same, for the main thread.
    package func settle() {
        let done = DispatchSemaphore(value: 0)
        post { done.signal() }
        guard done.wait(timeout: .now() + 20) == .success else { return print("The thread of loads hangs.") }
    }
}
