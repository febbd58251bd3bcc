import CRemoteImagePlatform
import Glibc

/// The memory that the process has allocated and not released.
public enum AllocatedMemory {
    /// The growth, in bytes, of each call of `body` after the first one, which fills the caches of
    /// libraries. A leak grows in every call; whatever else the process does, one of eight calls
    /// grows by less than `limit`, and is the last. Empty with a sanitizer, which has an allocator
    /// of its own.
    public static func growths(until limit: Int, _ body: () -> Void) -> [Int] {
        body()
        guard platform_is_sanitized() == 0 else { return [] }
        var growths: [Int] = []
        repeat {
            let before = byteCount
            body()
            growths.append(byteCount - before)
        } while growths.last ?? 0 >= limit && growths.count < 8
        return growths
    }

    private static var byteCount: Int {
        let info = mallinfo2()
        return Int(info.uordblks) + Int(info.hblkhd)
    }
}
