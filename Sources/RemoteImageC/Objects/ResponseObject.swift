// `RemoteImageResponse`: a response that a filter of the program checks.

import CRemoteImageGtk
import HTTPTypes
import RemoteImageGtk

/// The state of a `RemoteImageResponse`.
@MainActor
final class ResponseObject: ObjectState {
    /// The response; `nil` in an object that the program created itself.
    private(set) var content: (data: LoadedData, context: RequestContext)?

    init(_ object: UnsafeMutablePointer<GObject>) {}

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { content?.data.headers[$0] }
    }

    /// The body. The caller releases it.
    var bytes: OpaquePointer? { SharedBytes.make(content?.data.bytes ?? []) }

    /// A validation by the program, on the main thread.
    ///
    /// - Parameter filter: Returns the error with which the program refuses the response.
    static func validation(
        _ name: String, _ filter: @escaping @MainActor @Sendable (UnsafeMutableRawPointer) -> ImageError?
    ) -> ResponseValidation {
        .asynchronous(name) { data, context in
            if let error = await refusal(of: data, context, filter) { throw error }
        }
    }

    private static func refusal(
        of data: LoadedData, _ context: RequestContext,
        _ filter: @escaping @MainActor @Sendable (UnsafeMutableRawPointer) -> ImageError?
    ) async -> ImageError? {
        await withCheckedContinuation { continuation in
            // The program may run the main loop.
            MainLoop.callBack {
                guard let response = shim_object_new(type) else { return continuation.resume(returning: .cancelled) }
                of(response).content = (data, context)
                continuation.resume(returning: filter(response))
                g_object_unref(response)
            }
        }
    }
}

extension ResponseObject {
    nonisolated static let typeName: StaticString = "RemoteImageResponse"

    nonisolated static let type: GType = register()
}
