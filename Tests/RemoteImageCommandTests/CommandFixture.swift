// Shared by the tests of the command line.

import Foundation
import RemoteImageCore
import RemoteImageTestSupport

/// A separate store and origin for each test.
struct CommandFixture: Sendable {
    let folder: TemporaryFolder
    let origin: RawOrigin

    init() throws {
        folder = try TemporaryFolder()
        origin = try RawOrigin()
    }

    var storePath: String { folder.path("store") }

    func address(_ path: String) throws -> String { try origin.address(path).string }

    /// Starts `remote-image` with the store of the fixture.
    func start(_ arguments: String...) throws -> BuiltProgram {
        try BuiltProgram("remote-image", arguments + ["--cache-dir", storePath])
    }

    /// Runs `remote-image` to its end without input.
    func run(_ arguments: String...) async throws -> BuiltProgram.Ending {
        let program = try BuiltProgram("remote-image", arguments + ["--cache-dir", storePath])
        program.closeInput()
        return try await program.ended()
    }

    /// Runs `remote-image` to its end with lines of input.
    func run(_ arguments: String..., input: [String]) async throws -> BuiltProgram.Ending {
        let program = try BuiltProgram("remote-image", arguments + ["--cache-dir", storePath])
        for line in input { program.write(line) }
        program.closeInput()
        return try await program.ended()
    }
}

/// A JSON object in the output of the command.
struct JSONObject: @unchecked Sendable {
    // Unchecked: the objects that JSONSerialization returns are immutable.
    private let fields: [String: Any]

    init(_ line: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        guard let fields = object as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
        self.fields = fields
    }

    private init(_ fields: [String: Any]) { self.fields = fields }

    var names: Set<String> { Set(fields.keys) }

    subscript(text name: String) -> String? { fields[name] as? String }
    subscript(number name: String) -> Int? { fields[name] as? Int }
    subscript(truth name: String) -> Bool? { fields[name] as? Bool }
    subscript(decimal name: String) -> Double? { fields[name] as? Double }
    subscript(object name: String) -> JSONObject? { (fields[name] as? [String: Any]).map { JSONObject($0) } }
    subscript(objects name: String) -> [JSONObject]? {
        (fields[name] as? [[String: Any]]).map { list in list.map { JSONObject($0) } }
    }
    subscript(pairs name: String) -> [[String]]? { fields[name] as? [[String]] }

    /// The bytes of a field in Base64.
    subscript(bytes name: String) -> [UInt8]? {
        self[text: name].flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
    }
}

extension BuiltProgram.Ending {
    var objects: [JSONObject] { get throws { try lines.map { try JSONObject($0) } } }
}
