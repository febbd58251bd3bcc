import RemoteImage
import RemoteImageCore

/// A jump in a long list: requests of images that are now visible must overtake thousands of
/// waiting requests.
@MainActor
enum JumpBenchmark {
    private static let visibleCount = 24

    static func run(addresses: [String]) async -> [Figure] {
        guard addresses.count > visibleCount else { return [] }
        let visible = Array(addresses.prefix(visibleCount))
        let waiting = Array(addresses.dropFirst(visibleCount))
        var (alone, jumped): ([Double], [Double]) = ([], [])
        for _ in 0..<7 {
            alone.append(await time(of: visible, behind: []))
            jumped.append(await time(of: visible, behind: waiting))
        }
        let ratio = median(jumped) / median(alone)
        var table = Table("\(visibleCount) visible images", "alone, ms", "ratio", "target")
        table.add("behind \(waiting.count)", text(median(alone) * 1000), text(ratio), "1.2")
        table.print()
        return [Figure(name: "jumpAlone", value: median(alone)), Figure(name: "jump", value: ratio)]
    }

    /// The seconds until all images of `visible` are loaded, after off-screen requests for all of
    /// `waiting` were started.
    private static func time(of visible: [String], behind waiting: [String]) async -> Double {
        let pipeline = ImagePipeline(ImagePipeline.Configuration(decoders: .standard(), memoryCache: nil))
        var unseen = ImageOptions()
        unseen.loadOptions = .loadImmediately
        // Opens a connection, so that no measurement includes the first one.
        _ = try? await pipeline.image(for: ImageRequest(visible[0] + "&warm"))
        let queued = waiting.map { NetworkImageModel(ImageSource($0), pipeline: pipeline, options: unseen) }
        // By then all of them are running or queued, and the cost of starting them is not measured.
        if !queued.isEmpty { try? await Task.sleep(for: .milliseconds(50)) }
        let start = ContinuousClock.now
        let models = visible.map { NetworkImageModel(ImageSource($0), pipeline: pipeline) }
        for model in models { model.appear() }
        for model in models {
            for await phase in model.phases where phase.kind == .success || phase.kind == .failure { break }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        for model in queued + models { model.reset() }
        return seconds
    }
}
