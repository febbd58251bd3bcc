@testable import RemoteImageCore

extension LoadThread {
    /// Returns once what was asked for so far has begun, and what was given up is given up.
    func settled() async {
        await withCheckedContinuation { continuation in post { continuation.resume() } }
    }
}
