// The order in which jobs get their places.
//
// Enqueueing, removing and re-ranking a job take constant time in the number of waiting jobs, and
// logarithmic time in the number of hosts and batches. On screen, the newest batch comes first and
// the oldest job within it; in every other level, the oldest job comes first. The queue never
// exceeds its limits, in total and per lane (a host); a full lane does not delay other lanes. A
// quarter of the places is kept for lanes with few running jobs as soon as there are several lanes,
// so that a few hosts that never answer do not delay the others.

import HeapModule

/// The jobs that wait for a place, and the number of jobs that have one.
struct JobQueue {
    private var lanes: [JobLane: Lane] = [:]
    /// The first job of each lane with a free place, and outdated entries, which are skipped.
    private var candidates = Heap<Candidate>()
    /// The candidates whose lane had few running jobs, and outdated entries.
    private var newcomers = Heap<Candidate>()
    private var nextRank = [Int](repeating: 0, count: Urgency.levelCount)
    private var frontRank = [Int](repeating: -1, count: Urgency.levelCount)

    /// The maximum number of running jobs, in total and per lane.
    var limit: Int {
        didSet { offerAll() }
    }
    var laneLimit: Int {
        didSet { offerAll() }
    }
    private(set) var runningCount = 0
    /// The number of places that are not kept for lanes with few running jobs: all of them for a
    /// lane that is alone, and without a limit per lane.
    private var openLimit: Int { lanes.count > 1 && laneLimit < .max ? limit - limit / 4 : limit }
    /// A lane with fewer running jobs gets a kept place: half of these places at most.
    private var keptLaneLimit: Int { min(laneLimit, max(1, limit / 8)) }
    /// The numbers of waiting jobs and of their bytes, by urgency.
    private var waiting = [(count: Int, byteCount: Int)](repeating: (0, 0), count: Urgency.levelCount)

    /// For tests.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    init(limit: Int, laneLimit: Int = .max) {
        self.limit = limit
        self.laneLimit = laneLimit
    }

    /// Adds a job as the newest of its urgency.
    mutating func enqueue(_ job: Job) {
        insert(job, at: .back)
    }

    /// Adds a job before all others of its urgency, on screen of its batch.
    mutating func enqueueFirst(_ job: Job) {
        insert(job, at: .front)
    }

    /// Removes a waiting job.
    mutating func remove(_ job: Job) {
        unlink(job)
        offer(job.lane)
        dropLaneIfIdle(job.lane)
    }

    /// Moves a waiting job to its new urgency: on screen behind the jobs of its batch, and in any
    /// other level behind the jobs there if its urgency rose, and before them if it fell, since it
    /// has waited longer; with `isFirst`, before all others of that urgency.
    mutating func move(_ job: Job, to urgency: Urgency, isFirst: Bool = false) {
        let isLast = !isFirst && (urgency > job.urgency || urgency.isVisible)
        unlink(job)
        offer(job.lane)
        job.urgency = urgency
        insert(job, at: isLast ? .back : .front)
    }

    /// The urgency of the job that gets the next place, if one is free.
    var nextUrgency: Urgency? {
        mutating get { first?.urgency }
    }

    /// Whether a more urgent job waits, regardless of free places.
    func isWaiting(above urgency: Urgency) -> Bool {
        waiting[(urgency.level + 1)...].contains { $0.count > 0 }
    }

    /// The number of bytes that waiting jobs of an urgency hold.
    func byteCount(of urgency: Urgency) -> Int { waiting[urgency.level].byteCount }

    /// Gives the next job a place, if one is free.
    mutating func next() -> Job? {
        guard let best = first else { return nil }
        unlink(best)
        runningCount += 1
        lanes[best.lane]?.running += 1
        offer(best.lane)
        return best
    }

    /// Releases the place of a job that ran.
    mutating func finish(_ job: Job) {
        runningCount -= 1
        lanes[job.lane]?.running -= 1
        offer(job.lane)
        dropLaneIfIdle(job.lane)
    }

    /// Releases the place of a job that must wait again, and counts its bytes again.
    mutating func setAside(_ job: Job) {
        finish(job)
        countAside(job)
    }

    /// Counts the bytes of a job that must wait again and has released its place.
    mutating func countAside(_ job: Job) {
        waiting[job.urgency.level].byteCount += job.byteCount
    }

    /// Changes the urgency of a job that was set aside, and counts its bytes there.
    mutating func moveAside(_ job: Job, to urgency: Urgency) {
        waiting[job.urgency.level].byteCount -= job.byteCount
        waiting[urgency.level].byteCount += job.byteCount
        job.urgency = urgency
    }

    /// Stops counting the bytes of a job that was set aside.
    mutating func finishAside(_ job: Job) {
        waiting[job.urgency.level].byteCount -= job.byteCount
    }

    /// The next job, if a place is free.
    private var first: Job? {
        mutating get {
            guard runningCount < limit else { return nil }
            return runningCount < openLimit
                ? Self.first(of: &candidates, in: lanes, laneLimit: laneLimit)
                : Self.first(of: &newcomers, in: lanes, laneLimit: keptLaneLimit)
        }
    }

    private static func first(
        of candidates: inout Heap<Candidate>, in lanes: [JobLane: Lane], laneLimit: Int
    ) -> Job? {
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

    /// Adds the first job of a lane to the candidates, if the lane has a free place.
    private mutating func offer(_ name: JobLane) {
        guard let lane = lanes[name], lane.running < laneLimit, let job = lane.first else { return }
        let candidate = Candidate(urgency: job.urgency, rank: job.rank, lane: name)
        candidates.insert(candidate)
        if lane.running < keptLaneLimit { newcomers.insert(candidate) }
        // Rebuilds the heaps before outdated entries accumulate.
        if max(candidates.count, newcomers.count) > 4 * lanes.count + 64 { offerAll() }
    }

    private mutating func offerAll() {
        func offered(runningBelow limit: Int) -> Heap<Candidate> {
            Heap(
                lanes.compactMap { name, lane in
                    guard lane.running < limit, let job = lane.first else { return nil }
                    return Candidate(urgency: job.urgency, rank: job.rank, lane: name)
                })
        }
        candidates = offered(runningBelow: laneLimit)
        newcomers = offered(runningBelow: keptLaneLimit)
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

    /// The first job of a lane at the time when it was added.
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

    /// The next job of this lane.
    var first: Job? {
        levels.last { $0.head != nil }?.head
    }
}

/// The jobs of one urgency in a lane.
private struct Level {
    /// Ordered by batch number, the newest last. The last batch has jobs, and those before it may
    /// be empty. Levels that are not on screen have at most one batch, without a number.
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

    /// Binary search; the result is almost always the last batch.
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

/// A list whose links are stored in the jobs, so that any job is removed in constant time.
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
