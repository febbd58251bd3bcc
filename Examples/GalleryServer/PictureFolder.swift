import Foundation

/// The pictures of a folder and of the folders in it, by their numbers.
///
/// What is asked for is a number, never a path: nothing outside the folder can be reached.
public struct PictureFolder: Sendable {
    public let files: [URL]

    private static let contentTypes = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif",
    ]

    /// Throws where the path is no folder or cannot be read.
    public init(path: String) throws {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw PictureFolderError(description: "\(path) is not a folder.")
        }
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else { throw PictureFolderError(description: "\(path) cannot be read.") }
        self.files = files.compactMap { $0 as? URL }
            .filter { Self.contentType(of: $0) != nil && $0.isReadableFile }
            .sorted { $0.path < $1.path }
    }

    static func contentType(of file: URL) -> String? {
        contentTypes[file.pathExtension.lowercased()]
    }
}

extension URL {
    /// A file, not a folder, a pipe or a device; a link counts as what it leads to.
    fileprivate var isReadableFile: Bool {
        let values = try? resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey])
        return values?.isRegularFile == true && FileManager.default.isReadableFile(atPath: path)
    }
}

/// Why a folder cannot be shown.
public struct PictureFolderError: Error, CustomStringConvertible {
    public let description: String
}
