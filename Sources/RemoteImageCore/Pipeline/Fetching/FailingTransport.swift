/// A transport whose transfers all fail with the same error. A task reports it, since a transport
/// must not call the receiver from within `start`.
struct FailingTransport: Transport {
    let error: ImageError

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        TaskTransfer { [error] in
            throw error
        } whenThrown: {
            receiver.transferDidFinish(.failure($0))
        }
    }
}
