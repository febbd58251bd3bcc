import Foundation

/// Writes lines to the standard error stream.
enum StandardError {
    static func write(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
