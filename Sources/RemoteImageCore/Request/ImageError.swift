/// Why there is no picture: a code for programs and a sentence for people.
public struct ImageError: Error, Hashable, Sendable {
    public let code: Code

    /// What the sentence cannot know: an address, a limit, what a library said. English.
    public let detail: String?

    /// The HTTP status, for ``Code/httpStatus`` only.
    public let status: Int?

    /// What each source of a list of fallbacks said, in their order; for ``Code/notStored``, why the server could not be
    /// asked instead; else empty.
    public let underlying: [ImageError]

    public init(_ code: Code, _ detail: String? = nil, status: Int? = nil, underlying: [ImageError] = []) {
        self.code = code
        self.detail = detail
        self.status = status
        self.underlying = underlying
    }

    /// The sentence of the code, with the detail in parentheses.
    public var message: String {
        guard let detail, !detail.isEmpty else { return code.sentence }
        return "\(code.sentence) (\(detail))"
    }

    /// Whether the server did not answer, so that a stored response may.
    var isDisconnection: Bool { code == .connection || code == .timeout }

    /// Whether the transfer broke off, so that the rest of what it brings may be asked for later.
    var isInterruption: Bool {
        [.connection, .timeout, .incomplete, .cancelled].contains(code)
    }

    /// Whether the server could not be reached.
    var isForWantOfConnection: Bool {
        code == .connection || code == .notStored && underlying.contains(where: \.isForWantOfConnection)
    }

    /// Whether the picture may come when the network is better.
    package var isForWantOfNetwork: Bool {
        isInterruption && code != .cancelled || code == .notStored && underlying.contains(where: \.isForWantOfNetwork)
    }

    public static let cancelled = ImageError(.cancelled)

    public static func httpStatus(_ status: Int) -> ImageError {
        ImageError(.httpStatus, "status \(status)", status: status)
    }
}

extension ImageError: CustomStringConvertible {
    public var description: String { "\(code.rawValue): \(message)" }
}

extension ImageError {
    /// What went wrong. The raw values are a contract with scripts and stay as they are.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text is no address.
        case invalidURL
        /// An address, or a redirect, of a scheme that is not allowed.
        case forbiddenScheme
        /// The address leads into a network that the program closed off.
        case forbiddenAddress
        /// The server could not be reached, or the connection broke before an answer.
        case connection
        /// Connecting, the silence between two bytes, or the whole took longer than allowed.
        case timeout
        /// No trustworthy connection: the certificate or the handshake.
        case tls
        /// More redirects than allowed.
        case tooManyRedirects
        /// The answer was not HTTP.
        case `protocol`
        /// The answer ended before its announced length.
        case incomplete
        /// The answer is larger than the limit.
        case tooLarge
        /// The server answered with another status than 2xx.
        case httpStatus
        /// The answer has no bytes.
        case emptyBody
        /// The content coding of the answer is unknown or broken.
        case encoding
        /// The bytes are of no known picture format.
        case notAnImage
        /// A picture format for which no decoder is installed or allowed.
        case unsupportedFormat
        /// The decoder could not read the picture.
        case corrupt
        /// The picture has more pixels, or a longer side, than the limit.
        case tooManyPixels
        /// Decoding took longer than allowed, or images that did leave no memory or threads for this one.
        case decodeTimeout
        /// A processor failed.
        case processing
        /// A source of the program's own threw.
        case source
        /// There is no stored copy, and only such a one was allowed or the server could not be reached.
        case notStored
        /// The request was cancelled. Views do not show this as a failure.
        case cancelled
        /// Reading or writing a file failed.
        case io

        /// One sentence for a person, without the period.
        public var sentence: String {
            switch self {
            case .invalidURL: "The address is not valid"
            case .forbiddenScheme: "Addresses of this kind are not allowed"
            case .forbiddenAddress: "This address is in a network that is not allowed"
            case .connection: "The server cannot be reached"
            case .timeout: "The server took too long"
            case .tls: "No secure connection could be made"
            case .tooManyRedirects: "The server redirects too often"
            case .protocol: "The server’s answer is not understandable"
            case .incomplete: "The picture was not transferred completely"
            case .tooLarge: "The file is too large"
            case .httpStatus: "The server does not give out this picture"
            case .emptyBody: "The server sent an empty file"
            case .encoding: "The file is packed in a way that cannot be read"
            case .notAnImage: "This is not a picture"
            case .unsupportedFormat: "Pictures of this format cannot be shown"
            case .corrupt: "The picture is damaged"
            case .tooManyPixels: "The picture has too many pixels"
            case .decodeTimeout: "Reading the picture took too long"
            case .processing: "The picture could not be processed"
            case .source: "The source of the picture failed"
            case .notStored: "There is no stored copy of the picture"
            case .cancelled: "Loading was cancelled"
            case .io: "A file could not be read or written"
            }
        }
    }
}
