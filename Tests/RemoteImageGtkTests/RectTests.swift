import XCTest

@testable import GtkDeclarations

/// Rectangles of widgets and viewports, and lengths as whole numbers.
final class RectTests: XCTestCase {
    private let rect = Rect(x: 10, y: 20, width: 30, height: 50)

    func testARectangleMovesAndGrows() {
        XCTAssertEqual(rect.moved(x: 3, y: -7), Rect(x: 13, y: 13, width: 30, height: 50))
        XCTAssertEqual(rect.grown(by: 4), Rect(x: 6, y: 16, width: 38, height: 58))
        XCTAssertEqual(rect.grown(by: 0), rect)
    }

    func testTheIntersectionIsTheCommonArea() {
        let cases: [(other: Rect, common: Rect?)] = [
            (Rect(x: 15, y: 30, width: 5, height: 8), Rect(x: 15, y: 30, width: 5, height: 8)),
            (Rect(x: 0, y: 0, width: 100, height: 100), rect),
            (Rect(x: 0, y: 0, width: 25, height: 45), Rect(x: 10, y: 20, width: 15, height: 25)),
            (Rect(x: 25, y: 60, width: 90, height: 90), Rect(x: 25, y: 60, width: 15, height: 10)),
            // Rectangles that touch have an empty area in common.
            (Rect(x: 40, y: 30, width: 5, height: 5), Rect(x: 40, y: 30, width: 0, height: 5)),
            (Rect(x: 20, y: 70, width: 5, height: 5), Rect(x: 20, y: 70, width: 5, height: 0)),
            (Rect(x: 0, y: 0, width: 10, height: 20), Rect(x: 10, y: 20, width: 0, height: 0)),
            (Rect(x: 41, y: 30, width: 5, height: 5), nil),
            (Rect(x: 20, y: 71, width: 5, height: 5), nil),
            (Rect(x: 0, y: 30, width: 9, height: 5), nil),
            (Rect(x: 20, y: 0, width: 5, height: 19), nil),
        ]
        for (other, common) in cases {
            XCTAssertEqual(rect.intersection(with: other), common, "\(other)")
            XCTAssertEqual(other.intersection(with: rect), common, "\(other)")
        }
    }

    func testALengthBecomesTheNearestValueOfTheType() {
        let lengths: [Double] = [.nan, .infinity, -.infinity, 0, 1.9, -1.9, 2_147_483_646, 2_147_483_647, 3e9, -3e9]
        XCTAssertEqual(
            lengths.map { Int32(saturating: $0) },
            [0, .max, .min, 0, 1, -1, .max - 1, .max, .max, .min])
        XCTAssertEqual([254.5, 255, 256, 0.5, -0.5, -1].map { UInt8(saturating: $0) }, [254, 255, 255, 0, 0, 0])
    }
}
