/// The media of a Matrix homeserver (client-server API 1.11, section *Content repository*, with
/// authenticated media).
///
/// Requests need an access token, which the program sets in ``ImageOptions/headers`` or in a
/// ``RequestHook``:
///
/// ```swift
/// let server = MatrixServer("https://matrix.example.org")
/// var options = ImageOptions()
/// options.headers[.authorization] = "Bearer \(try await tokens.current())"
/// let image = ImageRequest(server.thumbnail("mxc://example.org/SEsfn"), options: options)
/// ```
public struct MatrixServer: Hashable, Sendable {
    private let base: String

    /// - Parameter address: The http or https address of the homeserver of the user.
    public init(_ address: String) {
        base = "\(ServiceText.base(address))/_matrix/client/v1/media"
    }

    /// An image as a thumbnail for the size in which it is drawn; see
    /// ``ImageSourceConvertible/sized(identity:aspectRatio:largest:address:)``. The largest step is
    /// the original.
    ///
    /// - Parameters:
    ///   - address: An `mxc://` address. Others fail with ``ImageError/Code/invalidURL``.
    ///   - crop: The part of the image: all of it by default. The server decides which part a
    ///     smart crop shows.
    ///   - aspectRatio: Width divided by height of the original, as in the `info` of its event, if
    ///     it is not cropped.
    ///   - largest: The longer side, in pixels, from which the original is loaded: 1641 by default,
    ///     since servers make no large thumbnails.
    public func thumbnail(
        _ address: String, crop: ServerCrop = .none, aspectRatio: Double? = nil, largest: Int = 1_641
    ) -> ImageSource {
        let path: String
        do throws(ImageError) {
            path = try Self.path(of: address)
        } catch {
            return ImageSource(.invalid(error), identity: address)
        }
        let (base, ratio) = (base, crop.aspectRatio)
        let method = crop == .none ? "scale" : "crop"
        // The step of this size is the original or a thumbnail.
        let end = largest == 1_641 ? "" : "&largest=\(largest)"
        return .sized(
            identity: "\(base)/thumbnail/\(path)?\(method)\(ratio.map { "=\($0)" } ?? "")\(end)",
            aspectRatio: ratio ?? aspectRatio, largest: largest
        ) { pixels in
            guard pixels < largest else { return "\(base)/download/\(path)" }
            let size = crop.size(longestSide: pixels)
            return "\(base)/thumbnail/\(path)?width=\(size.width)&height=\(size.height)&method=\(method)"
        }
    }

    /// The original of an image.
    ///
    /// - Parameter address: An `mxc://` address. Others fail with ``ImageError/Code/invalidURL``.
    public func download(_ address: String) -> ImageSource {
        do throws(ImageError) {
            return ImageSource("\(base)/download/\(try Self.path(of: address))")
        } catch {
            return ImageSource(.invalid(error), identity: address)
        }
    }

    /// The server name and the identifier of an `mxc://` address, which come from other users.
    /// Only the characters that their grammars allow are accepted, so that neither can leave its
    /// place in the path.
    static func path(of address: String) throws(ImageError) -> String {
        let error = ImageError(.invalidURL, "not an mxc:// address of a server and an identifier")
        let prefix = "mxc://"
        guard address.utf8.starts(with: prefix.utf8) else { throw error }
        let parts = address.utf8.dropFirst(prefix.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, isServerName(parts[0]), isIdentifier(parts[1]) else { throw error }
        return "\(ServiceText.encoded(String(decoding: parts[0], as: UTF8.self), allowing: ":"))/"
            + String(decoding: parts[1], as: UTF8.self)
    }

    /// Letters, digits, points, hyphens and a port, or an IPv6 address in brackets (Matrix
    /// appendix *Server name*). At most 230 bytes, and not only points.
    private static func isServerName(_ name: Substring.UTF8View) -> Bool {
        let bytes = Array(name)
        return (1...230).contains(bytes.count) && bytes.allSatisfy { isLetterOrDigit($0) || ".-:[]".utf8.contains($0) }
            && bytes.contains(where: isLetterOrDigit)
    }

    /// Letters, digits, `_` and `-`, at most 255 bytes.
    private static func isIdentifier(_ name: Substring.UTF8View) -> Bool {
        (1...255).contains(name.count) && name.allSatisfy { isLetterOrDigit($0) || "_-".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte < 0x80 && AddressText.isHostByte(byte) && !"-._~".utf8.contains(byte)
    }
}
