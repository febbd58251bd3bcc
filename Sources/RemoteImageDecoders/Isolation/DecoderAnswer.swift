import CRemoteImagePlatform

/// The answer of a decoder process.
package enum DecoderAnswer {
    /// The pixels are in the memory of the question; `decoder` is the name of the decoder.
    case pixels(
        decoded: PixelSize, format: PixelFormat, size: PixelSize, frameCount: Int, isTruncated: Bool = false,
        decoder: String, timing: FrameTiming? = nil)
    case failure(ImageError)
    /// The process made a forbidden system call and ends.
    case violation(systemCall: Int)
    /// The pixels do not fit into the memory; they need this number of bytes.
    case needsMemory(Int)
    /// The frames in the memory of a ``FramesQuestion``, up to the first that cannot be decoded.
    case frames([PixelFormat])

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        switch reader.byte() {
        case 0:
            guard let decoded = reader.size(), let format = reader.pixelFormat(), let size = reader.size(),
                let frameCount = reader.number(), let isTruncated = reader.flag(), let name = reader.text(),
                let hasTiming = reader.flag(),
                let timing = hasTiming ? reader.timing() : FrameTiming(delays: [], playCount: nil), reader.isAtEnd,
                (1...DecoderMessage.maxNameByteCount).contains(name.utf8.count), name.utf8.allSatisfy(Self.isOfName)
            else { return nil }
            self = .pixels(
                decoded: decoded, format: format, size: size, frameCount: frameCount, isTruncated: isTruncated,
                decoder: name, timing: hasTiming ? timing : nil)
        case 1:
            guard let code = reader.text().flatMap(ImageError.Code.init(rawValue:)), let detail = reader.text(),
                reader.isAtEnd
            else { return nil }
            // A decoder can only report these codes; others, such as network errors, count as
            // corrupt.
            let isDecoderError = [.unsupportedFormat, .corrupt, .tooManyPixels].contains(code)
            let text = detail.printable(limit: DecoderMessage.maxTextLength)
            self = .failure(ImageError(isDecoderError ? code : .corrupt, text.isEmpty ? nil : text))
        case UInt8(platform_violation_tag):
            guard let number = reader.number(), reader.isAtEnd else { return nil }
            self = .violation(systemCall: number)
        case 3:
            guard let byteCount = reader.number(), reader.isAtEnd else { return nil }
            self = .needsMemory(byteCount)
        // The answer to a ``DecoderTest`` has tag 4.
        case 5:
            guard let count = reader.number(), (1...FramesQuestion.maxFrameCount).contains(count) else { return nil }
            var formats: [PixelFormat] = []
            for _ in 0..<count {
                guard let format = reader.pixelFormat() else { return nil }
                formats.append(format)
            }
            guard reader.isAtEnd else { return nil }
            self = .frames(formats)
        default: return nil
        }
    }

    /// Names may have only ASCII letters and digits, since they are shown and logged unchanged.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .pixels(let decoded, let format, let size, let frameCount, let isTruncated, let decoder, let timing):
            writer.append(byte: 0)
            writer.append(decoded)
            writer.append(format == .rgba8Premultiplied)
            writer.append(size)
            writer.append(frameCount)
            writer.append(isTruncated)
            writer.append(decoder)
            writer.append(timing != nil)
            if let timing { writer.append(timing) }
        case .failure(let error):
            writer.append(byte: 1)
            writer.append(error.code.rawValue)
            // Truncated here too, so that it fits into a message.
            writer.append(String((error.detail ?? "").unicodeScalars.prefix(DecoderMessage.maxTextLength)))
        case .violation(let number):
            writer.append(byte: UInt8(platform_violation_tag))
            writer.append(number)
        case .needsMemory(let byteCount):
            writer.append(byte: 3)
            writer.append(byteCount)
        case .frames(let formats):
            writer.append(byte: 5)
            writer.append(formats.count)
            for format in formats { writer.append(format == .rgba8Premultiplied) }
        }
        return writer.message
    }
}
