import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Writes and validations that a cache still has to do.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct PendingCacheWorkTests {
    private let work = PendingCacheWork()
    private let steps = Watched<[String]>([])

    private func note(_ step: String) { steps.update { $0.append(step) } }

    /// Begins to wait, and returns when the wait is registered or over.
    private func waiting(_ wait: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
        let steps = steps
        let task = Task {
            await wait()
            steps.update { $0.append("waited") }
        }
        for _ in 0..<100 { await Task.yield() }
        return task
    }

    @Test func `all work ends before the wait for it`() async {
        await work.finished()
        for _ in 0..<2 { work.begin() }
        let (first, second) = (await waiting(work.finished), await waiting(work.finished))
        note("one")
        work.end()
        for _ in 0..<100 { await Task.yield() }
        note("two")
        work.end()
        for task in [first, second] { await task.value }
        #expect(steps.value == ["one", "two", "waited", "waited"])
        await work.finished()
    }

    @Test func `a read waits for all writes of its key and for no other`() async {
        for key in ["a", "a", "b"] { work.beginWrite(of: key) }
        await work.writesEnded(of: "c")
        let read = await waiting { [work] in await work.writesEnded(of: "a") }
        note("one")
        work.endWrite(of: "a")
        for _ in 0..<100 { await Task.yield() }
        note("two")
        work.endWrite(of: "a")
        await read.value
        #expect(steps.value == ["one", "two", "waited"])
        await work.writesEnded(of: "a")
        work.endWrite(of: "a")
        work.beginWrite(of: "a")
        work.endWrite(of: "a")
        await work.writesEnded(of: "a")
        work.endWrite(of: "b")
        await work.writesEnded(of: "b")
        await work.finished()
    }

    @Test func `a key is validated once at a time, and counts as work until then`() async {
        #expect(work.beginValidation(of: "a"))
        #expect(!work.beginValidation(of: "a"))
        #expect(work.beginValidation(of: "b"))
        let wait = await waiting(work.finished)
        note("one")
        work.endValidation(of: "a")
        #expect(work.beginValidation(of: "a"))
        work.endValidation(of: "b")
        for _ in 0..<100 { await Task.yield() }
        note("two")
        work.endValidation(of: "a")
        await wait.value
        #expect(steps.value == ["one", "two", "waited"])
    }

    @Test func `work on disk ends before the wait for it`() async {
        for number in 0..<20 { work.onDisk { [steps] in steps.update { $0.append("\(number)") } } }
        await work.finished()
        #expect(Set(steps.value) == Set((0..<20).map(String.init)))
    }

    @Test func `an account counts as removed for the requests before its removal`() {
        #expect(work.accountGeneration == 0)
        work.removeAccount("one")
        #expect(work.accountGeneration == 1)
        work.removeAccount("two")
        #expect(work.accountGeneration == 2)
        for (account, generation, isRemoved) in [
            ("one", 0, true), ("one", 1, false), ("one", 2, false), ("two", 0, true), ("two", 1, true),
            ("two", 2, false), ("three", 0, false), ("one", nil, false), ("two", 3, false),
        ] as [(String, Int?, Bool)] {
            #expect(work.hasRemovedAccount(since: generation) { $0 == account } == isRemoved)
        }
    }

    // MARK: The body of a response, in pieces

    /// Records what is written, and refuses to write after `limit` bytes.
    private final class Writer: BodyWriter {
        let pieces = Watched<[Int]>([])
        let discards = Watched(0)
        private let limit: Int

        init(limit: Int = .max) { self.limit = limit }

        func append(_ bytes: ArraySlice<UInt8>) -> Bool {
            pieces.update { pieces in
                guard pieces.reduce(bytes.count, +) <= limit else { return false }
                pieces.append(bytes.count)
                return true
            }
        }

        func finish(
            with bytes: ArraySlice<UInt8>, as response: StoredResponse, for key: String,
            replacing replaces: (StoredResponse) -> Bool
        ) -> Bool { true }

        func discard() { discards.update { $0 += 1 } }
    }

    private let piece = BodyStream.pieceByteCount

    private func body(_ pieceCount: Int, _ rest: Int = 0) -> [UInt8] {
        [UInt8](repeating: 1, count: pieceCount * piece + rest)
    }

    /// Ends the stream, and returns the number of stored bytes; `nil` if there is no writer.
    private func end(_ stream: BodyStream) async -> Int? {
        let stored = Watched<[Int?]>([])
        stream.end { last in stored.update { $0.append(last?.byteCount) } }
        await work.finished()
        #expect(stored.value.count == 1)
        return stored.value.first ?? nil
    }

    @Test func `a stream writes whole pieces, one at a time`() async {
        let (writer, made) = (Writer(), Watched(0))
        let stream = BodyStream(work) {
            made.update { $0 += 1 }
            return writer
        }
        stream.receive(body(1, -1))
        await work.finished()
        #expect(made.value == 0 && writer.pieces.value.isEmpty)
        for body in [body(1), body(1, 5), body(2, -1), body(2), body(4)] {
            stream.receive(body)
            await work.finished()
        }
        #expect(writer.pieces.value == [piece, piece, piece])
        #expect(made.value == 1)
        #expect(await end(stream) == 3 * piece)
        stream.receive(body(9))
        await work.finished()
        #expect(writer.pieces.value.count == 3 && writer.discards.value == 0)
        #expect(await end(stream) == nil)
    }

    @Test func `a stream that was not written has nothing stored`() async {
        let stream = BodyStream(work) { Writer() }
        #expect(await end(stream) == nil)
        let refused = BodyStream(work) { nil }
        refused.receive(body(1))
        await work.finished()
        #expect(await end(refused) == nil)
    }

    @Test func `a writer that fails is not used again`() async {
        let writer = Writer(limit: piece)
        let stream = BodyStream(work) { writer }
        for count in 1...3 {
            stream.receive(body(count))
            await work.finished()
        }
        #expect(writer.pieces.value == [piece])
        #expect(await end(stream) == nil)
    }

    @Test func `a discarded stream discards its file once`() async {
        let writer = Writer()
        let stream = BodyStream(work) { writer }
        stream.receive(body(1))
        await work.finished()
        for _ in 0..<2 {
            stream.discard()
            await work.finished()
        }
        #expect(writer.discards.value == 1)
        #expect(await end(stream) == nil)
    }
}
