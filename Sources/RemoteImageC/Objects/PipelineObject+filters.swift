// The filters of a pipeline, for programs in other languages.

import CRemoteImageGtk
import RemoteImageGtk

extension PipelineFilters {
    func change(_ request: UnsafeMutableRawPointer) {
        if let filter = self.request { return filter(request) }
        TransferRequestObject.of(request).answer(.failure(.cancelled), in: "dispose")
    }

    func check(_ response: UnsafeMutableRawPointer) -> ImageError? {
        guard let filter = self.response else { return .cancelled }
        return filter(response)
    }
}

extension PipelineObject {
    /// Sets the filter of requests; `nil` removes it.
    func setRequestFilter(
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
    func setResponseFilter(
        _ name: String, _ filter: (@MainActor @Sendable (UnsafeMutableRawPointer) -> ImageError?)?
    ) {
        guard filter == nil ? isConfigurable() : isFilterable() else { return }
        filters.response = filter
        properties.responseValidation = filter.map { _ in
            ResponseObject.validation(name) { [filters] in filters.check($0) }
        }
    }
}
