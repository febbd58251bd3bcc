// The format of metadata files.

import HTTPTypes

/// The responses of one key, the newest first.
struct EntryFile {
    /// Compared with the key of a lookup, since the file name is only a hash of it.
    var key: String
    var responses: [StoredResponse]

    /// Changes with the format. Files with another value are kept, since they belong to another
    /// version of the program.
    private static let magic: [UInt8] = Array("RIMG2\n".utf8)
    static let byteLimit = 1 << 20

    var bytes: [UInt8] {
        var writer = FieldWriter(bytes: Self.magic)
        writer.add(key)
        writer.add(responses.count)
        for response in responses {
            writer.add(response.status)
            writer.add(response.address.stringWithoutUserInfo)
            writer.add(response.requestTime)
            writer.add(response.responseTime)
            writer.add(response.headers.count)
            for field in response.headers {
                writer.add(field.name.rawName)
                writer.add(field.value)
            }
            writer.add(response.varying.count)
            for (name, value) in response.varying.sorted(by: { $0.key < $1.key }) {
                writer.add(name)
                writer.add(value)
            }
            writer.add(response.redirect?.lifetime ?? -1)
            writer.add(response.redirect?.flags ?? 0)
            writer.add(response.body.name)
            writer.add(response.body.byteCount)
            writer.add(response.body.checksum)
        }
        return writer.bytes + XXHash64.hash(writer.bytes).bytes
    }

    /// Whether the data has this version of the format, valid or damaged.
    static func isOurs(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    init(key: String, responses: [StoredResponse]) {
        self.key = key
        self.responses = responses
    }

    /// Parses the data. Returns `nil` for data that ``bytes`` has not produced, and for truncated
    /// data.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.magic.count + 8, bytes.starts(with: Self.magic) else { return nil }
        let content = Array(bytes.dropLast(8))
        guard XXHash64.hash(content).bytes == Array(bytes.suffix(8)) else { return nil }
        var reader = FieldReader(bytes: content, index: Self.magic.count)
        guard let key = reader.string(), let count = reader.number(), count <= 64 else { return nil }
        var responses: [StoredResponse] = []
        for _ in 0..<count {
            guard let response = reader.response() else { return nil }
            responses.append(response)
        }
        self.init(key: key, responses: responses)
    }
}

extension RedirectTerms {
    /// Bit 0: ``isSpecified``, bit 1: ``mustRevalidate``.
    fileprivate var flags: Int { (isSpecified ? 1 : 0) | (mustRevalidate ? 2 : 0) }

    fileprivate init(lifetime: Double, flags: Int) {
        self.init(lifetime: lifetime, isSpecified: flags & 1 != 0, mustRevalidate: flags & 2 != 0)
    }
}

extension FieldReader {
    fileprivate mutating func response() -> StoredResponse? {
        guard let status = number(), let text = string(), let address = try? WebAddress(text),
            let requestTime = time(), let responseTime = time(), let fieldCount = number()
        else { return nil }
        var headers = HTTPFields()
        for _ in 0..<fieldCount {
            guard let name = string().flatMap({ HTTPField.Name($0) }), let value = string() else { return nil }
            headers.append(HTTPField(name: name, value: value))
        }
        guard let varyingCount = number() else { return nil }
        var varying: [String: String] = [:]
        for _ in 0..<varyingCount {
            guard let name = string(), let value = string() else { return nil }
            varying[name] = value
        }
        guard let lifetime = time(), let flags = number(), let name = string(), let byteCount = number(),
            let checksum = word()
        else { return nil }
        return StoredResponse(
            status: status, headers: headers, address: address, requestTime: requestTime, responseTime: responseTime,
            varying: varying,
            redirect: lifetime < 0 ? nil : RedirectTerms(lifetime: lifetime, flags: flags),
            body: StoredBody(name: name, byteCount: byteCount, checksum: checksum))
    }
}
