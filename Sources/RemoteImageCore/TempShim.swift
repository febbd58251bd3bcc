// Stands in until the branches of the transport and of the headers are merged.
public final class CurlTransport: Transport {
    public static let shared = CurlTransport()
    private struct Ended: Transfer { func cancel() {} }
    public func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer { Ended() }
}
extension ImageHeader {
    static func read(_ bytes: [UInt8]) throws(ImageError) -> ImageHeader {
        ImageHeader(format: .png, storedSize: PixelSize(width: 1, height: 1))
    }
}
extension DecodeLimits { func check(_ header: ImageHeader) throws(ImageError) {} }
