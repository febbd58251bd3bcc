/// A thumbor server, which resizes and crops images.
///
/// ```swift
/// let server = ThumborServer("https://thumbor.example.org", key: "secret")
/// let photo = server.image("photos/cat.jpg")
/// let avatar = server.image("https://example.org/ann.jpg", crop: .smart(aspectRatio: 1))
/// ```
public struct ThumborServer: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let base: String
    private let key: String?

    /// - Parameters:
    ///   - address: The http or https address of the server.
    ///   - key: The security key, with which addresses are signed (HMAC-SHA1). `nil`, the default,
    ///     makes `unsafe` addresses, which the server must allow.
    public init(_ address: String, key: String? = nil) {
        base = ServiceText.base(address)
        self.key = key
    }

    /// The address of the server, without user information and the key.
    public var description: String { UserInformation.removed(from: base) }

    public var customMirror: Mirror { Mirror(self, children: [("address", description)]) }

    /// An image in the size in which it is drawn; see
    /// ``ImageSourceConvertible/sized(identity:aspectRatio:largest:address:)``.
    ///
    /// - Parameters:
    ///   - path: The path or the address of the original, not percent-encoded. Loads fail with
    ///     ``ImageError/Code/invalidURL`` if it is empty, contains control characters, or has a
    ///     segment `.` or `..`.
    ///   - crop: The part of the image: all of it by default.
    ///   - aspectRatio: Width divided by height of the original, if it is known and not cropped.
    ///   - filters: Filters such as `format(webp)` and `quality(80)`, in order.
    ///   - largest: The longer side of the largest size in pixels: 3693 by default.
    public func image(
        _ path: String, crop: ServerCrop = .none, aspectRatio: Double? = nil, filters: [String] = [],
        largest: Int = 3_693
    ) -> ImageSource {
        let original: String
        do throws(ImageError) {
            original = try ServiceText.encodedPath(path)
        } catch {
            return ImageSource(.invalid(error), identity: "\(base)/\(path)")
        }
        @Sendable func rest(_ size: String) -> String {
            var segments = crop == .none ? ["fit-in", size] : [size]
            if case .smart = crop { segments.append("smart") }
            if !filters.isEmpty {
                let text = filters.map { ServiceText.encoded($0, allowing: "(),:/") }
                segments.append("filters:\(text.joined(separator: ":"))")
            }
            return (segments + [original]).joined(separator: "/")
        }
        let ratio = crop.aspectRatio
        return .sized(
            identity: "\(base)/\(rest(ratio.map { "ratio \($0)" } ?? "any"))", aspectRatio: ratio ?? aspectRatio,
            largest: largest
        ) { [base, key] pixels in
            let size = crop.size(longestSide: pixels)
            let rest = rest("\(size.width)x\(size.height)")
            return "\(base)/\(Self.signature(of: rest, key: key))/\(rest)"
        }
    }

    /// The first segment of an address; the second part is the rest of its path.
    static func signature(of rest: String, key: String?) -> String {
        guard let key else { return "unsafe" }
        return ServiceText.base64(HMAC.sha1(Array(rest.utf8), key: Array(key.utf8)), isPadded: true)
    }
}
