extension MessageWriter {
    mutating func append(_ timing: FrameTiming) {
        append(timing.playCount ?? 0)
        append(min(timing.delays.count, FrameTiming.maxCount))
        for delay in timing.delays.prefix(FrameTiming.maxCount) { append(Int(delay)) }
    }
}

extension MessageReader {
    mutating func timing() -> FrameTiming? {
        guard let playCount = number(), let count = number(), count <= FrameTiming.maxCount else { return nil }
        var delays: [UInt32] = []
        for _ in 0..<count {
            guard let delay = number().flatMap({ UInt32(exactly: $0) }) else { return nil }
            delays.append(delay)
        }
        return FrameTiming(delays: delays, playCount: playCount == 0 ? nil : playCount)
    }
}
