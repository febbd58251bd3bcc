import Dispatch
import HTTPTypes
import RemoteImageCore

/// A transport that responds from a table.
struct TableTransport: Transport {
    let table: ImageTable
    let images: TableImages
    private let queue = DispatchQueue(label: "image table")

    init(table: ImageTable, images: TableImages) {
        self.table = table
        self.images = images
    }

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        let transfer = TableTransfer(request.address, receiver, images, queue)
        // `Transport` must not call the receiver from within this method.
        queue.async { [table] in table.receive(transfer) }
        return transfer
    }
}

/// One request to a table.
final class TableTransfer: Transfer {
    let address: WebAddress
    private let receiver: any TransferReceiver
    private let images: TableImages
    private let queue: DispatchQueue
    private let isOver = Lock(false)

    init(
        _ address: WebAddress, _ receiver: any TransferReceiver, _ images: TableImages, _ queue: DispatchQueue
    ) {
        self.address = address
        self.receiver = receiver
        self.images = images
        self.queue = queue
    }

    func cancel() {
        queue.async { [self] in end(.failure(.cancelled)) }
    }

    func answer(_ answer: ImageTable.Answer) {
        queue.async { [self] in
            guard !isOver.withLock({ $0 }) else { return }
            switch answer {
            case .image(let pixels): respond(status: 200, images.file(of: pixels))
            case .file(let bytes): respond(status: 200, bytes)
            case .status(let status): respond(status: status, [])
            case .failure(let error): end(.failure(error))
            }
        }
    }

    private func respond(status: Int, _ body: [UInt8]) {
        receiver.transferDidReceive(
            TransferHead(status: status, headers: [:], address: address, expectedByteCount: body.count))
        if !body.isEmpty { receiver.transferDidReceive(body.span.bytes) }
        end(.success(()))
    }

    private func end(_ result: Result<Void, ImageError>) {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { receiver.transferDidFinish(result) }
    }
}
