import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

/// Functions that receive memory or references from GLib release them.
final class OwnedMemoryTests: XCTestCase {
    func testFunctionsReleaseWhatGLibGivesThem() {
        GtkFixture.run { test in
            let label = test.watch(Widget(gtk_label_new("kept")), "label")
            let (file, name) = (ImageSource.file("/tmp/a b.png"), "https://host/a%20b.png")
            let functions: [(String, @MainActor () -> Void)] = [
                ("the address of a file", { _ = file.address }),
                ("the name of an image", { _ = ImageName.suggested(for: name, nil) }),
                ("the proxy of the desktop", { _ = DesktopProxy.current() }),
                ("a weak reference", { _ = WeakObject(label.pointer) }),
            ]
            for (name, function) in functions {
                // The smallest block of the allocator has 32 bytes.
                let growths = AllocatedMemory.growths(until: 32_000) { for _ in 0..<2000 { function() } }
                XCTAssertLessThan(growths.last ?? 0, 32_000, "\(name): \(growths)")
            }
        }
    }
}
