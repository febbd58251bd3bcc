import RemoteImageCore

/// JPEG files of uniform gray, written segment by segment, with any size, sampling and scans.
/// Without pixels and with few scans, they have a few hundred bytes.
public struct GrayJPEG: Sendable {
    public var size: PixelSize
    /// The horizontal and vertical sampling factors of each component.
    public var sampling: [(across: UInt8, down: UInt8)]
    public var isProgressive = false
    /// Whether a scan contains all components; otherwise each component has its own scan.
    public var isInterleaved = true
    /// How often the scans are repeated.
    public var scanCount = 1
    /// Whether the scans contain the data of all blocks, which requires `isInterleaved`. Otherwise
    /// they are empty, and decoders fill in the missing pixels.
    public var hasPixels = false

    public init(size: PixelSize, sampling: [(across: UInt8, down: UInt8)]) {
        self.size = size
        self.sampling = sampling
    }

    public var bytes: [UInt8] {
        let identifiers = (1...sampling.count).map { UInt8($0) }
        let frame: [UInt8] =
            [8] + number(size.height) + number(size.width) + [UInt8(sampling.count)]
            + zip(identifiers, sampling).flatMap { [$0, $1.across << 4 | $1.down, 0] }
        // Huffman tables with one code, a 0 bit. For DC it means no difference from the previous
        // block, for AC the end of the block.
        let tables = [UInt8(0x00), 0x10].flatMap { [$0, 1] + [UInt8](repeating: 0, count: 15) + [0] }
        let scans = (isInterleaved ? [identifiers] : identifiers.map { [$0] }).flatMap { components in
            segment(
                0xDA,
                [UInt8(components.count)] + components.flatMap { [$0, 0x00] } + [0, isProgressive ? 0 : 63, 0]) + pixels
        }
        return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(isProgressive ? 0xC2 : 0xC0, frame) + segment(0xC4, tables)
            + (0..<scanCount).flatMap { _ in scans } + [0xFF, 0xD9]
    }

    /// Two bits per block (DC and AC), or one in the DC scans of a progressive image.
    private var pixels: [UInt8] {
        guard hasPixels else { return [] }
        let (across, down) = (sampling.map { Int($0.across) }.max() ?? 1, sampling.map { Int($0.down) }.max() ?? 1)
        let unitCount =
            ((size.width + 8 * across - 1) / (8 * across)) * ((size.height + 8 * down - 1) / (8 * down))
        let blockCount = unitCount * sampling.reduce(0) { $0 + Int($1.across) * Int($1.down) }
        return [UInt8](repeating: 0, count: (blockCount * (isProgressive ? 1 : 2) + 7) / 8)
    }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(content.count + 2) + content
    }

    private func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
}
