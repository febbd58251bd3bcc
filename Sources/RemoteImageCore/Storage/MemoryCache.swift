// Decoded pictures in memory.
//
// Bounded by cost and by count. Which picture goes is decided by the clock algorithm (Corbató 1969), an
// approximation of least-recently-used whose hit only sets a bit: one short critical section, no
// allocation, no list to relink. A picture that is in use when it is evicted stays reachable through a
// weak reference, so that nothing on screen is decoded twice.

import Glibc

/// Keeps decoded pictures, and answers on the calling thread.
public final class MemoryCache: Sendable {
    fileprivate struct Slot {
        var key: LoadKey
        var image: LoadedImage
        var version: ContentVersion
        var cost: Int
        var isReferenced: Bool
    }

    fileprivate struct WeakImage {
        weak var pixels: PixelBuffer?
        var info: ImageInfo
        var scale: Double
    }

    fileprivate struct State {
        var slots: [Slot?] = []
        var freeSlots: [Int] = []
        var indices: [LoadKey: Int] = [:]
        var evicted: [LoadKey: WeakImage] = [:]
        var evictedCountAtCleaning = 64
        var hand = 0
        var cost = 0
        var costLimit: Int
        var countLimit: Int
    }

    private let state: Lock<State>

    /// - Parameters:
    ///   - costLimit: Bytes of pixels, those of the GPU's copies included: by default 128 MiB, on machines with
    ///     less than 2 GiB of memory a sixteenth of it. 0 keeps nothing.
    ///   - countLimit: Pictures; by default as many as the cost allows.
    public init(costLimit: Int? = nil, countLimit: Int = .max) {
        state = Lock(
            State(costLimit: max(0, costLimit ?? Self.standardCostLimit), countLimit: max(0, countLimit)))
    }

    private static var standardCostLimit: Int {
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return memory > 0 ? min(128 << 20, memory / 16) : 128 << 20
    }

    /// Bytes that the pictures count for now.
    public var cost: Int { state.withLock { $0.cost } }

    /// Pictures that are kept now, those that are merely in use elsewhere not counted.
    public var count: Int { state.withLock { $0.indices.count } }

    /// Forgets everything.
    public func removeAll() {
        // What is dropped is released after the lock: it may be much.
        let dropped = state.withLock { state in
            defer { state = State(costLimit: state.costLimit, countLimit: state.countLimit) }
            return state.slots
        }
        withExtendedLifetime(dropped) {}
    }

    /// Lets go of pictures until they count for at most `cost` bytes.
    public func trim(toCost cost: Int) {
        let dropped = state.withLock { $0.evict(downTo: cost, count: .max) }
        withExtendedLifetime(dropped) {}
    }

    /// The picture of `key` if it has the pixels wanted and, where that is given, is of this version.
    func image(for key: LoadKey, target: TargetSize?, version: ContentVersion? = nil) -> LoadedImage? {
        state.withLock { state in
            if let index = state.indices[key] {
                if let version, state.slots[index]?.version !== version { return nil }
                state.slots[index]?.isReferenced = true
                return state.slots[index]?.image.serving(target)
            }
            guard version == nil, !state.evicted.isEmpty, let weak = state.evicted[key], let pixels = weak.pixels
            else { return nil }
            return LoadedImage(pixels: pixels, info: weak.info, scale: weak.scale).serving(target)
        }
    }

    /// Keeps `image`, in place of an older one and of a smaller one of the same version.
    func store(_ image: LoadedImage, for key: LoadKey, version: ContentVersion) {
        let dropped = state.withLock { $0.insert(image, for: key, version: version) }
        withExtendedLifetime(dropped) {}
    }

    func remove(_ key: LoadKey) {
        let dropped = state.withLock { state in
            state.evicted[key] = nil
            return state.indices[key].flatMap { state.drop(at: $0) }
        }
        withExtendedLifetime(dropped) {}
    }
}

extension MemoryCache.State {
    /// Returns what was dropped, for the caller to release outside the lock.
    mutating func insert(_ image: LoadedImage, for key: LoadKey, version: ContentVersion) -> [LoadedImage] {
        var dropped: [LoadedImage] = []
        evicted[key] = nil
        if let index = indices[key], let slot = slots[index] {
            let isLarger = slot.image.pixels.size.pixelCount > image.pixels.size.pixelCount
            if slot.version === version, isLarger { return [] }
            if let old = drop(at: index) { dropped.append(old) }
        }
        let cost = image.memoryCost
        guard cost <= costLimit, countLimit > 0 else {
            remember(image, for: key)
            return dropped
        }
        dropped += evict(downTo: costLimit - cost, count: countLimit - 1)
        let slot = MemoryCache.Slot(key: key, image: image, version: version, cost: cost, isReferenced: false)
        if let index = freeSlots.popLast() {
            slots[index] = slot
            indices[key] = index
        } else {
            indices[key] = slots.count
            slots.append(slot)
        }
        self.cost += cost
        return dropped
    }

    /// Turns the hand of the clock until the limits hold: a picture that was asked for since the hand
    /// came by last is spared once.
    mutating func evict(downTo costLimit: Int, count countLimit: Int) -> [LoadedImage] {
        var dropped: [LoadedImage] = []
        while cost > max(0, costLimit) || indices.count > max(0, countLimit) {
            if hand >= slots.count { hand = 0 }
            if let slot = slots[hand] {
                if slot.isReferenced {
                    slots[hand]?.isReferenced = false
                } else {
                    remember(slot.image, for: slot.key)
                    if let old = drop(at: hand) { dropped.append(old) }
                }
            }
            hand += 1
        }
        return dropped
    }

    mutating func drop(at index: Int) -> LoadedImage? {
        guard let slot = slots[index] else { return nil }
        slots[index] = nil
        indices[slot.key] = nil
        freeSlots.append(index)
        cost -= slot.cost
        return slot.image
    }

    /// Keeps a weak hold of what may still be in use.
    private mutating func remember(_ image: LoadedImage, for key: LoadKey) {
        evicted[key] = MemoryCache.WeakImage(pixels: image.pixels, info: image.info, scale: image.scale)
        guard evicted.count > evictedCountAtCleaning else { return }
        evicted = evicted.filter { $0.value.pixels != nil }
        evictedCountAtCleaning = max(64, evicted.count * 2)
    }
}

extension LoadedImage {
    /// Bytes of the pixels and of the copy that a GPU makes of them, which has four a pixel.
    fileprivate var memoryCost: Int {
        pixels.byteCount + pixels.size.pixelCount * 4
    }

    /// The picture as it comes from memory, if it has the pixels wanted. One pixel less is forgiven:
    /// decoders round.
    fileprivate func serving(_ target: TargetSize?) -> LoadedImage? {
        let wanted = target?.drawnSize(of: info.size) ?? info.size
        guard info.decodedSize.width >= wanted.width - 1, info.decodedSize.height >= wanted.height - 1 else {
            return nil
        }
        var image = self
        image.info.origin = .memory
        return image
    }
}
