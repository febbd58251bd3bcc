// Decodes damaged files of one format with the standard decoders, in this process.
//
//   FORMAT=jpeg fuzz-decoders [OPTIONS OF LIBFUZZER]
//
// A trap, a sanitizer's report, and an input that takes more time or memory than the options allow
// are findings.

import Dispatch
import Glibc
import RemoteImage

private let format = getenv("FORMAT").flatMap { ImageFormat(rawValue: String(cString: $0)) }
private let decoders = [any ImageDecoder].standard(isolation: .none).filter { decoder in
    format.map(decoder.formats.contains) ?? false
}
private let limits: DecodeLimits = {
    var limits = DecodeLimits()
    // A small image shows the same defects as a large one, in less time.
    limits.maxPixelCount = 1 << 18
    limits.maxDecodedByteCount = 1 << 20
    return limits
}()

/// Processes bytes as the pipeline does: reads the header, checks the limits, decodes at full size
/// and scaled down, and plays animations.
///
/// - Returns: Whether the bytes are of the format.
private func decode(_ bytes: [UInt8]) -> Bool {
    guard ImageFormat.sniff(bytes) == format else { return false }
    guard let header = try? ImageHeader.read(bytes), (try? limits.check(header)) != nil else { return true }
    for decoder in decoders {
        for target in [nil, TargetSize.longestSide(7)] {
            let request = DecodeRequest(header: header, target: target, limits: limits)
            guard let image = try? decoder.decode(bytes, request) else { continue }
            let pixels = image.pixels
            precondition(pixels.byteCount >= pixels.size.pixelCount * pixels.format.bytesPerPixel, "pixels are missing")
            precondition(pixels.size.pixelCount <= limits.maxPixelCount, "more pixels than the header says")
            precondition(image.frameCount >= 1, "no frame")
            if image.frameCount > 1, target == nil { play(bytes) }
        }
    }
    return true
}

private let pipeline: ImagePipeline = {
    var configuration = ImagePipeline.Configuration(decoders: decoders, memoryCache: nil)
    configuration.decodeLimits = limits
    return ImagePipeline(configuration)
}()

/// Decodes the first three frames of an animation as a front end does.
private func play(_ bytes: [UInt8]) {
    let end = DispatchSemaphore(value: 0)
    Task {
        defer { end.signal() }
        let request = ImageRequest(ImageSource.bytes(bytes, identity: "input"))
        guard let animation = try? await pipeline.image(for: request).animation else { return }
        precondition((2...limits.maxFrameCount).contains(animation.frameCount), "an animation of too many frames")
        let player = AnimationPlayer(animation)
        for _ in 0..<3 {
            guard let pixels = await player.next()?.pixels else { return }
            precondition(pixels.byteCount >= pixels.size.pixelCount * pixels.format.bytesPerPixel, "pixels are missing")
            precondition(pixels.size.pixelCount <= limits.maxPixelCount, "a frame of more pixels than the header says")
        }
    }
    end.wait()
}

/// Called with each input; libFuzzer provides `main`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoders(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard !decoders.isEmpty else {
        print("Not fuzzed: no decoder of this format is installed.")
        // libFuzzer reports an ordinary exit as a crash.
        fflush(nil)
        _exit(69)
    }
    // An input of another format is not kept.
    return decode(Array(UnsafeBufferPointer(start: data, count: count))) ? 0 : -1
}
