import CRemoteImageGtk
import Glibc

/// The resident memory of the process and its peak, from `/proc` (proc(5)).
enum ProcessPeak {
    /// The peak since the start or the last reset, in bytes; 0 if `/proc` does not report it.
    static var byteCount: Int { read("VmHWM:") }

    /// The resident memory now.
    static var current: Int { read("VmRSS:") }

    private static func read(_ name: String) -> Int {
        var text: UnsafeMutablePointer<CChar>?
        guard g_file_get_contents("/proc/self/status", &text, nil, nil) != 0, let text else { return 0 }
        defer { g_free(text) }
        let line = String(cString: text).split(separator: "\n").first { $0.hasPrefix(name) }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kilobytes ?? 0) * 1024
    }

    /// Resets the peak to the current memory. If the kernel does not permit this, the old peak
    /// remains as a lower bound.
    static func reset() {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }
}
