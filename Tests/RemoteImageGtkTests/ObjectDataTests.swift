import CRemoteImageGtk
import XCTest

@testable import GtkDeclarations
@testable import RemoteImageGtk

/// What objects of GTK own: Swift objects, and the handlers of their signals.
final class ObjectDataTests: XCTestCase {
    private final class Value {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    func testEachKindOfDataEndsWithItsReplacementOrItsObject() throws {
        try GtkFixture.run { _ in
            let (first, second) = (ObjectData<Value>("test-first"), ObjectData<Value>("test-second"))
            let object = try XCTUnwrap(shim_object_new(g_object_get_type()))
            @MainActor func numbers() -> [Int?] { [first[object]?.number, second[object]?.number] }
            XCTAssertEqual(numbers(), [nil, nil])
            weak var old: Value?
            weak var other: Value?
            weak var new: Value?
            do {
                let values = [Value(1), Value(2)]
                first[object] = values[0]
                second[object] = values[1]
                (old, other) = (values[0], values[1])
            }
            XCTAssertEqual(numbers(), [1, 2])
            do {
                let value = Value(3)
                first[object] = value
                new = value
            }
            XCTAssertEqual(numbers(), [3, 2])
            XCTAssertNil(old)
            second[object] = nil
            XCTAssertEqual(numbers(), [3, nil])
            XCTAssertNil(other)
            XCTAssertNotNil(new)
            g_object_unref(object)
            XCTAssertNil(new)
        }
    }

    func testConnectionsOfSeveralObjectsEndTogether() throws {
        try GtkFixture.run { _ in
            let adjustment = try XCTUnwrap(gtk_adjustment_new(0, 0, 10, 1, 1, 1))
            let kept = ObjectReference(sinking: UnsafeMutableRawPointer(adjustment))
            let store = ObjectReference(owned: UnsafeMutableRawPointer(g_list_store_new(g_object_get_type())))
            let connections = SignalConnections()
            var log: [String] = []
            connections.connect("value-changed", of: kept.pointer) { log.append("value") }
            connections.connect(property: "upper", of: kept.pointer) { log.append("upper") }
            connections.connect(itemsOf: store.pointer) { log.append("items") }
            @MainActor func change(to value: Double) {
                gtk_adjustment_set_value(adjustment, value)
                gtk_adjustment_set_upper(adjustment, 10 + value)
                let item = shim_object_new(g_object_get_type())
                g_list_store_append(OpaquePointer(store.pointer), item)
                g_object_unref(item)
            }
            change(to: 3)
            XCTAssertEqual(log, ["value", "upper", "items"])
            connections.end()
            change(to: 4)
            XCTAssertEqual(log.count, 3)
            connections.connect("value-changed", of: kept.pointer) { log.append("again") }
            change(to: 5)
            XCTAssertEqual(log, ["value", "upper", "items", "again"])
            connections.end()
        }
    }
}
