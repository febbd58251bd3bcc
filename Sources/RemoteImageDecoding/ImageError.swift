/// Why an image could not be loaded: a code for programs, a sentence for people, and a detail for
/// developers.
public struct ImageError: Error, Hashable, Sendable {
    /// A class, so that a copy is one reference: each step of a load passes on its result, which
    /// may be an error.
    private final class Storage: Sendable {
        let code: Code
        let detail: String?
        let status: Int?
        let underlying: [ImageError]
        let ownSentence: String?
        let retryDelay: Duration?
        let context: (any Sendable)?

        init(
            _ code: Code, _ detail: String?, _ status: Int?, _ underlying: [ImageError], _ ownSentence: String?,
            retryDelay: Duration?, context: (any Sendable)?
        ) {
            self.code = code
            self.detail = detail
            self.status = status
            self.underlying = underlying
            self.ownSentence = ownSentence
            self.retryDelay = retryDelay
            self.context = context
        }
    }

    private var storage: Storage

    /// The kind of error, for programs.
    public var code: Code { storage.code }

    /// The technical detail for logs, in English: an address without user name and password, a
    /// limit, or a library's error message. Do not show it to people; ``message`` is for them.
    public var detail: String? { storage.detail }

    /// The HTTP status, for ``Code/httpStatus`` only.
    public var status: Int? { storage.status }

    /// The errors of all fallbacks, in order; for ``Code/notStored``, the error of the request to
    /// the server; otherwise empty.
    public var underlying: [ImageError] { storage.underlying }

    /// The sentence of the program in place of that of the code.
    package var ownSentence: String? { storage.ownSentence }

    /// The time after which a decoder that failed for want of its process or of memory may succeed.
    /// `nil` for all other errors. Errors that differ only in it are equal.
    package var retryDelay: Duration? {
        get { storage.retryDelay }
        set { replace(retryDelay: newValue, context: context) }
    }

    /// What is known of the failed load, for programs in other languages. Errors that differ only
    /// in it are equal.
    package var context: (any Sendable)? {
        get { storage.context }
        set { replace(retryDelay: retryDelay, context: newValue) }
    }

    /// Creates an error, by default without a detail, a status or underlying errors.
    ///
    /// - Parameter message: A sentence for people, without the period, in the language of the user.
    ///   Default: `nil`, the sentence of the code or the status.
    public init(
        _ code: Code, _ detail: String? = nil, status: Int? = nil, underlying: [ImageError] = [],
        message: String? = nil
    ) {
        storage = Storage(
            code, detail, status, underlying, message.flatMap { $0.isEmpty ? nil : $0 }, retryDelay: nil, context: nil)
    }

    private mutating func replace(retryDelay: Duration?, context: (any Sendable)?) {
        storage = Storage(
            code, detail, status, underlying, ownSentence, retryDelay: retryDelay, context: context)
    }

    public static func == (left: ImageError, right: ImageError) -> Bool {
        left.code == right.code && left.detail == right.detail && left.status == right.status
            && left.underlying == right.underlying && left.ownSentence == right.ownSentence
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(detail)
        hasher.combine(status)
        hasher.combine(underlying)
        hasher.combine(ownSentence)
    }

    /// One English sentence for people, without the period and without addresses, limits or library
    /// messages, or the sentence of the program that made the error. An HTTP status other than 2xx
    /// follows in parentheses: `The image was not found (404)`.
    public var message: String { message(sentence) }

    /// The message with `sentence`, a translation, in place of ``sentence``.
    package func message(_ sentence: String) -> String {
        status.map { "\(sentence) (\($0))" } ?? sentence
    }

    /// The message without the status.
    package var sentence: String {
        ownSentence ?? status.map(Self.sentence(ofStatus:)) ?? code.sentence
    }

    /// The message and the detail, for logs and terminals.
    package var detailedMessage: String {
        guard let detail, !detail.isEmpty else { return message }
        return "\(message): \(detail)"
    }

    /// The error of a cancelled request.
    public static let cancelled = ImageError(.cancelled)

    /// The error of a response with a status other than 2xx.
    public static func httpStatus(_ status: Int) -> ImageError {
        ImageError(.httpStatus, status: status)
    }

    private static func sentence(ofStatus status: Int) -> String {
        switch status {
        case 401, 403, 407: "Access to the image was denied"
        case 404, 410: "The image was not found"
        case 429: "The server received too many requests"
        case 500...599: "The server has a problem"
        default: Code.httpStatus.sentence
        }
    }
}

extension ImageError: CustomStringConvertible {
    /// The code, the message and the detail.
    public var description: String { "\(code.rawValue): \(detailedMessage)" }
}

extension ImageError {
    /// The kind of an error. Scripts rely on the raw values; they do not change.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text is not a URL.
        case invalidURL
        /// The scheme of the URL, or of a redirect, is not allowed.
        case forbiddenScheme
        /// The address belongs to a network that the program does not allow.
        case forbiddenAddress
        /// The server could not be reached, or the connection broke before a response.
        case connection
        /// Connecting, waiting for the next byte, or the whole transfer exceeded its time limit.
        case timeout
        /// The TLS handshake was refused or the certificate is not trusted.
        case tls
        /// The redirects exceeded the limit.
        case tooManyRedirects
        /// The response violates HTTP.
        case `protocol`
        /// The body is shorter than its announced length.
        case incomplete
        /// The body is larger than the limit.
        case tooLarge
        /// The status of the response is not 2xx.
        case httpStatus
        /// The body, the file or the data has no bytes.
        case emptyBody
        /// The content coding of the response is unknown, or the encoded data is damaged.
        case encoding
        /// The data is not in a known image format.
        case notAnImage
        /// No decoder for the image format is installed or allowed.
        case unsupportedFormat
        /// The decoder could not read the image.
        case corrupt
        /// The image exceeds the limit on pixels or on the length of a side.
        case tooManyPixels
        /// Decoding exceeded its time limit, or earlier decodes that exceeded theirs left no memory
        /// or threads for this image.
        case decodeTimeout
        /// A processor failed.
        case processing
        /// A provider, a request hook or an authorization provider of the program threw an error,
        /// a provider took too long, or a source is not usable.
        case source
        /// There is no stored copy, and network access was not allowed or the server could not be
        /// reached.
        case notStored
        /// The request was cancelled. Views do not show this as a failure.
        case cancelled
        /// Reading, writing or encoding a file failed, or the decoder process is not usable: it is
        /// not installed, does not start, or cannot decode the format.
        case io

        /// One sentence for a person, without the period.
        public var sentence: String {
            switch self {
            case .invalidURL: "The address is not valid"
            case .forbiddenScheme: "Addresses of this kind are not allowed"
            case .forbiddenAddress: "This address is in a network that is not allowed"
            case .connection: "The server cannot be reached"
            case .timeout: "The server took too long"
            case .tls: "A secure connection could not be established"
            case .tooManyRedirects: "The server redirects too often"
            case .protocol: "The server sent an invalid response"
            case .incomplete: "The image was not received completely"
            case .tooLarge: "The file is too large"
            case .httpStatus: "The server did not return the image"
            case .emptyBody: "The image file is empty"
            case .encoding: "The image uses an unsupported content encoding"
            case .notAnImage: "This is not an image"
            case .unsupportedFormat: "Images of this format cannot be shown"
            case .corrupt: "The image is damaged"
            case .tooManyPixels: "The image has too many pixels"
            case .decodeTimeout: "Decoding the image took too long"
            case .processing: "The image could not be processed"
            case .source: "The image could not be provided"
            case .notStored: "There is no stored copy of the image"
            case .cancelled: "Loading was cancelled"
            case .io: "A file could not be read or written"
            }
        }
    }
}
