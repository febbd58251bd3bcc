/// The nesting of the elements of an SVG file, including elements that refer to others, such as
/// `use`.
///
/// librsvg draws nested and referenced elements with recursion, about 4 KB of the stack for each
/// level in version 2.54, and keeps a surface of the drawing's size for each level with an opacity,
/// a filter, a mask or a blend mode.
struct SVGNesting {
    private struct Element {
        let id: String?
        var deepestLevel: Int
    }

    private struct Reference {
        let target: String
        /// The number of levels from the element that contains the reference to its target.
        let levelCount: Int
    }

    /// libxml2 refuses files with more open elements.
    static let maxOpenCount = 256
    /// The maximum number of levels. A thread's stack has room for several times this number.
    static let maxLevelCount = 512
    private static let maxReferenceCount = 100_000

    private var open: [Element] = []
    private var deepestLevel = 0
    /// The levels in each element with an identifier, and its references.
    private var heights: [String: Int] = [:]
    private var references: [String: [Reference]] = [:]
    private var referencesOfDocument: [Reference] = []
    private var referenceCount = 0
    private var isolatingCount = 0
    /// Whether a style sheet contains a property that needs a surface, for any number of elements.
    var hasIsolatingStyle = false

    /// Opens an element. Returns `false` if the file has too many open elements or references.
    ///
    /// - Parameters:
    ///   - targets: The identifiers of the elements that the element refers to.
    ///   - isIsolated: Whether the element needs a surface of its own.
    mutating func begin(id: String?, targets: [String], isIsolated: Bool) -> Bool {
        open.append(Element(id: id, deepestLevel: open.count + 1))
        deepestLevel = max(deepestLevel, open.count)
        if isIsolated { isolatingCount += 1 }
        for target in targets {
            referencesOfDocument.append(Reference(target: target, levelCount: open.count))
            for (index, element) in open.enumerated() {
                guard let id = element.id else { continue }
                references[id, default: []].append(Reference(target: target, levelCount: open.count - index))
                referenceCount += 1
            }
        }
        return open.count <= Self.maxOpenCount && referenceCount + referencesOfDocument.count <= Self.maxReferenceCount
    }

    mutating func end() {
        guard let element = open.popLast() else { return }
        if let id = element.id {
            heights[id] = max(heights[id] ?? 0, element.deepestLevel - open.count)
        }
        if let last = open.indices.last { open[last].deepestLevel = max(open[last].deepestLevel, element.deepestLevel) }
    }

    /// The number of levels of the file; `nil` for more than the maximum.
    var levelCount: Int? {
        var known: [String: Int] = [:]
        var visited: Set<String> = []
        /// `nil` for more than the maximum, counted from the document.
        func levels(of id: String, from level: Int) -> Int? {
            guard level <= Self.maxLevelCount else { return nil }
            if let known = known[id] { return known }
            // librsvg refuses references to an element that contains them.
            guard visited.insert(id).inserted else { return 0 }
            var levelCount = heights[id] ?? 0
            for reference in references[id] ?? [] {
                guard let part = levels(of: reference.target, from: level + reference.levelCount) else { return nil }
                levelCount = max(levelCount, reference.levelCount + part)
            }
            known[id] = levelCount
            return levelCount
        }
        var count = deepestLevel
        for reference in referencesOfDocument {
            guard let part = levels(of: reference.target, from: reference.levelCount) else { return nil }
            count = max(count, reference.levelCount + part)
        }
        return count <= Self.maxLevelCount ? count : nil
    }

    /// The maximum number of surfaces that the levels need at the same time.
    func surfaceCount(of levelCount: Int) -> Int {
        hasIsolatingStyle ? levelCount : min(levelCount, isolatingCount)
    }
}
