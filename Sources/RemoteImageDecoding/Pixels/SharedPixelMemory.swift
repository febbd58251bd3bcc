// Memory shared with another process, in which a decoder makes pixels without a copy.
//
// Unsafe code: the caller of `offer` keeps the memory valid until it withdraws the offer, after the
// last buffer in it was released.

import Glibc

/// The memory that a decoder process shares with its application. Other processes offer none.
package enum SharedPixelMemory {
    private struct Offer: @unchecked Sendable {
        // Unchecked: only the buffer that took the memory writes to it, and it is read after that.
        let memory: UnsafeMutableRawBufferPointer
        var isTaken = false
    }

    private static let offer = Lock<Offer?>(nil)

    /// Offers memory for the next ``PixelBuffer`` that fits into it; `nil` withdraws the offer.
    package static func offer(_ memory: UnsafeMutableRawBufferPointer?) {
        offer.withLock { $0 = memory.map { Offer(memory: $0) } }
    }

    /// Takes the offered memory, zeroed, with this length. `nil` without an offer that is large
    /// enough, and while another buffer has the memory: until ``giveBack()``.
    static func take(_ byteCount: Int) -> UnsafeMutableRawBufferPointer? {
        let taken = offer.withLock { offer -> Offer? in
            guard let found = offer, !found.isTaken, byteCount <= found.memory.count else { return nil }
            offer?.isTaken = true
            return found
        }
        guard let memory = taken.map({ UnsafeMutableRawBufferPointer(rebasing: $0.memory[..<byteCount]) }) else {
            return nil
        }
        // It may hold an earlier image.
        if let base = memory.baseAddress { memset(base, 0, byteCount) }
        return memory
    }

    static func giveBack() {
        offer.withLock { $0?.isTaken = false }
    }
}
