// Memory in which the next pixels are wanted, so that they need no copy on their way to another
// process.
//
// Unsafe code: who offers memory keeps it until it takes the offer back, after the last buffer made
// in it has gone.

import Glibc

/// Memory of a decoder process that its application sees too. Elsewhere nothing is offered.
package enum SharedPixelMemory {
    private struct Offer: @unchecked Sendable {
        // Unchecked: the memory is written by the one buffer that took it, and read when that is
        // complete.
        let memory: UnsafeMutableRawBufferPointer
        var isTaken = false
    }

    private static let offer = Lock<Offer?>(nil)

    /// The next ``PixelBuffer`` that fits is made in this memory; nil takes the offer back.
    package static func offer(_ memory: UnsafeMutableRawBufferPointer?) {
        offer.withLock { $0 = memory.map { Offer(memory: $0) } }
    }

    /// Zeros of this length, or nil where nothing is offered that has the room. Given back once.
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
