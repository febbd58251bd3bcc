import CRemoteImageGtk

/// The functions of the program that a pipeline calls, with their data.
///
/// The data of a function may keep the pipeline object. To end such a cycle, `g_object_run_dispose`
/// releases the functions; loads that need one are cancelled.
@MainActor
final class PipelineFilters {
    typealias RequestFilter = @MainActor @Sendable (UnsafeMutableRawPointer) -> Void
    typealias ResponseFilter = @MainActor @Sendable (UnsafeMutableRawPointer) -> ImageError?

    var request: RequestFilter?
    var response: ResponseFilter?

    func change(_ request: UnsafeMutableRawPointer) {
        if let filter = self.request { return filter(request) }
        TransferRequestObject.of(request).answer(.failure(.cancelled), in: "dispose")
    }

    func check(_ response: UnsafeMutableRawPointer) -> ImageError? {
        guard let filter = self.response else { return .cancelled }
        return filter(response)
    }

    func removeAll() { (request, response) = (nil, nil) }
}

extension PipelineObject {
    /// Sets the filter of requests; `nil` removes it.
    package func setRequestFilter(
        _ name: String, account: String?, _ filter: (@MainActor @Sendable (UnsafeMutableRawPointer) -> Void)?
    ) {
        guard filter == nil ? isConfigurable() : isFilterable() else { return }
        filters.request = filter
        properties.requestHook = filter.map { _ in
            TransferRequestObject.hook(name, account: account) { [filters] in filters.change($0) }
        }
    }

    /// Sets the filter of responses; `nil` removes it. The filter returns the error with which it
    /// refuses a response.
    package func setResponseFilter(
        _ name: String, _ filter: (@MainActor @Sendable (UnsafeMutableRawPointer) -> ImageError?)?
    ) {
        guard filter == nil ? isConfigurable() : isFilterable() else { return }
        filters.response = filter
        properties.responseValidation = filter.map { _ in
            ResponseObject.validation(name) { [filters] in filters.check($0) }
        }
    }
}
