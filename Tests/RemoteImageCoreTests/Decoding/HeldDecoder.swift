import Dispatch
import RemoteImageTestSupport

@testable import RemoteImageCore

/// Decodes images that consist of a kind and a number. All but innocent images block until the
/// test releases them.
final class HeldDecoder: ImageDecoder {
    enum Kind: UInt8 {
        case innocent, slow, hungry, giant
    }

    let formats: Set<ImageFormat> = []
    /// The numbers of the images whose decode has begun, in order.
    let begun = Watched<[UInt8]>([])
    private let gates = Lock<[UInt8: DispatchSemaphore]>([:])

    static func bytes(_ kind: Kind, _ number: UInt8) -> [UInt8] { [kind.rawValue, number] }

    /// An innocent image takes 8 bytes, a hungry image 800, and a giant one 3200.
    func header(of bytes: [UInt8]) -> ImageHeader? {
        let side =
            switch bytes.first.flatMap(Kind.init) {
            case .hungry: 10
            case .giant: 20
            default: 1
            }
        return ImageHeader(format: .other, storedSize: PixelSize(width: side, height: side))
    }

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        begun.update { $0.append(bytes[1]) }
        if bytes.first != Kind.innocent.rawValue { gate(bytes[1]).wait() }
        let size = request.header.size
        let pixels = PixelBuffer(size: size, format: .rgb8) { memory in
            for index in memory.indices { memory[index] = bytes[1] }
        }
        return DecodedImage(pixels: pixels, size: size)
    }

    /// Lets the decodes of these images return, including those that have not begun.
    func release(_ numbers: UInt8...) {
        for number in numbers { gate(number).signal() }
    }

    private func gate(_ number: UInt8) -> DispatchSemaphore {
        gates.withLock { gates in
            if let gate = gates[number] { return gate }
            let gate = DispatchSemaphore(value: 0)
            gates[number] = gate
            return gate
        }
    }
}

extension DecodeResources {
    /// Threads and memory that only one test uses: two threads and 1,000 bytes by default.
    static func own(
        threadCount: Int = 2, byteCount: Int = 1000, starter: ThreadStarter = .system
    ) -> DecodeResources {
        DecodeResources(
            threads: WorkerThreads("test cpu", count: threadCount, starter: starter),
            budget: DecodeBudget(byteCount: byteCount))
    }
}
