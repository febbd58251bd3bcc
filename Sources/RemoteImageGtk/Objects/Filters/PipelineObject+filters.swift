extension PipelineObject {
    /// Sets the filter of requests; `nil` removes it.
    package func setRequestFilter(
        _ name: String, account: String?, _ filter: (@MainActor @Sendable (UnsafeMutableRawPointer) -> Void)?
    ) {
        properties.requestHook = filter.map { TransferRequestObject.hook(name, account: account, $0) }
    }

    /// Sets the filter of responses; `nil` removes it. The filter returns the error with which it
    /// refuses a response.
    package func setResponseFilter(
        _ name: String, _ filter: (@MainActor @Sendable (UnsafeMutableRawPointer) -> ImageError?)?
    ) {
        properties.responseValidation = filter.map { ResponseObject.validation(name, $0) }
    }
}
