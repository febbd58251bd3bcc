/// Reads and writes a value that a widget edits.
///
/// ```swift
/// Toggle("Round corners", isOn: Binding(model, \.isRound))
/// ```
///
/// A property with the attribute reads and writes the value of a declaration around its own:
///
/// ```swift
/// struct FavoriteMark: WidgetDeclaration {
///     @Binding var isFavorite: Bool
///
///     var body: some WidgetDeclaration {
///         Button(isFavorite ? "★" : "☆") { isFavorite.toggle() }
///     }
/// }
/// ```
///
/// The declaration around it passes its own binding, as in `FavoriteMark(isFavorite: $isFavorite)`.
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    /// Makes a binding from closures. The widget follows the observable values that `get` reads.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        (self.get, self.set) = (get, set)
    }

    /// Makes a binding to a property of an object, which it retains. The widget follows the
    /// property if the object is `@Observable`.
    public init<Root: AnyObject>(_ object: Root, _ property: ReferenceWritableKeyPath<Root, Value>) {
        self.init {
            object[keyPath: property]
        } set: {
            object[keyPath: property] = $0
        }
    }

    /// The edited value.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// The binding itself, for a widget or a declaration that edits the value, too.
    public var projectedValue: Binding<Value> { self }

    /// A binding to a property of the value.
    public subscript<Property>(dynamicMember property: WritableKeyPath<Value, Property>) -> Binding<Property> {
        Binding<Property> {
            wrappedValue[keyPath: property]
        } set: {
            wrappedValue[keyPath: property] = $0
        }
    }

    /// A binding to a property of the object.
    public subscript<Property>(
        dynamicMember property: ReferenceWritableKeyPath<Value, Property>
    ) -> Binding<Property> where Value: AnyObject {
        Binding<Property> {
            wrappedValue[keyPath: property]
        } set: {
            wrappedValue[keyPath: property] = $0
        }
    }

    /// Sets the value unless it is the same.
    package func change(to new: Value) where Value: Equatable {
        if wrappedValue != new { wrappedValue = new }
    }
}

/// Makes bindings to the properties of an object that a declaration receives.
///
/// ```swift
/// struct SettingsPage: WidgetDeclaration {
///     @Bindable var model: Model
///
///     var body: some WidgetDeclaration {
///         Toggle("Round corners", isOn: $model.isRound)
///     }
/// }
/// ```
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Value: AnyObject> {
    /// The object.
    public var wrappedValue: Value

    /// - Parameter wrappedValue: The object. Widgets follow its properties if it is `@Observable`.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// The wrapper itself, whose members are bindings.
    public var projectedValue: Bindable<Value> { self }

    /// A binding to a property of the object.
    public subscript<Property>(
        dynamicMember property: ReferenceWritableKeyPath<Value, Property>
    ) -> Binding<Property> {
        Binding(wrappedValue, property)
    }
}
