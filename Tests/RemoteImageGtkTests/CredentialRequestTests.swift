import CRemoteImageGtk
import HTTPTypes
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

/// Requests for credentials, which programs in other languages answer.
final class CredentialRequestTests: XCTestCase {
    /// A question, the requests that the program keeps, and the result.
    @MainActor
    private final class Asked {
        var requests: [ObjectReference] = []
        var value: String??
        var error: ImageError?

        func begin() throws -> Task<Void, Never> {
            let question = AuthorizationRequest(address: try WebAddress("http://test/a.png"), refusal: nil)
            return Task { [self] in
                do throws(ImageError) {
                    value = .some(
                        try await CredentialRequestObject.ask(question) { [self] in
                            requests.append(ObjectReference(borrowing: $0))
                        })
                } catch {
                    self.error = error
                }
            }
        }

        var request: CredentialRequestObject? { requests.first.map { CredentialRequestObject.of($0.pointer) } }
    }

    func testTheAnswerOfTheProgramIsTheCredential() throws {
        for credential in ["Bearer a", nil] as [String?] {
            try GtkFixture.run { test in
                let (asked, warnings) = (Asked(), Warnings())
                _ = try asked.begin()
                test.turn { asked.requests.count == 1 }
                let request = try XCTUnwrap(asked.request)
                XCTAssertEqual(request.request?.question.address.string, "http://test/a.png")
                let cancellable = try XCTUnwrap(request.cancellable).assumingMemoryBound(to: GCancellable.self)
                XCTAssertEqual(g_cancellable_is_cancelled(cancellable), 0)
                request.respond(credential, in: "respond")
                test.turn { asked.value != nil }
                XCTAssertEqual(asked.value, .some(credential))
                asked.requests = []
                test.settle()
                XCTAssertEqual(warnings.messages, [])
                XCTAssertNil(asked.error)
            }
        }
    }

    func testAFailureOfTheProgramHasItsMessageUnlessThatIsSecret() throws {
        for hidesMessage in [false, true] {
            try GtkFixture.run { test in
                let asked = Asked()
                _ = try asked.begin()
                test.turn { asked.requests.count == 1 }
                let error = try XCTUnwrap(g_error_new_literal(g_tls_error_quark(), 1, "secret"))
                asked.request?.fail(with: error, hidesMessage: hidesMessage, in: "fail")
                g_error_free(error)
                test.turn { asked.error != nil }
                XCTAssertEqual(asked.error?.code, .tls)
                XCTAssertEqual(
                    asked.error?.detail,
                    "the program failed the request: g-tls-error-quark 1" + (hidesMessage ? "" : ", secret"))
                XCTAssertTrue(asked.value == nil)
            }
        }
    }

    func testARequestThatIsReleasedWithoutAnAnswerFails() throws {
        try GtkFixture.run { test in
            let (asked, warnings) = (Asked(), Warnings())
            _ = try asked.begin()
            test.turn { asked.requests.count == 1 }
            asked.requests = []
            test.turn { asked.error != nil }
            XCTAssertEqual(
                asked.error,
                ImageError(.source, "RemoteImageCredentialRequest was released without an answer"))
            XCTAssertEqual(
                warnings.messages,
                ["RemoteImageCredentialRequest: it was released without an answer, so its load fails"])
        }
    }

    func testACancelledRequestTellsItsCancellableAndNeedsNoAnswer() throws {
        try GtkFixture.run { test in
            let (asked, warnings) = (Asked(), Warnings())
            let task = try asked.begin()
            test.turn { asked.requests.count == 1 }
            let cancellable = try XCTUnwrap(asked.request?.cancellable).assumingMemoryBound(to: GCancellable.self)
            task.cancel()
            test.turn { g_cancellable_is_cancelled(cancellable) != 0 && asked.error != nil }
            XCTAssertEqual(asked.error, .cancelled)
            asked.requests = []
            test.settle()
            XCTAssertEqual(warnings.messages, [])
        }
    }

    func testACredentialHasThePrintableCharactersOfASCII() {
        GtkFixture.run { _ in
            let object = ObjectReference(owned: shim_object_new(CredentialRequestObject.type))
            let criticals = Criticals()
            for (value, isValid) in [(" ", true), ("~", true), ("\u{1F}", false), ("\u{7F}", false)] {
                let before = criticals.messages.count
                CredentialRequestObject.of(object.pointer).respond(value, in: "respond")
                // No such request was made.
                XCTAssertEqual(criticals.messages.count - before, isValid ? 1 : 2, value.debugDescription)
            }
        }
    }

    // MARK: Authorizations

    /// An authorization for the origin of the tests.
    @MainActor
    private static func makeAuthorization(account: String?) throws -> ObjectReference {
        let object = ObjectReference(
            owned: try XCTUnwrap(shim_object_new_with_text(AuthorizationObject.type, "account", account)))
        let origins = StringVector.make(["http://test"])
        defer { g_strfreev(origins) }
        shim_set_pointer(object.pointer, "origins", origins)
        return object
    }

    @MainActor
    private static func request(_ path: String, _ authorization: ObjectReference) -> ImageRequest {
        let provider = AuthorizationObject.provider(of: ObjectSlot(authorization.pointer))
        return ImageRequest(ImageSource("http://test/\(path)"), options: ImageOptions(authorization: provider))
    }

    /// The error with which a request fails.
    @MainActor
    private static func error(of request: ImageRequest, _ test: GtkFixture) -> ImageError? {
        let pending = PendingImage(request, in: test.pipeline)
        var errors: [ImageError?] = []
        Task {
            do { _ = try await pending.image } catch { errors.append(error as? ImageError) }
        }
        test.turn { errors.count == 1 }
        return errors.first.flatMap { $0 }
    }

    func testTheHandlerOfAnAuthorizationGivesTheCredentialOfEachRequest() throws {
        try GtkFixture.run { test in
            let authorization = try Self.makeAuthorization(account: "ann")
            shim_set_pointer(authorization.pointer, "header-name", "X-Token")
            let token = try XCTUnwrap(HTTPField.Name("X-Token"))
            XCTAssertEqual(
                AuthorizationObject.provider(of: ObjectSlot(authorization.pointer)),
                AuthorizationProvider(account: "ann", origins: ["http://test"], field: token) { _ in nil })
            var addresses: [String] = []
            Signal.connect(row: "credential-needed", of: authorization) { object in
                let request = CredentialRequestObject.of(UnsafeMutableRawPointer(object))
                addresses.append(request.request?.question.address.string ?? "none")
                request.respond("token \(addresses.count)", in: "respond")
            }
            for (number, path) in ["a.png", "b.png"].enumerated() {
                let pending = PendingImage(Self.request(path, authorization), in: test.pipeline)
                let transfer = try test.transfer(number + 1)
                XCTAssertEqual(transfer.request.headers[token], "token \(number + 1)")
                transfer.succeed(TestImage().bytes)
                test.turn { pending.answerCount == 1 }
            }
            XCTAssertEqual(addresses, ["http://test/a.png", "http://test/b.png"])
        }
    }

    func testTheRequestsOfAnAuthorizationWithoutAHandlerFailAndAreReportedOnce() throws {
        try GtkFixture.run { test in
            let authorization = try Self.makeAuthorization(account: "ann")
            let warnings = Warnings()
            let message = "the signal credential-needed of the RemoteImageAuthorization has no handler"
            for path in ["a.png", "b.png"] {
                XCTAssertEqual(
                    Self.error(of: Self.request(path, authorization), test), ImageError(.source, message))
            }
            XCTAssertEqual(warnings.messages, ["\(message), so its requests fail"])
            XCTAssertEqual(test.transport.transfers.count, 0)
        }
    }

    func testTheRequestsOfAnAuthorizationWithoutAnAccountFail() throws {
        for account in [nil, ""] as [String?] {
            try GtkFixture.run { test in
                let authorization = try Self.makeAuthorization(account: account)
                let criticals = Criticals()
                let request = Self.request("a.png", authorization)
                XCTAssertEqual(
                    criticals.messages, ["RemoteImageAuthorization: it has no account, so its requests fail"])
                XCTAssertEqual(
                    Self.error(of: request, test),
                    ImageError(.source, "the RemoteImageAuthorization has no account"))
                XCTAssertEqual(test.transport.transfers.count, 0)
            }
        }
    }
}
