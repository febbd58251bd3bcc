import Glibc
import RemoteImageCore

/// The cost of the pipeline itself: requests without a network and without decoding.
enum RequestBenchmark {
    static func run() async -> [Figure] {
        var figures: [Figure] = []
        var table = Table("requests at once", "µs of CPU each", "target")
        for count in [5000, 50_000] {
            let bytes = await cost(of: count) { pipeline, request in
                (try? await pipeline.data(for: request)) != nil
            }
            figures.append(Figure(name: "request\(count)", value: bytes))
            table.add("\(count), bytes", text(bytes), count == 5000 ? "15" : "")
            let images = await cost(of: count) { pipeline, request in
                (try? await pipeline.image(for: request)) != nil
            }
            table.add("\(count), images on a decode thread", text(images), "")
        }
        table.print()
        return figures + queue()
    }

    /// The median of five rounds, in microseconds per request.
    private static func cost(
        of count: Int, _ load: @escaping @Sendable (ImagePipeline, ImageRequest) async -> Bool
    ) async -> Double {
        var rounds: [Double] = []
        for round in 0..<6 {
            let pipeline = ImagePipeline.instant()
            let requests = (0..<count).map { ImageRequest("http://host\($0 % 10)/\(round)/\($0)") }
            let start = processorTime()
            let loaded = await withTaskGroup(of: Bool.self) { group in
                for request in requests { group.addTask { await load(pipeline, request) } }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            precondition(loaded == count)
            // The first round warms up.
            if round > 0 { rounds.append((processorTime() - start) * 1e6 / Double(count)) }
        }
        return median(rounds)
    }

    /// The cost of operations on waiting requests, which must not grow with the number of requests.
    private static func queue() -> [Figure] {
        var figures: [Figure] = []
        var table = Table("waiting requests", "start, ns", "change priority, ns", "cancel, ns")
        for count in [1000, 100_000] {
            let repetitions = 100_000 / count
            var times = [[Double]](repeating: [], count: 3)
            for _ in 0..<(repetitions > 1 ? 20 : 3) {
                let pipeline = ImagePipeline.instant(answers: false)
                let requests = (0..<count).map { ImageRequest("http://host\($0 % 10)/\($0)") }
                var tasks: [ImageTask] = []
                tasks.reserveCapacity(count)
                let priorities = LoadPriority.allCases
                times[0].append(each(count) { tasks.append(pipeline.start(requests[$0])) })
                times[1].append(each(count) { tasks[$0].priority = priorities[$0 % priorities.count] })
                times[2].append(each(count) { tasks[($0 &* 7919) % count].cancel() })
            }
            figures.append(Figure(name: "queued\(count)", value: times.map(median).reduce(0, +)))
            table.add("\(count)", text(median(times[0])), text(median(times[1])), text(median(times[2])))
        }
        table.print()
        return figures
    }

    private static func each(_ count: Int, _ body: (Int) -> Void) -> Double {
        let start = threadProcessorTime()
        for index in 0..<count { body(index) }
        return (threadProcessorTime() - start) * 1e9 / Double(count)
    }
}
