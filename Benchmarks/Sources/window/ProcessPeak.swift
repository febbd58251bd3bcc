import CGtk
import Glibc

/// The most memory that the process has had at once, from `/proc` (proc(5)).
enum ProcessPeak {
    /// Since the start or the last reset, in bytes; 0 where `/proc` does not say.
    static var byteCount: Int {
        var text: UnsafeMutablePointer<CChar>?
        guard g_file_get_contents("/proc/self/status", &text, nil, nil) != 0, let text else { return 0 }
        defer { g_free(text) }
        let line = String(cString: text).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kilobytes ?? 0) * 1024
    }

    /// Begins anew with what the process has now. Where the kernel does not let it, the old peak
    /// stays, and what comes after can only be larger.
    static func reset() {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }
}
