import Foundation
import RemoteImageTestSupport
import Testing

/// The progress of `remote-image fetch` on a terminal.
@Suite(.timeLimit(.minutes(5)))
struct ProgressBarTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// The bar once stayed in the line of the shell's prompt.
    @Test(.enabled(if: access("/dev/pts/ptmx", F_OK) == 0, "there are no pseudoterminals"))
    func `an interrupt clears the bar and ends the program by the signal`() async throws {
        let terminal = try Terminal()
        fixture.origin.hold("/a")
        let program = try BuiltProgram(
            "remote-image", ["fetch", "--no-disk-cache", fixture.address("/a")], errorFile: terminal.path)
        _ = try await fixture.origin.exchange(for: "/a")
        try await waitUntil("a bar") { terminal.text().contains("0 of 1") }
        program.kill(with: SIGINT)
        #expect(try await program.ended().status == 128 + SIGINT)
        #expect(terminal.text().hasSuffix("\u{1B}[K\r\u{1B}[K"))
    }

    @Test(.enabled(if: access("/dev/pts/ptmx", F_OK) == 0, "there are no pseudoterminals"))
    func `the bar grows with each image, counts failures, and is cleared at the end`() async throws {
        let terminal = try Terminal()
        fixture.origin.respond(to: "/a", with: .ok(GoldenImage.jpeg))
        let addresses = try ["/a", "/missing", "/none"].map(fixture.address)
        let program = try BuiltProgram(
            "remote-image", ["fetch", "--no-disk-cache", "--json"] + addresses, errorFile: terminal.path)
        #expect(try await program.ended().status == 1)
        func bar(_ filled: Int, _ text: String) -> String {
            let parts = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
            return "\r\(parts) \(text)\u{1B}[K"
        }
        let text = terminal.text()
        #expect(text.hasPrefix(bar(0, "0 of 3")))
        #expect(text.contains(bar(10, "1 of 3")) || text.contains(bar(10, "1 of 3, 1 failed")))
        #expect(text.hasSuffix(bar(30, "3 of 3, 2 failed") + "\r\u{1B}[K"))
    }
}

/// A pseudoterminal, whose output the test reads.
private final class Terminal {
    let path: String
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    init() throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var number: Int32 = 0
        // TIOCSPTLCK and TIOCGPTN, which Swift does not import; neither does it import `unlockpt`.
        guard ioctl(descriptor, 0x4004_5431, &number) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        path = "/dev/pts/\(number)"
    }

    deinit {
        close(descriptor)
    }

    /// The text that was written so far.
    func text() -> String {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
