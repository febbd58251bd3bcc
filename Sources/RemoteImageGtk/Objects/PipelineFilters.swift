/// The functions of the program that a pipeline calls, with their data.
///
/// The data of a function may keep the pipeline object. To end such a cycle, `g_object_run_dispose`
/// releases the functions; loads that need one are cancelled.
@MainActor
package final class PipelineFilters {
    package typealias RequestFilter = @MainActor @Sendable (UnsafeMutableRawPointer) -> Void
    package typealias ResponseFilter = @MainActor @Sendable (UnsafeMutableRawPointer) -> ImageError?

    package var request: RequestFilter?
    package var response: ResponseFilter?

    func removeAll() { (request, response) = (nil, nil) }
}
