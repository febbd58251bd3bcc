/// An imgproxy server, which resizes, crops and converts images.
///
/// ```swift
/// let server = ImgproxyServer("https://img.example.org", key: "736563726574", salt: "68656C6C6F")
/// let photo = server.image("https://example.org/cat.jpg", format: "webp")
/// ```
public struct ImgproxyServer: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private struct Secret: Hashable {
        let key: [UInt8]
        let salt: [UInt8]
    }

    private let base: String
    private let secret: Secret?
    private let error: ImageError?

    /// - Parameters:
    ///   - address: The http or https address of the server.
    ///   - key: The key in hexadecimal digits, with which addresses are signed (HMAC-SHA256). An
    ///     empty key, the default, makes unsigned addresses.
    ///   - salt: The salt in hexadecimal digits. If it or the key is not hexadecimal, loads fail
    ///     with ``ImageError/Code/source``.
    public init(_ address: String, key: String = "", salt: String = "") {
        base = ServiceText.base(address)
        guard let key = ServiceText.bytes(ofHexadecimal: key), let salt = ServiceText.bytes(ofHexadecimal: salt) else {
            secret = nil
            error = ImageError(.source, "the key or the salt of imgproxy is not hexadecimal")
            return
        }
        secret = key.isEmpty ? nil : Secret(key: key, salt: salt)
        error = nil
    }

    /// The address of the server, without user information and the key.
    public var description: String { UserInformation.removed(from: base) }

    public var customMirror: Mirror { Mirror(self, children: [("address", description)]) }

    /// An image in the size in which it is drawn; see
    /// ``ImageSourceConvertible/sized(identity:aspectRatio:largest:address:)``.
    ///
    /// - Parameters:
    ///   - address: The address of the original, as imgproxy loads it: `https:`, `s3:` and others.
    ///   - crop: The part of the image: all of it by default.
    ///   - aspectRatio: Width divided by height of the original, if it is known and not cropped.
    ///   - format: The format of the result, such as `webp`. `nil`, the default, lets the server
    ///     choose.
    ///   - dpr: The pixels per point by which imgproxy also scales its watermarks and paddings: 1
    ///     by default. The number of pixels does not depend on it, apart from rounding.
    ///   - encodesAddress: Whether `address` is written in Base64 (RFC 4648 section 5), so that any
    ///     address is possible: `true` by default. Otherwise it is percent-encoded, and addresses
    ///     with a segment `.` or `..` fail with ``ImageError/Code/invalidURL``.
    ///   - largest: The longer side of the largest size in pixels: 3693 by default.
    public func image(
        _ address: String, crop: ServerCrop = .none, aspectRatio: Double? = nil, format: String? = nil, dpr: Int = 1,
        encodesAddress: Bool = true, largest: Int = 3_693
    ) -> ImageSource {
        let original: String
        do throws(ImageError) {
            if let error { throw error }
            original = try Self.original(address, isEncoded: encodesAddress, format: format)
        } catch {
            return ImageSource(.invalid(error), identity: "\(base)/\(address)")
        }
        let dpr = max(1, dpr)
        @Sendable func rest(_ size: String) -> String {
            var options = [crop == .none ? "rs:fit:\(size):0" : "rs:fill:\(size):0"]
            if case .smart = crop { options.append("g:sm") }
            if dpr > 1 { options.append("dpr:\(dpr)") }
            return "/\(options.joined(separator: "/"))/\(original)"
        }
        let ratio = crop.aspectRatio
        return .sized(
            identity: base + rest(ratio.map { "ratio \($0)" } ?? "any"), aspectRatio: ratio ?? aspectRatio,
            largest: largest
        ) { [base, secret] pixels in
            let size = crop.size(longestSide: (pixels - 1) / dpr + 1)
            let rest = rest("\(size.width):\(size.height)")
            let signature = secret.map { Self.signature(of: rest, key: $0.key, salt: $0.salt) } ?? "unsafe"
            return "\(base)/\(signature)\(rest)"
        }
    }

    /// - Parameter rest: The path after the signature, with its first slash.
    static func signature(of rest: String, key: [UInt8], salt: [UInt8]) -> String {
        ServiceText.base64(HMAC.sha256(salt + Array(rest.utf8), key: key))
    }

    private static func original(
        _ address: String, isEncoded: Bool, format: String?
    ) throws(ImageError) -> String {
        let format = format.map { ServiceText.encoded($0) }
        guard isEncoded else {
            return "plain/\(try ServiceText.encodedPath(address))" + (format.map { "@\($0)" } ?? "")
        }
        guard !address.isEmpty else { throw ImageError(.invalidURL, "the address of the image is empty") }
        return ServiceText.base64(Array(address.utf8)) + (format.map { ".\($0)" } ?? "")
    }
}
