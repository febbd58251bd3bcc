import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import HTTPTypes
import RemoteImageCore

/// `remote-image get`: gets one resource, or many in a stream of requests, through the HTTP cache
/// and without decoding.
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Writes the bytes of a resource to standard output, through the HTTP cache.",
        discussion: "The exit status is 1 if any request received no response, and after a status from 400 on unless "
            + "--allow-errors is given. With --jsonl, a response with any status is a success.")

    @Argument(help: ArgumentHelp("The address, with http or https.", valueName: "url"))
    var address: String?

    @Flag(help: "Print the status line and the headers first.")
    var include = false

    @Flag(help: "Exit with 0 after a response of any status.")
    var allowErrors = false

    @Flag(help: "Read JSON requests from standard input, one per line, and print each response when it is ready.")
    var jsonl = false

    @OptionGroup(title: "Transfer")
    var transfer: TransferOptions

    @OptionGroup(title: "Store")
    var storage: StoreOptions

    /// The maximum number of concurrent requests.
    private static let concurrency = 32

    func validate() throws {
        if jsonl && allowErrors { throw ValidationError("With --jsonl, every status is allowed.") }
        if jsonl == (address != nil) { throw ValidationError("Give either one address or --jsonl.") }
    }

    func run() async throws {
        // A single request cannot use a memory store.
        let memory = jsonl ? MemoryResponseStore() : nil
        let client = HTTPClient(
            store: transfer.noDiskCache ? memory : storage.store,
            transport: transfer.transport(concurrency: Self.concurrency), concurrency: Self.concurrency,
            retryPolicy: transfer.retryPolicy)
        if jsonl {
            let lines = RequestLines(client: client, transfer: transfer)
            await lines.run()
            await client.finished()
            try Console.checkOutput()
            if lines.hasFailed { throw ExitCode(1) }
            return
        }
        guard let address else { return }
        do throws(ImageError) {
            let request = try transfer.request(for: address)
            let response = try await client.response(
                for: request, policy: transfer.policy, separating: transfer.fields)
            if include {
                // The output may be a terminal.
                let fields = response.headers.map { "\($0.name.rawName): \($0.value.printable)\n" }
                await Console.send(Array("HTTP \(response.status ?? 0)\n\(fields.joined())\n".utf8))
            }
            await Console.send(response.bytes)
            if !allowErrors, let status = response.status, status >= 400 { throw ImageError.httpStatus(status) }
            await client.finished()
        } catch {
            Console.printError(error.description)
            // The next run resumes from the part that was received.
            await client.finished()
            throw ExitCode(1)
        }
        try Console.checkOutput()
    }
}

/// Answers a stream of requests concurrently.
private struct RequestLines {
    let client: HTTPClient
    let transfer: TransferOptions
    private let failed = Lock(false)

    init(client: HTTPClient, transfer: TransferOptions) {
        self.client = client
        self.transfer = transfer
    }

    /// Whether a request has failed.
    var hasFailed: Bool { failed.withLock { $0 } }

    /// The ID of a line that is not a valid request.
    private struct Name: Decodable {
        var id: String
    }

    /// One line of input.
    private struct Line: Decodable {
        var id: String
        var url: String
        var headers: [[String]]?
        var policy: String?
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            for await text in Self.lines where !text.isEmpty { group.addTask { await answer(text) } }
        }
    }

    /// The lines of standard input, read on a thread that may block.
    private static var lines: AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue.global().async {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private func answer(_ text: String) async {
        var output = JSONLine()
        let line: Line
        do {
            line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        } catch {
            let id = try? JSONDecoder().decode(Name.self, from: Data(text.utf8)).id
            output.add("id", id ?? "")
            let expected = "an object with an id, a url, and optional headers and a policy"
            return await refuse("the line is not \(expected)", output)
        }
        output.add("id", line.id)
        let policy = line.policy.map { CachePolicy(argument: $0) } ?? transfer.policy
        guard let policy else { return await refuse("not a policy: \(line.policy ?? "")", output) }
        let fields = (line.headers ?? []).map { pair in
            pair.count == 2 ? HTTPField(name: pair[0][...], value: pair[1][...]) : nil
        }
        if let index = fields.firstIndex(of: nil) {
            return await refuse("header \(index + 1) is not a valid name and a value", output)
        }
        let headers = HTTPFields(fields.compactMap(\.self))
        if let name = headers.nameOfConnection {
            return await refuse("a request must not set the header \(name)", output)
        }
        do throws(ImageError) {
            var request = try transfer.request(for: line.url)
            request.headers.append(contentsOf: headers)
            let response = try await client.response(for: request, policy: policy, separating: transfer.fields)
            output.add("status", response.status ?? 0)
            output.add("headers", response.headers.map { [$0.name.rawName, $0.value] })
            output.add("body", Data(response.bytes).base64EncodedString())
            // Without a disk store, the store is in memory.
            let origin = response.origin == .disk && transfer.noDiskCache ? .memory : response.origin
            output.add("origin", origin.rawValue)
        } catch {
            output.add("error", self.error(error.code, error.detailedMessage))
        }
        await send(output)
    }

    /// Answers a line that is not a valid request. The reason must not contain an address or a
    /// header, which may be a credential. The code is that of an invalid address, since the other
    /// codes blame the server.
    private func refuse(_ reason: String, _ output: JSONLine) async {
        var output = output
        output.add("error", error(.invalidURL, "The request is not valid: \(reason)"))
        await send(output)
    }

    private func send(_ line: JSONLine) async {
        await Console.send(Array("\(line.object)\n".utf8))
    }

    private func error(_ code: ImageError.Code, _ message: String) -> JSONLine {
        failed.withLock { $0 = true }
        var object = JSONLine()
        object.add("code", code.rawValue)
        object.add("message", message)
        return object
    }
}
