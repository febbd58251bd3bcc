import ArgumentParser
import RemoteImage

/// The names of written files without their extension: text with the fields `{index}` and `{name}`.
struct NameTemplate: Sendable {
    private let text: String
    private static let maxNameLength = 80

    init(_ text: String) throws {
        self.text = text
        if text.isEmpty { throw ValidationError("A name is not empty.") }
        if text.contains("/") { throw ValidationError("A name has no /; --output is the folder.") }
        let braces = text.filling(index: "", name: "")
        if let start = braces.firstIndex(where: { "{}".contains($0) }) {
            let end = braces[start...].firstIndex(of: "}") ?? start
            throw ValidationError("The fields of a name are {index} and {name}, not \(braces[start...end]).")
        }
        // A number may follow the name, and an extension.
        let longest = text.filling(index: "0000000", name: String(repeating: "0", count: Self.maxNameLength))
        let length = longest.utf8.count + "-0000000.webp".utf8.count
        if length > 255 {
            throw ValidationError("A file name has at most 255 bytes; these names may have \(length).")
        }
    }

    /// - Parameter index: The place of the address in the list, from 1; it gets as many digits as
    ///   `count`, so that files sort in the order of their addresses.
    func name(for address: String, index: Int, of count: Int) -> String {
        let digits = String(index)
        let zeros = String(repeating: "0", count: String(count).count - digits.count)
        return text.filling(index: zeros + digits, name: Self.name(for: address))
    }

    /// A file name from the last part of the address's path: at most 80 ASCII letters, digits, `-`
    /// and `_`. It does not begin with `-`, since programs would take it for an option.
    static func name(for address: String) -> String {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last ?? ""
        let stem = last.lastIndex(of: ".").map { last[..<$0] } ?? last
        let safe = stem.utf8.map { byte -> Character in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || "-_".contains(character))
                ? character : "_"
        }
        let name = String(safe.drop { $0 == "-" }.prefix(maxNameLength))
        return name.contains { $0 != "_" && $0 != "-" } ? name : "image"
    }
}

extension String {
    fileprivate func filling(index: String, name: String) -> String {
        replacing("{index}", with: index).replacing("{name}", with: name)
    }
}

/// The format of written files.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case jpeg, png, webp

    var encoding: PixelEncoding {
        switch self {
        case .jpeg: .jpeg()
        case .png: .png
        case .webp: .webp()
        }
    }

    var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
