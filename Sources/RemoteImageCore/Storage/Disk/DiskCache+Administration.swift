// Administration of a store by the program.

import Glibc

extension DiskCache {
    /// The number of bytes that all files occupy on disk. Reads the status of each file, but not
    /// its content.
    public var byteCount: Int { StoreScan.files(in: base).reduce(0) { $0 + $1.byteCount } }

    /// ``byteCount``, and the number of responses that ``all()`` returns. Reads the metadata of
    /// each entry.
    public func usage() -> (byteCount: Int, entryCount: Int) {
        (byteCount, all().reduce(0) { $0 + $1.responses.count })
    }

    /// Checks that the store can be read. ``byteCount``, ``usage()`` and ``all()`` leave out what
    /// cannot be read. A store that does not exist yet is empty, which is no error.
    ///
    /// Throws ``ImageError/Code/io`` if a folder cannot be opened, is a symbolic link, belongs to
    /// another user, or can be changed by other users.
    public func check() throws(ImageError) {
        try reporting { () throws(StoreFailure) in
            var failure: StoreFailure?
            _ = StoreScan.files(in: base) { failure = $0 }
            if let failure { throw failure }
        }
    }

    /// The limit on the total size of all files, in bytes, at least 0. The first write after a
    /// change removes what exceeds it; ``trim(to:)`` removes it at once.
    public var byteLimit: Int {
        get { sizes.limit }
        set { sizes.limit = newValue }
    }

    /// All stored responses by key. ``name(of:)`` returns the name of a key.
    public func all() -> [(key: String, responses: [StoredResponse])] {
        everything().filter { !PartialResponse.isKey($0.key) }
    }

    /// All stored responses by key, including partial responses.
    func everything() -> [(key: String, responses: [StoredResponse])] {
        StoreScan.files(in: base).filter { $0.name.hasSuffix(".h") }.compactMap { file in
            StoreFolder(base, "v1", file.shard).read(file.name, limit: EntryFile.byteLimit)
                .flatMap { EntryFile($0) }.map { ($0.key, $0.responses) }
        }
    }

    /// The path of the file with the body of a stored response; `nil` if there is no readable file.
    public func path(of response: StoredResponse, for key: String) -> String? {
        let name = EntryName(key)
        guard name.owns(response.body.name) else { return nil }
        let path = "\(base)/v1/\(name.shard)/\(response.body.name)"
        return access(path, R_OK) == 0 ? path : nil
    }

    // MARK: Names

    /// The name of a key: the requested address, or the identity that the program chose. The rest
    /// of the key identifies the headers and the account.
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

    /// Removes entries, those that are old and large first, until all files occupy at most
    /// `byteCount` bytes. Waits while another process trims the store.
    ///
    /// Throws ``ImageError/Code/io`` if a file could not be removed and more bytes are left, or
    /// `byteCount` is 0. Files that are being written may stay without an error.
    public func trim(to byteCount: Int) throws(ImageError) {
        try reporting { () throws(StoreFailure) in try sizes.trim(to: max(0, byteCount), waiting: .untilFree) }
    }

    /// Removes all stored responses with a name that ``name(of:)`` returns, for all accounts, and
    /// those of its sizes, if it is the identity of a sized source. An address need not be
    /// normalised.
    ///
    /// - Returns: The number of removed keys.
    @discardableResult
    package func remove(named name: String) throws(ImageError) -> Int {
        let names = ImageSource.names(of: name)
        let keys = everything().map(\.key).filter { key in
            names.contains { ImageSource.isName(Self.name(of: key), of: $0) }
        }
        try reporting { () throws(StoreFailure) in
            // Includes the address itself, so that a folder that cannot be read is reported.
            try forget(Set(keys + names.suffix(1)))
        }
        return keys.count
    }

    public func removeAll(ofAccount account: String) throws(ImageError) {
        let hash = SHA256.name(of: account)
        try reporting { () throws(StoreFailure) in
            try forget(everything().map(\.key).filter { LoadKey.isStoreKey($0, ofAccount: hash) })
        }
    }

    /// Removes all responses for the keys, also after one of them could not be removed.
    private func forget(_ keys: some Sequence<String>) throws(StoreFailure) {
        var failure: StoreFailure?
        for key in keys {
            do throws(StoreFailure) { try forget(key) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    func reporting(_ body: () throws(StoreFailure) -> Void) throws(ImageError) {
        do throws(StoreFailure) { try body() } catch { throw ImageError(.io, "\(base): \(error.reason)") }
    }
}
