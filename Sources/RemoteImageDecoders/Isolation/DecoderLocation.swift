// Where the program of the decoder process is, and what else was installed with the library.

import CPlatform
import Glibc

/// Looks for `remote-image-decoder`, in places that only who installed the program can write to.
package enum DecoderLocation {
    static let name = "remote-image-decoder"

    /// The path given, else beside the program, else in the libexec folder of the prefix that the
    /// program or the library is installed in.
    static func find(given path: String?) -> String? {
        if let path { return isProgram(path) ? path : nil }
        return candidates(program: program, library: library).first(where: isProgram)
    }

    /// Where the program and the library are installed, `/usr/local` for example.
    package static var prefixes: [String] { [library, program].compactMap { $0 }.compactMap(prefix) }

    private static var program: String? { readLink("/proc/self/exe") }

    private static var library: String? {
        platform_loaded_path().flatMap { realpath($0, nil) }.map { path in
            defer { free(path) }
            return String(cString: path)
        }
    }

    static func candidates(program: String?, library: String?) -> [String] {
        var paths: [String] = []
        if let program { paths.append("\(folder(of: program))/\(name)") }
        for file in [program, library] {
            guard let file, let prefix = prefix(of: file) else { continue }
            paths.append("\(prefix)/libexec/\(name)")
        }
        return paths
    }

    /// `/usr` for `/usr/bin/program` and for `/usr/lib/x86_64-linux-gnu/library`.
    private static func prefix(of file: String) -> String? {
        var folder = Self.folder(of: file)
        while !folder.isEmpty {
            let last = folder.split(separator: "/").last
            if last == "bin" || last == "lib" || last == "lib64" { return Self.folder(of: folder) }
            folder = Self.folder(of: folder)
        }
        return nil
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// Whether the path is that of a file that may be executed.
    static func isProgram(_ path: String) -> Bool { ProgramFile(path).identity != nil }

    private static func readLink(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
