/// Requests that a decoder process decode its test image of a format.
package struct DecoderTest {
    package let format: ImageFormat
    /// Differs from every first byte of a ``DecoderQuestion``.
    private static let tag: UInt8 = 3

    package init(_ format: ImageFormat) { self.format = format }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard reader.byte() == Self.tag, let index = reader.number(), ImageFormat.allCases.indices.contains(index),
            reader.isAtEnd
        else { return nil }
        format = ImageFormat.allCases[index]
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: Self.tag)
        writer.append(ImageFormat.allCases.firstIndex(of: format) ?? 0)
        return writer.message
    }
}

/// The answer to a ``DecoderTest`` only. A process that an image has compromised cannot send it in
/// place of a ``DecoderAnswer``.
package struct DecoderTestResult: Equatable {
    /// Whether the process decoded its test image.
    package let isDecoded: Bool
    /// Differs from every tag of a ``DecoderAnswer``.
    private static let tag: UInt8 = 4

    package init(isDecoded: Bool) { self.isDecoded = isDecoded }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard reader.byte() == Self.tag, let flag = reader.byte(), flag <= 1, reader.isAtEnd else { return nil }
        isDecoded = flag == 1
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: Self.tag)
        writer.append(byte: isDecoded ? 1 : 0)
        return writer.message
    }
}
