import RemoteImageDecoders
import RemoteImageTestSupport
import Testing

/// Operations that are forbidden in a confined process, each tried in a separate process.
@Suite(.timeLimit(.minutes(2)), .enabled(if: BuiltProgram.canConfine, "a sanitizer's runtime cannot be confined"))
struct ConfinementTests {
    private func outcome(of trial: String) async throws -> BuiltProgram.Ending {
        let program = try BuiltProgram("confinement-trial", [trial])
        program.closeInput()
        return try await program.ended()
    }

    private static let (denied, outOfMemory, tooLarge, notPermitted) = ("13\n", "12\n", "27\n", "1\n")

    @Test(arguments: [
        ("file", denied), ("reader-other", denied), ("reader-folder", denied), ("reader-write", denied),
        ("reader-temporary", denied), ("memory", outOfMemory), ("memory-file", notPermitted),
        ("memory-file-limit", tooLarge),
    ])
    func `an operation that libraries try fails with an error number`(trial: String, errorNumber: String) async throws {
        let ending = try await outcome(of: trial)
        // 77: the kernel has no Landlock.
        if ending.status == 77 { return }
        #expect(ending.status == 0)
        #expect(ending.text == errorNumber)
    }

    @Test func `each call that libraries merely try fails with its error number`() async throws {
        let ending = try await outcome(of: "refused")
        #expect(ending.status == 0)
        #expect(
            ending.lines == [
                "memfd_create 1", "ftruncate 1", "fallocate 1", "fcntl 1", "openat 13", "newfstatat 13",
                "readlinkat 13", "faccessat 13", "statx 38", "sysinfo 1", "uname 1", "prctl 1", "ioctl 25",
                "prlimit64 1", "sched_setaffinity 1", "sched_setscheduler 1", "setpriority 1", "getcwd 13", "clone 1",
                "clone3 38",
            ])
    }

    @Test func `a process that draws SVG may open files for reading alone`() async throws {
        let ending = try await outcome(of: "reader-calls")
        // 77: the kernel has no Landlock.
        if ending.status == 77 { return }
        #expect(
            ending.lines == [
                "getpeername 88", "faccessat 0", "newfstatat 0", "newfstatat 13", "openat 13", "openat 13", "openat 13",
            ])
    }

    @Test func `a process that draws SVG can read the files of fonts`() async throws {
        let ending = try await outcome(of: "reader-own")
        if ending.status != 77 { #expect(ending.text == "0\n") }
    }

    @Test func `Landlock alone denies access to files`() async throws {
        let ending = try await outcome(of: "landlock")
        // 77: the kernel has no Landlock.
        if ending.status != 77 { #expect(ending.text == Self.denied) }
    }

    /// A compromised process could start thousands of threads.
    @Test func `the threads of a process are limited`() async throws {
        let ending = try await outcome(of: "threads")
        // 77: the system allows no user namespaces.
        if ending.status != 77 { #expect(ending.text == "11\n") }
    }

    /// Threads started before the filter was set used to run without it.
    @Test(arguments: [
        ("socket", 41), ("code", 9), ("thread", 41), ("reader-socket", 41), ("writable-code", 10), ("kill", 62),
        ("thread-signal", 234), ("peer", 52), ("program", 59),
    ])
    func `any other forbidden system call ends the process and is reported`(trial: String, number: Int) async throws {
        let ending = try await outcome(of: trial)
        if trial.hasPrefix("reader-"), ending.status == 77 { return }
        #expect(ending.status == 73)
        guard case .violation(let systemCall) = DecoderAnswer(ending.output[...]) else {
            Issue.record("no report: \(ending.text)"); return
        }
        #if arch(x86_64)
            #expect(systemCall == number)
        #endif
    }

    @Test func `a process receives its socket even if it has the number of a standard stream`() async throws {
        #expect(try await outcome(of: "standard-stream").status == 0)
    }

    @Test func `abort is reported as a crash and not as a violation`() async throws {
        let ending = try await outcome(of: "abort")
        #expect(ending.status == 128 + 31)
        #expect(ending.text.isEmpty)
    }

    @Test func `a process that tries to ignore SIGSYS is killed`() async throws {
        #expect(try await outcome(of: "handler").status == 128 + 31)
    }
}
