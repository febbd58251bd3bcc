// One piece of work that any number of requests share.

/// What a job ends with.
enum JobOutput: Sendable {
    case bytes(LoadedData)
    case picture(LoadedImage)
}

/// A piece of shared work: the bytes of a load key, or the pixels of a picture key.
///
/// A job lives while somebody wants it: a waiter, or another job. It has the highest urgency among them.
/// All that changes belongs to the ``JobBoard`` and is touched only under its lock; it is a class of
/// its own only so that others can point at it.
final class Job: @unchecked Sendable {
    // Unchecked: see above. `key` and `lane` are constant.

    enum State {
        /// In a queue.
        case waiting
        /// A place is given, the transfer is not there yet.
        case starting
        case transferring(any Transfer)
        /// The job that this one needs is under way.
        case needsBytes(Job)
        /// The bytes are there, a decode thread is not yet.
        case waitingToDecode(LoadedData)
        case decoding
        case finished
    }

    let key: JobKey
    let lane: String
    let request: ImageRequest
    var state = State.waiting
    var urgency: Urgency
    var waiters: [Waiter] = []
    var dependents: [Job] = []
    var progress = LoadProgress()

    // Links of the list in which the job waits.
    var previous: Job?
    var next: Job?
    var rank = 0

    init(key: JobKey, lane: String, request: ImageRequest, urgency: Urgency) {
        self.key = key
        self.lane = lane
        self.request = request
        self.urgency = urgency
    }

    var isWanted: Bool { !waiters.isEmpty || !dependents.isEmpty }

    /// The highest urgency among those that want the job.
    var wantedUrgency: Urgency {
        var highest = Urgency.prefetch
        for waiter in waiters { highest = max(highest, waiter.urgency) }
        for dependent in dependents { highest = max(highest, dependent.urgency) }
        return highest
    }
}

/// Somebody who waits for a job: answered exactly once, on every path.
final class Waiter: @unchecked Sendable {
    // Unchecked: `job` and `urgency` are touched only under the lock of the ``JobBoard``; `receive` is
    // constant.

    enum Event: Sendable {
        case progress(LoadProgress)
        case finished(Result<JobOutput, ImageError>)
    }

    /// Called on any thread, never under a lock.
    let receive: @Sendable (Event) -> Void
    var job: Job?
    var urgency: Urgency

    init(urgency: Urgency, receive: @escaping @Sendable (Event) -> Void) {
        self.urgency = urgency
        self.receive = receive
    }
}
