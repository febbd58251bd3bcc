import RemoteImageCore

/// JPEG files of one gray, written segment by segment: of any size and oddity, in a few hundred
/// bytes.
public struct GrayJPEG: Sendable {
    public var size: PixelSize
    /// For each component how often it is sampled across and down.
    public var sampling: [(across: UInt8, down: UInt8)]
    public var isProgressive = false
    /// Whether each scan has all components, and not one.
    public var isInterleaved = true
    /// How often the scan, or each of them, is there.
    public var scanCount = 1
    /// Whether every pixel is there, of an image whose scan has all components; without, decoders
    /// put in what is missing.
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
        // One code each, a single 0: no difference to the block before, and nothing but zeros after
        // it.
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

    /// Two bits a block, or one in the first scan of a progressive image.
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
