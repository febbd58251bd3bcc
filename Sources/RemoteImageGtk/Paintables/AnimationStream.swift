import CRemoteImageGtk

/// The frames of one animation for all views that show it. They show the same frame at the same
/// time, so that it is decoded once.
///
/// Frames are decoded ahead on a decode thread; a due frame is taken on the main thread. A stream
/// plays while a view may play and ``AnimationBudget`` has room; it continues at its next frame
/// when it has lost its memory in between.
@MainActor
final class AnimationStream {
    /// The streams that have not ended.
    private static var streams: [ObjectIdentifier: AnimationStream] = [:]

    private let animation: ImageAnimation
    private let budget: AnimationBudget
    /// The started playbacks.
    private var users: Set<ObjectIdentifier> = []
    /// The playbacks that may play.
    private var viewers: [ObjectIdentifier: Weak<AnimationPlayback>] = [:]
    /// Has no memory before the claim is held.
    private var player: AnimationPlayer?
    private var claim: AnimationBudget.Claim?
    private var isDecoding = false
    private var position = AnimationPlayer.Position()
    /// The next frame, which the views do not show yet.
    private var next: AnimationPlayer.Frame?
    /// Whether `next` is shown in the next frame of the views.
    private var isShowing = false
    private var current: PixelBuffer?
    /// When `next` is shown; `nil` if it is shown as soon as it is decoded, and then for its whole
    /// delay.
    private var due: ContinuousClock.Instant?
    /// The time. Tests replace it.
    static var now: @MainActor () -> ContinuousClock.Instant = { .now }
    private let timer = MainLoopTimer()

    private init(_ animation: ImageAnimation, _ budget: AnimationBudget) {
        self.animation = animation
        self.budget = budget
    }

    /// Pauses the playbacks that may no longer play.
    static func conditionsChanged() {
        for stream in Array(streams.values) {
            for viewer in Array(stream.viewers.values) { viewer.object?.pauseOrResume() }
        }
    }

    /// Adds a playback to the stream of an animation. It plays after ``attach(_:)``.
    static func join(
        _ animation: ImageAnimation, _ playback: AnimationPlayback, budget: AnimationBudget = .shared
    ) -> AnimationStream {
        let stream = streams[ObjectIdentifier(animation)] ?? AnimationStream(animation, budget)
        streams[ObjectIdentifier(animation)] = stream
        stream.users.insert(ObjectIdentifier(playback))
        return stream
    }

    /// Removes a playback. The last one releases the memory.
    func leave(_ playback: AnimationPlayback) {
        users.remove(ObjectIdentifier(playback))
        detach(playback)
        if users.isEmpty { end() }
    }

    /// Lets a playback show the frames.
    func attach(_ playback: AnimationPlayback) {
        if viewers.isEmpty { restartIfLate() }
        viewers[ObjectIdentifier(playback)] = Weak(playback)
        if let pixels = isShowing ? next?.pixels : current { playback.showInNextFrame(pixels) }
        guard Self.streams[ObjectIdentifier(animation)] === self else { return }
        if let claim { budget.setPausing(claim, false) } else { makeClaim() }
        advance()
    }

    /// Shows no more frames in a playback.
    func detach(_ playback: AnimationPlayback) {
        guard viewers.removeValue(forKey: ObjectIdentifier(playback)) != nil, viewers.isEmpty else { return }
        isShowing = false
        timer.stop()
        guard let claim else { return }
        if claim.isHeld { budget.setPausing(claim, true) } else { endClaim() }
    }

    /// A playback has shown `pixels`.
    func didShow(_ pixels: PixelBuffer) {
        guard isShowing, let frame = next, frame.pixels === pixels else { return }
        isShowing = false
        (current, next) = (pixels, nil)
        // A frame that is a little late keeps the speed; a later one does not shorten the frames
        // after it.
        let now = Self.now()
        due = max(due ?? now, now - frame.delay) + frame.delay
        advance()
    }

    /// Call when the animation continues. The time in which it stood still does not count.
    private func restartIfLate() {
        if let due, due < Self.now() { self.due = nil }
    }

    private func advance() {
        guard claim?.isHeld == true, let player, !viewers.isEmpty else { return }
        if next == nil {
            switch player.takeNext() {
            case .ready(let frame): next = frame
            case .undecoded: break
            case .ended: return end()
            }
        }
        if next != nil, !isShowing, !timer.isRunning {
            // Also without a delay: the other views have yet to show the last frame.
            let wait = due.map { $0 - Self.now() } ?? .zero
            timer.start(after: wait) { [weak self] in self?.show() }
        }
        if player.shouldDecode, !isDecoding { decode(player) }
    }

    private func show() {
        guard let next else { return }
        isShowing = true
        for viewer in viewers.values { viewer.object?.showInNextFrame(next.pixels) }
    }

    private func decode(_ player: AnimationPlayer) {
        isDecoding = true
        Task.detached(executorPreference: WorkerThreads.decoding) { [weak self] in
            await player.decodeAhead()
            await self?.decoded(player)
        }
    }

    private func decoded(_ player: AnimationPlayer) {
        guard player === self.player else { return }
        isDecoding = false
        if let claim { budget.shrink(claim, to: player.byteCount) }
        advance()
    }

    private func makeClaim() {
        let player = AnimationPlayer(animation, from: position)
        self.player = player
        claim = budget.claim(
            player.byteCount,
            admitted: { [weak self] in
                self?.restartIfLate()
                self?.advance()
            },
            revoked: { [weak self] in self?.endClaim() })
    }

    /// Releases the memory, and keeps the position.
    private func endClaim() {
        position = player?.position ?? position
        (player, isDecoding) = (nil, false)
        guard let claim else { return }
        self.claim = nil
        budget.end(claim)
    }

    private func end() {
        isShowing = false
        timer.stop()
        endClaim()
        let identifier = ObjectIdentifier(animation)
        if Self.streams[identifier] === self { Self.streams[identifier] = nil }
    }
}
