import ArgumentParser
import Foundation

/// A list of addresses, one per line. Empty lines and lines that begin with `#` are ignored.
enum AddressFile {
    static func read(_ path: String) throws -> [String] {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw ValidationError("--urls: \(path) cannot be read: \(error.localizedDescription)")
        }
        return text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
