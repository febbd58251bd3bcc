// Finds the decoder program and the installation prefixes of the program and the library.

import CRemoteImagePlatform
import Glibc

/// Finds `remote-image-decoder` in the installation folders of the program and the library.
package enum DecoderLocation {
    static let name = "remote-image-decoder"

    /// Returns the given path; without one, looks beside the running program, then in the `libexec`
    /// folders of the installation prefixes of the library and the program, where it skips programs
    /// that other users can replace. `nil` if there is no executable file.
    static func find(given path: String?) -> String? {
        if let path { return isProgram(path) ? path : nil }
        return first(of: candidates(program: program, library: library))
    }

    static func first(of candidates: [String]) -> String? {
        candidates.first { isProgram($0) && !isReplaceable($0) }
    }

    /// A program in the searched folders that other users can replace.
    static var replaceableProgram: String? {
        candidates(program: program, library: library).first { isProgram($0) && isReplaceable($0) }
    }

    /// The installation prefixes of the library and the program, such as `/usr/local`.
    package static var prefixes: [String] { [library, program].compactMap { $0 }.compactMap(prefix) }

    private static var program: String? { readLink("/proc/self/exe") }

    /// The shared library; `nil` if this code is a part of the program.
    private static var library: String? { loadedPath.flatMap(file) }

    /// Where this code was loaded from. Kept, since finding it out searches many symbols.
    private static let loadedPath = platform_loaded_path().map { String(cString: $0) }

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
    static func isProgram(_ path: String) -> Bool { ProgramFile(path).version != nil }

    private static func readLink(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    // MARK: Access of other users

    /// Whether another user than root, the user of the process and the owners of this code can
    /// replace the file at an absolute path, or one of its parent folders.
    static func isReplaceable(_ path: String) -> Bool { isReplaceable(path, owners: owners, linkCount: 0) }

    private static func isReplaceable(_ path: String, owners: Set<uid_t>, linkCount: Int) -> Bool {
        var entry = stat()
        // The kernel follows at most 40 links, too.
        guard path.hasPrefix("/"), lstat("/", &entry) == 0, linkCount < 40 else { return true }
        var checked = ""
        for name in path.split(separator: "/") {
            let folder = entry
            let isExposed = !isWritableByOwnerOnly(folder, at: checked)
            checked += "/\(name)"
            guard lstat(checked, &entry) == 0, owners.contains(entry.st_uid) else { return true }
            // In a sticky folder, others can replace no folder, but may add links to files of root.
            let isFolder = entry.st_mode & S_IFMT == S_IFDIR
            guard !isExposed || isFolder && folder.st_mode & S_ISVTX != 0 else { return true }
            if entry.st_mode & S_IFMT == S_IFLNK {
                // Each link of a chain is checked, since each can be changed.
                guard let next = readLink(checked), let target = file(at: checked),
                    !isReplaceable(
                        next.hasPrefix("/") ? next : "\(Self.folder(of: checked))/\(next)", owners: owners,
                        linkCount: linkCount + 1),
                    stat(target, &entry) == 0
                else { return true }
                checked = target
            }
        }
        // The mode of folders was checked with their entries.
        return entry.st_mode & S_IFMT != S_IFDIR && !isWritableByOwnerOnly(entry, at: checked)
    }

    /// The users who can change this program anyway. In a sandbox, files of root may belong to
    /// another user.
    private static var owners: Set<uid_t> {
        let files = [program, library].compactMap { $0 }
        return files.reduce(into: [0, geteuid()]) { owners, file in
            var status = stat()
            if stat(file, &status) == 0 { owners.insert(status.st_uid) }
        }
    }

    /// Whether the mode lets no other user write. The group may write if it has the number of the
    /// owner, as the private groups of users do, for which developers set the umask 002. Below
    /// `/usr/local`, Debian lets the group `staff` write to folders of root (Debian Policy 9.1.2).
    private static func isWritableByOwnerOnly(_ status: stat, at path: String) -> Bool {
        guard status.st_mode & S_IWOTH == 0 else { return false }
        return status.st_mode & S_IWGRP == 0 || status.st_gid == status.st_uid
            || status.st_uid == 0 && "\(path)/".hasPrefix("/usr/local/")
    }
}
