import RemoteImageCore

/// A transport that responds from a table.
struct TableTransport: Transport {
    let table: FakeImageServer

    func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        switch try await table.answer(to: request.address) {
        case .image(let pixels): try respond(TableImages.file(of: pixels))
        case .file(let bytes): try respond(bytes)
        case .status(let status): try respond([], status: status)
        case .failure(let error): throw error
        }
        func respond(_ body: [UInt8], status: Int = 200) throws(ImageError) {
            try receiver.receive(TransferHead(status: status, address: request.address, expectedByteCount: body.count))
            try receiver.receive(body)
        }
    }
}
