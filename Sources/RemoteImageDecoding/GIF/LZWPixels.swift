// Unsafe code: pixels are written through a pointer, at most `capacity` and `slack` bytes. Strings
// are copied from pixels that were already written.

/// Decompresses the pixels of a GIF frame (GIF89a specification, appendix F).
///
/// Each code of the table stands for a string of pixels that was already written. The table stores
/// the position and length of the string in the output.
struct LZWPixels {
    /// The bytes after the pixels that may be overwritten, since strings are copied eight bytes at
    /// a time.
    static let slack = 16

    private let output: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private let table: UnsafeMutablePointer<Entry>
    private let clear: Int
    private var count = 0
    /// The string of the last code.
    private var last: Entry?
    private var next: Int
    private var width: Int

    private struct Entry {
        var start: UInt32
        var count: UInt32
    }

    /// Decompresses at most `capacity` pixels from the blocks after the byte at `index`, which is
    /// the minimum code size: up to 11, although palettes have 8 bits, since codes have up to 12.
    /// 0 and 1 are invalid but decoded as in browsers.
    /// Returns the number of pixels, which is lower if the codes end early or become invalid.
    static func unpack(
        _ reader: ByteReader, at index: Int, into output: UnsafeMutablePointer<UInt8>, capacity: Int
    ) -> Int {
        guard let bits = reader.byte(at: index), (0...11).contains(bits) else { return 0 }
        return withUnsafeTemporaryAllocation(of: Entry.self, capacity: 4096) { table in
            guard let table = table.baseAddress else { return 0 }
            var pixels = LZWPixels(into: output, capacity: capacity, table, bits: Int(bits))
            pixels.take(reader, from: index + 1)
            return pixels.count
        }
    }

    private init(
        into output: UnsafeMutablePointer<UInt8>, capacity: Int, _ table: UnsafeMutablePointer<Entry>, bits: Int
    ) {
        self.output = output
        self.capacity = capacity
        self.table = table
        clear = 1 << bits
        next = clear + 2
        width = bits + 1
    }

    private mutating func take(_ reader: ByteReader, from start: Int) {
        var (index, buffer, bitCount) = (start, 0 as UInt32, 0)
        while let size = reader.byte(at: index), size > 0 {
            let end = min(reader.count, index + 1 + Int(size))
            for byte in reader[(index + 1)..<end] {
                buffer |= UInt32(byte) &<< UInt32(truncatingIfNeeded: bitCount)
                bitCount += 8
                while bitCount >= width {
                    let code = Int(buffer & ((1 &<< UInt32(truncatingIfNeeded: width)) &- 1))
                    buffer &>>= UInt32(truncatingIfNeeded: width)
                    bitCount -= width
                    guard take(code), count < capacity else { return }
                }
            }
            index = end
        }
    }

    /// Processes a code. `false` at the end code and at an invalid code.
    @inline(__always)
    private mutating func take(_ code: Int) -> Bool {
        if code == clear {
            next = clear + 2
            width = clear.trailingZeroBitCount + 1
            last = nil
            return true
        }
        // The next entry is the last string plus the first pixel of the current one, which follows
        // it in the output. The current code may refer to this entry.
        if let last, next < 4096 {
            table[next] = Entry(start: last.start, count: last.count + 1)
            next += 1
        }
        if next &>> width > 0, width < 12 { width += 1 }
        let start = count
        if code < clear {
            output[count] = UInt8(truncatingIfNeeded: code)
            count += 1
        } else {
            // The code after `clear` is the end code.
            guard code > clear + 1, code < next else { return false }
            let entry = table[code]
            copy(Int(entry.start), min(Int(entry.count), capacity - count))
        }
        last = Entry(start: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: count - start))
        return true
    }

    @inline(__always)
    private mutating func copy(_ start: Int, _ length: Int) {
        let (old, new) = (output + start, output + count)
        if count - start >= 8 {
            for offset in stride(from: 0, to: length, by: 8) {
                UnsafeMutableRawPointer(new + offset).storeBytes(
                    of: UnsafeRawPointer(old + offset).loadUnaligned(as: UInt64.self), as: UInt64.self)
            }
        } else {
            // An overlapping string reads pixels that this copy has just written.
            for offset in 0..<length { new[offset] = old[offset] }
        }
        count += length
    }
}
