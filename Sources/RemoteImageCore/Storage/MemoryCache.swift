// A cache of decoded images in memory.
//
// Bounded by cost and by count. The clock algorithm (Corbató 1969) chooses the images to evict: an
// approximation of least-recently-used whose hit only sets a bit, with one short critical section,
// no allocation and no list to relink. An evicted image that is still in use stays reachable
// through a weak reference, so that visible images are not decoded twice.

import Glibc

/// Caches decoded images in memory.
public final class MemoryCache: ImageCache {
    /// One slot of the clock. A class, so that a hit copies a reference instead of the contents.
    fileprivate final class Slot {
        let key: ImageCacheKey
        let entry: CachedImage
        let cost: Int
        let index: Int
        var isReferenced = false

        init(key: ImageCacheKey, entry: CachedImage, cost: Int, index: Int) {
            self.key = key
            self.entry = entry
            self.cost = cost
            self.index = index
        }
    }

    fileprivate struct WeakEntry {
        let image: WeakImage
        let freshUntil: Duration?
        /// Whether observers were notified of the eviction.
        let didNotifyObservers: Bool

        /// `nil` if the image is released.
        var entry: CachedImage? { image.image.map { CachedImage($0, freshUntil: freshUntil) } }
    }

    fileprivate struct State {
        var slots: [Slot?] = []
        var freeSlots: [Int] = []
        var filled: [ImageCacheKey: Slot] = [:]
        var evicted: [ImageCacheKey: WeakEntry] = [:]
        var evictedCountAtCleaning = 64
        var hand = 0
        var cost = 0
        var costLimit: Int
        var countLimit: Int
    }

    /// Removed images. The caller releases them and notifies observers outside the lock.
    fileprivate typealias Dropped = [(key: ImageCacheKey, entry: CachedImage)]

    private let state: Lock<State>
    private let observers = ImageCacheObservers()

    /// - Parameters:
    ///   - costLimit: The limit on the bytes of all pixels and of the files of animations: by
    ///     default 128 MiB, or a sixteenth of the memory on machines with less than 2 GiB. That is
    ///     580 opaque images of 320 × 240 pixels. With 0 nothing is kept.
    ///   - countLimit: The limit on the number of images: by default none.
    public init(costLimit: Int? = nil, countLimit: Int = .max) {
        state = Lock(
            State(costLimit: max(0, costLimit ?? Self.standardCostLimit), countLimit: max(0, countLimit)))
    }

    /// The default of ``costLimit``.
    package static var standardCostLimit: Int {
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return memory > 0 ? min(128 << 20, memory / 16) : 128 << 20
    }

    // MARK: Limits

    /// The limit on the total cost of all images, in bytes. Lowering it evicts images at once.
    public var costLimit: Int {
        get { state.withLock { $0.costLimit } }
        set { setLimit(\.costLimit, newValue) }
    }

    /// The limit on the number of images. Lowering it evicts images at once.
    public var countLimit: Int {
        get { state.withLock { $0.countLimit } }
        set { setLimit(\.countLimit, newValue) }
    }

    private func setLimit(_ limit: WritableKeyPath<State, Int>, _ value: Int) {
        change { state in
            state[keyPath: limit] = max(0, value)
            return state.evict(downTo: state.costLimit, count: state.countLimit)
        }
    }

    /// The total cost of all images, in bytes.
    public var cost: Int { state.withLock { $0.cost } }

    /// The number of images, not counting evicted ones that are still in use elsewhere.
    public var count: Int { state.withLock { $0.filled.count } }

    /// Evicts images until their total cost is at most `cost` bytes.
    public func trim(toCost cost: Int) {
        change { $0.evict(downTo: cost, count: .max) }
    }

    /// Evicts images until at most `count` are left.
    public func trim(toCount count: Int) {
        change { $0.evict(downTo: .max, count: count) }
    }

    public func shrink(to fraction: Double) {
        let limit = costLimit
        // `Double(Int.max)` is larger than `Int.max`.
        trim(toCost: fraction >= 1 ? limit : Int(Double(limit) * max(0, fraction)))
    }

    // MARK: Images

    public func entry(for key: ImageCacheKey) -> CachedImage? {
        state.withLock { state in
            if let slot = state.filled[key] {
                slot.isReferenced = true
                return slot.entry
            }
            return state.evicted.isEmpty ? nil : state.evicted[key]?.entry
        }
    }

    public func store(_ entry: CachedImage, for key: ImageCacheKey) {
        let dropped = state.withLock { $0.insert(entry, for: key) }
        for drop in dropped where drop.key != key { observers.tell(.removed, of: drop.key) }
        if dropped.contains(where: { $0.key == key }) { observers.tell(.replaced(by: entry.image), of: key) }
    }

    public func remove(_ key: ImageCacheKey) {
        change { state in
            state.dropAll(under: key)
        }
    }

    /// Removes all images, including evicted ones that are still in use elsewhere.
    public func removeAll() {
        change { state in
            defer { state = State(costLimit: state.costLimit, countLimit: state.countLimit) }
            return state.slots.compactMap { $0.map { ($0.key, $0.entry) } }
                + state.evicted.compactMap { key, weak in weak.didNotifyObservers ? nil : weak.entry.map { (key, $0) } }
        }
    }

    public func removeAll(where matches: (ImageCacheKey) -> Bool) {
        // `matches` is called outside the lock, since it may use the cache.
        let keys = state.withLock { Set($0.filled.keys).union($0.evicted.keys) }.filter(matches)
        change { state in keys.flatMap { state.dropAll(under: $0) } }
    }

    public func observe(
        _ key: ImageCacheKey, _ body: @escaping @Sendable (ImageCacheChange) -> Void
    ) -> ObservationToken {
        observers.add(key, body)
    }

    private func change(_ body: (inout State) -> Dropped) {
        let dropped = state.withLock(body)
        for drop in dropped { observers.tell(.removed, of: drop.key) }
    }
}

extension MemoryCache.State {
    mutating func insert(_ entry: CachedImage, for key: ImageCacheKey) -> MemoryCache.Dropped {
        let isReplacement = filled[key] != nil
        var dropped = dropAll(under: key)
        let cost = entry.image.memoryCost
        guard cost <= costLimit, countLimit > 0, !entry.isKeptOnlyWhileInUse else {
            remember(entry, for: key, didNotifyObservers: false)
            return dropped
        }
        dropped += evict(downTo: costLimit - cost, count: countLimit - 1)
        let index = freeSlots.popLast() ?? slots.count
        let slot = MemoryCache.Slot(key: key, entry: entry, cost: cost, index: index)
        // An image that is stored again was requested recently.
        slot.isReferenced = isReplacement
        if index == slots.count { slots.append(slot) } else { slots[index] = slot }
        filled[key] = slot
        self.cost += cost
        return dropped
    }

    /// Advances the hand of the clock until the limits hold. An image that was requested since the
    /// last pass of the hand is spared once.
    mutating func evict(downTo costLimit: Int, count countLimit: Int) -> MemoryCache.Dropped {
        var dropped: MemoryCache.Dropped = []
        while cost > max(0, costLimit) || filled.count > max(0, countLimit) {
            if hand >= slots.count { hand = 0 }
            if let slot = slots[hand] {
                if slot.isReferenced {
                    slot.isReferenced = false
                } else {
                    remember(slot.entry, for: slot.key, didNotifyObservers: true)
                    dropped.append(drop(slot))
                }
            }
            hand += 1
        }
        return dropped
    }

    mutating func drop(_ slot: MemoryCache.Slot) -> (key: ImageCacheKey, entry: CachedImage) {
        slots[slot.index] = nil
        filled[slot.key] = nil
        freeSlots.append(slot.index)
        cost -= slot.cost
        return (slot.key, slot.entry)
    }

    /// Removes the image for a key, even if it was evicted. Returns the image for the observers;
    /// nothing if they were already notified of its eviction.
    mutating func dropAll(under key: ImageCacheKey) -> MemoryCache.Dropped {
        let weak = evicted.removeValue(forKey: key)
        if let slot = filled[key] { return [drop(slot)] }
        guard let weak, !weak.didNotifyObservers, let entry = weak.entry else { return [] }
        return [(key, entry)]
    }

    /// Keeps a weak reference to an image that may still be in use.
    private mutating func remember(_ entry: CachedImage, for key: ImageCacheKey, didNotifyObservers: Bool) {
        evicted[key] = MemoryCache.WeakEntry(
            image: WeakImage(entry.image), freshUntil: entry.freshUntil, didNotifyObservers: didNotifyObservers)
        guard evicted.count > evictedCountAtCleaning else { return }
        evicted = evicted.filter { $0.value.entry != nil }
        evictedCountAtCleaning = max(64, evicted.count * 2)
    }
}

extension LoadedImage {
    /// The bytes that an eviction frees: those of the pixels and of the animation. A GPU has a copy
    /// only while a view shows the image, which then keeps both, whatever the cache does.
    fileprivate var memoryCost: Int {
        pixels.byteCount + (animation?.byteCount ?? 0)
    }
}
