// Where a redirect leads, and what goes there.
//
// libcurl could follow redirects itself; it would not tell a redirect to another scheme from other
// failures, and keeps headers that carry credentials under names that it does not know.

import HTTPTypes

enum Redirect {
    /// The statuses whose `Location` is followed (RFC 9110 section 15.4). 300 leaves the choice to a
    /// person, and 304, 305 and 306 are no redirects.
    static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The address that `location` names at `address`.
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
        return target
    }

    /// What of a request's headers may go to another origin than the one they were meant for: those
    /// that say how an answer should be, and never those that say who asks. A list of what is
    /// harmless, since an application's own credentials may have any name.
    static func headersForAnotherOrigin(_ headers: HTTPFields) -> HTTPFields {
        HTTPFields(headers.filter { harmless.contains($0.name) })
    }

    private static let harmless: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange,
        .ifUnmodifiedSince, .range, .userAgent,
    ]
}
