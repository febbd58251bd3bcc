// What the decoder process and its user say to each other. Both sides belong to one build, and neither trusts the
// other: every number is checked, and a message is exactly as long as it says, or it is none.

/// A message: four bytes with the length of the rest, then the rest.
package enum DecoderMessage {
    /// The longest message, its length included.
    package static let maxByteCount = 4096
    /// Said by a decoder process that is ready; raised when messages change.
    static let version: UInt8 = 1
}

/// Said once by a decoder process that is ready.
package struct DecoderGreeting: Equatable {
    /// Whether system calls are filtered.
    package var isConfined: Bool

    package init(isConfined: Bool) { self.isConfined = isConfined }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard reader.byte() == DecoderMessage.version, let flag = reader.byte(), flag <= 1, reader.isAtEnd else {
            return nil
        }
        isConfined = flag == 1
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: DecoderMessage.version)
        writer.append(byte: isConfined ? 1 : 0)
        return writer.message
    }
}

/// A picture to be decoded. Its bytes come in a memory file beside the message.
package struct DecoderQuestion {
    package var byteCount: Int
    package var request: DecodeRequest

    package init(byteCount: Int, request: DecodeRequest) {
        self.byteCount = byteCount
        self.request = request
    }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard let byteCount = reader.number(), let formatIndex = reader.number(),
            ImageFormat.allCases.indices.contains(formatIndex), let stored = reader.size(),
            let orientation = reader.byte().flatMap(ImageOrientation.init(rawValue:)), let hasTarget = reader.byte(),
            let box = reader.size(), let isCover = reader.byte(), let maxPixelCount = reader.number(),
            let maxSide = reader.number(), let maxDecodedByteCount = reader.number(),
            let maxScanPixelCount = reader.number(), reader.isAtEnd
        else { return nil }
        self.byteCount = byteCount
        let header = ImageHeader(
            format: ImageFormat.allCases[formatIndex], storedSize: stored, orientation: orientation)
        request = DecodeRequest(
            header: header, target: hasTarget == 1 ? TargetSize(box, fit: isCover == 1 ? .cover : .contain) : nil)
        request.limits.maxPixelCount = maxPixelCount
        request.limits.maxSide = maxSide
        request.limits.maxDecodedByteCount = maxDecodedByteCount
        request.limits.maxScanPixelCount = maxScanPixelCount
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byteCount)
        writer.append(ImageFormat.allCases.firstIndex(of: request.header.format) ?? 0)
        writer.append(request.header.storedSize)
        writer.append(byte: request.header.orientation.rawValue)
        writer.append(byte: request.target == nil ? 0 : 1)
        writer.append(request.target?.box ?? PixelSize(width: 0, height: 0))
        writer.append(byte: request.target?.fit == .cover ? 1 : 0)
        writer.append(request.limits.maxPixelCount)
        writer.append(request.limits.maxSide)
        writer.append(request.limits.maxDecodedByteCount)
        writer.append(request.limits.maxScanPixelCount)
        return writer.message
    }
}

/// What became of a picture. Pixels come in a sealed memory file beside the message.
package enum DecoderAnswer {
    case pixels(decoded: PixelSize, format: PixelFormat, size: PixelSize, frameCount: Int)
    case failure(ImageError)

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        switch reader.byte() {
        case 0:
            guard let decoded = reader.size(), let isTransparent = reader.byte(), isTransparent <= 1,
                let size = reader.size(), let frameCount = reader.number(), reader.isAtEnd
            else { return nil }
            self = .pixels(
                decoded: decoded, format: isTransparent == 1 ? .rgba8Premultiplied : .rgb8, size: size,
                frameCount: frameCount)
        case 1:
            guard let code = reader.text().flatMap(ImageError.Code.init(rawValue:)), let detail = reader.text(),
                reader.isAtEnd
            else { return nil }
            // What a decoder can say of a picture; anything else would be a lie about the network.
            let isItsBusiness = [.unsupportedFormat, .corrupt, .tooManyPixels].contains(code)
            self = .failure(ImageError(isItsBusiness ? code : .corrupt, detail.isEmpty ? nil : detail))
        default: return nil
        }
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .pixels(let decoded, let format, let size, let frameCount):
            writer.append(byte: 0)
            writer.append(decoded)
            writer.append(byte: format == .rgba8Premultiplied ? 1 : 0)
            writer.append(size)
            writer.append(frameCount)
        case .failure(let error):
            writer.append(byte: 1)
            writer.append(error.code.rawValue)
            writer.append(String((error.detail ?? "").prefix(200)))
        }
        return writer.message
    }
}

/// Puts a message together. Numbers are eight bytes, lowest first.
private struct MessageWriter {
    private var bytes: [UInt8] = []

    mutating func append(byte: UInt8) { bytes.append(byte) }

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

    /// With its length before it.
    var message: [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) } + bytes
    }
}

/// Takes a message apart; what is not there, or is no number that fits, is nil.
private struct MessageReader {
    private var rest: ArraySlice<UInt8>
    private let isWhole: Bool

    init(_ message: ArraySlice<UInt8>) {
        let length = message.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = message.dropFirst(4)
        isWhole = message.count >= 4 && length == rest.count
        if !isWhole { rest = [] }
    }

    /// Whether the message was as long as it said, and all of it is read.
    var isAtEnd: Bool { isWhole && rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

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
}
