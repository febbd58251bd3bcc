/// A value in an object, which C code keeps by a reference to it.
package final class Box<Value> {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}

extension Box: Sendable where Value: Sendable {}
