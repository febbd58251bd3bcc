import Dispatch
import Glibc
import RemoteImageCore

/// The cost of opening a store with many entries, and of reads before and during a trim.
enum StoreBenchmark {
    private static let entryCount = 50_000
    private static let byteCount = 2000

    static func run() throws -> [Figure] {
        var template = Array("/tmp/remote-image-benchmark-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template) else { return [] }
        let path = String(cString: folder)
        defer { removeFolder(path) }
        try fill(path)

        var table = Table("a store of \(entryCount) entries", "ms", "target")
        let start = ContinuousClock.now
        let store = DiskCache(path: path, byteLimit: 1 << 30)
        let isThere = readOne(store, 17)
        let first = milliseconds(since: start)
        guard isThere else { return [] }
        table.add("opened and read from", text(first, digits: 3), "1, no scan")
        let scan = ContinuousClock.now
        _ = store.byteCount
        table.add("measured, which scans", text(milliseconds(since: scan)), "")
        table.add("a read, median", text(median(reads(of: store)), digits: 3), "")

        let trimmed = DispatchSemaphore(value: 0)
        let begin = ContinuousClock.now
        DispatchQueue(label: "trim").async {
            try? store.trim(to: entryCount * 4096)
            trimmed.signal()
        }
        var times: [Double] = []
        while trimmed.wait(timeout: .now()) == .timedOut { times += reads(of: store, count: 50) }
        table.add("a trim to half", text(milliseconds(since: begin)), "")
        table.add("a read during the trim, median", text(median(times), digits: 3), "")
        guard let longest = times.max() else { return [Figure(name: "storeFirstRead", value: first)] }
        table.add("a read during the trim, longest", text(longest, digits: 3), "16, a frame")
        table.print()
        return [Figure(name: "storeFirstRead", value: first), Figure(name: "storeReadWhileTrimmed", value: longest)]
    }

    private static func fill(_ path: String) throws {
        let store = DiskCache(path: path, byteLimit: 1 << 30)
        let body = [UInt8](repeating: 7, count: byteCount)
        for number in 0..<entryCount {
            let response = StoredResponse(
                status: 200, headers: [.cacheControl: "max-age=60"], address: try WebAddress("http://test/\(number)"),
                requestTime: 1, responseTime: 1)
            store.store(response, body: body, for: key(number)) { _ in true }
        }
    }

    private static func key(_ number: Int) -> String { "http://test/\(number)" }

    private static func readOne(_ store: DiskCache, _ number: Int) -> Bool {
        let key = key(number)
        guard let response = store.responses(for: key).first else { return false }
        return store.body(of: response, for: key)?.count == byteCount
    }

    /// The milliseconds of single reads of entries across the store, including evicted entries.
    private static func reads(of store: DiskCache, count: Int = 2000) -> [Double] {
        (0..<count).map { number in
            let start = ContinuousClock.now
            _ = readOne(store, number * 7919 % entryCount)
            return milliseconds(since: start)
        }
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
        start.duration(to: .now) / .milliseconds(1)
    }

    private static func removeFolder(_ path: String) {
        try? DiskCache(path: path).removeAll()
        for name in ["CACHEDIR.TAG", "v1/lock"] { unlink("\(path)/\(name)") }
        for shard in 0..<256 { rmdir("\(path)/v1/\(shard < 16 ? "0" : "")\(String(shard, radix: 16))") }
        rmdir("\(path)/v1")
        rmdir(path)
    }
}
