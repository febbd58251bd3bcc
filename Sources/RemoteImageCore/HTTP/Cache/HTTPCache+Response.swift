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
    package func response(for request: TransferRequest, policy: CachePolicy) async throws(ImageError) -> Response {
        let lookup = Lookup(key: Self.key(of: request), policy: policy, keepsAnyStatus: true)
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

    /// The key consists of the address and the `Authorization` header, so that accounts never share
    /// a response. `Vary` handles all other headers.
    private static func key(of request: TransferRequest) -> String {
        var options = ImageOptions()
        options.headers[values: .authorization] = request.headers[values: .authorization]
        return LoadKey(ImageSource(request.address), options).storeKey(common: [:])
    }

    /// Returns when background validations and writes have ended.
    package func finished() async {
        await background.finished()
    }
}
