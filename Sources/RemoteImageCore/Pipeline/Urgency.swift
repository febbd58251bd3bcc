/// The place of a job in a queue: what is on screen first, then each priority, prefetching last.
enum Urgency: Int, Comparable, CaseIterable, Sendable {
    case prefetch, veryLow, low, normal, high, veryHigh, onScreen

    init(_ priority: LoadPriority) {
        self =
            switch priority {
            case .veryLow: .veryLow
            case .low: .low
            case .normal: .normal
            case .high: .high
            case .veryHigh: .veryHigh
            }
    }

    static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
}
