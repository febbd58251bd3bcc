import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Transports over an HTTP client of the program, which leave redirects to the library.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct RedirectingTransportTests {
    private struct Response {
        let request: TransferRequest
        let receiver: any TransferReceiver

        func receiveHead(status: Int, headers: HTTPFields) throws(ImageError) {
            try receiver.receive(TransferHead(status: status, headers: headers, address: request.address))
        }

        func receive(_ bytes: [UInt8]) throws(ImageError) { try receiver.receive(bytes) }
    }

    private struct Loader: Transport {
        let requests = Watched<[TransferRequest]>([])
        let body: @Sendable (TransferRequest, Response) async throws(ImageError) -> Void

        init(_ body: @escaping @Sendable (TransferRequest, Response) async throws(ImageError) -> Void) {
            self.body = body
        }

        var leavesRedirects: Bool { true }

        func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
            requests.update { $0.append(request) }
            try await body(request, Response(request: request, receiver: receiver))
        }
    }

    /// Waits until the task is cancelled.
    private static func wait() async throws(ImageError) {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        throw .cancelled
    }

    private let clock = TestClock()

    private func load(
        _ address: String = "http://test/a", headers: HTTPFields = [:], limits: TransferLimits = TransferLimits(),
        with loader: Loader
    ) async throws -> RecordingReceiver.Record {
        let receiver = RecordingReceiver()
        let request = TransferRequest(try WebAddress(address), headers: headers, limits: limits)
        RedirectingTransport(loader, clock).start(request, receiver: receiver)
        let record = try await receiver.ended()
        #expect(record.results.count == 1)
        #expect(record.callsAfterEnd == 0)
        return record
    }

    @Test func `a response arrives as head, pieces and end`() async throws {
        let loader = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 103, headers: [:])
            try response.receiveHead(status: 200, headers: [.contentType: "image/png", .contentLength: "4"])
            try response.receive([1, 2])
            try response.receive([3, 4])
        }
        let record = try await load(with: loader)
        #expect(record.isSuccess)
        #expect(record.heads.map(\.status) == [200])
        #expect(record.head?.headers[.contentType] == "image/png")
        #expect(record.head?.expectedByteCount == 4)
        #expect(record.body == [1, 2, 3, 4])
        #expect(record.pieceCount == 2)
        #expect(loader.requests.value.first?.headers[.userAgent] != nil)
    }

    @Test func `redirects are followed, with credentials only to the same origin`() async throws {
        let loader = Loader { request, response throws(ImageError) in
            let targets = ["http://test/a": "/b", "http://test/b": "http://other/c"]
            guard let target = targets[request.address.string] else {
                try response.receiveHead(status: 200, headers: [:])
                try response.receive([1])
                return
            }
            try response.receiveHead(status: 302, headers: [.location: target])
            try response.receive([7, 7, 7])
        }
        let record = try await load(headers: [.authorization: "secret", .accept: "image/*"], with: loader)
        #expect(record.isSuccess)
        #expect(record.body == [1])
        #expect(record.head?.address.string == "http://other/c")
        #expect(record.head?.redirects.count == 2)
        #expect(loader.requests.value.map { $0.headers[.authorization] } == ["secret", "secret", nil])
        #expect(loader.requests.value.last?.headers[.accept] == "image/*")
    }

    /// Both fields were taken for one address.
    @Test func `of several locations the first one is followed`() async throws {
        let loader = Loader { request, response throws(ImageError) in
            let isFirst = request.address.string == "http://test/a"
            var headers = HTTPFields()
            for location in ["", "/b", "/c"] where isFirst {
                headers.append(HTTPField(name: .location, value: location))
            }
            try response.receiveHead(status: isFirst ? 302 : 200, headers: headers)
        }
        #expect(try await load(with: loader).head?.address.string == "http://test/b")
    }

    @Test func `a request for a range asks for no content coding, unless it names one`() async throws {
        let loader = Loader { _, response throws(ImageError) in try response.receiveHead(status: 206, headers: [:]) }
        _ = try await load(headers: [.range: "bytes=0-9"], with: loader)
        _ = try await load(headers: [.range: "bytes=0-9", .acceptEncoding: "gzip"], with: loader)
        _ = try await load(with: loader)
        #expect(loader.requests.value.map { $0.headers[.acceptEncoding] } == ["identity", "gzip", nil])
    }

    @Test func `forbidden and endless redirects fail`() async throws {
        let insecure = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 301, headers: [.location: "http://test/a"])
        }
        #expect(try await load("https://test/a", with: insecure).errorCode == .forbiddenScheme)
        let endless = Loader { request, response throws(ImageError) in
            try response.receiveHead(status: 301, headers: [.location: "\(request.address.string)a"])
        }
        #expect(try await load(limits: TransferLimits(maxRedirects: 3), with: endless).errorCode == .tooManyRedirects)
        #expect(endless.requests.value.count == 4)
    }

    @Test func `a body above the limit cancels the loader`() async throws {
        let limits = TransferLimits(maxBodyByteCount: 3)
        let announced = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 200, headers: [.contentLength: "4"])
            try await Self.wait()
        }
        #expect(try await load(limits: limits, with: announced).errorCode == .tooLarge)
        let received = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 200, headers: [:])
            try response.receive([1, 2])
            try response.receive([3, 4])
            try await Self.wait()
        }
        let record = try await load(limits: limits, with: received)
        #expect(record.errorCode == .tooLarge)
        #expect(record.body == [1, 2])
    }

    @Test func `a client that ignores a refusal is cancelled`() async throws {
        let loader = Loader { _, response throws(ImageError) in
            try? response.receiveHead(status: 200, headers: [.contentLength: "4"])
            try await Self.wait()
        }
        #expect(try await load(limits: TransferLimits(maxBodyByteCount: 3), with: loader).errorCode == .tooLarge)
    }

    @Test func `a late call of a redirect's client does not end the next request`() async throws {
        let first = Watched<Response?>(nil)
        let loader = Loader { request, response throws(ImageError) in
            guard request.address.string == "http://test/a" else {
                try? first.value?.receive([7])
                try response.receiveHead(status: 200, headers: [:])
                try response.receive([1])
                return
            }
            first.update { $0 = response }
            try response.receiveHead(status: 302, headers: [.location: "/b"])
        }
        let record = try await load(with: loader)
        #expect(record.isSuccess)
        #expect(record.body == [1])
    }

    @Test func `a transfer above its time limit fails`() async throws {
        let loader = Loader { _, _ throws(ImageError) in try await Self.wait() }
        async let record = load(limits: TransferLimits(timeout: .seconds(5)), with: loader)
        try await clock.scheduled(count: 1)
        clock.advance(by: .seconds(5))
        #expect(try await record.errorCode == .timeout)
    }

    @Test func `cancelling a transfer cancels the loader and reports the cancellation once`() async throws {
        let loader = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 200, headers: [:])
            try? await Self.wait()
            try response.receive([1])
        }
        let receiver = RecordingReceiver()
        let request = TransferRequest(try WebAddress("http://test/a"))
        let transfer = RedirectingTransport(loader, clock).start(request, receiver: receiver)
        try await receiver.receivedHead()
        transfer.cancel()
        transfer.cancel()
        let record = try await receiver.ended()
        #expect(record.errorCode == .cancelled)
        #expect(record.body.isEmpty)
    }

    @Test func `a failed connection after the head is an incomplete body, and other errors stay`() async throws {
        let early = Loader { _, _ throws(ImageError) in throw ImageError(.connection) }
        #expect(try await load(with: early).errorCode == .connection)
        let late = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 200, headers: [:])
            throw ImageError(.connection)
        }
        #expect(try await load(with: late).errorCode == .incomplete)
        let own = Loader { _, _ throws(ImageError) in throw ImageError(.tls, "expired") }
        #expect(try await load(with: own).error == ImageError(.tls, "expired"))
        #expect(try await load(with: Loader { _, _ throws(ImageError) in }).errorCode == .protocol)
        let headless = Loader { _, response throws(ImageError) in try response.receive([1]) }
        #expect(try await load(with: headless).errorCode == .protocol)
    }

    @Test func `a transport that ignores refusals and its end is not heard any more`() async throws {
        let kept = Watched<Response?>(nil)
        let loader = Loader { _, response throws(ImageError) in
            kept.update { $0 = response }
            try response.receiveHead(status: 200, headers: [:])
            try? response.receive([1, 2, 3, 4])
            try? response.receive([5])
        }
        let record = try await load(limits: TransferLimits(maxBodyByteCount: 3), with: loader)
        #expect(record.errorCode == .tooLarge)
        #expect(record.body.isEmpty)
        #expect(throws: ImageError.self) { try kept.value?.receive([6]) }
    }

    @Test func `a body shorter than announced is incomplete, unless it was encoded`() async throws {
        func loader(_ headers: HTTPFields) -> Loader {
            Loader { _, response throws(ImageError) in
                try response.receiveHead(status: 200, headers: headers)
                try response.receive([1])
            }
        }
        #expect(try await load(with: loader([.contentLength: "2"])).errorCode == .incomplete)
        let identity = loader([.contentLength: "2", .contentEncoding: "identity"])
        #expect(try await load(with: identity).errorCode == .incomplete)
        let encoded = try await load(with: loader([.contentLength: "2", .contentEncoding: "gzip"]))
        #expect(encoded.isSuccess)
        #expect(encoded.head?.expectedByteCount == nil)
    }

    @Test func `a pipeline loads images through a loader`() async throws {
        let loader = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 200, headers: [:])
            try response.receive(TestImage(3).bytes)
        }
        let image = try await ImagePipeline.test(loader).image(for: "http://test/a")
        #expect(image.content == 3)
    }
}
