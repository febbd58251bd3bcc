import CRemoteImageGtk
import Observation
import RemoteImageGtk
import XCTest

@Observable
private final class Parent {
    var change = 0
    @ObservationIgnored var runCount = 0
}

extension GtkFixture {
    /// Shows a declaration in a parent that runs again and declares it anew, which must keep its
    /// widget. Its views load over the fake network.
    @discardableResult
    func shownByAParent(
        _ declaration: @autoclosure @escaping @MainActor () -> some WidgetDeclaration, file: StaticString = #filePath,
        line: UInt = #line
    ) -> Widget {
        let parent = Parent()
        let widget = shownOverNetwork(
            Overlay {
                let _ = (parent.change, parent.runCount += 1)
                declaration()
            } overlays: {
            })
        let child = children(of: widget.pointer).first
        let runCount = parent.runCount
        parent.change += 1
        turn(file: file, line: line) { parent.runCount > runCount }
        settle()
        XCTAssertNotNil(child, file: file, line: line)
        XCTAssertEqual(children(of: widget.pointer).first, child, file: file, line: line)
        return widget
    }
}
