import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The order of requests whose priorities and limits change.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct PriorityTests {
    private let transport = FakeTransport()

    private func pipeline(transferCount: Int = 1) -> ImagePipeline {
        .test(transport) { $0.maxConcurrentTransfers = transferCount }
    }

    private func start(_ names: [String], in pipeline: ImagePipeline) -> [ImageTask] {
        names.map { pipeline.start(ImageRequest("http://test/\($0)")) }
    }

    /// The first `count` requests in the order in which they were sent; each of them fails.
    private func served(_ count: Int) async throws -> [String] {
        for number in 1...count { try await transport.started(count: number).fail(ImageError(.connection)) }
        return transport.addresses.map { String($0.dropFirst("http://test/".count)) }
    }

    @Test func `the last of several priority changes counts`() async throws {
        let pipeline = pipeline()
        let tasks = start(["running", "a", "b", "c"], in: pipeline)
        for priority in [LoadPriority.low, .veryHigh, .veryLow] { tasks[1].setPriority(priority) }
        for priority in [LoadPriority.veryHigh, .low, .high] { tasks[3].setPriority(priority) }
        #expect(try await served(4) == ["running", "c", "b", "a"])
    }

    @Test func `a priority change of a running or ended task moves no other task`() async throws {
        let pipeline = pipeline()
        let tasks = start(["running", "a", "b"], in: pipeline)
        let ended = start(["ended"], in: pipeline)[0]
        ended.cancel()
        ended.setPriority(.veryHigh)
        tasks[0].setPriority(.veryLow)
        tasks[0].setPriority(.veryHigh, isVisible: true)
        #expect(try await served(3) == ["running", "a", "b"])
        #expect(transport.transfers.count == 3)
    }

    /// Two threads used to update the task in one order and the queue in the other, so that the
    /// task waited with an outdated priority.
    @Test func `the last priority change by two threads counts`() async throws {
        let pipeline = pipeline()
        let tasks = start(["running"] + (0..<200).map { "\($0)" }, in: pipeline).dropFirst()
        for task in tasks {
            await withTaskGroup(of: Void.self) { group in
                for priority in [LoadPriority.low, .high] {
                    group.addTask { for _ in 0..<50 { task.setPriority(priority) } }
                }
            }
        }
        let probe = start(["probe"], in: pipeline)
        let served = try await served(202)
        let raised = tasks.filter { $0.urgency == .high }.map { String($0.request.source.identity.dropFirst(12)) }
        #expect(Set(served.dropFirst().prefix { $0 != "probe" }) == Set(raised))
        withExtendedLifetime(probe) {}
    }

    @Test func `a raised limit starts more transfers, a lowered limit lets running transfers finish`() async throws {
        let pipeline = pipeline()
        let tasks = start(["a", "b", "c", "d", "e"], in: pipeline)
        #expect(transport.transfers.count == 1)
        pipeline.setConcurrency(transfers: 3, perHost: 3)
        #expect(transport.transfers.count == 3)
        pipeline.setConcurrency(transfers: 1, perHost: 1)
        for transfer in transport.transfers.prefix(2) { transfer.fail(ImageError(.connection)) }
        #expect(transport.transfers.count == 3)
        #expect(transport.transfers[2].state == .running)
        transport.transfers[2].succeed(TestImage(3).bytes)
        #expect(try await tasks[2].image.content == 3)
        #expect(try await transport.started(count: 4).request.address.string == "http://test/d")
    }

    @Test func `closures that throw make room for the next job`() async {
        let pipeline = pipeline()
        let images = (0..<100).map { number in
            let source = ImageSource.bytes(identity: "\(number)") { () async throws -> [UInt8] in
                throw ImageError(.source, "no")
            }
            return PendingImage(ImageRequest(source), in: pipeline)
        }
        for image in images { await #expect(throws: ImageError(.source, "no")) { try await image.image } }
        #expect(pipeline.context.jobs.jobCount == 0)
    }
}
