// Decoded images in memory.
//
// Bounded by cost and by count. Which image goes is decided by the clock algorithm (Corbató 1969), an
// approximation of least-recently-used whose hit only sets a bit: one short critical section, no
// allocation, no list to relink. An image that is in use when it is evicted stays reachable through a
// weak reference, so that nothing on screen is decoded twice.

import Glibc

/// Keeps decoded images, and answers on the calling thread.
public final class MemoryCache: ImageCache {
    /// One place on the clock. An object, so that a hit copies a reference and not the place.
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
        weak var pixels: PixelBuffer?
        let info: ImageInfo
        let scale: Double
        let freshUntil: Duration?
        let version: ContentVersion
        let retention: Retention
        /// Whether observers were told that the image went.
        let isToldOf: Bool
        weak var animation: ImageAnimation?

        var entry: CachedImage? {
            pixels.map {
                CachedImage(
                    LoadedImage(
                        pixels: $0, info: info, scale: scale, version: version, animation: animation,
                        retention: retention),
                    freshUntil: freshUntil)
            }
        }
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

    /// What was taken out, for the caller to release and to tell of outside the lock.
    fileprivate typealias Dropped = [(key: ImageCacheKey, entry: CachedImage)]

    private let state: Lock<State>
    private let observers = ImageCacheObservers()

    /// - Parameters:
    ///   - costLimit: Bytes of pixels, those of the GPU's copies included: by default 128 MiB, on machines with
    ///     less than 2 GiB of memory a sixteenth of it. 0 keeps nothing.
    ///   - countLimit: Images; by default as many as the cost allows.
    public init(costLimit: Int? = nil, countLimit: Int = .max) {
        state = Lock(
            State(costLimit: max(0, costLimit ?? Self.standardCostLimit), countLimit: max(0, countLimit)))
    }

    private static var standardCostLimit: Int {
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return memory > 0 ? min(128 << 20, memory / 16) : 128 << 20
    }

    // MARK: Limits

    /// Bytes that the images may count for. Lowering it lets go at once.
    public var costLimit: Int {
        get { state.withLock { $0.costLimit } }
        set {
            change { state in
                state.costLimit = max(0, newValue)
                return state.evict(downTo: state.costLimit, count: state.countLimit)
            }
        }
    }

    /// Images that may be kept. Lowering it lets go at once.
    public var countLimit: Int {
        get { state.withLock { $0.countLimit } }
        set {
            change { state in
                state.countLimit = max(0, newValue)
                return state.evict(downTo: state.costLimit, count: state.countLimit)
            }
        }
    }

    /// Bytes that the images count for now.
    public var cost: Int { state.withLock { $0.cost } }

    /// Images that are kept now, those that are merely in use elsewhere not counted.
    public var count: Int { state.withLock { $0.filled.count } }

    /// Lets go of images until they count for at most `cost` bytes.
    public func trim(toCost cost: Int) {
        change { $0.evict(downTo: cost, count: .max) }
    }

    /// Lets go of images until there are at most `count`.
    public func trim(toCount count: Int) {
        change { $0.evict(downTo: .max, count: count) }
    }

    public func shrink(to fraction: Double) {
        trim(toCost: Int(Double(costLimit) * min(1, max(0, fraction))))
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

    /// Forgets everything, what is in use elsewhere too.
    public func removeAll() {
        change { state in
            defer { state = State(costLimit: state.costLimit, countLimit: state.countLimit) }
            return state.slots.compactMap { $0.map { ($0.key, $0.entry) } }
                + state.evicted.compactMap { key, weak in weak.isToldOf ? nil : weak.entry.map { (key, $0) } }
        }
    }

    public func observe(
        _ key: ImageCacheKey, _ body: @escaping @Sendable (ImageCacheChange) -> Void
    ) -> any Sendable {
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
            remember(entry, for: key, isToldOf: false)
            return dropped
        }
        dropped += evict(downTo: costLimit - cost, count: countLimit - 1)
        let index = freeSlots.popLast() ?? slots.count
        let slot = MemoryCache.Slot(key: key, entry: entry, cost: cost, index: index)
        // What is stored again was just asked for.
        slot.isReferenced = isReplacement
        if index == slots.count { slots.append(slot) } else { slots[index] = slot }
        filled[key] = slot
        self.cost += cost
        return dropped
    }

    /// Turns the hand of the clock until the limits hold: an image that was asked for since the hand
    /// came by last is spared once.
    mutating func evict(downTo costLimit: Int, count countLimit: Int) -> MemoryCache.Dropped {
        var dropped: MemoryCache.Dropped = []
        while cost > max(0, costLimit) || filled.count > max(0, countLimit) {
            if hand >= slots.count { hand = 0 }
            if let slot = slots[hand] {
                if slot.isReferenced {
                    slot.isReferenced = false
                } else {
                    remember(slot.entry, for: slot.key, isToldOf: true)
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

    /// Takes out what is kept under a key, and what is in use elsewhere unless it was told of before.
    mutating func dropAll(under key: ImageCacheKey) -> MemoryCache.Dropped {
        let weak = evicted.removeValue(forKey: key)
        if let slot = filled[key] { return [drop(slot)] }
        guard let weak, !weak.isToldOf, let entry = weak.entry else { return [] }
        return [(key, entry)]
    }

    /// Keeps a weak hold of what may still be in use.
    private mutating func remember(_ entry: CachedImage, for key: ImageCacheKey, isToldOf: Bool) {
        evicted[key] = MemoryCache.WeakEntry(
            pixels: entry.image.pixels, info: entry.image.info, scale: entry.image.scale,
            freshUntil: entry.freshUntil, version: entry.image.version, retention: entry.image.retention,
            isToldOf: isToldOf, animation: entry.image.animation)
        guard evicted.count > evictedCountAtCleaning else { return }
        evicted = evicted.filter { $0.value.pixels != nil }
        evictedCountAtCleaning = max(64, evicted.count * 2)
    }
}

extension LoadedImage {
    /// Bytes of the pixels and of the copy that a GPU makes of them, which has four a pixel.
    fileprivate var memoryCost: Int {
        pixels.byteCount + pixels.size.pixelCount * 4 + (animation?.byteCount ?? 0)
    }
}
