import Testing

@testable import RemoteImageCore

/// Each limit alone, at its value and one above.
@Suite struct DecodeLimitsTests {
    /// A page of a comic with 14 million pixels used to be refused.
    @Test func `by default, a side may have 65,535 pixels`() throws {
        for (width, height) in [(720, 20_000), (65_535, 700), (1, 65_535)] {
            try DecodeLimits().check(PixelSize(width: width, height: height))
        }
        for size in [PixelSize(width: 65_536, height: 1), PixelSize(width: 65_535, height: 800)] {
            #expect(throws: ImageError.self) { try DecodeLimits().check(size) }
        }
    }

    private func isAllowed(_ width: Int, _ height: Int, _ set: (inout DecodeLimits) -> Void) -> Bool {
        var limits = DecodeLimits()
        (limits.maxSide, limits.maxPixelCount, limits.maxDecodedByteCount) = (.max, .max, .max)
        set(&limits)
        let size = PixelSize(width: width, height: height)
        do throws(ImageError) {
            try limits.check(ImageHeader(format: .png, storedSize: size))
            return true
        } catch {
            return error.code != .tooManyPixels
        }
    }

    @Test(arguments: [(100, 1, true), (101, 1, false), (1, 100, true), (1, 101, false)])
    func `a side up to the limit is allowed`(width: Int, height: Int, isFine: Bool) {
        #expect(isAllowed(width, height) { $0.maxSide = 100 } == isFine)
    }

    @Test(arguments: [(10, 10, true), (101, 1, false)])
    func `a pixel count up to the limit is allowed`(width: Int, height: Int, isFine: Bool) {
        #expect(isAllowed(width, height) { $0.maxPixelCount = 100 } == isFine)
    }

    @Test(arguments: [(10, 10, true), (101, 1, false)])
    func `a decoded byte count up to the limit is allowed`(width: Int, height: Int, isFine: Bool) {
        #expect(isAllowed(width, height) { $0.maxDecodedByteCount = 400 } == isFine)
    }

    @Test func `a size whose pixel or byte count overflows is refused`() {
        #expect(!isAllowed(.max, .max) { $0.maxPixelCount = .max - 1 })
        #expect(!isAllowed(.max / 2, 1) { _ in })
    }
}
