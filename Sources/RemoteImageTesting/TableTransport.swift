import Dispatch
import HTTPTypes
import RemoteImageCore

/// Asks a table instead of a network.
struct TableTransport: Transport {
    let table: PictureTable
    let pictures: TablePictures
    private let queue = DispatchQueue(label: "picture table")

    init(table: PictureTable, pictures: TablePictures) {
        self.table = table
        self.pictures = pictures
    }

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        let transfer = TableTransfer(request.address, receiver, pictures, queue)
        // Receivers are not called from within this method.
        queue.async { [table] in table.receive(transfer) }
        return transfer
    }
}

/// One request to a table.
final class TableTransfer: Transfer {
    let address: WebAddress
    private let receiver: any TransferReceiver
    private let pictures: TablePictures
    private let queue: DispatchQueue
    private let isOver = Lock(false)

    init(
        _ address: WebAddress, _ receiver: any TransferReceiver, _ pictures: TablePictures, _ queue: DispatchQueue
    ) {
        self.address = address
        self.receiver = receiver
        self.pictures = pictures
        self.queue = queue
    }

    func cancel() {
        queue.async { [self] in end(.failure(.cancelled)) }
    }

    func answer(_ answer: PictureTable.Answer) {
        queue.async { [self] in
            guard !isOver.withLock({ $0 }) else { return }
            switch answer {
            case .picture(let pixels): respond(status: 200, pictures.file(of: pixels))
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
