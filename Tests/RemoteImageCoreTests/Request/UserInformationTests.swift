import Foundation
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The user name and the password of an address are sent to its server and appear nowhere else.
@Suite(.timeLimit(.minutes(2)))
struct UserInformationTests {
    private static let secrets = ["anna", "s3cret"]
    private let transport = FakeTransport()

    private func isClean(_ text: String) -> Bool { Self.secrets.allSatisfy { !text.contains($0) } }

    private static let sources: [ImageSource] = {
        let address = "http://anna:s3cret@test/a?size=2&token=1"
        let image = ImageSource(address)
        return [
            image, image.ignoringQueryItems(["token"]), image.ignoringQueryItems(["size", "token"]),
            image.identified(by: address), .bytes([1], identity: address), .fallbacks([image, image]),
            .adaptive(regular: image, lowData: image),
            .candidates([SourceCandidate(image, size: PixelSize(width: 1, height: 1))]),
            "http://anna:s3cret@te st/", "ftp://anna:s3cret@test/a",
        ]
    }()

    @Test(arguments: sources.indices)
    func `descriptions of a source omit its user information`(_ index: Int) {
        let source = Self.sources[index]
        #expect(isClean("\(source)"))
        #expect(isClean(String(reflecting: source)))
        #expect(isClean(source.nameToShow))
        #expect(isClean(source.webAddress?.string ?? ""))
        if case .invalid = source.kind { return }
        #expect(isClean(source.identity))
    }

    @Test(arguments: [
        "http://anna:s3cret@te st/", "anna:s3cret@test/a", "//anna:s3cret@test/a", "http:anna:s3cret@te st/",
        "http:/anna:s3cret@te st/", "\n http://anna:s3cret@te st/", "ht\ttp:/\n/anna:s3cret@te st/",
        "http:\\\\anna:s3cret@test/", "http://anna:s3cret/@test/",
        "http://anna:s3cret?@test/",
        "ftp://anna:s3cret@test/",
    ])
    func `the error of an invalid address omits its user information`(_ text: String) {
        let source = ImageSource(text)
        guard case .invalid(let error) = source.kind else {
            Issue.record("\(text) is an address")
            return
        }
        #expect(isClean(error.description))
        #expect(isClean(source.nameToShow))
    }

    @Test func `text without user information is unchanged`() {
        for text in ["http://test/@a", "avatar of ben@test", "http://test:80/a@b", "https://test?a@b", "@", ""] {
            #expect(UserInformation.hashed(in: text) == text)
        }
        for text in ["http://test/@a", "http://test:80/a@b", "http://[::1]/a@b"] {
            #expect(UserInformation.removed(from: text) == text)
        }
        #expect(ImageSource.file("/tmp//anna@test/a").filePath == FilePath("/tmp//anna@test/a"))
    }

    @Test func `descriptions and dumps of keys and servers omit their secrets`() {
        let options = ImageOptions(headers: [.authorization: "Bearer s3cret"])
        let key = ImagePipeline.test(transport).cacheKey(for: ImageRequest("http://test/a", options: options))
        let values: [Any] = [
            key, ThumborServer("http://test", key: "s3cret"),
            // The bytes of the key are 115, 51 and so on.
            ImgproxyServer("http://test", key: "733363726574", salt: "00"),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            let text = "\(value) \(String(reflecting: value)) \(dumped)"
            #expect(isClean(text))
            #expect(!text.split(whereSeparator: { !$0.isNumber }).contains("115"), "\(text)")
        }
    }

    @Test func `descriptions and dumps of an address omit its user information`() throws {
        let address = try WebAddress("http://anna:s3cret@test/a")
        var dumped = ""
        dump(address, to: &dumped)
        dump(TransferRequest(address), to: &dumped)
        #expect(isClean("\(address) \(String(reflecting: address)) \(dumped)"))
        #expect(address.string == "http://anna:s3cret@test/a")
        #expect(address.withoutUserInfo == (try WebAddress("http://test/a")))
    }

    @Test func `user information is removed from messages of libcurl`() {
        let text = "Unsupported proxy syntax in 'http://anna:s3cret@proxy:x': Port number was not a decimal"
        #expect(
            UserInformation.removed(fromMessage: text)
                == "Unsupported proxy syntax in 'http://proxy:x': Port number was not a decimal")
        #expect(UserInformation.removed(fromMessage: "at http://test/ for a@b") == "at http://test/ for a@b")
    }

    @Test func `the user information of a proxy is removed from errors`() async throws {
        let transport = CurlTransport(.direct { $0.proxy = .address("http://anna:s3cret@127.0.0.1:nonsense") })
        let error = try #require(try await transport.load(try WebAddress("http://test/a")).error)
        #expect(isClean(error.description))
    }

    /// An identity without some query items used to be stored and listed with the password.
    @Test func `files omit the user information, and accounts are kept apart`() async throws {
        let folder = try TemporaryFolder()
        let store = DiskCache(path: folder.path)
        func load(_ user: String, transfer: Int?) async throws -> LoadedImage {
            let source = ImageSource("http://\(user):s3cret@test/a?size=2&token=1").ignoringQueryItems(["token"])
            let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.responseStore = store }
            let image = PendingImage(ImageRequest(source), in: pipeline)
            if let transfer {
                try await transport.started(count: transfer)
                    .succeed(TestImage(UInt8(transfer)).bytes, headers: [.cacheControl: "max-age=60"])
            }
            let loaded = try await image.image
            await pipeline.finishWriting()
            return loaded
        }
        #expect(try await load("anna", transfer: 1).content == 1)
        #expect(try await load("ben", transfer: 2).content == 2)
        let again = try await load("anna", transfer: nil)
        #expect(again.content == 1)
        #expect(again.info.address.map { isClean($0.string) } == true)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            guard let bytes = try? folder.read(name) else { continue }
            #expect(isClean(String(decoding: bytes, as: UTF8.self)), "\(name)")
        }
        for (key, responses) in store.all() {
            #expect(isClean(key))
            #expect(DiskCache.name(of: key) == "http://test/a?size=2")
            #expect(responses.allSatisfy { isClean($0.address.string) })
        }
        #expect(transport.transfers.first?.request.address.string == "http://anna:s3cret@test/a?size=2&token=1")
    }

    @Test func `images of different accounts have different identities`() {
        let sources = ["anna:1", "anna:2", "ben:1"].map { ImageSource("http://\($0)@test/a") }
        #expect(Set(sources.map(\.identity)).count == 3)
        #expect(Set(sources.map { $0.identified(by: "avatar") }).count == 3)
        #expect(sources[0].identified(by: "avatar").nameToShow == "http://test/a")
        let signed = ["1", "2"].map { ImageSource("http://anna:1@test/a?token=\($0)").ignoringQueryItems(["token"]) }
        #expect(signed[0] == signed[1])
    }

    @Test func `events for observers omit the user information`() async throws {
        let events = Watched<[String]>([])
        let pipeline = ImagePipeline.test(transport) { $0.observers = [EventRecorder(events: events).receive] }
        for source in Self.sources.dropLast(2) {
            let image = PendingImage(ImageRequest(source), in: pipeline)
            image.task?.cancel()
            _ = try? await image.image
        }
        for source in Self.sources.suffix(2) { _ = try? await pipeline.image(for: source) }
        #expect(events.value.count >= Self.sources.count)
        #expect(events.value.allSatisfy(isClean), "\(events.value)")
    }
}

private struct EventRecorder {
    let events: Watched<[String]>

    func receive(_ event: PipelineEvent) {
        events.update { $0.append("\(event)") }
    }
}
