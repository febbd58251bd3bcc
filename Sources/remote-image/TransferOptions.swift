import ArgumentParser
import HTTPTypes
import RemoteImage
import RemoteImageCore

/// The options of commands that load resources.
struct TransferOptions: ParsableArguments {
    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("An extra request header; may be repeated.", valueName: "Name: value"))
    var headers: [HeaderArgument] = []

    @Option(
        help: ArgumentHelp(
            "The time limit of one transfer, in seconds, at most 86400. Default: 60.", valueName: "seconds"))
    var timeout: Double?

    @Option(help: ArgumentHelp("The maximum number of bytes of one image. Default: 33554432.", valueName: "bytes"))
    var maxBody: Int?

    @Option(help: ArgumentHelp("The maximum number of pixels of one image. Default: 50000000.", valueName: "n"))
    var maxPixels: Int?

    @Option(help: ArgumentHelp("The maximum number of retries after a temporary failure. Default: 2.", valueName: "n"))
    var retries: Int?

    @Flag(help: "Refuse loopback, link-local and private addresses, also after redirects.")
    var blockPrivateNetworks = false

    @Option(
        help: ArgumentHelp(
            "The cache policy: http, stored, stored-only, reload, no-store or revalidate.", valueName: "policy"))
    var policy = CachePolicy.http

    @Flag(
        inversion: .prefixedNo,
        help: "Decode only in the helper process, or only in this process. Default: in the helper if it is installed."
    )
    var isolate: Bool?

    @Flag(name: .customLong("enable-svg"), help: "Accept SVG.")
    var enableSVG = false

    @Flag(help: "Store nothing on disk.")
    var noDiskCache = false

    func validate() throws {
        if let retries, retries < 0 { throw ValidationError("--retries must be at least 0.") }
        if let timeout, !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError("--timeout must be more than 0 and at most 86400 seconds.")
        }
        if let name = fields.nameOfConnection {
            throw ValidationError("--header: a request must not set the header \(name).")
        }
        if let maxBody, maxBody < 1 { throw ValidationError("--max-body must be at least 1 byte.") }
        if let maxPixels, maxPixels < 1 { throw ValidationError("--max-pixels must be at least 1.") }
    }

    /// The extra request headers.
    var fields: HTTPFields { HTTPFields(headers.map(\.field)) }

    /// The limits of one transfer.
    var limits: TransferLimits {
        var limits = TransferLimits()
        if let timeout { limits.timeout = .seconds(timeout) }
        if let maxBody { limits.maxBodyByteCount = maxBody }
        return limits
    }

    var decoders: [any ImageDecoder] {
        let isolation: DecoderIsolation =
            switch isolate {
            case true?: .required
            case false?: .none
            case nil: .preferred
            }
        let decoders: [any ImageDecoder] = .standard(isolation: isolation)
        return enableSVG ? decoders + [DrawingDecoder(isolation: isolation)] : decoders
    }

    var retryPolicy: RetryPolicy {
        retries.map { .standard(maxRetryCount: $0) } ?? .standard()
    }

    func transport(concurrency: Int? = nil) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.blocksPrivateNetworks = blockPrivateNetworks
        if let concurrency {
            configuration.maxConnections = concurrency
            configuration.maxConnectionsPerHost = concurrency
        }
        return CurlTransport(configuration)
    }

    func request(for address: String) throws(ImageError) -> TransferRequest {
        TransferRequest(try WebAddress(address), headers: fields, limits: limits)
    }

    func apply(to configuration: inout ImagePipeline.Configuration) {
        configuration.options.headers = fields
        configuration.transferLimits = limits
        configuration.options.cachePolicy = policy
        if let maxPixels { configuration.decodeLimits.maxPixelCount = maxPixels }
        configuration.retryPolicy = retryPolicy
    }
}

/// A header argument of the form `Name: value`.
struct HeaderArgument: ExpressibleByArgument {
    let field: HTTPField

    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":") else { return nil }
        guard let field = HTTPField(name: argument[..<colon], value: argument[argument.index(after: colon)...]) else {
            return nil
        }
        self.field = field
    }
}

extension HTTPField {
    /// A header of a request, without the spaces and tabs around its value, which are not part of
    /// it (RFC 9110 section 5.5). `nil` if the name or the value is not valid; other initializers
    /// replace invalid bytes.
    init?(name: Substring, value: Substring) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let bytes = value.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        let value = String(decoding: Array(bytes), as: UTF8.self)
        guard let name = HTTPField.Name(String(name)), HTTPField.isValidValue(value) else { return nil }
        self.init(name: name, value: value)
    }
}
