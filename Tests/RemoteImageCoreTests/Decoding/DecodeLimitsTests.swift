import Testing

@testable import RemoteImageCore

/// Each limit alone, at its value and one above.
@Suite struct DecodeLimitsTests {
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
