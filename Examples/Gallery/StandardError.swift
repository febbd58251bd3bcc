import Foundation

/// A line on the standard error stream.
enum StandardError {
    static func write(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
