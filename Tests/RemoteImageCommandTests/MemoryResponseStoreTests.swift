import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import remote_image

/// Responses in memory, for a command that answers many requests and writes no files.
@Suite(.timeLimit(.minutes(5)))
struct MemoryResponseStoreTests {
    private let store = MemoryResponseStore(byteLimit: 1 << 20)

    private func keep(_ byteCount: Int, for key: String, status: Int = 200, replacing: Bool = true) throws {
        let response = StoredResponse(
            status: status, headers: [:], address: try WebAddress("http://test/a"), requestTime: 1, responseTime: 1)
        store.store(response, body: Array(repeating: 7, count: byteCount), for: key) { _ in replacing }
    }

    private func bodies(_ key: String) -> [Int?] {
        store.responses(for: key).map { store.body(of: $0, for: key)?.count }
    }

    @Test func `an entry is found, replaced, updated and removed by its key`() throws {
        try keep(10, for: "a")
        try keep(20, for: "b")
        #expect(bodies("a") == [10] && bodies("b") == [20])
        try keep(11, for: "a")
        #expect(bodies("a") == [11])
        try keep(12, for: "a", replacing: false)
        #expect(bodies("a") == [12, 11], "the newest first")
        var response = try #require(store.responses(for: "a").last)
        response.status = 404
        store.update(response, for: "a")
        #expect(store.responses(for: "a").map(\.status) == [404, 200])
        #expect(bodies("a") == [11, 12])
        store.remove("a")
        #expect(bodies("a").isEmpty && bodies("b") == [20])
        store.removeAll()
        #expect(bodies("b").isEmpty)
    }

    @Test func `the store stays within its limit and keeps the most recently used entries`() throws {
        for number in 0..<100 {
            try keep(100_000, for: "\(number)")
            _ = store.responses(for: "0")
        }
        let kept = (0..<100).filter { !bodies("\($0)").isEmpty }
        #expect(kept == [0] + Array(91..<100))
    }

    @Test func `an entry above an eighth of the limit is not kept, and the old entry is removed`() throws {
        try keep(10, for: "a")
        try keep(200_000, for: "a")
        #expect(bodies("a").isEmpty)
    }
}
