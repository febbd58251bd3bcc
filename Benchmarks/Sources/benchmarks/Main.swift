// Measures parts of the library, and prints each figure with its target.
//
//   benchmarks [--json]                    all benchmarks that need no server
//   benchmarks [--json] memory requests    only the named ones
//   benchmarks [--json] decode FILES       FILES contains paths of images, one a line
//   benchmarks [--json] jump URLS          URLS contains 5,024 addresses of images, one a line

import Glibc

@main
struct Main {
    @MainActor
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--json" }
        let wanted = Set(arguments)
        func isWanted(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }
        var figures: [Figure] = []
        if isWanted("memory") { figures += MemoryBenchmark.run() }
        if isWanted("requests") { figures += await RequestBenchmark.run() }
        if isWanted("pack") { figures += DecodeBenchmark.runConversion() }
        if isWanted("store") { figures += try StoreBenchmark.run() }
        if arguments.count == 2, arguments.first == "jump" {
            figures += await JumpBenchmark.run(addresses: lines(of: arguments[1]))
        }
        if arguments.count == 2, arguments.first == "decode" {
            figures += await DecodeBenchmark.run(files: lines(of: arguments[1]))
        }
        if Table.isSilent { print("{\(figures.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ","))}") }
    }

    private static func lines(of path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        while let line = readLine(from: file) { lines.append(line) }
        return lines
    }

    private static func readLine(from file: UnsafeMutablePointer<FILE>) -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        guard getline(&line, &room, file) > 0, let line else { return nil }
        return String(String(cString: line).prefix { $0 != "\n" })
    }
}
