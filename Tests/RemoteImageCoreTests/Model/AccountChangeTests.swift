import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What a model shows when its requests belong to another account.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct AccountChangeTests {
    private let transport = FakeTransport()

    private func options(_ name: String, account: String?) -> ImageOptions {
        ImageOptions(
            loadOptions: .loadImmediately, keepsImageWhileLoading: true,
            requestHook: RequestHook(name, account: account) { _ in })
    }

    /// A model that shows an image of Anna's account.
    private func annasModel(account: String? = "anna") async throws -> NetworkImageModel {
        let model = NetworkImageModel(
            "http://test/me", pipeline: .test(transport), options: options("first", account: account))
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = await model.reached(.success)
        return model
    }

    @Test func `the image of another account disappears at once`() async throws {
        let model = try await annasModel()
        model.update(source: model.source, options: options("first", account: "bob"), scale: 1)
        #expect(model.phase.kind == .loading)
        #expect(model.preview == nil)
        _ = try await transport.started(count: 2)
    }

    @Test func `it disappears with its source, too`() async throws {
        let model = try await annasModel()
        model.update(source: "http://test/other", options: options("first", account: "bob"), scale: 1)
        #expect(model.phase.kind == .loading)
        #expect(model.preview == nil)
    }

    @Test func `it disappears while nothing is to be loaded`() async throws {
        let model = try await annasModel()
        model.cancel()
        model.update(source: model.source, options: options("first", account: "bob"), scale: 1)
        #expect(model.phase.image == nil)
        #expect(model.preview == nil)
    }

    @Test func `another token of the account keeps the image`() async throws {
        let model = try await annasModel()
        model.update(source: model.source, options: options("second", account: "anna"), scale: 1)
        #expect(model.preview?.content == 1)
    }

    @Test(arguments: [HTTPField.Name.authorization, .cookie])
    func `credentials in the headers count too`(field: HTTPField.Name) async throws {
        func options(_ token: String) -> ImageOptions {
            var options = ImageOptions(loadOptions: .loadImmediately, keepsImageWhileLoading: true)
            options.headers[field] = token
            return options
        }
        let model = NetworkImageModel("http://test/me", pipeline: .test(transport), options: options("anna"))
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = await model.reached(.success)
        model.update(source: model.source, options: options("bob"), scale: 1)
        #expect(model.phase.kind == .loading)
        #expect(model.preview == nil)
    }

    @Test func `the account of an authorization provider counts too`() async throws {
        func options(_ account: String) -> ImageOptions {
            let provider = AuthorizationProvider(account: account, origins: ["http://test"]) { _ in account }
            return ImageOptions(
                loadOptions: .loadImmediately, keepsImageWhileLoading: true, authorization: provider)
        }
        let model = NetworkImageModel("http://test/me", pipeline: .test(transport), options: options("anna"))
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = await model.reached(.success)
        model.update(source: model.source, options: options("anna"), scale: 1)
        #expect(model.phase.image?.content == 1)
        model.update(source: model.source, options: options("bob"), scale: 1)
        #expect(model.phase.kind == .loading)
        #expect(model.preview == nil)
        #expect(try await transport.started(count: 2).request.headers[.authorization] == "bob")
    }

    @Test func `without a name, another hook is another account`() async throws {
        let model = try await annasModel(account: nil)
        model.update(source: model.source, options: options("second", account: nil), scale: 1)
        #expect(model.preview == nil)
        #expect(model.phase.image == nil)
    }

    @Test(arguments: [
        (["http://other", "http://test"], true), (["http://test"], false), (["http://test", "http://more"], false),
    ])
    func `an account of the same origins keeps the image, in any order`(
        origins: [String], isKept: Bool
    )
        async throws
    {
        func options(_ origins: [String]) -> ImageOptions {
            let provider = AuthorizationProvider(account: "anna", origins: origins) { _ in "1" }
            return ImageOptions(
                loadOptions: .loadImmediately, keepsImageWhileLoading: true, authorization: provider)
        }
        let model = NetworkImageModel(
            "http://test/me", pipeline: .test(transport), options: options(["http://test", "http://other"]))
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = await model.reached(.success)
        model.update(source: "http://test/next", options: options(origins), scale: 1)
        #expect(model.phase.kind == .loading)
        #expect(model.preview?.content == (isKept ? 1 : nil))
    }

    @Test func `a model that loads nothing keeps the image of its account`() async throws {
        let model = try await annasModel()
        model.cancel()
        model.update(source: model.source, options: options("second", account: "anna"), scale: 1)
        #expect(model.phase.image?.content == 1)
        model.load()
        #expect(model.preview?.content == 1, "the image belongs to the old options")
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success)?.image?.content == 2)
    }
}
