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

    @Test func `the time limit includes the requests after a redirect`() async throws {
        let loader = Loader { request, response throws(ImageError) in
            if request.address.string == "http://test/a" {
                return try response.receiveHead(status: 302, headers: [.location: "/b"])
            }
            try await Self.wait()
        }
        async let record = load(limits: TransferLimits(timeout: .seconds(5)), with: loader)
        try await loader.requests.wait { $0.count == 2 }
        try await clock.scheduled(count: 1)
        clock.advance(by: .seconds(5))
        #expect(try await record.error == ImageError(.timeout, "more than 5.0 seconds"))
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

    @Test(
        arguments: [
            ([[1, 2], [3]], nil), ([[1, 2, 3, 4]], .tooLarge), ([[1, 2], [3, 4]], .tooLarge), ([], nil),
        ] as [([[UInt8]], ImageError.Code?)], [false, true])
    func `a body may have as many bytes as the limit, that of a redirect, too`(
        body: (pieces: [[UInt8]], error: ImageError.Code?), isRedirect: Bool
    ) async throws {
        let loader = Loader { request, response throws(ImageError) in
            if isRedirect, request.address.string == "http://test/a" {
                try response.receiveHead(status: 302, headers: [.location: "/b"])
                for piece in body.pieces { try response.receive(piece) }
            } else {
                try response.receiveHead(status: 200, headers: [:])
                for piece in isRedirect ? [[9, 9, 9]] : body.pieces { try response.receive(piece) }
            }
        }
        let record = try await load(limits: TransferLimits(maxBodyByteCount: 3), with: loader)
        #expect(record.error == body.error.map { ImageError($0, "more than 3 bytes") })
        if body.error == nil { #expect(record.body == (isRedirect ? [9, 9, 9] : Array(body.pieces.joined()))) }
        #expect(loader.requests.value.count == (isRedirect && body.error == nil ? 2 : 1))
    }

    @Test(
        arguments: [
            ("0", 0, [], nil), ("3", 3, [1, 2, 3], nil), ("3", 3, [1, 2, 3, 4], nil),
            ("3", 3, [1, 2], "test: 2 of 3 bytes"), ("-1", nil, [1], nil), ("x", nil, [1], nil),
        ] as [(String, Int?, [UInt8], String?)])
    func `the announced length is a number, and the body has at least as many bytes`(
        length: String, expected: Int?, body: [UInt8], error: String?
    ) async throws {
        let loader = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 200, headers: [.contentLength: length])
            try response.receive(body)
        }
        let record = try await load(with: loader)
        #expect(record.head?.expectedByteCount == expected && record.heads.count == 1)
        #expect(record.body == body)
        #expect(record.error == error.map { ImageError(.incomplete, $0) })
    }

    @Test func `interim heads and heads after the first one are not passed on`() async throws {
        let loader = Loader { request, response throws(ImageError) in
            for status in [100, 199] { try response.receiveHead(status: status, headers: [.location: "/b"]) }
            var head = TransferHead(status: 200, headers: [:], address: try WebAddress("http://elsewhere/b"))
            head.timeSinceConnected = .milliseconds(7)
            try response.receiver.receive(head)
            try response.receiveHead(status: 404, headers: [:])
            try response.receiveHead(status: 302, headers: [.location: "/b"])
            try response.receive([1])
        }
        let record = try await load(with: loader)
        #expect(record.isSuccess && record.heads.map(\.status) == [200] && record.body == [1])
        #expect(record.head?.timeSinceConnected == .milliseconds(7))
        #expect(record.head?.address.string == "http://test/a")
        #expect(loader.requests.value.count == 1)
    }

    @Test func `a request names the library unless it names a program`() async throws {
        let loader = Loader { _, response throws(ImageError) in try response.receiveHead(status: 200, headers: [:]) }
        _ = try await load(with: loader)
        _ = try await load(headers: [.userAgent: "me/1"], with: loader)
        #expect(loader.requests.value.map { $0.headers[.userAgent] } == [UserAgent.standard, "me/1"])
    }

    @Test func `a redirect is followed although its body fails`() async throws {
        let loader = Loader { request, response throws(ImageError) in
            guard request.address.string == "http://test/a" else {
                return try response.receiveHead(status: 200, headers: [:])
            }
            try response.receiveHead(status: 302, headers: [.location: "/b"])
            throw ImageError(.connection, "reset")
        }
        let record = try await load(with: loader)
        #expect(record.isSuccess && record.head?.address.string == "http://test/b")
    }

    @Test func `a connection that is lost within the body keeps its reason`() async throws {
        let late = Loader { _, response throws(ImageError) in
            try response.receiveHead(status: 200, headers: [:])
            throw ImageError(.connection, "reset")
        }
        #expect(try await load(with: late).error == ImageError(.incomplete, "reset"))
        let empty = Loader { _, _ throws(ImageError) in }
        #expect(try await load(with: empty).error == ImageError(.protocol, "test: no response"))
    }

    @Test(arguments: [false, true])
    func `of a cancellation and the end of the time, the first one is reported`(isCancelledFirst: Bool) async throws {
        let (isCancelled, mayEnd) = (Watched(false), Watched(false))
        // A client that does not end when it is cancelled.
        let loader = Loader { _, _ throws(ImageError) in
            await withTaskCancellationHandler {
                await Task.detached { try? await mayEnd.wait { $0 } }.value
            } onCancel: {
                isCancelled.update { $0 = true }
            }
            throw ImageError(.connection, "late")
        }
        let receiver = RecordingReceiver()
        let request = TransferRequest(
            try WebAddress("http://test/a"), limits: TransferLimits(timeout: .seconds(5)))
        let transfer = RedirectingTransport(loader, clock).start(request, receiver: receiver)
        try await clock.scheduled(count: 1)
        #expect(clock.nextDelay == .seconds(5))
        if isCancelledFirst { transfer.cancel() } else { clock.advance(by: .seconds(5)) }
        try await isCancelled.wait { $0 }
        clock.advance(by: .seconds(5))
        transfer.cancel()
        mayEnd.update { $0 = true }
        let record = try await receiver.ended()
        #expect(record.error == (isCancelledFirst ? .cancelled : ImageError(.timeout, "more than 5.0 seconds")))
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
