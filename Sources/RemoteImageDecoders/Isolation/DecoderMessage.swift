// The messages between a decoder process and its application. Both use the same protocol version,
// and neither trusts the other: every number is checked, and a message whose length field is wrong
// is rejected.

import CRemoteImagePlatform

/// The limits of a message, which consists of four bytes with the length of the content, and the
/// content.
package enum DecoderMessage {
    /// The maximum size of a message with its length field, in bytes.
    package static let maxByteCount = 16_384
    /// The protocol version in the greeting; incremented when messages change.
    static let version: UInt8 = 7
    /// The maximum length of an error text, in Unicode scalars.
    static let maxTextLength = 200
    /// The maximum length of a decoder name, in bytes.
    static let maxNameByteCount = 32
}

/// Builds a message. Numbers have eight bytes, lowest first.
struct MessageWriter {
    private var bytes: [UInt8] = []

    mutating func append(byte: UInt8) { bytes.append(byte) }

    mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func append(_ number: Int) {
        withUnsafeBytes(of: UInt64(clamping: number).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ size: PixelSize) {
        append(size.width)
        append(size.height)
    }

    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ format: ImageFormat) { append(ImageFormat.allCases.firstIndex(of: format) ?? 0) }

    mutating func append(_ limits: DecodeLimits) {
        append(limits.maxPixelCount)
        append(limits.maxSide)
        append(limits.maxDecodedByteCount)
        append(limits.maxScanPixelCount)
        append(limits.maxFrameCount)
    }

    mutating func append(_ timing: FrameTiming) {
        append(timing.playCount ?? 0)
        append(min(timing.delays.count, FrameTiming.maxCount))
        for delay in timing.delays.prefix(FrameTiming.maxCount) { append(Int(delay)) }
    }

    /// The content, preceded by its length.
    var message: [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) } + bytes
    }
}

/// Parses a message. Missing fields and numbers that do not fit are `nil`.
struct MessageReader {
    private var rest: ArraySlice<UInt8>
    private let isWhole: Bool

    init(_ message: ArraySlice<UInt8>) {
        let length = message.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = message.dropFirst(4)
        isWhole = message.count >= 4 && length == rest.count
        if !isWhole { rest = [] }
    }

    /// Whether the length field was correct and the whole message has been read.
    var isAtEnd: Bool { isWhole && rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func flag() -> Bool? { byte().flatMap { $0 <= 1 ? $0 == 1 : nil } }

    mutating func number() -> Int? {
        guard rest.count >= 8 else { return nil }
        let value = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return Int(exactly: value)
    }

    mutating func size() -> PixelSize? {
        guard let width = number(), let height = number() else { return nil }
        return PixelSize(width: width, height: height)
    }

    mutating func text() -> String? {
        guard let count = number(), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    mutating func pixelFormat() -> PixelFormat? { flag().map { $0 ? .rgba8Premultiplied : .rgb8 } }

    mutating func format() -> ImageFormat? {
        let formats = ImageFormat.allCases
        return number().flatMap { formats.indices.contains($0) ? formats[$0] : nil }
    }

    mutating func limits() -> DecodeLimits? {
        guard let pixelCount = number(), let side = number(), let byteCount = number(),
            let scanPixelCount = number(), let frameCount = number()
        else { return nil }
        var limits = DecodeLimits()
        limits.maxPixelCount = pixelCount
        limits.maxSide = side
        limits.maxDecodedByteCount = byteCount
        limits.maxScanPixelCount = scanPixelCount
        limits.maxFrameCount = frameCount
        return limits
    }

    mutating func timing() -> FrameTiming? {
        guard let playCount = number(), let count = number(), count <= FrameTiming.maxCount else { return nil }
        var delays: [UInt32] = []
        for _ in 0..<count {
            guard let delay = number().flatMap({ UInt32(exactly: $0) }) else { return nil }
            delays.append(delay)
        }
        return FrameTiming(delays: delays, playCount: playCount == 0 ? nil : playCount)
    }
}
