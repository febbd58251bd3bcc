import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which preparations of image providers are kept, repeated and dropped.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct PreparedProvidersTests {
    /// An album whose image shows how often its identity was prepared.
    private struct Album: ImageProvider {
        let identity: String
        let counts: Watched<[String: UInt8]>
        var number: UInt8 = 0

        func prepare() async throws -> any ImageProvider {
            let number = counts.update { counts -> UInt8 in
                counts[identity, default: 0] += 1
                return counts[identity] ?? 0
            }
            return Album(identity: identity, counts: counts, number: number)
        }

        func image() async throws -> ProvidedImage { .bytes(TestImage(number).bytes) }
    }

    private let clock = TestClock()
    private let providers = PreparedProviders()
    private let counts = Watched<[String: UInt8]>([:])

    /// The number of the preparation whose provider is used.
    private func number(of identity: String, anew: Bool = false) async throws -> UInt8? {
        let provider = try await providers.prepared(
            Album(identity: identity, counts: counts), name: identity, anew: anew, limit: .seconds(5), clock)
        return (provider as? Album)?.number
    }

    @Test func `a provider that is prepared anew replaces the old one of its identity`() async throws {
        #expect(try await number(of: "a") == 1)
        #expect(try await number(of: "b") == 1)
        #expect(try await number(of: "a") == 1)
        #expect(try await number(of: "a", anew: true) == 2)
        #expect(try await number(of: "a") == 2)
        #expect(try await number(of: "b") == 1)
        #expect(counts.value == ["a": 2, "b": 1])
    }

    private struct SlowAlbum: ImageProvider {
        let identity = "slow"
        let asked: Watched<Int>
        let gate: Watched<Bool>

        func prepare() async throws -> any ImageProvider {
            asked.update { $0 += 1 }
            try await gate.wait { $0 }
            return self
        }

        func image() async throws -> ProvidedImage { .bytes(TestImage().bytes) }
    }

    @Test func `the time limit of a load does not end the preparation for others`() async throws {
        let album = SlowAlbum(asked: Watched(0), gate: Watched(false))
        func prepare(_ limit: Duration) -> Task<any ImageProvider, any Error> {
            Task { [providers, clock] in
                try await providers.prepared(album, name: "slow", anew: false, limit: limit, clock)
            }
        }
        let short = prepare(.seconds(1))
        try await album.asked.wait { $0 == 1 }
        let long = prepare(.seconds(60))
        try await album.asked.wait { $0 == 2 }
        clock.advance(by: .seconds(1))
        await #expect(throws: ImageError.self) { _ = try await short.value }
        album.gate.update { $0 = true }
        _ = try await long.value
    }

    @Test func `a reload prepares a provider anew, and later loads use the new one`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport(), memoryCache: nil)
        let source = ImageSource.provider(Album(identity: "a", counts: counts))
        var contents: [UInt8?] = []
        for policy in [CachePolicy.http, .revalidate, .reload, .http] {
            let request = ImageRequest(source, options: ImageOptions(cachePolicy: policy))
            contents.append(try await pipeline.image(for: request).content)
        }
        #expect(contents == [1, 1, 2, 2])
    }

    @Test func `at most 4096 prepared providers are kept, and one more drops the others`() async throws {
        for index in 0..<4096 { _ = try await number(of: "\(index)") }
        #expect(try await number(of: "0") == 1)
        #expect(try await number(of: "4095") == 1)
        #expect(try await number(of: "one more") == 1)
        #expect(try await number(of: "one more") == 1)
        #expect(try await number(of: "0") == 2)
        #expect(try await number(of: "4095") == 2)
    }

    /// The closure of a later request may know another image.
    @Test func `a closure is not taken for an earlier one of the same identity`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport(), memoryCache: nil)
        for content: UInt8 in 1...2 {
            let source = ImageSource.bytes(identity: "a") { TestImage(content).bytes }
            #expect(try await pipeline.image(for: ImageRequest(source)).content == content)
        }
    }
}
