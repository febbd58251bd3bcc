import Foundation

/// What the process takes of the machine's memory.
enum ProcessMemory {
    /// Bytes, with those that it shares; nil where `/proc` does not say.
    static var byteCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii),
            let pageCount = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return pageCount * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
