import RemoteImageDecoders
import TestSupport
import Testing

/// What a confined process can no longer do, tried in a process of its own.
@Suite(.timeLimit(.minutes(2)), .enabled(if: BuiltProgram.canConfine, "a sanitizer's runtime cannot be confined"))
struct ConfinementTests {
    private func outcome(of trial: String) async throws -> BuiltProgram.Ending {
        let program = try BuiltProgram("confinement-trial", [trial])
        program.closeInput()
        return try await program.ended()
    }

    private static let (denied, outOfMemory, tooLarge, notPermitted) = ("13\n", "12\n", "27\n", "1\n")

    @Test(arguments: [
        ("file", denied), ("memory", outOfMemory), ("memory-file", notPermitted), ("memory-file-limit", tooLarge),
    ])
    func `what libraries merely try fails`(trial: String, errorNumber: String) async throws {
        let ending = try await outcome(of: trial)
        #expect(ending.status == 0)
        #expect(ending.text == errorNumber)
    }

    @Test func `Landlock alone denies files`() async throws {
        let ending = try await outcome(of: "landlock")
        // 77: a kernel without it.
        if ending.status != 77 { #expect(ending.text == Self.denied) }
    }

    /// A thread that ran before the filter was set had none.
    @Test(arguments: [("socket", 41), ("code", 9), ("thread", 41)])
    func `anything else ends the process, which reports the system call`(trial: String, number: Int) async throws {
        let ending = try await outcome(of: trial)
        #expect(ending.status == 73)
        guard case .violation(let systemCall) = DecoderAnswer(ending.output[...]) else {
            Issue.record("no report: \(ending.text)"); return
        }
        #if arch(x86_64)
            #expect(systemCall == number)
        #endif
    }

    @Test func `a process gets its socket also where that has the number of a standard stream`() async throws {
        #expect(try await outcome(of: "standard-stream").status == 0)
    }

    @Test func `abort is a crash and no violation`() async throws {
        let ending = try await outcome(of: "abort")
        #expect(ending.status == 128 + 31)
        #expect(ending.text.isEmpty)
    }

    @Test func `the report of a violation cannot be prevented`() async throws {
        #expect(try await outcome(of: "handler").status == 128 + 31)
    }
}
