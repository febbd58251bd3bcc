import Foundation
import Glibc
import Logging
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

/// Shell scripts that replace the decoder program, and the messages that they send.
enum DecoderScript {
    static func decoder(
        _ path: String, at time: Lock<ContinuousClock.Instant>? = nil,
        _ change: (inout IsolatedDecoder.Configuration) -> Void = { _ in }
    ) -> IsolatedDecoder {
        var configuration = IsolatedDecoder.Configuration()
        configuration.path = path
        change(&configuration)
        return IsolatedDecoder(.standard(isolation: .none), configuration) { time?.withLock { $0 } ?? .now }
    }

    /// Replaces the file with a shell script.
    static func script(_ lines: String, in file: TemporaryFile) throws {
        // A running program cannot be opened for writing, so a new file replaces it. A process of
        // its own writes it: a child that another test forks meanwhile would hold the file open,
        // and it could not be run.
        let path = "\(file.path).new"
        let command = #"printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod 700 "$0""#
        #expect(try ChildProcess("sh", ["-c", command, path, lines]).waitForExit() == 0)
        #expect(rename(path, file.path) == 0)
    }

    /// Runs `lines` and then the real decoder program with the script's arguments.
    static func decoderScript(after lines: String, in file: TemporaryFile) throws {
        let program = try #require(DecoderLocation.find(given: nil))
        try script("\(lines)\nexec '\(program)' \"$@\"", in: file)
    }

    /// The greeting of a process that decodes PNG, the second format, without a system call filter.
    static let greeting = #"printf '\012\000\000\000\007\000\002\000\000\000\000\000\000\000' >&3"#

    static let confinedGreeting = greeting.replacing(#"\007\000"#, with: #"\007\001"#)

    /// Receives one message.
    static let take = "dd bs=4096 count=1 <&3 >/dev/null 2>&1"

    static func testResult(isDecoded: Bool) -> String {
        #"printf '\002\000\000\000\004\00"# + (isDecoded ? "1" : "0") + "' >&3"
    }

    static let violation = #"printf '\011\000\000\000\002\051\000\000\000\000\000\000\000' >&3"#

    static let corrupt = #"printf '\030\000\000\000\001"# + number(7) + "corrupt" + number(0) + "' >&3"

    /// Greets as a confined process, passes its test, receives one question and runs `answer`.
    static func liar(_ answer: String, in file: TemporaryFile) throws {
        try script(
            "\(confinedGreeting)\n\(take)\n\(testResult(isDecoded: true))\n\(take)\n\(answer)", in: file)
    }

    static func number(_ value: Int) -> String {
        (0..<8).map { byte in
            let digits = String(value >> (8 * byte) & 255, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }

    /// An answer with pixels and, for frames decoded by number, with two delays.
    static func pixels(_ width: Int, _ height: Int, of size: (Int, Int), hasTiming: Bool = false) -> String {
        let timing = hasTiming ? #"\001"# + number(0) + number(2) + number(1) + number(1) : #"\000"#
        return (hasTiming ? #"printf '\127"# : #"printf '\067"#) + #"\000\000\000\000"# + number(width) + number(height)
            + #"\000"# + number(size.0) + number(size.1) + number(1) + #"\000"# + number(3) + "png\(timing)' >&3"
    }

    /// Asks for a frame of a PNG of 16 × 8 pixels.
    static func frames(_ bytes: [UInt8], previous: AnimationFrame? = nil) -> FramesRequest {
        let size = PixelSize(width: 16, height: 8)
        let frame = AnimationFrame(x: 0, y: 0, size: size, delay: .zero, disposal: .keep, blends: false)
        return FramesRequest(
            format: .png, canvas: size, restores: false, size: size, limits: DecodeLimits(), previous: previous,
            frames: [frame], room: (bytes.count, 1))
    }

    static func logger(_ lines: Watched<[String]>, _ level: Logger.Level = .info) -> Logger {
        Logger(label: "test") { _ in LoggedLines(lines: lines, logLevel: level) }
    }
}

struct LoggedLines: LogHandler {
    let lines: Watched<[String]>
    var logLevel = Logger.Level.info
    var called: @Sendable () -> Void = {}
    var metadata: Logger.Metadata = [:]

    init(lines: Watched<[String]>, logLevel: Logger.Level = .info, called: @escaping @Sendable () -> Void = {}) {
        self.lines = lines
        self.logLevel = logLevel
        self.called = called
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.update { $0.append(event.message.description) }
        called()
    }
}
