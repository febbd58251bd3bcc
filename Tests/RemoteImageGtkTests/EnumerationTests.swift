import CRemoteImageGtk
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The enumerations and errors of programs in other languages, whose numbers must not change.
final class EnumerationTests: XCTestCase {
    func testEachEnumerationHasItsNumbersAndNicks() {
        let expected: [(GType, String, first: Int32, [String])] = [
            (Enumerations.phase, "RemoteImagePhase", 0, ["empty", "loading", "success", "failure"]),
            (Enumerations.contentFit, "RemoteImageContentFit", 0, ["fill", "contain", "cover", "scale-down"]),
            (
                Enumerations.viewerFit, "RemoteImageViewerFit", 0,
                ["whole", "width", "height", "cover", "natural-size"]
            ),
            (
                Enumerations.cachePolicy, "RemoteImageCachePolicy", 0,
                [
                    "http", "stored", "stored-only", "reload", "no-store", "revalidate", "stale-while-revalidate",
                ]
            ),
            (Enumerations.isolation, "RemoteImageIsolation", 0, ["preferred", "required", "none"]),
            (Enumerations.serverCrop, "RemoteImageServerCrop", 0, ["none", "center", "smart"]),
            (Enumerations.priority, "RemoteImagePriority", -2, ["very-low", "low", "normal", "high", "very-high"]),
            (
                Enumerations.origin, "RemoteImageOrigin", 0,
                ["network", "revalidated", "disk", "memory", "stale", "local", "generated"]
            ),
            (
                Enumerations.error, "RemoteImageError", 0,
                [
                    "invalid-url", "forbidden-scheme", "forbidden-address", "connection", "timeout", "tls",
                    "too-many-redirects", "protocol", "incomplete", "too-large", "http-status", "empty-body",
                    "encoding", "not-an-image", "unsupported-format", "corrupt", "too-many-pixels", "decode-timeout",
                    "processing", "source", "not-stored", "cancelled", "io",
                ]
            ),
        ]
        for (type, name, first, nicks) in expected {
            XCTAssertEqual(String(cString: g_type_name(type)), name)
            let found = Self.values(of: type)
            XCTAssertEqual(found.map(\.nick), nicks, name)
            XCTAssertEqual(found.map(\.number), nicks.indices.map { first + Int32($0) }, name)
        }
        XCTAssertEqual(
            Self.values(of: Enumerations.contentFit).map(\.name),
            ["FILL", "CONTAIN", "COVER", "SCALE_DOWN"].map { "REMOTE_IMAGE_CONTENT_FIT_\($0)" })
    }

    func testEachFlagHasItsBit() {
        let expected: [(GType, String, [String])] = [
            (
                Enumerations.loadOptions, "RemoteImageLoadOptions",
                ["immediately", "on-appear", "cancel-on-disappear", "lower-priority-on-disappear"]
            ),
            (Enumerations.previewOptions, "RemoteImagePreviewOptions", ["embedded-thumbnail", "progressive"]),
        ]
        for (type, name, nicks) in expected {
            XCTAssertEqual(String(cString: g_type_name(type)), name)
            let classPointer = g_type_class_ref(type)
            defer { g_type_class_unref(classPointer) }
            guard let flags = classPointer?.assumingMemoryBound(to: GFlagsClass.self).pointee else {
                return XCTFail(name)
            }
            let values = UnsafeBufferPointer(start: flags.values, count: Int(flags.n_values))
            XCTAssertEqual(values.map { String(cString: $0.value_nick) }, nicks)
            XCTAssertEqual(values.map(\.value), nicks.indices.map { 1 << guint($0) })
        }
        XCTAssertEqual(LoadOptions([.loadImmediately, .lowerPriorityOnDisappear]).rawValue, 9)
    }

    func testNumbersAreConvertedInBothDirections() {
        let policies: [CachePolicy] = [
            .http, .cacheElseLoad, .cacheOnly, .reload, .noStore, .revalidate, .staleWhileRevalidate,
        ]
        XCTAssertEqual((-1...7).map { CachePolicy(number: $0) }, [.http] + policies + [.http])
        XCTAssertEqual(policies.map(\.number), Array(0...6))
        let priorities: [LoadPriority] = [.veryLow, .low, .normal, .high, .veryHigh]
        XCTAssertEqual((-3...3).map { LoadPriority(number: $0) }, [.normal] + priorities + [.normal])
        XCTAssertEqual(LoadPriority(number: 257), .normal)
        XCTAssertEqual(priorities.map(\.number), Array(-2...2))
        XCTAssertEqual((-1...3).map { DecoderIsolation(number: $0).number }, [0, 0, 1, 2, 0])
        XCTAssertEqual(
            [NetworkImagePhase.Kind.empty, .loading, .success, .failure].map(\.number), [0, 1, 2, 3])
        XCTAssertEqual(
            [ImageOrigin.network, .revalidated, .disk, .memory, .stale, .local, .generated].map(\.number),
            Array(0...6))
        let fits: [(GtkContentFit, ContentFit)] = [
            (GTK_CONTENT_FIT_FILL, .fill), (GTK_CONTENT_FIT_CONTAIN, .contain), (GTK_CONTENT_FIT_COVER, .cover),
            (GTK_CONTENT_FIT_SCALE_DOWN, .scaleDown),
        ]
        for (gtk, fit) in fits {
            XCTAssertEqual(ContentFit(gtk), fit)
            XCTAssertEqual(fit.gtk, gtk)
        }
        XCTAssertEqual(ContentFit(GtkContentFit(rawValue: 9)), .contain)
    }

    // MARK: Errors

    func testAnErrorAndItsCopyHaveTheStatusOfTheResponse() throws {
        let cases: [(ImageError, code: gint, status: Int32)] = [
            (.httpStatus(404), 10, 404), (ImageError(.connection), 3, 0), (ImageError(.invalidURL), 0, 0),
            (ImageError(.io), 22, 0), (ImageError(.notAnImage, status: 200), 13, 200),
            (ImageError(.source, status: .max), 19, .max),
        ]
        for (error, code, status) in cases {
            let made = try XCTUnwrap(ImageErrorDomain.makeError(error))
            let copy = try XCTUnwrap(g_error_copy(made))
            XCTAssertEqual([made.pointee.code, copy.pointee.code], [code, code])
            XCTAssertEqual([ImageErrorDomain.status(of: made), ImageErrorDomain.status(of: copy)], [status, status])
            g_error_free(made)
            g_error_free(copy)
        }
        let other = try XCTUnwrap(g_error_new_literal(g_io_error_quark(), 404, "other"))
        XCTAssertEqual(ImageErrorDomain.status(of: other), 0)
        g_error_free(other)
    }

    /// The errors with which a program answers a request.
    func testAnErrorOfTheProgramHasTheCodeOfItsKind() throws {
        let ours = ImageErrorDomain.quark
        func io(_ code: GIOErrorEnum) -> (GQuark, gint) { (g_io_error_quark(), gint(code.rawValue)) }
        let cases: [((GQuark, gint), ImageError.Code)] = [
            ((ours, 0), .invalidURL), ((ours, 4), .timeout), ((ours, 21), .source), ((ours, 22), .io),
            ((ours, 23), .source), ((ours, -1), .source), ((g_resolver_error_quark(), 0), .connection),
            ((g_tls_error_quark(), 1), .tls), ((g_file_error_quark(), 4), .source),
            (io(G_IO_ERROR_TIMED_OUT), .timeout), (io(G_IO_ERROR_HOST_NOT_FOUND), .connection),
            (io(G_IO_ERROR_HOST_UNREACHABLE), .connection), (io(G_IO_ERROR_NETWORK_UNREACHABLE), .connection),
            (io(G_IO_ERROR_CONNECTION_REFUSED), .connection), (io(G_IO_ERROR_CONNECTION_CLOSED), .connection),
            (io(G_IO_ERROR_NOT_CONNECTED), .connection), (io(G_IO_ERROR_PROXY_FAILED), .connection),
            (io(G_IO_ERROR_PROXY_AUTH_FAILED), .connection), (io(G_IO_ERROR_FAILED), .source),
            (io(G_IO_ERROR_CANCELLED), .source),
        ]
        for ((domain, number), code) in cases {
            let error = try XCTUnwrap(g_error_new_literal(domain, number, "secret"))
            defer { g_error_free(error) }
            let made = ImageError(ofProgram: error)
            let name = "\(String(cString: g_quark_to_string(domain))) \(number)"
            XCTAssertEqual(made.code, code, name)
            XCTAssertEqual(made.detail, "the program failed the request: \(name), secret")
            XCTAssertNil(made.ownSentence)
        }
        let error = try XCTUnwrap(g_error_new_literal(ours, 4, "secret"))
        defer { g_error_free(error) }
        let hidden = ImageError(ofProgram: error, hidesMessage: true, isForPeople: true)
        XCTAssertEqual(hidden.detail, "the program failed the request: remote-image-error-quark 4")
        XCTAssertNil(hidden.ownSentence)
        XCTAssertEqual(ImageError(ofProgram: error, isForPeople: true).message, "secret")
    }

    private struct Value {
        let number: Int32
        let name: String
        let nick: String
    }

    private static func values(of type: GType) -> [Value] {
        let classPointer = g_type_class_ref(type)
        defer { g_type_class_unref(classPointer) }
        guard let all = classPointer?.assumingMemoryBound(to: GEnumClass.self).pointee else { return [] }
        return UnsafeBufferPointer(start: all.values, count: Int(all.n_values)).map {
            Value(
                number: $0.value, name: String(cString: $0.value_name), nick: String(cString: $0.value_nick))
        }
    }
}
