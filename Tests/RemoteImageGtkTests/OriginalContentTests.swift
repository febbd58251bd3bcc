import CRemoteImageGtk
import Dispatch
import Foundation
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

/// The files that other programs receive when an image is copied or dragged. They used to receive
/// the texture, which is decoded only for the size of the view.
final class OriginalContentTests: XCTestCase {
    func testACopiedImageIsItsOriginalFile() throws {
        try GtkFixture.run { test in
            let view = try Self.showSmall(test)
            let content = try Self.copied(from: view)
            defer { Self.clearClipboard(of: view) }
            XCTAssertEqual(test.transport.transfers.count, 1, "the file is loaded when it is asked for")
            let written = Self.write("image/png", of: content)
            try test.transfer(2).succeed(Self.file)
            test.turn { written.isFinished }
            XCTAssertEqual(written.bytes, Self.file)
            let formats = gdk_content_provider_ref_formats(content)
            defer { gdk_content_formats_unref(formats) }
            XCTAssertNotEqual(gdk_content_formats_contain_gtype(formats, gdk_texture_get_type()), 0)
        }
    }

    func testADraggedImageIsItsOriginalFile() throws {
        try GtkFixture.run { test in
            let view = try Self.showSmall(test)
            let source = try XCTUnwrap(Emission.controllers(gtk_drag_source_get_type(), of: view.pointer).first)
            let object = try XCTUnwrap(Emission.emit("prepare", of: source, 5, 5))
            defer { g_object_unref(UnsafeMutableRawPointer(object)) }
            let written = Self.write("image/png", of: UnsafeMutablePointer(object))
            try test.transfer(2).succeed(Self.file)
            test.turn { written.isFinished }
            XCTAssertEqual(written.bytes, Self.file)
        }
    }

    func testAnImageWhoseFileCannotBeLoadedIsCopiedAsItIsShown() throws {
        try GtkFixture.run { test in
            let view = try Self.showSmall(test)
            let content = try Self.copied(from: view)
            defer { Self.clearClipboard(of: view) }
            let written = Self.write("image/png", of: content)
            // Neither the file nor the image in full size can be loaded.
            test.turn {
                for transfer in test.transport.transfers where transfer.state == .running {
                    transfer.succeed([], status: 404)
                }
                return written.isFinished
            }
            XCTAssertEqual(Self.size(ofPNG: written.bytes), view.model.image?.info.decodedSize)
        }
    }

    func testAnImageOfAnotherFormatIsCopiedAsItsFileAndAsPNG() throws {
        try GtkFixture.run { test in
            let frame = GIFFile(width: 40, height: 30, pixels: [UInt8](repeating: 9, count: 1200))
            let file = GIFFile.animation([frame], delay: .zero)
            let transport = FakeTransport { _ in .ok(file) }
            let pipeline = ImagePipeline.test(transport, decoder: GIFDecoder()) { $0.options.maxPixelSize = 20 }
            // The limits of the view and of the pipeline are not those of the copy.
            var options = Self.small
            options.maxPixelSize = 10
            let view = RemoteImageView(
                NetworkImage("http://test/a.gif", options: options) { Picture($0) }, pipeline: pipeline)
            test.watch(view.content, "the view")
            view.hasContextMenu = true
            test.show(view.pointer)
            test.turn { view.model.phase.kind == .success }
            let content = try Self.copied(from: view)
            defer {
                Self.clearClipboard(of: view)
                pipeline.configuration.memoryCache?.removeAll()
            }
            let original = Self.write("image/gif", of: content)
            test.turn { original.isFinished }
            XCTAssertEqual(original.bytes, file)
            let cache = try XCTUnwrap(pipeline.configuration.memoryCache as? MemoryCache)
            let cost = cache.cost
            let png = Self.write("image/png", of: content)
            test.turn { png.isFinished }
            XCTAssertEqual(cache.cost, cost, "the image in full size does not displace others")
            XCTAssertEqual(Self.size(ofPNG: png.bytes), PixelSize(width: 40, height: 30))
            XCTAssertEqual(transport.transfers.count, 3, "the file is loaded once for each format")
            let other = Self.write("image/webp", of: content)
            test.turn { other.isFinished }
            XCTAssertNil(other.bytes)
        }
    }

    /// Wayland receivers give a blocking pipe, which may be read late.
    func testAReceiverThatDoesNotReadDoesNotBlockTheMainLoop() throws {
        try GtkFixture.run { test in
            var ends: [Int32] = [0, 0]
            XCTAssertEqual(pipe(&ends), 0)
            let make = try XCTUnwrap(dlsym(nil, "g_unix_output_stream_new"))
            typealias Make = @convention(c) (Int32, gboolean) -> UnsafeMutableRawPointer?
            let stream = try XCTUnwrap(unsafeBitCast(make, to: Make.self)(ends[1], 1))
            defer { g_object_unref(stream) }
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            let writing = Task { @MainActor in
                try await StreamWriter(stream, G_PRIORITY_DEFAULT, nil).write(bytes)
                g_output_stream_close(stream.assumingMemoryBound(to: GOutputStream.self), nil, nil)
            }
            // The receiver reads after the main loop has turned, or after ten seconds.
            let (mayRead, received) = (DispatchSemaphore(value: 0), Watched<(isLate: Bool, count: Int)?>(nil))
            let reading = ends[0]
            Thread.detachNewThread {
                let isLate = mayRead.wait(timeout: .now() + 10) == .timedOut
                var (count, buffer) = (0, [UInt8](repeating: 0, count: 1 << 16))
                while case let size = read(reading, &buffer, buffer.count), size > 0 { count += size }
                close(reading)
                received.update { $0 = (isLate, count) }
            }
            test.turn { OutputPipe.isFull(ends[1]) }
            test.settle()
            mayRead.signal()
            test.turn { received.value != nil }
            XCTAssertEqual(received.value?.isLate, false)
            XCTAssertEqual(received.value?.count, bytes.count)
            withExtendedLifetime(writing) {}
        }
    }

    // MARK: Steps

    private static let file = TestImage(3, width: 400, height: 300).bytes

    private static var small: ImageOptions {
        var options = ImageOptions()
        options.reservedSize = .points(width: 20, height: 15)
        return options
    }

    /// A view with a menu that shows an image with fewer pixels than its file has.
    @MainActor
    private static func showSmall(_ test: GtkFixture) throws -> RemoteImageView {
        let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let view = test.view(NetworkImage("http://test/a.png", options: small) { Picture($0) })
        gtk_widget_set_halign(view.pointer, GTK_ALIGN_START)
        view.hasContextMenu = true
        append(view.pointer, to: box)
        test.show(box.pointer)
        try test.transfer().succeed(file)
        test.turn { view.model.phase.kind == .success }
        XCTAssertLessThan(try XCTUnwrap(view.model.image?.info.decodedSize.width), 400)
        return view
    }

    @MainActor
    private static func copied(from view: RemoteImageView) throws -> UnsafeMutablePointer<GdkContentProvider> {
        gtk_widget_activate_action_variant(view.pointer, "image.copy", nil)
        return try XCTUnwrap(gdk_clipboard_get_content(gtk_widget_get_clipboard(view.pointer)))
    }

    /// The clipboard keeps its content, and with it the texture.
    @MainActor
    private static func clearClipboard(of view: RemoteImageView) {
        gdk_clipboard_set_text(gtk_widget_get_clipboard(view.pointer), "")
    }

    /// Asks for a file as another program does.
    @MainActor
    private static func write(_ type: String, of content: UnsafeMutablePointer<GdkContentProvider>) -> Written {
        let written = Written()
        gdk_content_provider_write_mime_type_async(
            content, type, written.stream, G_PRIORITY_DEFAULT, nil,
            { content, result, data in
                guard let data else { return }
                let written = Unmanaged<Written>.fromOpaque(data).takeRetainedValue()
                let provider = UnsafeMutableRawPointer(content)?.assumingMemoryBound(to: GdkContentProvider.self)
                written.isWritten = gdk_content_provider_write_mime_type_finish(provider, result, nil) != 0
                written.isFinished = true
            }, Unmanaged.passRetained(written).toOpaque())
        return written
    }

    /// Only the main thread uses it.
    private final class Written {
        let stream = g_memory_output_stream_new_resizable()
        var isWritten = false
        var isFinished = false

        /// `nil` after a failure.
        var bytes: [UInt8]? {
            guard isWritten else { return nil }
            g_output_stream_close(stream, nil, nil)
            let memory = stream.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GMemoryOutputStream.self) }
            guard let bytes = g_memory_output_stream_steal_as_bytes(memory) else { return nil }
            defer { g_bytes_unref(bytes) }
            return [UInt8](gbytes: bytes)
        }

        deinit { g_object_unref(stream) }
    }

    /// The size in the header of a PNG file.
    private static func size(ofPNG bytes: [UInt8]?) -> PixelSize? {
        guard let bytes, ImageFormat.sniff(bytes) == .png, bytes.count > 24 else { return nil }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        return PixelSize(width: number(16..<20), height: number(20..<24))
    }
}

private enum OutputPipe {
    /// Whether nothing more can be written to a pipe until it is read.
    static func isFull(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&state, 1, 0) == 0
    }
}
