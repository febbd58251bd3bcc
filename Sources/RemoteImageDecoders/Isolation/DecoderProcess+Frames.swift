// Sends some frames of an animation to a decoder process and receives them composed and scaled.

import CRemoteImagePlatform
import Glibc

/// The memory that an animation shares with decoder processes. It contains the canvas, which only
/// they map in full: the application touches only the files and the scaled frames.
final class SharedCanvas: @unchecked Sendable {
    // Unchecked: only the thread that took it from its cursor uses it.

    let layout: FramesLayout
    private let file: MemoryFile
    private let mapping: SharedMapping

    init(_ request: FramesRequest) throws(ImageError) {
        guard let layout = FramesLayout(request) else { throw ImageError(.corrupt, "an animation without a canvas") }
        self.layout = layout
        file = try MemoryFile(byteCount: layout.byteCount)
        guard let mapping = SharedMapping(file) else { throw ImageError(.io, "no address space for an animation") }
        self.mapping = mapping
    }

    var descriptor: Int32 { file.descriptor }

    var byteCount: Int { layout.byteCount }

    /// Copies the files of frames to the memory. Returns whether they fit.
    func place(_ files: [[UInt8]]) -> Bool {
        guard let ranges = layout.fileRanges(files.map(\.count)) else { return false }
        for (bytes, range) in zip(files, ranges) {
            bytes.withUnsafeBytes { mapping.bytes(from: range.lowerBound).copyMemory(from: $0) }
        }
        return true
    }

    /// A copy of the pixels of a frame.
    func pixels(_ number: Int, _ size: PixelSize, _ format: PixelFormat) -> PixelBuffer? {
        layout.pixelOffset(number).flatMap { mapping.copyOfPixels(at: $0, size: size, format: format) }
    }
}

extension DecoderProcess {
    /// Decodes frames whose files are in the memory of the canvas.
    func frames(
        _ request: FramesRequest, fileByteCounts: [Int], on canvas: SharedCanvas,
        until deadline: ContinuousClock.Instant
    ) -> Outcome {
        hasHadImage = true
        let message = FramesQuestion(request: request, fileByteCounts: fileByteCounts).message
        guard platform_send_message(socket, message, message.count, canvas.descriptor) == 0 else {
            // The socket is full only if the process has not read many earlier questions.
            return errno == EAGAIN ? .invalidAnswer : end()
        }
        return answer(until: deadline) { answer in
            guard case .frames(let formats) = answer, (1...request.frames.count).contains(formats.count) else {
                return .invalidAnswer
            }
            var images: [DecodedImage] = []
            for (number, format) in formats.enumerated() {
                guard let pixels = canvas.pixels(number, request.size, format) else { return .invalidAnswer }
                images.append(DecodedImage(pixels: pixels, size: request.canvas))
            }
            return .answered(.success(images))
        }
    }
}
