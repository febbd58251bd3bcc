import FlyingFox
import Foundation
import RemoteImage

/// Paints the images of the gallery's server on request.
actor ExhibitHandler: HTTPHandler {
    private let count: Int
    private var behaviour = ServerBehaviour()
    /// The flaky exhibits that have failed once.
    private var recovered: Set<Int> = []

    init(count: Int) {
        self.count = count
    }

    func setBehaviour(_ new: ServerBehaviour) {
        behaviour = new
    }

    nonisolated func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let path = GalleryPath(request.path) else { return HTTPResponse(statusCode: .notFound) }
        let behaviour = await behaviour
        if behaviour.fails(path.number) { return HTTPResponse(statusCode: .serviceUnavailable) }
        switch path {
        case .exhibit(let number):
            guard (1...count).contains(number) else { return HTTPResponse(statusCode: .notFound) }
            return try await exhibit(number, behaviour)
        case .image(let number): return try whole(.photograph(number), behaviour)
        case .small(let number): return try whole(.photograph(number, dividedBy: 8), behaviour)
        case .portrait(let number): return try whole(.portrait(number), behaviour)
        case .pattern(let number): return try whole(.pattern(number), behaviour)
        case .map: return try whole(.panorama, behaviour)
        case .slow(let number): return try slow(.photograph(number))
        case .endless(let number):
            // Sends the first half soon, and the rest after ten minutes.
            let image = ImageFile.photograph(number)
            return response(image, try trickle(image, pieceCount: 2, pause: .milliseconds(50), last: .seconds(600)))
        case .moving(let number): return response(.sticker(number), body(try ImageFile.sticker(number).encoded()))
        case .missing: return HTTPResponse(statusCode: .notFound)
        }
    }

    private nonisolated func exhibit(_ number: Int, _ behaviour: ServerBehaviour) async throws -> HTTPResponse {
        let image = ImageFile.photograph(number)
        switch Exhibit(number: number) {
        case .image: return try whole(image, behaviour)
        case .slow: return try slow(image)
        case .flaky:
            guard await recover(number) else { return HTTPResponse(statusCode: .serviceUnavailable) }
            return try whole(image, behaviour)
        case .missing: return HTTPResponse(statusCode: .notFound)
        case .text: return response(image, body(Array("This is not an image.\n".utf8)))
        case .emptyBody: return response(image, body([]))
        case .truncated:
            let bytes = try image.encoded()
            return response(image, body(Array(bytes.prefix(bytes.count / 2))))
        case .enormous: return response(.pattern(number), body(Self.enormousHeader))
        }
    }

    private nonisolated func slow(_ image: ImageFile) throws -> HTTPResponse {
        response(image, try trickle(image, pieceCount: 20, pause: .milliseconds(100)))
    }

    private nonisolated func body(_ bytes: [UInt8]) -> HTTPBodySequence {
        HTTPBodySequence(data: Data(bytes), suggestedBufferSize: 65_536)
    }

    private nonisolated func whole(_ image: ImageFile, _ behaviour: ServerBehaviour) throws -> HTTPResponse {
        let bytes = try image.encoded()
        guard let speed = behaviour.bytesPerSecond else {
            return response(image, body(bytes))
        }
        // Ten pieces per second.
        let pieceCount = max(1, bytes.count * 10 / max(1, speed))
        return response(image, try trickle(image, pieceCount: pieceCount, pause: .milliseconds(100)))
    }

    private nonisolated func trickle(
        _ image: ImageFile, pieceCount: Int, pause: Duration, last: Duration? = nil
    ) throws -> HTTPBodySequence {
        let bytes = try image.encoded()
        let trickle = Trickle(bytes: bytes, pieceCount: pieceCount, pause: pause, lastPause: last ?? pause)
        return HTTPBodySequence(from: trickle, count: bytes.count, suggestedBufferSize: 65_536)
    }

    /// Marks a flaky exhibit as failed. Returns whether it had failed before.
    private func recover(_ number: Int) -> Bool {
        !recovered.insert(number).inserted
    }

    private nonisolated func response(_ image: ImageFile, _ body: HTTPBodySequence) -> HTTPResponse {
        HTTPResponse(
            statusCode: .ok, headers: [.contentType: image.contentType, .cacheControl: "max-age=3600"], body: body)
    }

    /// The signature and header chunk of a PNG of 60,000 × 60,000 pixels (PNG third edition,
    /// section 11.2.1).
    private static let enormousHeader: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0, 0x58, 0x5E, 0x21, 0x95]
}
