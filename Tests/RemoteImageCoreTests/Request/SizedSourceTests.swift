import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which step of a sized source is chosen.
@Suite(.endsInTime)
struct SizedSourceTests {
    private func sized(
        identity: String = "photo", aspectRatio: Double? = nil, largest: Int = 3_693
    ) -> ImageSource {
        .sized(identity: identity, aspectRatio: aspectRatio, largest: largest) { "http://test/\($0)" }
    }

    /// The path of the address that is loaded first.
    private func chosen(
        _ source: ImageSource, _ target: TargetSize?, isConstrained: Bool = false,
        isAtHand: ([ImageSource]) -> Bool = { _ in false }
    ) -> String? {
        let resolution = SourceResolution(
            source, target: target, isConstrained: isConstrained, isAtHand: isAtHand)
        return resolution.attempts.first?.webAddress.map { String($0.string.dropFirst("http://test/".count)) }
    }

    private func box(_ width: Int, _ height: Int, _ fit: ContentFit = .contain) -> TargetSize {
        TargetSize(PixelSize(width: width, height: height), fit: fit)
    }

    // MARK: Steps

    @Test(arguments: [
        (1, "64"), (64, "64"), (65, "96"), (160, "216"), (217, "324"), (1095, "1641"), (3693, "3693"),
        (100_000, "3693"),
    ])
    func `the smallest step that covers the pixels is chosen`(pixels: Int, step: String) {
        #expect(chosen(sized(), .longestSide(pixels)) == step)
    }

    @Test func `each step is 1.5 times the one before`() {
        let steps = SizedSource(identity: "", aspectRatio: nil, largest: 3_693) { _ in "" }.steps
        #expect(steps == [64, 96, 144, 216, 324, 486, 729, 1094, 1641, 2462, 3693])
    }

    @Test(arguments: [
        (1000, [64, 96, 144, 216, 324, 486, 729, 1000]), (96, [64, 96]), (64, [64]), (10, [10]), (0, [1]), (-5, [1]),
    ])
    func `the last step is the largest size`(largest: Int, steps: [Int]) {
        #expect(SizedSource(identity: "", aspectRatio: nil, largest: largest) { _ in "" }.steps == steps)
    }

    @Test func `the largest size is bounded`() {
        #expect(SizedSource(identity: "", aspectRatio: nil, largest: .max) { _ in "" }.steps.last == 65_535)
    }

    @Test func `without a target the largest step is loaded`() {
        #expect(chosen(sized(largest: 1200), nil) == "1200")
    }

    // MARK: Boxes

    @Test func `an image within its box needs the longer side of the box`() {
        #expect(chosen(sized(), box(200, 320)) == "324")
    }

    @Test func `an image that fills its box needs one step more if its shape is unknown`() {
        #expect(chosen(sized(), box(216, 100, .cover)) == "324")
    }

    @Test(arguments: [
        (1.0, ContentFit.cover, "216"), (1.5, .cover, "324"), (2.0 / 3, .cover, "324"), (4, .cover, "1094"),
        (4, .contain, "216"), (0.25, .contain, "216"),
    ])
    func `with an aspect ratio the longer side of the drawn image decides`(
        aspectRatio: Double, fit: ContentFit, step: String
    ) {
        #expect(chosen(sized(aspectRatio: aspectRatio), box(216, 216, fit)) == step)
    }

    @Test(arguments: [0, -1, .nan, .infinity, 1e300])
    func `an impossible aspect ratio counts as unknown`(aspectRatio: Double) {
        #expect(chosen(sized(aspectRatio: aspectRatio), box(216, 216)) == "216")
    }

    @Test func `a huge box needs the largest step`() {
        #expect(chosen(sized(aspectRatio: 0.001), box(.max, .max, .cover)) == "3693")
    }

    // MARK: Choices

    @Test func `a larger step at hand is used, and a smaller one is not`() {
        func atHand(_ identity: String) -> ([ImageSource]) -> Bool { { $0.first?.identity == identity } }
        #expect(chosen(sized(), .longestSide(216), isAtHand: atHand("photo#729")) == "729")
        #expect(chosen(sized(), .longestSide(216), isAtHand: atHand("photo#144")) == "216")
    }

    @Test(arguments: [(216, "144"), (64, "64"), (100_000, "2462")])
    func `on a metered network one step smaller is chosen`(pixels: Int, step: String) {
        #expect(chosen(sized(), .longestSide(pixels), isConstrained: true) == step)
    }

    @Test func `the closure is called for the chosen step only`() {
        let calls = Lock<[Int]>([])
        let source = ImageSource.sized(identity: "photo") { pixels in
            calls.withLock { $0.append(pixels) }
            return "http://test/\(pixels)"
        }
        #expect(chosen(source, .longestSide(160)) == "216")
        #expect(calls.withLock { $0 } == [216])
    }

    @Test func `the largest step is saved`() {
        let shown = SourceResolution(sized(), target: .longestSide(160), isConstrained: false).attempts[0]
        #expect(sized().toSave(whileShowing: shown)?.webAddress?.string == "http://test/3693")
        #expect(sized().toSave(whileShowing: "http://test/216") == nil)
        #expect(sized(identity: "other").toSave(whileShowing: shown) == nil)
    }

    // MARK: Identity

    @Test func `sources with one identity are equal, whatever their addresses`() {
        #expect(sized() == .sized(identity: "photo") { "http://other/\($0)" })
        #expect(sized() != sized(identity: "other"))
        #expect(sized() != ImageSource("http://test/photo").identified(by: "photo"))
    }

    @Test func `a choice in place of an address is an error`() {
        let source = ImageSource.sized(identity: "photo") { _ in ImageSource.fallbacks(["http://test/a"]) }
        let step = SourceResolution(source, target: nil, isConstrained: false).attempts[0]
        #expect(step.refusal(under: .http)?.code == .source)
    }

    @Test func `an invalid address is an error`() {
        let source = ImageSource.sized(identity: "photo") { _ in "no address" }
        let step = SourceResolution(source, target: nil, isConstrained: false).attempts[0]
        #expect(step.refusal(under: .http)?.code == .invalidURL)
    }

    @Test func `a password that the identity lacks is an error, and is not shown`() throws {
        func error(identity: String) -> ImageError? {
            let source = ImageSource.sized(identity: identity) { "http://ann:secret@test/\($0)" }
            return SourceResolution(source, target: nil, isConstrained: false).attempts[0].refusal(under: .http)
        }
        #expect(error(identity: "http://ann:secret@test/") == nil)
        let refusal = try #require(error(identity: "photo"))
        #expect(refusal.code == .invalidURL)
        #expect(!"\(refusal)".contains("secret"))
    }

    @Test func `a password in the identity is not stored`() {
        let source = ImageSource.sized(identity: "http://ann:secret@test/") { "http://ann:secret@test/\($0)" }
        let step = SourceResolution(source, target: nil, isConstrained: false).attempts[0]
        #expect(!step.identity.contains("secret"))
        #expect(!source.identity.contains("secret"))
        #expect(!"\(source)".contains("secret"))
    }
}
