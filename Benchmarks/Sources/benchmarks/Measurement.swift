// Measurements and their output.

import CAllocationCounter
import Glibc

/// The cost of one operation, as the median of several rounds.
struct Measurement {
    var nanoseconds: Double
    var allocations: Double

    /// Runs `body`, which performs `count` operations, once to warm up and in five measured rounds.
    static func of(_ count: Int, _ body: () -> Void) -> Measurement {
        body()
        var rounds: [Measurement] = []
        for _ in 0..<5 {
            let (allocations, start) = (allocation_count(), ContinuousClock.now)
            body()
            let elapsed = start.duration(to: .now)
            rounds.append(
                Measurement(
                    nanoseconds: elapsed / .nanoseconds(1) / Double(count),
                    allocations: Double(allocation_count() - allocations) / Double(count)))
        }
        return Measurement(
            nanoseconds: median(rounds.map(\.nanoseconds)), allocations: median(rounds.map(\.allocations)))
    }
}

func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}

/// Processor time of the process so far, in seconds.
func processorTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Processor time of this thread so far, in seconds, without that of other threads.
func threadProcessorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A measured value of the JSON output.
struct Figure: Sendable {
    let name: String
    let value: Double
}

/// A table with aligned columns.
struct Table {
    /// With `--json`, the figures are printed as JSON instead of tables.
    static let isSilent = CommandLine.arguments.contains("--json")

    private var rows: [[String]]

    init(_ header: String...) {
        rows = [header]
    }

    mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    func print() {
        if Self.isSilent { return }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }
            Swift.print(cells.joined(separator: "  "))
        }
        Swift.print()
    }
}

/// `value` with `digits` decimal places.
func text(_ value: Double, digits: Int = 1) -> String {
    let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
    let parts = Int((value * Double(unit)).rounded())
    let fraction = String(abs(parts % unit))
    return "\(parts / unit).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
}
