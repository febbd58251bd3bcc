import CRemoteImageGtk
import XCTest

@testable import RemoteImageGtk

/// The area in which an image is drawn.
final class DrawnAreaTests: XCTestCase {
    /// An image of 40 × 20 points in an area of 100 × 100 points, and in one of 20 × 30.
    func testEachFitHasItsArea() {
        let expected: [(ContentFit, large: Rect, small: Rect)] = [
            (.contain, Rect(x: 0, y: 25, width: 100, height: 50), Rect(x: 0, y: 10, width: 20, height: 10)),
            (.cover, Rect(x: -50, y: 0, width: 200, height: 100), Rect(x: -20, y: 0, width: 60, height: 30)),
            (.fill, Rect(x: 0, y: 0, width: 100, height: 100), Rect(x: 0, y: 0, width: 20, height: 30)),
            (.scaleDown, Rect(x: 30, y: 40, width: 40, height: 20), Rect(x: 0, y: 10, width: 20, height: 10)),
        ]
        for (fit, large, small) in expected {
            let layout = ImageLayout(fit: fit)
            XCTAssertEqual(layout.area(ofWidth: 40, height: 20, inWidth: 100, height: 100), large, "\(fit)")
            XCTAssertEqual(layout.area(ofWidth: 40, height: 20, inWidth: 20, height: 30), small, "\(fit)")
        }
    }

    func testTheAlignmentMovesTheImageOrItsVisiblePart() {
        let corner = ImageLayout(fit: .contain, x: 0, y: 1)
        XCTAssertEqual(
            corner.area(ofWidth: 40, height: 20, inWidth: 100, height: 100), Rect(x: 0, y: 50, width: 100, height: 50))
        let right = ImageLayout(fit: .cover, x: 1, y: 0)
        XCTAssertEqual(
            right.area(ofWidth: 40, height: 20, inWidth: 100, height: 100), Rect(x: -100, y: 0, width: 200, height: 100)
        )
    }

    func testAnImageWithoutASizeFillsTheArea() {
        let layout = ImageLayout(fit: .contain)
        XCTAssertEqual(
            layout.area(ofWidth: 0, height: 20, inWidth: 100, height: 50), Rect(x: 0, y: 0, width: 100, height: 50))
        XCTAssertEqual(
            layout.area(ofWidth: 40, height: 0, inWidth: 100, height: 50), Rect(x: 0, y: 0, width: 100, height: 50))
    }

    func testTheAreaBeginsAtAWholePoint() {
        XCTAssertEqual(
            ImageLayout(fit: .contain).area(ofWidth: 40, height: 20, inWidth: 100, height: 55),
            Rect(x: 0, y: 3, width: 100, height: 50))
        XCTAssertEqual(
            ImageLayout(fit: .contain).area(ofWidth: 20, height: 40, inWidth: 55, height: 100),
            Rect(x: 3, y: 0, width: 50, height: 100))
        XCTAssertEqual(
            ImageLayout(fit: .cover, x: 0.25).area(ofWidth: 40, height: 20, inWidth: 50, height: 30),
            Rect(x: -3, y: 0, width: 60, height: 30))
    }

    func testALayoutIsPlainWithoutAnAlignmentAndACorner() {
        XCTAssertTrue(ImageLayout(fit: .cover).isPlain)
        for layout in [
            ImageLayout(fit: .cover, x: 0), ImageLayout(fit: .cover, y: 0.6), ImageLayout(fit: .cover, cornerRadius: 1),
        ] {
            XCTAssertFalse(layout.isPlain, "\(layout)")
        }
    }

    func testAFitOfGtkIsConvertedInBothDirections() {
        let fits: [(ContentFit, GtkContentFit)] = [
            (.contain, GTK_CONTENT_FIT_CONTAIN), (.cover, GTK_CONTENT_FIT_COVER), (.fill, GTK_CONTENT_FIT_FILL),
            (.scaleDown, GTK_CONTENT_FIT_SCALE_DOWN),
        ]
        for (fit, gtk) in fits {
            XCTAssertEqual(fit.gtk, gtk)
            XCTAssertEqual(ContentFit(gtk), fit)
        }
    }
}
