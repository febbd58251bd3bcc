// `RemoteImageTransferRequest`: a request that a filter of the program may change before it is
// sent.

import CRemoteImageGtk
import HTTPTypes
import RemoteImageGtk

/// The state of a `RemoteImageTransferRequest`.
@MainActor
final class TransferRequestObject: RequestObject {
    struct Question: Sendable {
        let request: TransferRequest
        let context: RequestContext
    }

    var request: (question: Question, answer: AnswerOnce<TransferRequest>)?
    /// The request with the changes of the program.
    private var changed: TransferRequest?
    /// The error of the last address that the program has set, if it is invalid.
    private var addressError: ImageError?

    init(_ object: UnsafeMutablePointer<GObject>) {}

    private var current: TransferRequest? { changed ?? request?.question.request }

    var address: String { current?.address.string ?? "" }

    /// Sets the address. An invalid one fails the request when it proceeds.
    func setAddress(_ text: String) {
        do throws(ImageError) {
            changed = current
            changed?.address = try WebAddress(text)
            addressError = nil
        } catch {
            addressError = error
        }
    }

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { current?.headers[$0] }
    }

    /// Sets a header; `nil` removes it.
    func setHeader(_ name: String, _ value: String?, in function: String) {
        guard let name = HTTPField.Name(name) else {
            return shim_critical("\(function): name is not the name of a header")
        }
        // Without the value, which may be secret.
        guard value.map(HeaderLines.isValue) ?? true else {
            return shim_critical("\(function): value has characters that a header cannot contain")
        }
        changed = current
        changed?.headers[name] = value
    }

    func proceed(in function: String) {
        if let addressError { return answer(.failure(addressError), in: function) }
        guard let current else { return shim_critical("\(function): the request was not made by RemoteImage") }
        answer(.success(current), in: function)
    }

    /// A hook that asks the program.
    ///
    /// - Parameter filter: Receives each request.
    static func hook(
        _ name: String, account: String?, _ filter: @escaping @MainActor @Sendable (UnsafeMutableRawPointer) -> Void
    ) -> RequestHook {
        RequestHook(name, account: account) { request, context in
            request = try await ask(Question(request: request, context: context), filter)
        }
    }
}

extension TransferRequestObject {
    nonisolated static let typeName: StaticString = "RemoteImageTransferRequest"

    nonisolated static let type: GType = register()
}
