// Images that a server offers in any size.

extension ImageSourceConvertible where Self == ImageSource {
    /// An image that a server offers in any size: the address is chosen for the pixels that are
    /// drawn.
    ///
    /// ```swift
    /// let photo = ImageSource.sized(identity: "photo 7") { pixels in
    ///     "https://example.org/photos/7?size=\(pixels)"
    /// }
    /// ```
    ///
    /// So that caches hit, sizes grow in steps: 64 pixels, then 1.5 times the step before, rounded
    /// up (96, 144, 216, 324, 486, 729, 1094, 1641, 2462, 3693), and `largest`. The smallest step
    /// that covers the target is loaded. A larger step that is shown, in the memory cache, or fresh
    /// in the response store is used instead, so that a window that shrinks downloads nothing.
    /// A window that grows shows the old image until the larger one is loaded. On a constrained
    /// network the next smaller step is loaded; a ``NetworkImageModel`` replaces it when the
    /// network stops being constrained.
    ///
    /// Requests without a target, such as ``ImagePipeline/data(for:)``, and images that are saved
    /// load the largest step.
    ///
    /// - Parameters:
    ///   - identity: Identifies the image in all sizes: different images need different identities.
    ///     If the addresses contain a user name and a password, the identity must contain them too;
    ///     otherwise loads fail with ``ImageError/Code/invalidURL``.
    ///   - aspectRatio: Width divided by height of the image that the server returns. Without it,
    ///     the default, an image that fills its box (``ContentFit/cover``) is loaded with 1.5
    ///     times the pixels of the longer side of the box, enough for 3:2 in a square.
    ///   - largest: The longer side of the largest step in pixels, 1 to 65,535: 3693 by default.
    ///   - address: Returns the source of the image whose longer side has `pixels` pixels; a larger
    ///     or smaller image is accepted. Called on any thread, for steps that are looked up in a
    ///     cache or loaded. The result must not be a choice of several sources; otherwise loads
    ///     fail with ``ImageError/Code/source``.
    public static func sized(
        identity: String, aspectRatio: Double? = nil, largest: Int = 3_693,
        address: @escaping @Sendable (_ pixels: Int) -> some ImageSourceConvertible & Sendable
    ) -> ImageSource {
        let sized = SizedSource(identity: identity, aspectRatio: aspectRatio, largest: largest) {
            address($0).imageSource
        }
        return ImageSource(.sized(sized), identity: identity)
    }
}

extension ImageSource {
    /// The longer sides of the steps of a sized source whose largest step is `largest`, in
    /// ascending order.
    package static func sizeSteps(upTo largest: Int) -> [Int] { SizedSource.steps(upTo: largest) }

    /// The source, or all sources of a choice, whose identity alone names no image.
    var parts: [ImageSource] {
        switch kind {
        case .adaptive(let regular, let lowData): regular.parts + lowData.parts
        case .candidates(let candidates): candidates.flatMap(\.source.parts)
        case .fallbacks(let sources): sources.flatMap(\.parts)
        case .sized, .web, .invalid, .file, .data, .bytes, .provider: [self]
        }
    }

    /// The identities that an identity may mean: an address need not be normalised. The last is
    /// that of its stored responses.
    static func names(of name: String) -> [String] {
        // The account of an address with a password is a line of its own.
        let name = UserInformation.withoutHash(name)
        guard let address = try? WebAddress(name) else { return [name] }
        return [name, address.stringWithoutUserInfo, address.string]
    }

    /// Whether a cached name is `identity`, or the identity of one of its size steps.
    package static func isName(_ name: String, of identity: String) -> Bool {
        guard name.hasPrefix(identity) else { return false }
        let end = name.utf8.dropFirst(identity.utf8.count)
        guard let first = end.first else { return true }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return first == UInt8(ascii: "#") && end.count > 1 && end.dropFirst().allSatisfy(digits.contains)
    }
}

/// One image in steps of sizes. The source of a step is made when it is used, since a choice among
/// the steps looks at the identities of all of them.
final class SizedSource: Sendable {
    /// The longer sides of the steps in pixels, in ascending order. Never empty.
    let steps: [Int]
    let identity: String
    private let aspectRatio: Double?
    private let address: @Sendable (Int) -> ImageSource

    init(identity: String, aspectRatio: Double?, largest: Int, address: @escaping @Sendable (Int) -> ImageSource) {
        self.identity = identity
        self.aspectRatio = aspectRatio.flatMap { (0.001...1000).contains($0) ? $0 : nil }
        self.address = address
        steps = largest == Self.standardSteps.last ? Self.standardSteps : Self.steps(upTo: largest)
    }

    private static let standardSteps = steps(upTo: 3_693)

    fileprivate static func steps(upTo largest: Int) -> [Int] {
        let largest = min(max(1, largest), 65_535)
        var steps: [Int] = []
        var step = 64
        while step < largest {
            steps.append(step)
            step = (step * 3 + 1) / 2
        }
        return steps + [largest]
    }

    /// The index of the smallest step that covers `target`, or else of the largest step.
    func index(for target: TargetSize?) -> Int {
        guard let target else { return steps.count - 1 }
        let wanted = longestSide(in: target)
        return steps.firstIndex { Double($0) >= wanted } ?? steps.count - 1
    }

    /// The longer side of the image that is drawn in `target`, in pixels.
    private func longestSide(in target: TargetSize) -> Double {
        let (width, height) = (Double(target.box.width), Double(target.box.height))
        guard let aspectRatio else { return max(width, height) * (target.fit == .contain ? 1 : 1.5) }
        let heightForWidth = width / aspectRatio
        let drawnHeight = target.fit == .contain ? min(heightForWidth, height) : max(heightForWidth, height)
        // Rounded, since the division may add a fraction of a pixel.
        return max(drawnHeight, drawnHeight * aspectRatio).rounded()
    }

    func source(at index: Int) -> ImageSource {
        ImageSource(step: SizeStep(of: self, at: index), identity: "\(identity)#\(steps[index])")
    }

    /// The source of a step, made by the program.
    func kind(at index: Int) -> ImageSource.Kind {
        let source = address(steps[index])
        if source.isChoice {
            return .invalid(ImageError(.source, "one size of \(source.nameToShow) is a choice of sources"))
        }
        // Without this, two accounts with one identity would share images.
        if case .web(let address) = source.kind, let user = address.userInfo, !identity.contains("\(user)@") {
            return .invalid(
                ImageError(.invalidURL, "the identity lacks the user name of \(address.stringWithoutUserInfo)"))
        }
        return source.kind
    }
}

/// One step of a ``SizedSource``.
final class SizeStep: Sendable {
    let sized: SizedSource
    let index: Int
    private let made = Lock<ImageSource.Kind?>(nil)

    init(of sized: SizedSource, at index: Int) {
        self.sized = sized
        self.index = index
    }

    /// Calls the closure of the program when it is read first, and not under the lock.
    var kind: ImageSource.Kind {
        if let kind = made.withLock({ $0 }) { return kind }
        let kind = sized.kind(at: index)
        made.withLock { $0 = kind }
        return kind
    }

    /// The sources of the same image in larger steps, in ascending order.
    var larger: [ImageSource] { sized.steps.indices[(index + 1)...].map(sized.source) }
}
