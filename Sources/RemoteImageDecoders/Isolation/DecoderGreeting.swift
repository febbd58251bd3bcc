/// The message that a decoder process sends once when it is ready.
package struct DecoderGreeting: Equatable {
    /// Whether system calls are filtered.
    package var isConfined: Bool
    /// The formats that the process decodes: those that it was started for and whose codec is
    /// installed.
    package var formats: Set<ImageFormat>

    package init(isConfined: Bool, formats: Set<ImageFormat>) {
        self.isConfined = isConfined
        self.formats = formats
    }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard reader.byte() == DecoderMessage.version, let isConfined = reader.flag(),
            let formats = reader.number().flatMap(Set.init(bits:)), reader.isAtEnd
        else { return nil }
        (self.isConfined, self.formats) = (isConfined, formats)
    }

    /// Whether an invalid greeting comes from another version of the program.
    static func isOfAnotherVersion(_ message: ArraySlice<UInt8>) -> Bool {
        var reader = MessageReader(message)
        return reader.byte().map { $0 != DecoderMessage.version } ?? false
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: DecoderMessage.version)
        writer.append(isConfined)
        writer.append(formats.bits)
        return writer.message
    }
}

extension Set<ImageFormat> {
    /// One bit per format, in the order of `allCases`.
    package var bits: Int {
        ImageFormat.allCases.enumerated().reduce(0) { contains($1.element) ? $0 | 1 << $1.offset : $0 }
    }

    /// `nil` if a bit has no format.
    package init?(bits: Int) {
        guard bits >= 0, bits >> ImageFormat.allCases.count == 0 else { return nil }
        self.init(ImageFormat.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
    }
}
