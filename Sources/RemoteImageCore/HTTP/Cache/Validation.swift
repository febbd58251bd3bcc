import HTTPTypes

/// Validates stored responses with the server (RFC 9111 section 4.3).
enum Validation {
    /// Whether a response can be validated.
    static func isPossible(_ response: StoredResponse) -> Bool {
        response.headers[.eTag] != nil || response.headers[.lastModified] != nil
    }

    /// Adds the validators of a stored response to a request (section 4.3.1).
    static func makeConditional(_ request: inout HTTPFields, on response: StoredResponse) {
        if let tag = response.headers[.eTag] { request[.ifNoneMatch] = tag }
        if let date = response.headers[.lastModified] { request[.ifModifiedSince] = date }
    }

    /// Whether a request already has conditions; a 304 response then belongs to the caller, not to
    /// the cache.
    static func isConditional(_ request: HTTPFields) -> Bool {
        [.ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .range].contains { request[$0] != nil }
    }

    /// The stored response updated by a 304 response: each field of the 304 replaces the fields
    /// with its name, except those that describe the stored body (sections 3.2 and 4.3.4).
    static func update(
        _ stored: StoredResponse, with headers: HTTPFields, requestTime: Double, responseTime: Double
    ) -> StoredResponse {
        var updated = stored
        updated.requestTime = requestTime
        updated.responseTime = responseTime
        let fresh = headers.storable.filter { !ofBody.contains($0.name.canonicalName) }
        for field in fresh { updated.headers[field.name] = nil }
        updated.headers.append(contentsOf: fresh)
        // A 304 response without `Age` or `Date` is as old as its arrival (RFC 9110 section 6.6.1).
        if headers[.age] == nil { updated.headers[.age] = nil }
        if headers[.date] == nil { updated.headers[.date] = nil }
        return updated
    }

    private static let ofBody: Set<String> = [
        "content-length", "content-encoding", "content-type", "content-range", "content-md5", "etag",
    ]

    /// Whether a 304 response can refer to a stored response (section 4.3.4): it has the same
    /// address, and the same entity tag if both have one. The query of an address that is signed
    /// anew may differ if both have the same strong tag; a weak one may be a version number that
    /// other images have, too.
    static func concerns(_ stored: StoredResponse, _ head: TransferHead) -> Bool {
        let (tag, own) = (head.headers[.eTag], stored.headers[.eTag])
        guard stored.address.stringWithoutUserInfo == head.address.stringWithoutUserInfo else {
            return tag != nil && tag == own && tag?.hasPrefix("W/") == false
                && stored.address.isSame(exceptQuery: head.address)
        }
        guard let tag, let own else { return true }
        return weak(tag) == weak(own)
    }

    private static func weak(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
