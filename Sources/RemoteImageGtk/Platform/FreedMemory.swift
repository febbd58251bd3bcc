import CRemoteImageGtk
import CRemoteImagePlatform

/// Returns the memory of released images to the system.
///
/// GTK's renderers and their drivers allocate the copies of textures with `malloc`. Once glibc has
/// freed such a block, it allocates others of that size within its heap (`M_MMAP_THRESHOLD` in
/// mallopt(3)), and keeps them when they are freed. The threshold belongs to the program;
/// `malloc_trim` changes nothing but the memory that is free.
@MainActor
final class FreedMemory {
    static let shared = FreedMemory()
    /// The number of times that memory was returned, for tests.
    nonisolated static let returnCount = Lock(0)

    private let timer = MainLoopTimer()

    /// Returns it once no image has been released for a second: renderers free the copies of a
    /// texture after the next frames, and use the memory again during a scroll.
    func returnSoon() {
        timer.start(after: .seconds(1)) { [weak self] in self?.returnNow() }
    }

    func returnNow() {
        timer.stop()
        // On another thread, since it takes a millisecond for each 8 MB.
        Task.detached(executorPreference: WorkerThreads.decoding) {
            platform_return_freed_memory()
            Self.returnCount.withLock { $0 += 1 }
        }
    }
}
