import CRemoteImageGtk
import XCTest

@testable import RemoteImageGtk

/// The GObject properties: their types, ranges and defaults, on which programs in other languages
/// rely, and the values that they hold.
final class ObjectPropertyTests: XCTestCase {
    private static let ofImages = """
        aspect-ratio gdouble 0.0...10000.0 = 0.0
        authorization RemoteImageAuthorization
        cache-policy RemoteImageCachePolicy = 0
        expiry gint -1...2147483647 = -1
        fallback-uris GStrv
        headers GStrv
        identity gchararray
        image-scale gdouble 0.1...100.0 = 1.0
        keep-while-loading gboolean = 0
        low-data-uri gchararray
        max-pixel-size gint 0...2147483647 = 0
        max-retries gint -1...100 = -1
        pipeline RemoteImagePipeline
        previews RemoteImagePreviewOptions = 0
        priority RemoteImagePriority = 0
        processor RemoteImageProcessor
        release-delay gint -1...3600000 = 5000
        show-stored-while-loading gboolean = 0
        source RemoteImageSource
        stored-sizes gboolean = 1
        thumb-hash gchararray
        blur-hash gchararray
        timeout gint 0...86400 = 0
        uri gchararray
        wait-for-network gboolean = 0
        animated gboolean = 0, read only
        error GError, read only
        image-height gint 0...2147483647 = 0, read only
        image-width gint 0...2147483647 = 0, read only
        phase RemoteImagePhase = 0, read only
        progress gdouble 0.0...1.0 = 0.0, read only
        status gint 0...2147483647 = 0, read only
        texture GdkTexture, read only
        """

    private static let ofViews = """
        alternative-text gchararray
        content-fit GtkContentFit = 1
        context-menu gboolean = 0
        corner-radius gint 0...32767 = 0
        decorative gboolean = 0
        delay gint 0...60000 = 0
        disappear-delay gint 0...60000 = 300
        extra-menu GMenuModel
        failure GtkWidget
        focus-x gdouble -1.0...1.0 = 0.0
        focus-y gdouble -1.0...1.0 = 0.0
        load-options RemoteImageLoadOptions = 6
        placeholder GtkWidget
        placeholder-icon-name gchararray
        placeholder-icon-size gint 0...32767 = 0
        playing gboolean = 1
        reserved-height gint 0...32767 = 0
        reserved-width gint 0...32767 = 0
        transition-cached gboolean = 0
        transition-duration gint 0...60000 = 0
        viewport-margin gint 0...32767 = 200
        xalign gdouble 0.0...1.0 = 0.5
        yalign gdouble 0.0...1.0 = 0.5
        """

    private static let ofPipelines = """
        authorization RemoteImageAuthorization
        block-private-networks gboolean = 0
        cache-directory gchararray
        disk-cache-limit gint64 -1...9223372036854775807 = -1
        headers GStrv
        isolation RemoteImageIsolation = 0
        max-body-size gint64 1...9223372036854775807 = 33554432
        max-pixels gint64 1...9223372036854775807 = 50000000
        max-transfers gint 1...1024 = 16
        max-transfers-per-host gint 1...1024 = 6
        memory-cache-limit gint64 -1...9223372036854775807 = -1
        proxy gchararray = default
        stored-sizes gboolean = 1
        timeout gint 1...86400 = 60
        user-agent gchararray
        """

    private static let ofAuthorizations = """
        account gchararray, only at construction
        header-name gchararray = Authorization
        origins GStrv
        """

    func testEachClassHasItsProperties() {
        GtkFixture.run { _ in
            let expected: [(GType, String)] = [
                (RemoteImageViewState.type, Self.ofImages + "\n" + Self.ofViews),
                (PaintableObject.type, Self.ofImages), (PipelineObject.type, Self.ofPipelines),
                (AuthorizationObject.type, Self.ofAuthorizations), (SourceObject.type, ""),
                (ProcessorObject.type, ""),
            ]
            for (type, lines) in expected {
                let found = Property.all(of: type).map(\.description).sorted()
                let wanted = lines.split(separator: "\n").map(String.init).sorted()
                XCTAssertEqual(found, wanted, String(cString: g_type_name(type)))
            }
        }
    }

    func testANumberIsReadAsItWasSetAndNotifiesOnce() throws {
        try GtkFixture.run { test in
            for type in [RemoteImageViewState.type, PaintableObject.type, PipelineObject.type] {
                let object = try XCTUnwrap(shim_object_new(type))
                g_object_ref_sink(object)
                var count = 0
                for property in Property.all(of: type) where property.isNumeric && property.isWritable {
                    let initial = property.number(of: object)
                    let handlers = SignalConnections()
                    handlers.connect(property: property.name, of: object) { count += 1 }
                    for number in property.samples where number != property.number(of: object) {
                        count = 0
                        property.set(number, of: object)
                        XCTAssertEqual(property.number(of: object), number, property.name)
                        XCTAssertEqual(count, 1, "\(property.name), \(number)")
                        property.set(number, of: object)
                        XCTAssertEqual(count, 1, "\(property.name), \(number), again")
                    }
                    property.set(initial, of: object)
                    handlers.end()
                }
                g_object_unref(object)
                test.settle()
            }
        }
    }

    func testTextsListsAndObjectsAreReadAsTheyWereSet() throws {
        try GtkFixture.run { test in
            let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
            test.watch(view.content, "the view")
            let object = UnsafeMutableRawPointer(view.pointer)
            for name in ["uri", "low-data-uri", "identity", "alternative-text", "placeholder-icon-name"] {
                for text in ["http://test/ä.png", "two", nil] as [String?] {
                    shim_set_pointer(object, name, text)
                    XCTAssertEqual(Property.text(name, of: object), text, name)
                }
            }
            for name in ["fallback-uris", "headers"] {
                for list in [["a: 1", "b: 2", "c: 3"], ["x: y"], []] {
                    let vector = StringVector.make(list)
                    shim_set_pointer(object, name, vector)
                    g_strfreev(vector)
                    XCTAssertEqual(Property.list(name, of: object), list, name)
                }
            }
            for name in ["placeholder", "failure"] {
                let label = test.watch(Widget(gtk_label_new(name)), name)
                shim_set_pointer(object, name, label.pointer)
                XCTAssertEqual(shim_get_object(object, name).map { shim_widget($0) }, label.pointer)
                g_object_unref(label.pointer)
                shim_set_pointer(object, name, nil)
                XCTAssertNil(shim_get_object(object, name))
            }
            test.show(view.pointer)
        }
    }

    /// The focus of an image is its alignment in other numbers: from the center, upwards.
    func testTheFocusAndTheAlignmentAreOneValue() throws {
        try GtkFixture.run { test in
            let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
            test.watch(view.content, "the view")
            let object = UnsafeMutableRawPointer(view.pointer)
            let properties = Dictionary(
                uniqueKeysWithValues: Property.all(of: RemoteImageViewState.type).map { ($0.name, $0) })
            let cases: [(set: String, Double, other: String, Double)] = [
                ("xalign", 0.25, "focus-x", -0.5), ("xalign", 1, "focus-x", 1), ("focus-x", 0.5, "xalign", 0.75),
                ("focus-x", -1, "xalign", 0), ("yalign", 0.25, "focus-y", 0.5), ("yalign", 1, "focus-y", -1),
                ("focus-y", 0.5, "yalign", 0.25), ("focus-y", -0.5, "yalign", 0.75),
            ]
            for (name, number, other, expected) in cases {
                var notified: [String] = []
                let handlers = SignalConnections()
                for name in ["xalign", "yalign", "focus-x", "focus-y"] {
                    handlers.connect(property: name, of: object) { notified.append(name) }
                }
                properties[name]?.set(number, of: object)
                XCTAssertEqual(properties[name]?.number(of: object), number)
                XCTAssertEqual(properties[other]?.number(of: object), expected, "\(name) = \(number)")
                XCTAssertEqual(notified.sorted(), [name, other].sorted())
                handlers.end()
            }
            test.show(view.pointer)
        }
    }

    /// A view has an address or a source, whichever was set last.
    func testAnAddressAndASourceReplaceEachOther() throws {
        try GtkFixture.run { test in
            let view = try XCTUnwrap(RemoteImageView(of: RemoteImageViewState.make()))
            test.watch(view.content, "the view")
            let object = UnsafeMutableRawPointer(view.pointer)
            let source = SourceObject.make("http://test/b.png")
            var notified: [String] = []
            for name in ["uri", "source"] { Signal.connect(property: name, of: object) { notified.append(name) } }
            shim_set_pointer(object, "uri", "http://test/a.png")
            XCTAssertEqual(notified, ["uri"])
            shim_set_pointer(object, "source", source)
            XCTAssertEqual(notified.sorted(), ["source", "uri", "uri"])
            XCTAssertNil(Property.text("uri", of: object))
            XCTAssertEqual(view.source, "http://test/b.png")
            shim_set_pointer(object, "source", nil)
            XCTAssertEqual(notified.sorted(), ["source", "source", "uri", "uri"])
            shim_set_pointer(object, "source", source)
            shim_set_pointer(object, "uri", "http://test/c.png")
            XCTAssertEqual(notified.sorted(), ["source", "source", "source", "source", "uri", "uri", "uri"])
            XCTAssertNil(shim_get_object(object, "source"))
            XCTAssertEqual(view.source, "http://test/c.png")
            g_object_unref(source)
            test.show(view.pointer)
        }
    }
}

/// A property of a GObject class.
@MainActor
private struct Property {
    private static let (boolean, integer, long, enumeration, flags, double, string):
        (
            GType, GType, GType, GType, GType, GType, GType
        ) = (5 << 2, 6 << 2, 10 << 2, 12 << 2, 13 << 2, 15 << 2, 16 << 2)

    private let spec: UnsafeMutablePointer<GParamSpec>

    /// The own properties of a class.
    static func all(of type: GType) -> [Property] {
        let classPointer = g_type_class_ref(type)
        defer { g_type_class_unref(classPointer) }
        var count: guint = 0
        let specs = g_object_class_list_properties(classPointer?.assumingMemoryBound(to: GObjectClass.self), &count)
        defer { g_free(specs) }
        return UnsafeBufferPointer(start: specs, count: Int(count)).compactMap(\.self)
            .filter { $0.pointee.owner_type == type }.map { Property(spec: $0) }
    }

    private init(spec: UnsafeMutablePointer<GParamSpec>) {
        self.spec = spec
    }

    var name: String { String(cString: spec.pointee.name) }
    private var type: GType { spec.pointee.value_type }
    private var kind: GType { g_type_fundamental(type) }
    private func has(_ flag: Int) -> Bool { Int(spec.pointee.flags.rawValue) & flag != 0 }
    var isWritable: Bool { has(1 << 1) }
    var isNumeric: Bool {
        [Self.boolean, Self.integer, Self.long, Self.enumeration, Self.flags, Self.double].contains(kind)
    }

    private func details<Details>(_ type: Details.Type) -> Details {
        UnsafeMutableRawPointer(spec).assumingMemoryBound(to: type).pointee
    }

    /// The type, the range, the default, and whether the property is read only.
    var description: String {
        let range =
            switch kind {
            case Self.integer: " \(details(GParamSpecInt.self).minimum)...\(details(GParamSpecInt.self).maximum)"
            case Self.long: " \(details(GParamSpecInt64.self).minimum)...\(details(GParamSpecInt64.self).maximum)"
            case Self.double: " \(details(GParamSpecDouble.self).minimum)...\(details(GParamSpecDouble.self).maximum)"
            default: ""
            }
        let initial =
            switch kind {
            case Self.boolean: " = \(details(GParamSpecBoolean.self).default_value)"
            case Self.integer: " = \(details(GParamSpecInt.self).default_value)"
            case Self.long: " = \(details(GParamSpecInt64.self).default_value)"
            case Self.double: " = \(details(GParamSpecDouble.self).default_value)"
            case Self.enumeration: " = \(details(GParamSpecEnum.self).default_value)"
            case Self.flags: " = \(details(GParamSpecFlags.self).default_value)"
            case Self.string: details(GParamSpecString.self).default_value.map { " = \(String(cString: $0))" } ?? ""
            default: ""
            }
        let access = isWritable ? has(1 << 3) ? ", only at construction" : "" : ", read only"
        return "\(name) \(String(cString: g_type_name(type)))\(range)\(initial)\(access)"
    }

    /// Numbers that the property accepts.
    var samples: [Double] {
        switch kind {
        case Self.boolean: return [1, 0]
        case Self.enumeration: return [1, 2, 0]
        case Self.flags: return [1, 3, 0]
        case Self.integer:
            let details = details(GParamSpecInt.self)
            return [Double(details.minimum), Double(details.minimum) + 1, Double(details.maximum)]
        case Self.long:
            let details = details(GParamSpecInt64.self)
            return [Double(details.minimum), Double(details.minimum) + 1, 1_099_511_627_776]
        default:
            let details = details(GParamSpecDouble.self)
            return [details.minimum, details.maximum, (details.minimum + 3 * details.maximum) / 4]
        }
    }

    func set(_ number: Double, of object: UnsafeMutableRawPointer) {
        var value = GValue()
        g_value_init(&value, type)
        switch kind {
        case Self.boolean: g_value_set_boolean(&value, gboolean(number))
        case Self.integer: g_value_set_int(&value, gint(number))
        case Self.long: g_value_set_int64(&value, gint64(number))
        case Self.enumeration: g_value_set_enum(&value, gint(number))
        case Self.flags: g_value_set_flags(&value, guint(number))
        default: g_value_set_double(&value, number)
        }
        g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
        g_value_unset(&value)
    }

    func number(of object: UnsafeMutableRawPointer) -> Double {
        var value = GValue()
        g_value_init(&value, type)
        defer { g_value_unset(&value) }
        g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
        return switch kind {
        case Self.boolean: Double(g_value_get_boolean(&value))
        case Self.integer: Double(g_value_get_int(&value))
        case Self.long: Double(g_value_get_int64(&value))
        case Self.enumeration: Double(g_value_get_enum(&value))
        case Self.flags: Double(g_value_get_flags(&value))
        default: g_value_get_double(&value)
        }
    }

    static func text(_ name: String, of object: UnsafeMutableRawPointer) -> String? {
        var value = GValue()
        g_value_init(&value, string)
        defer { g_value_unset(&value) }
        g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
        return g_value_get_string(&value).map { String(cString: $0) }
    }

    static func list(_ name: String, of object: UnsafeMutableRawPointer) -> [String] {
        var value = GValue()
        g_value_init(&value, shim_type_strv())
        defer { g_value_unset(&value) }
        g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
        return StringVector.strings(g_value_get_boxed(&value))
    }
}
