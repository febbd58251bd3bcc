// What a program does with a store itself.

import Glibc

extension DiskStore {
    /// The bytes that all files take. Looks at each, and reads none.
    public var byteCount: Int { StoreScan.files(in: base).reduce(0) { $0 + $1.byteCount } }

    /// ``byteCount``, and how many responses ``all()`` gives. Reads the description of each.
    public func usage() -> (byteCount: Int, entryCount: Int) {
        (byteCount, all().reduce(0) { $0 + $1.responses.count })
    }

    /// The limit on the sum of all files, in bytes.
    public var byteLimit: Int { sizes.limit }

    /// Every response that is stored, by key. ``name(of:)`` says what a key is about.
    public func all() -> [(key: String, responses: [StoredResponse])] {
        everything().filter { !PartialResponse.isKey($0.key) }
    }

    /// Beginnings of responses included.
    func everything() -> [(key: String, responses: [StoredResponse])] {
        StoreScan.files(in: base).filter { $0.name.hasSuffix(".h") }.compactMap { file in
            StoreFolder(base, "v1", file.shard).read(file.name, limit: EntryFile.byteLimit)
                .flatMap { EntryFile($0) }.map { ($0.key, $0.responses) }
        }
    }

    /// The file that holds the body of a stored response, for programs that want a file.
    public func path(of response: StoredResponse, for key: String) -> String? {
        let name = EntryName(key)
        guard name.owns(response.body.name) else { return nil }
        let path = "\(base)/v1/\(name.shard)/\(response.body.name)"
        return access(path, R_OK) == 0 ? path : nil
    }

    // MARK: Names

    /// What a key is about: the address that was asked for, or the identity that the program gave. The rest of a key says
    /// who asked.
    public static func name(of key: String) -> String {
        var lines = key.split(separator: "\n", omittingEmptySubsequences: false)
        while lines.count > 1, let last = lines.last, isAddition(last) { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    private static func isAddition(_ line: Substring) -> Bool {
        if PartialResponse.isKey("\n\(line)") { return true }
        let words = line.split(separator: " ")
        return words.count == 2 && ["account", "headers"].contains(words[0]) && words[1].utf8.count == 32
            && words[1].allSatisfy(\.isHexDigit)
    }

    // MARK: Removing

    /// Removes what was used longest ago until all files take at most so many bytes. Waits for another process that does
    /// so.
    ///
    /// - Returns: Why more is left, as ``ImageError/Code/io``.
    @discardableResult
    public func trim(to byteCount: Int) -> Result<Void, ImageError> {
        result(sizes.trim(to: max(0, byteCount), waiting: .untilFree))
    }

    /// Removes all stored responses of an address, of all accounts.
    ///
    /// - Returns: Why something is left, as ``ImageError/Code/io``.
    @discardableResult
    public func removeAll(of address: WebAddress) -> Result<Void, ImageError> {
        removeAll(named: address.string).map { _ in }
    }

    /// Removes all stored responses under a name that ``name(of:)`` returns, of all accounts; an address may be spelt in
    /// any way.
    ///
    /// - Returns: How much there was, or why something is left, as ``ImageError/Code/io``.
    @discardableResult
    public func removeAll(named name: String) -> Result<Int, ImageError> {
        let address = try? WebAddress(name)
        let names = [name, address?.string, address?.stringWithoutUserInfo]
        let keys = everything().map(\.key).filter { names.contains(Self.name(of: $0)) }
        // Also where the folder that it would be in cannot be looked into.
        let failures = Set(keys + [address?.string ?? name]).compactMap { forget($0) }
        return result(failures.first).map { keys.count }
    }

    private func result(_ failure: StoreFailure?) -> Result<Void, ImageError> {
        failure.map { .failure(ImageError(.io, "\(base): \($0.reason)")) } ?? .success(())
    }
}
