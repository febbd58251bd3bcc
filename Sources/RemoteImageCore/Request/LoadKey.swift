// The keys of shared work and of cached images. Their hashes are computed once.

import HTTPTypes

/// Identifies the data of an image. Requests with equal keys share one transfer.
struct LoadKey: Hashable, Sendable {
    /// The parts that never change, shared by all copies of the key.
    private final class Parts: Sendable {
        let identity: String
        let headers: String
        let requestNumber: Int?
        let accountGeneration: Int?
        /// Computed once, since hashing a string takes time in proportion to its length.
        let fixedHash: Int

        init(_ identity: String, _ headers: String, _ requestNumber: Int?, _ accountGeneration: Int?, _ fixedHash: Int)
        {
            self.identity = identity
            self.headers = headers
            self.requestNumber = requestNumber
            self.accountGeneration = accountGeneration
            self.fixedHash = fixedHash
        }
    }

    private let parts: Parts
    /// Whether a provider with the same identity and headers resolved to the source. Its job waits
    /// for that of the source, so their keys must differ. The store key is that of the source.
    private(set) var isResolved = false

    /// The identity of the source, which the program may have chosen.
    var identity: String { parts.identity }
    /// The accounts, the headers and the hook of the request. They may select or authorise the
    /// response, so including them ensures that two accounts never share an image. The lines of
    /// accounts come first.
    var headers: String { parts.headers }
    /// A unique number for a request with a hook without an account. Such requests do not share
    /// images in memory, since the account is unknown until the hook has changed the request. `nil`
    /// for a key that equal requests share.
    var requestNumber: Int? { parts.requestNumber }
    /// The number of account removals before the request was made; `nil` without an account. A
    /// request of an older generation fails after the removal of its account. Not compared, since
    /// the removal ends all jobs of the older generation.
    var accountGeneration: Int? { parts.accountGeneration }
    /// Combines the parts that never change.
    var fixedHash: Int { parts.fixedHash }

    init(identity: String) {
        parts = Parts(identity, "", nil, nil, identity.hashValue)
    }

    /// - Parameter number: The number of a request of a hook without an account; `nil` for a new
    ///   one.
    init(_ source: ImageSource, _ options: ImageOptions, requestNumber number: Int? = nil) {
        let generation = options[AccountGeneration.self]
        let fields = options.headers
        let hook = source.mayBeSent ? options.requestHook : nil
        let authorization = options.authorization.flatMap { $0.applies(to: source) ? $0 : nil }
        let requestNumber: Int? = if let hook, hook.account == nil { number ?? Self.nextNumber() } else { nil }
        guard !fields.isEmpty || hook != nil || authorization != nil else {
            parts = Parts(source.identity, "", requestNumber, generation, source.identityHash)
            return
        }
        var lines = fields.map { "\($0.name.canonicalName):\($0.value)" }.sorted()
        if let hook {
            let account = hook.account.map { ["account", $0] } ?? ["request", requestNumber.map { String($0) } ?? ""]
            lines.append("hook \(([hook.name] + account).joinedUnambiguously)")
        }
        let accounts = Set([hook?.accountHash, authorization?.accountHash].compactMap { $0 })
        let headers = (accounts.sorted().map { Self.accountMark + $0 } + lines).joined(separator: "\n")
        parts = Parts(
            source.identity, headers, requestNumber, generation, source.identityHash ^ headers.hashValue &* 31)
    }

    /// The key of a source to which a provider with this key resolved.
    var resolved: LoadKey {
        var key = self
        key.isResolved = true
        return key
    }

    private static let accountMark = "account "

    /// Whether the data belongs to a named account.
    var hasAccount: Bool { headers.hasPrefix(Self.accountMark) }

    /// Whether the data belongs to an account.
    func belongs(toAccount hash: String) -> Bool { Self.isLine(of: hash, in: headers) }

    /// Whether a stored response belongs to an account.
    static func isStoreKey(_ key: String, ofAccount hash: String) -> Bool { isLine(of: hash, in: key) }

    private static func isLine(of hash: String, in lines: String) -> Bool {
        lines.split(separator: "\n").contains { $0 == accountMark + hash }
    }

    /// Whether equal requests share the image in memory.
    var isShared: Bool { requestNumber == nil }

    private static let lastNumber = Lock(0)

    private static func nextNumber() -> Int {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    /// The key of the response in the store, for a shared load key. It contains no secrets: headers
    /// and accounts are hashed. Each account has a line of its own, so that its responses can be
    /// removed.
    ///
    /// - Parameter common: Headers that every request of the pipeline sets. They are not needed in
    ///   memory, but other pipelines may use the same store.
    func storeKey(common: HTTPFields) -> String {
        let all = headers.isEmpty && common.isEmpty ? "" : "\(Self.lines(common))\n\(headers)"
        return storeKey(headers: all)
    }

    /// The store key of the response to a request that a hook without an account has changed.
    func storeKey(sent request: TransferRequest) -> String {
        storeKey(headers: "sent\n\(request.address.string)\n\(Self.lines(request.headers))")
    }

    private func storeKey(headers: String) -> String {
        guard !headers.isEmpty else { return identity }
        let accounts = self.headers.split(separator: "\n").prefix { $0.hasPrefix(Self.accountMark) }
        return ([identity] + accounts.map(String.init) + ["headers \(SHA256.name(of: headers))"]).joined(
            separator: "\n")
    }

    static func lines(_ fields: HTTPFields) -> String {
        fields.map { "\($0.name.canonicalName):\($0.value)" }.sorted().joined(separator: "\n")
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(fixedHash)
    }

    static func == (left: LoadKey, right: LoadKey) -> Bool {
        left.isResolved == right.isResolved
            && (left.parts === right.parts
                || left.fixedHash == right.fixedHash && left.identity == right.identity
                    && left.headers == right.headers)
    }
}

extension LoadKey: CustomStringConvertible, CustomReflectable {
    /// Without the headers, which may contain credentials.
    var description: String { identity }
    var customMirror: Mirror { Mirror(self, children: [("identity", identity)]) }
}

/// Identifies the pixels of an image. Requests with equal keys share one decode and each processing
/// step.
struct ImageKey: Hashable, Sendable {
    let load: LoadKey
    let target: TargetSize?
    /// The identities of the applied processors, in order.
    var processors: [String] = []

    /// The key of the input of the last processor.
    var unprocessed: ImageKey {
        ImageKey(load: load, target: target, processors: processors.dropLast())
    }
}

/// See ``LoadKey/accountGeneration``.
enum AccountGeneration: ImageOptionKey {
    static var defaultValue: Int? { nil }
}
