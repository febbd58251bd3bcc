/// Requests that a decoder process decode its test image of a format.
package struct DecoderTest {
    package let format: ImageFormat
    /// Differs from every first byte of a ``DecoderQuestion``.
    private static let tag: UInt8 = 3
    /// Differs from every tag of a ``DecoderAnswer``.
    private static let resultTag: UInt8 = 4

    package init(_ format: ImageFormat) { self.format = format }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard reader.byte() == Self.tag, let format = reader.format(), reader.isAtEnd else { return nil }
        self.format = format
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: Self.tag)
        writer.append(format)
        return writer.message
    }

    // The answer to a test only. A process that an image has compromised cannot send it in place of
    // a `DecoderAnswer`.

    /// The answer with the result of a test: whether the process decoded its test image.
    package static func answer(_ isDecoded: Bool) -> [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: resultTag)
        writer.append(isDecoded)
        return writer.message
    }

    /// The result of a test in an answer; `nil` for other messages.
    package static func isDecoded(_ answer: ArraySlice<UInt8>) -> Bool? {
        var reader = MessageReader(answer)
        guard reader.byte() == resultTag, let isDecoded = reader.flag(), reader.isAtEnd else { return nil }
        return isDecoded
    }
}
