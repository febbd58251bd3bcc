// The requests of one transfer: the first one, and one for each redirect.
//
// libcurl could follow redirects itself, but it would not distinguish a redirect to another scheme
// from other failures, and it keeps credentials in headers that it does not know.

import HTTPTypes

/// The rules of redirects for every transport. After a redirect, the last request of the chain is
/// the next one to send.
struct RequestChain: Sendable {
    /// The last request, without the cookies of redirects.
    private(set) var request: TransferRequest
    /// The redirects that led to ``request``.
    private(set) var redirects: [RedirectTerms.Hop] = []
    private var cookies: TransferCookies

    init(_ request: TransferRequest) {
        self.request = request
        // Ranges count encoded bytes (RFC 9110 section 14), but receivers count decoded bytes.
        if request.headers.contains(.range), !request.headers.contains(.acceptEncoding) {
            self.request.headers[.acceptEncoding] = "identity"
        }
        cookies = TransferCookies(for: request.headers)
    }

    /// The header fields of the last request, with the cookies for its address.
    var headers: HTTPFields {
        cookies.added(to: request.headers, for: request.address, now: SystemClock().secondsSince1970)
    }

    /// Follows the response to the last request if it is a redirect. Returns whether it is one;
    /// throws if it must not be followed.
    ///
    /// - Parameters:
    ///   - location: The bytes of its `Location`; `nil` or empty if there is none.
    ///   - allowingInsecure: Whether a redirect from https to http is followed.
    mutating func follow(
        status: Int, _ headers: HTTPFields, to location: [UInt8]?, allowingInsecure: Bool
    ) throws(ImageError) -> Bool {
        guard Self.isRedirect(status), let location, !location.isEmpty else { return false }
        let (address, limit) = (request.address, request.limits.maxRedirects)
        guard redirects.count < limit else {
            throw ImageError(
                .tooManyRedirects, "more than \(limit), the last from \(address.stringWithoutUserInfo)")
        }
        let target = try Self.target(of: location, from: address, allowingInsecure: allowingInsecure)
        cookies.receive(headers, from: address, now: SystemClock().secondsSince1970)
        redirects.append(RedirectTerms.Hop(address: address, status: status, headers: headers))
        if !target.hasSameOrigin(as: address) { request.headers = Self.headersForAnotherOrigin(request.headers) }
        request.address = target
        return true
    }

    /// Whether the `Location` of a status is followed (RFC 9110 section 15.4). 300 leaves the
    /// choice to the user, and 304, 305 and 306 are not redirects.
    private static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Resolves `location` against `address`. A target within the origin keeps the credentials of
    /// `address`, as does a relative `location`.
    private static func target(
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
    private static func headersForAnotherOrigin(_ headers: HTTPFields) -> HTTPFields {
        HTTPFields(headers.filter { harmless.contains($0.name) })
    }

    private static let harmless: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange,
        .ifUnmodifiedSince, .range, .userAgent,
    ]
}
