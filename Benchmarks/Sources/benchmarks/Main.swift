// Figures of the parts of the library, each with its target.
//
//   benchmarks            all of them
//   benchmarks memory …   only those named

@main
struct Main {
    @MainActor
    static func main() async throws {
        let wanted = Set(CommandLine.arguments.dropFirst())
        func isWanted(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }
        if isWanted("memory") { MemoryBenchmark.run() }
        if isWanted("requests") { await RequestBenchmark.run() }
        if isWanted("store") { try StoreBenchmark.run() }
    }
}
