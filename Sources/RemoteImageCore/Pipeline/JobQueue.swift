// The order in which jobs get their places.
//
// Guarantees: enqueueing, removing and re-ranking a job take constant time whatever waits with its host, and no more than
// the logarithm of the number of hosts and of batches. On screen the newest batch is first, and the oldest job within it; in
// every other level the oldest job is first. No more jobs run than the limits allow, in all and in each lane (a host); a
// full lane does not delay other lanes.

import HeapModule

/// Jobs that wait for a place, and how many have one.
struct JobQueue {
    private var lanes: [JobLane: Lane] = [:]
    /// The first job of each lane that has a place, and others that were: those are passed over.
    private var candidates = Heap<Candidate>()
    private var nextRank = [Int](repeating: 0, count: Urgency.levelCount)
    private var frontRank = [Int](repeating: -1, count: Urgency.levelCount)

    /// Jobs that may run at once, in all and in a lane.
    var limit: Int
    var laneLimit: Int {
        didSet { offerAll() }
    }
    private(set) var runningCount = 0
    /// What waits, by urgency.
    private var waiting = [(count: Int, byteCount: Int)](repeating: (0, 0), count: Urgency.levelCount)

    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    init(limit: Int, laneLimit: Int = .max) {
        self.limit = limit
        self.laneLimit = laneLimit
    }

    /// Lets a job wait, as the newest of its urgency.
    mutating func enqueue(_ job: Job) {
        insert(job, at: .back)
    }

    /// Takes a waiting job out.
    mutating func remove(_ job: Job) {
        unlink(job)
        offer(job.lane)
        dropLaneIfIdle(job.lane)
    }

    /// Moves a waiting job to where its new urgency belongs: behind those that are there already when
    /// it rose, before them when it fell, since it has waited longer.
    mutating func move(_ job: Job, to urgency: Urgency) {
        let rises = urgency > job.urgency
        unlink(job)
        offer(job.lane)
        job.urgency = urgency
        insert(job, at: rises || urgency.isOnScreen ? .back : .front)
    }

    /// How urgent the job is that gets its place next, if one is free.
    var nextUrgency: Urgency? {
        mutating get { first?.urgency }
    }

    /// Whether a job waits that is more urgent, whether a place is free or not.
    func isWaiting(above urgency: Urgency) -> Bool {
        waiting[(urgency.level + 1)...].contains { $0.count > 0 }
    }

    /// How many bytes wait with jobs of an urgency.
    func byteCount(of urgency: Urgency) -> Int { waiting[urgency.level].byteCount }

    /// Gives the next job its place, if one is free.
    mutating func next() -> Job? {
        guard let best = first else { return nil }
        unlink(best)
        runningCount += 1
        lanes[best.lane]?.running += 1
        offer(best.lane)
        return best
    }

    /// Takes back the place of a job that ran.
    mutating func finish(_ job: Job) {
        runningCount -= 1
        lanes[job.lane]?.running -= 1
        offer(job.lane)
        dropLaneIfIdle(job.lane)
    }

    /// Takes back the place of a job that has to wait on, and counts its bytes again.
    mutating func setAside(_ job: Job) {
        finish(job)
        waiting[job.urgency.level].byteCount += job.byteCount
    }

    /// Counts the bytes of a job that was set aside at another urgency.
    mutating func moveAside(_ job: Job, to urgency: Urgency) {
        waiting[job.urgency.level].byteCount -= job.byteCount
        waiting[urgency.level].byteCount += job.byteCount
        job.urgency = urgency
    }

    /// Forgets a job that was set aside.
    mutating func finishAside(_ job: Job) {
        waiting[job.urgency.level].byteCount -= job.byteCount
    }

    /// The next job, if a place is free.
    private var first: Job? {
        mutating get {
            guard runningCount < limit else { return nil }
            while let candidate = candidates.max {
                if let lane = lanes[candidate.lane], lane.running < laneLimit, let job = lane.first,
                    job.urgency == candidate.urgency, job.rank == candidate.rank
                {
                    return job
                }
                candidates.removeMax()
            }
            return nil
        }
    }

    /// Puts the first job of a lane up, if the lane has a place.
    private mutating func offer(_ name: JobLane) {
        guard let lane = lanes[name], lane.running < laneLimit, let job = lane.first else { return }
        candidates.insert(Candidate(urgency: job.urgency, rank: job.rank, lane: name))
        // What is passed over must not pile up.
        if candidates.count > 4 * lanes.count + 64 { offerAll() }
    }

    private mutating func offerAll() {
        candidates = Heap(
            lanes.compactMap { name, lane in
                guard lane.running < laneLimit, let job = lane.first else { return nil }
                return Candidate(urgency: job.urgency, rank: job.rank, lane: name)
            })
    }

    private mutating func insert(_ job: Job, at end: End) {
        let level = job.urgency.level
        waiting[level].count += 1
        waiting[level].byteCount += job.byteCount
        switch end {
        case .front:
            job.rank = frontRank[level]
            frontRank[level] -= 1
            lanes[job.lane, default: Lane()].levels[level].insert(job, at: .front)
        case .back:
            job.rank = nextRank[level]
            nextRank[level] += 1
            lanes[job.lane, default: Lane()].levels[level].insert(job, at: .back)
        }
        if lanes[job.lane]?.first === job { offer(job.lane) }
    }

    private mutating func unlink(_ job: Job) {
        let level = job.urgency.level
        waiting[level].count -= 1
        waiting[level].byteCount -= job.byteCount
        lanes[job.lane]?.levels[level].remove(job)
    }

    /// The first job of a lane, as it was when it was put up.
    private struct Candidate: Comparable {
        let urgency: Urgency
        let rank: Int
        let lane: JobLane

        static func < (left: Candidate, right: Candidate) -> Bool {
            left.urgency == right.urgency ? left.rank > right.rank : left.urgency < right.urgency
        }
    }

    private mutating func dropLaneIfIdle(_ name: JobLane) {
        if let lane = lanes[name], lane.running == 0, lane.first == nil { lanes[name] = nil }
    }
}

private enum End { case front, back }

/// The jobs of one host.
private struct Lane {
    var levels = [Level](repeating: Level(), count: Urgency.levelCount)
    var running = 0

    /// The job that is next in this lane.
    var first: Job? {
        levels.last { $0.head != nil }?.head
    }
}

/// The jobs of one urgency in a lane.
private struct Level {
    /// In the order of their numbers, the newest last; only the last one is never empty. Levels that are not on screen have
    /// one, without a number.
    private var batches: [(batch: ScreenBatch?, jobs: JobList)] = []

    var head: Job? { batches.last?.jobs.head }

    mutating func insert(_ job: Job, at end: End) {
        let index = firstIndex(notBefore: job.urgency.batch)
        if index == batches.count || batches[index].batch != job.urgency.batch {
            batches.insert((job.urgency.batch, JobList()), at: index)
        }
        switch end {
        case .front: batches[index].jobs.prepend(job)
        case .back: batches[index].jobs.append(job)
        }
    }

    mutating func remove(_ job: Job) {
        batches[firstIndex(notBefore: job.urgency.batch)].jobs.remove(job)
        while let last = batches.last, last.jobs.head == nil { batches.removeLast() }
    }

    /// By halving; almost always it is the last one.
    private func firstIndex(notBefore batch: ScreenBatch?) -> Int {
        guard let batch else { return 0 }
        var (low, high) = (0, batches.count)
        while low < high {
            let middle = (low + high) / 2
            if let other = batches[middle].batch, other < batch { low = middle + 1 } else { high = middle }
        }
        return low
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
