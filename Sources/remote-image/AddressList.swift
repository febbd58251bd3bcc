import Glibc

/// A file with one address per line.
enum AddressList {
    /// Reads the lines of the file, or of standard input for `-`. A byte order mark, surrounding
    /// white space and empty lines are removed. Exits with 1 if the file cannot be read.
    static func read(from path: String) throws -> [String] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Console.failure(at: path) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Console.failure(at: path) }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        // Editors of other systems write one.
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
        return text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
            let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
            let trimmed = line.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
            return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
        }
    }
}
