// Finds the decoder program and the installation prefixes of the program and the library.

import CRemoteImagePlatform
import Glibc

/// Finds `remote-image-decoder` in the installation folders of the program and the library.
package enum DecoderLocation {
    static let name = "remote-image-decoder"

    /// Returns the given path; without one, looks beside the running program, then in the `libexec`
    /// folders of the installation prefixes of the library and the program. `nil` if there is no
    /// executable file.
    static func find(given path: String?) -> String? {
        if let path { return isProgram(path) ? path : nil }
        return candidates(program: program, library: library).first(where: isProgram)
    }

    /// The installation prefixes of the library and the program, such as `/usr/local`.
    package static var prefixes: [String] { [library, program].compactMap { $0 }.compactMap(prefix) }

    private static var program: String? { readLink("/proc/self/exe") }

    /// The shared library; `nil` if this code is a part of the program.
    private static var library: String? { platform_loaded_path().flatMap { file(at: String(cString: $0)) } }

    /// The file at an absolute path, without symbolic links. `nil` for a relative path, as of a
    /// library that was loaded by such a path: the current folder may be another one now.
    static func file(at path: String) -> String? {
        guard path.hasPrefix("/"), let file = realpath(path, nil) else { return nil }
        defer { free(file) }
        return String(cString: file)
    }

    static func candidates(program: String?, library: String?) -> [String] {
        var paths: [String] = []
        if let program { paths.append("\(folder(of: program))/\(name)") }
        for file in [library, program] {
            guard let file, let prefix = prefix(of: file) else { continue }
            paths.append("\(prefix)/libexec/\(name)")
        }
        return paths
    }

    /// The installation prefix of a file: `/usr` for `/usr/bin/program` and for
    /// `/usr/lib/x86_64-linux-gnu/library`.
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

    /// Whether the path is an executable file.
    static func isProgram(_ path: String) -> Bool { ProgramFile(path).identity != nil }

    private static func readLink(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
