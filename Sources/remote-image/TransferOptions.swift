import ArgumentParser
import HTTPTypes
import RemoteImageCore

/// Options that every command which loads something understands.
struct TransferOptions: ParsableArguments {
    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("An extra request header; may be repeated.", valueName: "Name: value"))
    var headers: [HeaderArgument] = []

    @Option(help: ArgumentHelp("The whole of one transfer, in seconds. Default: 60.", valueName: "seconds"))
    var timeout: Double?

    @Option(help: ArgumentHelp("Bytes of one image at the most. Default: 33554432.", valueName: "bytes"))
    var maxBody: Int?

    @Option(help: ArgumentHelp("Pixels of one image at the most. Default: 50000000.", valueName: "n"))
    var maxPixels: Int?

    func validate() throws {
        if let timeout, !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError("--timeout must be more than 0 and at most 86400 seconds.")
        }
        if let maxBody, maxBody < 1 { throw ValidationError("--max-body must be at least 1 byte.") }
        if let maxPixels, maxPixels < 1 { throw ValidationError("--max-pixels must be at least 1.") }
    }

    func apply(to configuration: inout ImagePipeline.Configuration) throws {
        for header in headers { configuration.headers.append(header.field) }
        if let timeout { configuration.transferLimits.timeout = .seconds(timeout) }
        if let maxBody { configuration.transferLimits.maxBodyByteCount = maxBody }
        if let maxPixels { configuration.decodeLimits.maxPixelCount = maxPixels }
    }
}

/// A header as it is written on the command line: `Name: value`.
struct HeaderArgument: ExpressibleByArgument {
    let field: HTTPField

    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":") else { return nil }
        let value = argument[argument.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        guard let name = HTTPField.Name(String(argument[..<colon])), HTTPField.isValidValue(String(value)) else {
            return nil
        }
        field = HTTPField(name: name, value: String(value))
    }
}
