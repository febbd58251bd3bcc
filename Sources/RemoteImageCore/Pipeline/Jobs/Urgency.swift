import Synchronization

/// The position of a job in a queue: visible images first, then each priority, prefetching last.
enum Urgency: Comparable, Sendable {
    case prefetch, veryLow, low, normal, high, veryHigh
    /// In the batch with which the image came on screen. Each request without a given batch has its
    /// own.
    case visible(ScreenBatch = ScreenBatch())

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

    /// The number of distinct ``level`` values.
    static let levelCount = 7

    /// The urgency as a number, without its batch.
    var level: Int {
        switch self {
        case .prefetch: 0
        case .veryLow: 1
        case .low: 2
        case .normal: 3
        case .high: 4
        case .veryHigh: 5
        case .visible: 6
        }
    }

    var isVisible: Bool { batch != nil }

    var batch: ScreenBatch? {
        if case .visible(let batch) = self { batch } else { nil }
    }
}

/// The images that came on screen together, for example in one frame. A newer batch takes
/// precedence over an older one; within a batch, images load in the order of their requests, for
/// which a front end uses the reading order.
package struct ScreenBatch: Hashable, Comparable, Sendable {
    private let number: Int

    private static let count = Atomic(0)

    /// A new batch.
    package init() {
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    package static func < (left: ScreenBatch, right: ScreenBatch) -> Bool { left.number < right.number }
}
