import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

/// The rules of the portal: https://flatpak.github.io/xdg-desktop-portal/docs/icons.html
final class NotificationIconTests: XCTestCase {
    func testAnIconIsASquarePNGOfTheSideWanted() throws {
        try GtkFixture.run { test in
            for (fit, content) in [(ContentFit.cover, UInt8(1)), (.contain, 2), (.fill, 3)] {
                let icon = try load(TestImage(content, width: 1200, height: 900), side: 128, fit: fit, test).get()
                let found = try file(of: icon)
                XCTAssertEqual([found.width, found.height], [128, 128])
            }
        }
    }

    func testTheSideIsAtMostThatOfThePortal() throws {
        try GtkFixture.run { test in
            let large = try file(of: load(TestImage(1, width: 2000, height: 3000), side: .max, test).get())
            XCTAssertEqual([large.width, large.height], [512, 512])
            let small = try file(of: load(TestImage(2, width: 2000, height: 3000), side: -1, test).get())
            XCTAssertEqual([small.width, small.height], [1, 1])
        }
    }

    func testASmallImageIsNotEnlarged() throws {
        try GtkFixture.run { test in
            let found = try file(of: load(TestImage(1, width: 20, height: 16), test).get())
            XCTAssertEqual([found.width, found.height], [16, 16])
        }
    }

    func testNoiseOfTheLargestSideIsSmallerThanTheLimit() throws {
        try GtkFixture.run { test in
            var generator = SeededGenerator(seed: 1)
            let side = PixelSize(width: 512, height: 512)
            let noise = PixelBuffer(size: side, format: .rgba8Premultiplied) { memory in
                for index in memory.indices { memory[index] = UInt8.random(in: 0...255, using: &generator) }
                for index in stride(from: 3, to: memory.count, by: 4) { memory[index] = 255 }
            }
            XCTAssertLessThan(try noise.square(side: 512, fit: .cover).encoded(as: .png).count, 4 << 20)
        }
    }

    func testAnIconCanBeSentToThePortal() throws {
        try GtkFixture.run { test in
            let icon = try load(TestImage(1, width: 300, height: 200), test).get()
            let sent = try XCTUnwrap(g_icon_serialize(icon.pointer))
            defer { g_variant_unref(sent) }
            XCTAssertEqual(String(cString: g_variant_get_type_string(sent)), "(sv)")
            let kind = try XCTUnwrap(g_variant_get_child_value(sent, 0))
            defer { g_variant_unref(kind) }
            XCTAssertEqual(String(cString: g_variant_get_string(kind, nil)), "bytes")
        }
    }

    func testAFailedLoadIsThrown() throws {
        try GtkFixture.run { test in
            guard case .failure(let error) = try load(TestImage(0), test) else { return XCTFail("there is no image") }
            XCTAssertEqual(error.code, .corrupt)
        }
    }
}

/// The size and the number of bytes of the PNG file of an icon.
private struct File {
    let width, height, byteCount: Int
}

@MainActor
private func file(of icon: ImageIcon?) throws -> File {
    let pointer = try XCTUnwrap(icon?.pointer)
    let bytes = try XCTUnwrap(g_bytes_icon_get_bytes(pointer))
    var count: gsize = 0
    let data = try XCTUnwrap(g_bytes_get_data(bytes, &count)).assumingMemoryBound(to: UInt8.self)
    let file = Array(UnsafeBufferPointer(start: data, count: Int(count)))
    XCTAssertEqual(ImageFormat.sniff(file), .png)
    func number(_ start: Int) -> Int { file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
    return File(width: number(16), height: number(20), byteCount: file.count)
}

/// The icon of an image, or the error of its load.
@MainActor
private func load(
    _ image: TestImage, side: Int = 256, fit: ContentFit = .cover, _ test: GtkFixture
) throws -> Result<ImageIcon, ImageError> {
    // No widget has installed it if this is the first test.
    try MainLoop.install()
    let request = ImageRequest("http://test/\(image.size)-\(image.content).png")
    let pipeline = test.pipeline
    let number = test.transport.transfers.count + 1
    var result: Result<ImageIcon, ImageError>?
    Task {
        do throws(ImageError) {
            result = .success(try await pipeline.notificationIcon(for: request, side: side, fit: fit))
        } catch {
            result = .failure(error)
        }
    }
    try test.transfer(number).succeed(image.bytes)
    test.turn { result != nil }
    return try XCTUnwrap(result)
}
