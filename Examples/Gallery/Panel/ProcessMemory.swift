import Foundation

/// The memory use of the process.
enum ProcessMemory {
    /// The resident memory in bytes, including shared pages; `nil` if `/proc` cannot be read.
    static var byteCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii),
            let pageCount = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return pageCount * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
