// Measures the decoders without a pipeline.

import Glibc
import RemoteImage
import RemoteImageCore
@_spi(Benchmarks) import RemoteImageDecoders

enum DecodeBenchmark {
    /// Decodes files for 320 pixels on two threads, as the floor in C does.
    static func run(files: [String]) async -> [Figure] {
        let decoders = [any ImageDecoder].standard()
        let (processor, start) = (processorTime(), ContinuousClock.now)
        let pixelCount = await withTaskGroup(of: Int.self) { group in
            for half in 0..<2 {
                group.addTask {
                    var count = 0
                    for index in stride(from: half, to: files.count, by: 2) {
                        guard let bytes = read(files[index]), let header = try? ImageHeader.read(bytes),
                            let decoder = decoders.first(where: { $0.formats.contains(header.format) })
                        else { continue }
                        let request = DecodeRequest(header: header, target: .longestSide(320))
                        count += (try? decoder.decode(bytes, request))?.pixels.size.pixelCount ?? 0
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        let (wall, used) = (start.duration(to: .now) / .seconds(1), processorTime() - processor)
        var table = Table("decoding at 320 pixels", "files", "megapixels made", "wall s", "CPU s")
        table.add(
            "two threads", String(files.count), text(Double(pixelCount) / 1e6), text(wall, digits: 3),
            text(used, digits: 3))
        table.print()
        return [Figure(name: "decodeProcessorTime", value: used)]
    }

    /// Measures the conversion of a decoder's RGBA to packed pixels, relative to a copy of the same
    /// bytes into newly allocated memory.
    static func runConversion() -> [Figure] {
        let size = PixelSize(width: 1600, height: 1200)
        var table = Table("packing RGBA, 1600 × 1200", "ms", "copying it, ms", "ratio")
        var figures: [Figure] = []
        for (name, title, alpha) in [("packOpaque", "opaque", 255 as UInt8), ("packTransparent", "transparent", 200)] {
            let pixels = (0..<(size.pixelCount * 4)).map { $0 % 4 == 3 ? alpha : UInt8(truncatingIfNeeded: $0 / 5) }
            pixels.withUnsafeBytes { memory in
                guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                let packed = leastTime { _ = PixelBuffer.packing(base, size: size) }
                let copied = leastTime {
                    _ = PixelBuffer(size: size, format: .rgba8Premultiplied) { $0.copyMemory(from: memory) }
                }
                let ratio = packed / copied
                table.add(
                    title, text(packed * 1e3, digits: 2), text(copied * 1e3, digits: 2),
                    text(ratio, digits: 2))
                figures.append(Figure(name: name, value: ratio))
            }
        }
        table.print()
        return figures
    }

    /// The least processor time of several runs, in seconds.
    private static func leastTime(_ body: () -> Void) -> Double {
        (0..<100).map { _ in
            let start = processorTime()
            body()
            return processorTime() - start
        }.min() ?? 0
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let count = ftell(file)
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: count) { $1 = fread($0.baseAddress, 1, count, file) }
    }
}
