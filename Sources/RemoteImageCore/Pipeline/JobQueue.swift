// The order in which jobs get their places.
//
// Guarantees: enqueueing, removing and re-ranking a job take constant time whatever waits. On screen the
// newest is first, in every other level the oldest. No more jobs run than the limits allow, in all and
// in each lane (a host); a full lane holds up nobody else.

/// Jobs that wait for a place, and how many have one.
struct JobQueue {
    private var lanes: [JobLane: Lane] = [:]
    private var nextRank = [Int](repeating: 0, count: Urgency.allCases.count)
    private var frontRank = [Int](repeating: -1, count: Urgency.allCases.count)

    /// Jobs that may run at once, in all and in a lane.
    var limit: Int
    var laneLimit: Int
    private(set) var runningCount = 0
    private(set) var waitingCount = 0

    init(limit: Int, laneLimit: Int = .max) {
        self.limit = limit
        self.laneLimit = laneLimit
    }

    /// Lets a job wait, as the newest of its urgency.
    mutating func enqueue(_ job: Job) {
        insert(job, at: job.urgency == .onScreen ? .front : .back)
        waitingCount += 1
    }

    /// Takes a waiting job out.
    mutating func remove(_ job: Job) {
        unlink(job)
        waitingCount -= 1
        dropLaneIfIdle(job.lane)
    }

    /// Moves a waiting job to where its new urgency belongs: behind those that are there already when
    /// it rose, before them when it fell, since it has waited longer.
    mutating func move(_ job: Job, to urgency: Urgency) {
        let rises = urgency > job.urgency
        unlink(job)
        job.urgency = urgency
        insert(job, at: urgency == .onScreen || !rises ? .front : .back)
    }

    /// Whether a job waits for which a place is free.
    var hasNext: Bool { first != nil }

    /// Gives the next job its place, if one is free.
    mutating func next() -> Job? {
        guard let best = first else { return nil }
        unlink(best)
        waitingCount -= 1
        runningCount += 1
        lanes[best.lane]?.running += 1
        return best
    }

    /// Takes back the place of a job that ran.
    mutating func finish(_ job: Job) {
        runningCount -= 1
        lanes[job.lane]?.running -= 1
        dropLaneIfIdle(job.lane)
    }

    /// The next job, if a place is free.
    private var first: Job? {
        guard runningCount < limit, waitingCount > 0 else { return nil }
        var best: Job?
        for lane in lanes.values where lane.running < laneLimit {
            guard let candidate = lane.first else { continue }
            if let leader = best, !precedes(candidate, leader) { continue }
            best = candidate
        }
        return best
    }

    private func precedes(_ left: Job, _ right: Job) -> Bool {
        left.urgency == right.urgency ? left.rank < right.rank : left.urgency > right.urgency
    }

    private enum End { case front, back }

    private mutating func insert(_ job: Job, at end: End) {
        let level = job.urgency.rawValue
        switch end {
        case .front:
            job.rank = frontRank[level]
            frontRank[level] -= 1
            lanes[job.lane, default: Lane()].levels[level].prepend(job)
        case .back:
            job.rank = nextRank[level]
            nextRank[level] += 1
            lanes[job.lane, default: Lane()].levels[level].append(job)
        }
    }

    private mutating func unlink(_ job: Job) {
        lanes[job.lane]?.levels[job.urgency.rawValue].remove(job)
    }

    private mutating func dropLaneIfIdle(_ name: JobLane) {
        if let lane = lanes[name], lane.running == 0, lane.first == nil { lanes[name] = nil }
    }
}

/// The jobs of one host.
private struct Lane {
    var levels = [JobList](repeating: JobList(), count: Urgency.allCases.count)
    var running = 0

    /// The job that is next in this lane.
    var first: Job? {
        levels.last { $0.head != nil }?.head
    }
}

/// A list whose links are in the jobs themselves, so that any of them is taken out in constant time.
private struct JobList {
    private(set) var head: Job?
    private var tail: Job?

    mutating func append(_ job: Job) {
        job.previous = tail
        job.next = nil
        if let tail { tail.next = job } else { head = job }
        tail = job
    }

    mutating func prepend(_ job: Job) {
        job.previous = nil
        job.next = head
        if let head { head.previous = job } else { tail = job }
        head = job
    }

    mutating func remove(_ job: Job) {
        if let previous = job.previous { previous.next = job.next } else { head = job.next }
        if let next = job.next { next.previous = job.previous } else { tail = job.previous }
        job.previous = nil
        job.next = nil
    }
}
