import RemoteImageCore
import RemoteImagePixbuf

/// A jump in a long list: thousands of requests wait, and those that are visible now must not wait
/// with them.
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

    /// Seconds until all of `visible` are there, while `waiting` were asked for before and are not
    /// seen.
    private static func time(of visible: [String], behind waiting: [String]) async -> Double {
        let pipeline = ImagePipeline(ImagePipeline.Configuration(decoders: .standard(), memoryCache: nil))
        var unseen = ImageOptions()
        unseen.loadOptions = .loadImmediately
        // The connections of the process are open in each case.
        _ = try? await pipeline.image(for: ImageRequest(visible[0] + "&warm"))
        let queued = waiting.map { NetworkImageModel(ImageSource($0), pipeline: pipeline, options: unseen) }
        // They are under way, or wait in the queue; nothing is left of the work of asking for them.
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
