import Testing

@testable import RemoteImageCore

struct PreviewGrowthTests {
    @Test func `the next preview is due when the file has grown by half`() {
        var growth = PreviewGrowth()
        let due = [1000, 1001, 1499, 1500, 1501, 2249, 2250].filter { growth.isDue(at: $0) }
        #expect(due == [1000, 1500, 2250])
    }
}
