// Responses of any status, for programs that use HTTP directly.

import HTTPTypes

extension HTTPCache {
    /// A complete response.
    package struct Response: Sendable {
        package let status: Int
        package let headers: HTTPFields
        package let body: [UInt8]
        package let origin: ImageOrigin
    }

    /// Returns a response of any status, and stores it if that is allowed, without decoding it.
    ///
    /// - Parameter separating: Headers of the request by which stored responses are separated,
    ///   besides credentials.
    package func response(
        for request: TransferRequest, policy: CachePolicy, separating: HTTPFields = [:]
    ) async throws(ImageError) -> Response {
        let lookup = Lookup(key: Self.key(of: request, separating), policy: policy, keepsAnyStatus: true)
        let result = await CancellableContinuation<Response>().wait { receive in
            let collector = ResponseCollector(acceptsAnyStatus: true) { head, body, result in
                switch (result, head) {
                case (.failure(let error), _):
                    head?.pendingWrite?.fail(error, after: body)
                    receive(.failure(error))
                case (.success, nil): receive(.failure(ImageError(.protocol, "no response")))
                case (.success, let head?):
                    head.pendingWrite?.commit(body)
                    receive(
                        .success(
                            Response(status: head.status, headers: head.headers, body: body, origin: head.origin)))
                }
            }
            let transfer = start(request, lookup, receiver: collector)
            return { transfer.cancel() }
        }
        return try result.get()
    }

    /// The key consists of the address and the headers that may select an account, so that accounts
    /// never share a response. `Vary` handles all other headers.
    private static func key(of request: TransferRequest, _ separating: HTTPFields) -> String {
        let names = Set(separating.map(\.name)).union([.authorization, .proxyAuthorization, .cookie])
        var options = ImageOptions()
        options.headers = HTTPFields(
            request.headers.filter { names.contains($0.name) && !fieldsForCaches.contains($0.name) })
        return LoadKey(ImageSource(request.address), options).storeKey(common: [:])
    }

    /// The headers with which a request tells a cache how to use a stored response.
    private static let fieldsForCaches: Set<HTTPField.Name> = Set(
        [.cacheControl, .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]
            + [HTTPField.Name("Pragma")].compactMap { $0 })

    /// Returns when background validations and writes have ended.
    package func finished() async {
        await background.finished()
    }
}
