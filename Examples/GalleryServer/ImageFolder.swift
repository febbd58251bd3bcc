import Foundation

/// The images of a folder and of its subfolders, by number.
///
/// A request names a number, never a path: it cannot reach a file outside the folder.
public struct ImageFolder: Sendable {
    public let files: [URL]

    private static let contentTypes = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "apng": "image/apng", "gif": "image/gif",
        "webp": "image/webp", "avif": "image/avif", "heic": "image/heic", "heif": "image/heif", "jxl": "image/jxl",
        "bmp": "image/bmp", "ico": "image/vnd.microsoft.icon", "svg": "image/svg+xml", "tif": "image/tiff",
        "tiff": "image/tiff",
    ]

    /// Throws ``ImageFolderError`` if the path is not a folder or cannot be read.
    public init(path: String) throws {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw ImageFolderError(description: "\(path) is not a folder.")
        }
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else { throw ImageFolderError(description: "\(path) cannot be read.") }
        self.files = files.compactMap { $0 as? URL }
            .filter { Self.contentType(of: $0) != nil && $0.isReadableFile }
            .sorted { $0.path < $1.path }
    }

    static func contentType(of file: URL) -> String? {
        contentTypes[file.pathExtension.lowercased()]
    }
}

extension URL {
    /// Whether the URL is a regular file or a link to one, not a folder, pipe or device.
    fileprivate var isReadableFile: Bool {
        let values = try? resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey])
        return values?.isRegularFile == true && FileManager.default.isReadableFile(atPath: path)
    }
}

/// The reason why a folder cannot be shown.
public struct ImageFolderError: Error, CustomStringConvertible {
    public let description: String
}
