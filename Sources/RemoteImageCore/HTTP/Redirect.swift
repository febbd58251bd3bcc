// The target of a redirect, and the headers that are sent to it.
//
// libcurl could follow redirects itself, but it would not distinguish a redirect to another scheme
// from other failures, and it keeps credentials in headers that it does not know.

import HTTPTypes

enum Redirect {
    /// Whether the `Location` of a status is followed (RFC 9110 section 15.4). 300 leaves the
    /// choice to the user, and 304, 305 and 306 are not redirects.
    static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Resolves `location` against `address`. A target within the origin keeps the credentials of
    /// `address`, as does a relative `location`.
    static func target(
        of location: [UInt8], from address: WebAddress, allowingInsecure: Bool
    ) throws(ImageError) -> WebAddress {
        let target: WebAddress
        do {
            target = try AddressParser.resolve(location, against: address)
        } catch {
            let from = "redirect from \(address.stringWithoutUserInfo)"
            switch error.code {
            case .forbiddenScheme: throw ImageError(.forbiddenScheme, "\(from) to \(error.detail ?? "")")
            default: throw ImageError(.protocol, "\(from) to no address: \(error.detail ?? "")")
            }
        }
        if address.scheme == .https, target.scheme == .http, !allowingInsecure {
            throw ImageError(
                .forbiddenScheme,
                "insecure redirect from \(address.stringWithoutUserInfo) to \(target.stringWithoutUserInfo)")
        }
        return target.hasSameOrigin(as: address) ? target.withUserInfo(of: address) : target
    }

    /// The headers of a request that may be sent to another origin: those that describe the desired
    /// response, but none that identify the client. A list of allowed headers, since a program's
    /// credentials may use any name.
    static func headersForAnotherOrigin(_ headers: HTTPFields) -> HTTPFields {
        HTTPFields(headers.filter { harmless.contains($0.name) })
    }

    private static let harmless: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange,
        .ifUnmodifiedSince, .range, .userAgent,
    ]
}
