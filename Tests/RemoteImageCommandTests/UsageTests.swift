import Foundation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// Wrong usage exits with 64 and is explained on standard error; help and version exit with 0.
@Suite(.timeLimit(.minutes(5)))
struct UsageTests {
    @Test(arguments: [
        ["fetch"], ["fetch", "--unknown"], ["fetch", "--size", "0", "http://test/"],
        ["fetch", "--size", "x", "http://test/"], ["fetch", "--stored-sizes", "sometimes", "http://test/"],
        ["fetch", "--policy", "sometimes", "http://test/"], ["fetch", "--concurrency", "0", "http://test/"],
        ["fetch", "--header", "no colon", "http://test/"], ["fetch", "--header", "a b: c", "http://test/"],
        ["fetch", "--header", "X: a\r\nY: b", "http://test/"],
        ["fetch", "--header", "Transfer-Encoding: chunked", "http://test/"],
        ["get", "--header", "Host: a", "http://test/"],
        ["fetch", "--timeout", "0", "http://test/"],
        ["fetch", "--retries", "-1", "http://test/"], ["fetch", "--max-body", "0", "http://test/"],
        ["fetch", "--max-pixels", "0", "http://test/"], ["fetch", "--format", "png", "http://test/"],
        ["fetch", "--output-name", "{index}", "http://test/"],
        ["fetch", "--output", "/nonexistent", "--format", "gif", "http://test/"],
        ["fetch", "--output", "/nonexistent", "--output-name", "{host}", "http://test/"],
        ["get"], ["get", "http://test/", "http://test/"], ["get", "--jsonl", "--allow-errors"],
        ["get", "--jsonl", "http://test/"], ["get", "--policy", "", "http://test/"], ["cache", "shrink"],
        ["cache", "trim"], ["cache", "trim", "--to", "-1"], ["cache", "remove"], ["unknown"], [], ["cache"],
    ])
    func `wrong usage exits with 64 and an error message`(arguments: [String]) async throws {
        let program = try BuiltProgram("remote-image", arguments)
        program.closeInput()
        let ending = try await program.ended()
        #expect(ending.status == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("Error: "))
    }

    /// Both were once wrong usage.
    @Test(arguments: [
        (["--urls", "/nonexistent/list"], "/nonexistent/list: No such file or directory\n"),
        (["--urls", "/"], "/: Is a directory\n"),
        (["--output", "/dev/null/x", "http://test/"], "/dev/null/x: Not a directory\n"),
        (["--output", "/dev/null", "http://test/"], "/dev/null: Not a directory\n"),
        (["--output", "/proc/x/y", "http://test/"], "/proc/x: No such file or directory\n"),
    ])
    func `an unreadable list and an output folder that cannot be made are a failure on one line`(
        arguments: [String], line: String
    ) async throws {
        let ending = try await BuiltProgram("remote-image", ["fetch", "--no-disk-cache"] + arguments).ended()
        #expect(ending.status == 1)
        #expect(ending.output.isEmpty)
        #expect(ending.errors == line)
    }

    @Test(arguments: [["--version"], ["--help"], ["fetch", "--help"], ["get", "--help"], ["cache", "--help"]])
    func `help and version exit with 0`(arguments: [String]) async throws {
        let ending = try await BuiltProgram("remote-image", arguments).ended()
        #expect(ending.status == 0)
        #expect(!ending.output.isEmpty && ending.errors.isEmpty)
    }

    @Test(arguments: [
        [], ["fetch"], ["get"], ["cache"], ["cache", "info"], ["cache", "list"], ["cache", "remove"],
        ["cache", "trim"], ["cache", "clear"],
    ])
    func `the man page names every option of the help`(command: [String]) async throws {
        let page = try manPage()
        let help = try await BuiltProgram("remote-image", command + ["--help"]).ended().text
        let options = longOptions(in: help)
        #expect(options.contains("--help"))
        #expect(options.subtracting(longOptions(in: page)) == [])
    }

    @Test func `the man page names every field, origin and error code of the JSON output`() throws {
        let page = try manPage()
        let words = Set(
            page.split(separator: "\n").filter { $0.hasPrefix(".") }.flatMap { $0.split(separator: " ").dropFirst() })
        let fields = [
            "url", "phase", "origin", "status", "format", "width", "height", "decodedWidth", "decodedHeight", "bytes",
            "frames", "decoder", "isolated", "file", "writtenWidth", "writtenHeight", "seconds", "error", "code",
            "message", "underlying", "id", "headers",
            "body", "policy",
        ]
        let origins = ["network", "revalidated", "disk", "memory", "stale", "local", "generated"]
        for name in fields + origins + ImageError.Code.allCases.map(\.rawValue) {
            #expect(words.contains { $0 == name }, "\(name)")
        }
    }

    private func manPage() throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try String(contentsOfFile: "/\(root)/data/remote-image.1", encoding: .utf8)
    }

    private func longOptions(in text: String) -> Set<Substring> {
        Set(text.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") })
    }

    @Test func `the help names every documented option`() async throws {
        let text = try await BuiltProgram("remote-image", ["fetch", "--help"]).ended().text
        for option in [
            "--cache-dir", "--no-disk-cache", "--policy", "--header", "--timeout", "--retries", "--max-body",
            "--max-pixels",
            "--block-private-networks", "--isolate", "--no-isolate", "--enable-svg", "--urls", "--size",
            "--concurrency", "--output", "--output-name", "--format", "--stored-sizes", "--json",
        ] {
            #expect(text.contains(option), "\(option)")
        }
    }
}
