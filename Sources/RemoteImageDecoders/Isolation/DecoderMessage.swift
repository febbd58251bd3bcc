// The messages between a decoder process and its application. Both sides belong to one build, and neither trusts the
// other: every number is checked, and a message that is not exactly as long as it says is refused.

import CPlatform

/// A message: four bytes with the length of the rest, then the rest.
package enum DecoderMessage {
    /// The longest message, its length included.
    package static let maxByteCount = 16_384
    /// Sent by a decoder process that is ready; raised when messages change.
    static let version: UInt8 = 4
    /// The longest text of an error, in characters.
    static let maxTextLength = 200
    /// The longest name of a decoder, in bytes.
    static let maxNameByteCount = 32
}

/// Sent once by a decoder process that is ready.
package struct DecoderGreeting: Equatable {
    /// Whether system calls are filtered.
    package var isConfined: Bool
    /// The formats that it was started for and whose codec is installed: it decodes no others.
    package var formats: Set<ImageFormat>

    package init(isConfined: Bool, formats: Set<ImageFormat>) {
        self.isConfined = isConfined
        self.formats = formats
    }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard reader.byte() == DecoderMessage.version, let flag = reader.byte(), flag <= 1,
            let formats = reader.number().flatMap(Set.init(bits:)), reader.isAtEnd
        else { return nil }
        isConfined = flag == 1
        self.formats = formats
    }

    /// Whether a message that is no greeting is one of another version.
    static func isOfAnotherVersion(_ message: ArraySlice<UInt8>) -> Bool {
        var reader = MessageReader(message)
        return reader.byte().map { $0 != DecoderMessage.version } ?? false
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: DecoderMessage.version)
        writer.append(byte: isConfined ? 1 : 0)
        writer.append(formats.bits)
        return writer.message
    }
}

extension Set<ImageFormat> {
    /// A bit for each format, in the order of `allCases`.
    package var bits: Int {
        ImageFormat.allCases.enumerated().reduce(0) { contains($1.element) ? $0 | 1 << $1.offset : $0 }
    }

    /// `nil` where a bit stands for no format.
    package init?(bits: Int) {
        guard bits >= 0, bits >> ImageFormat.allCases.count == 0 else { return nil }
        self.init(ImageFormat.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
    }
}

/// An image to be decoded. Its bytes are at the start of memory that both processes see, and its pixels are wanted behind
/// them.
package struct DecoderQuestion {
    /// The memory of a question.
    package enum Memory: UInt8 {
        /// That which came with an earlier question and is kept.
        case kept
        /// That which comes with this question and is kept for the next ones.
        case attachedToKeep
        /// That which comes with this question. It is no longer mapped when the answer is sent.
        case attachedOnce
    }

    package var memory: Memory
    package var byteCount: Int
    /// Whether only the beginning of the image is there, of which a preview is wanted.
    package var isBeginning: Bool
    /// The cursor of its frame has the identifier of the one in the application, and no value.
    package var request: DecodeRequest

    package init(memory: Memory, byteCount: Int, isBeginning: Bool = false, request: DecodeRequest) {
        self.memory = memory
        self.byteCount = byteCount
        self.isBeginning = isBeginning
        self.request = request
    }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard let memory = reader.byte().flatMap(Memory.init(rawValue:)), let isBeginning = reader.byte(),
            let byteCount = reader.number(), let formatIndex = reader.number(),
            ImageFormat.allCases.indices.contains(formatIndex), let stored = reader.size(),
            let orientation = reader.byte().flatMap(ImageOrientation.init(rawValue:)), let hasTarget = reader.byte(),
            let box = reader.size(), let isCover = reader.byte(), let maxPixelCount = reader.number(),
            let maxSide = reader.number(), let maxDecodedByteCount = reader.number(),
            let maxScanPixelCount = reader.number(), let maxFrameCount = reader.number(),
            let frameNumber = reader.number(), let cursor = reader.number(), reader.isAtEnd
        else { return nil }
        self.memory = memory
        self.byteCount = byteCount
        self.isBeginning = isBeginning == 1
        let header = ImageHeader(
            format: ImageFormat.allCases[formatIndex], storedSize: stored, orientation: orientation)
        request = DecodeRequest(
            header: header, target: hasTarget == 1 ? TargetSize(box, fit: isCover == 1 ? .cover : .contain) : nil)
        request.limits.maxPixelCount = maxPixelCount
        request.limits.maxSide = maxSide
        request.limits.maxDecodedByteCount = maxDecodedByteCount
        request.limits.maxScanPixelCount = maxScanPixelCount
        request.limits.maxFrameCount = maxFrameCount
        if cursor > 0 { request.frame = (frameNumber, FrameCursor(identifier: cursor)) }
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: memory.rawValue)
        writer.append(byte: isBeginning ? 1 : 0)
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
        writer.append(request.limits.maxFrameCount)
        writer.append(request.frame?.number ?? 0)
        writer.append(request.frame?.cursor.identifier ?? 0)
        return writer.message
    }
}

/// The answer of a decoder process.
package enum DecoderAnswer {
    /// The pixels are in the memory of the question; a decoder of this name made them.
    case pixels(
        decoded: PixelSize, format: PixelFormat, size: PixelSize, frameCount: Int, decoder: String,
        timing: FrameTiming? = nil)
    case failure(ImageError)
    /// A system call that is not allowed, after which the process ends. The format is that of the test image which was being
    /// decoded; nil where it was another image.
    case violation(systemCall: Int, testing: ImageFormat?)
    /// The pixels do not fit; they take so many bytes.
    case needsMemory(Int)
    /// The process cannot decode the test image of the format.
    case unusable

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        switch reader.byte() {
        case 0:
            guard let decoded = reader.size(), let isTransparent = reader.byte(), isTransparent <= 1,
                let size = reader.size(), let frameCount = reader.number(), let name = reader.text(),
                let hasTiming = reader.byte(),
                let timing = hasTiming == 0 ? FrameTiming(delays: [], playCount: nil) : reader.timing(), reader.isAtEnd,
                (1...DecoderMessage.maxNameByteCount).contains(name.utf8.count), name.utf8.allSatisfy(Self.isOfName)
            else { return nil }
            self = .pixels(
                decoded: decoded, format: isTransparent == 1 ? .rgba8Premultiplied : .rgb8, size: size,
                frameCount: frameCount, decoder: name, timing: hasTiming == 0 ? nil : timing)
        case 1:
            guard let code = reader.text().flatMap(ImageError.Code.init(rawValue:)), let detail = reader.text(),
                reader.isAtEnd
            else { return nil }
            // What a decoder can say of an image; anything else would be a lie about the network.
            let isItsBusiness = [.unsupportedFormat, .corrupt, .tooManyPixels].contains(code)
            let text = detail.printable(limit: DecoderMessage.maxTextLength)
            self = .failure(ImageError(isItsBusiness ? code : .corrupt, text.isEmpty ? nil : text))
        case UInt8(platform_violation_tag):
            guard let number = reader.number(), let task = reader.number(), reader.isAtEnd else { return nil }
            let formats = ImageFormat.allCases
            self = .violation(systemCall: number, testing: formats.indices.contains(task - 1) ? formats[task - 1] : nil)
        case 3:
            guard let byteCount = reader.number(), reader.isAtEnd else { return nil }
            self = .needsMemory(byteCount)
        case 4:
            guard reader.isAtEnd else { return nil }
            self = .unusable
        default: return nil
        }
    }

    /// Names are of ASCII letters and digits: they are shown and logged as they come.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// What `platform_set_task` is told while the test image of a format is decoded.
    package static func task(_ format: ImageFormat) -> Int { (ImageFormat.allCases.firstIndex(of: format) ?? -1) + 1 }

    package var message: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .pixels(let decoded, let format, let size, let frameCount, let decoder, let timing):
            writer.append(byte: 0)
            writer.append(decoded)
            writer.append(byte: format == .rgba8Premultiplied ? 1 : 0)
            writer.append(size)
            writer.append(frameCount)
            writer.append(decoder)
            writer.append(byte: timing == nil ? 0 : 1)
            if let timing { writer.append(timing) }
        case .failure(let error):
            writer.append(byte: 1)
            writer.append(error.code.rawValue)
            // Cut here too, so that it fits into a message.
            writer.append(String((error.detail ?? "").unicodeScalars.prefix(DecoderMessage.maxTextLength)))
        case .violation(let number, let format):
            writer.append(byte: UInt8(platform_violation_tag))
            writer.append(number)
            writer.append(format.map(Self.task) ?? 0)
        case .needsMemory(let byteCount):
            writer.append(byte: 3)
            writer.append(byteCount)
        case .unusable: writer.append(byte: 4)
        }
        return writer.message
    }
}

/// Puts a message together. Numbers are eight bytes, lowest first.
struct MessageWriter {
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
struct MessageReader {
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
