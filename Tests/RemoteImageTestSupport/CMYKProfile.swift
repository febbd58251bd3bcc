/// A small ICC profile of a CMYK printer: a lookup table with two grid points per channel
/// (ICC.1:2001 section 6.5.8).
public enum CMYKProfile {
    /// Maps every color with full cyan to red, and every color without cyan to white, for each
    /// rendering intent but the relative colorimetric one if that has another color for full cyan.
    ///
    /// - Parameter relative: That color as L*, a* and b* in 8 bits.
    public static func redForCyan(relative: [UInt8]? = nil) -> [UInt8] {
        func number32(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        func number16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
        let ramp = (0...255).map { UInt8($0) }
        // L*, a* and b* in 8 bits: 100, 0, 0, and approximately the red of sRGB.
        let (paper, red): ([UInt8], [UInt8]) = ([255, 128, 128], [138, 208, 195])
        let identity = (0..<9).flatMap { number32($0 % 4 == 0 ? 1 << 16 : 0) }
        let inputs = (0..<4).flatMap { _ in ramp }
        let outputs = (0..<3).flatMap { _ in ramp }
        func table(_ cyan: [UInt8]) -> [UInt8] {
            var table = Array("mft1".utf8) + number32(0)
            table += [4, 3, 2, 0]
            table += identity
            table += inputs
            table += (0..<16).flatMap { $0 >= 8 ? cyan : paper }
            table += outputs
            return table
        }
        let white = [0.9642, 1, 0.8249].flatMap { number32(Int($0 * 65536)) }
        let description =
            Array("desc".utf8) + number32(0) + number32(5) + Array("test\0".utf8)
            + [UInt8](repeating: 0, count: 79)
        let tags: [(String, [UInt8])] = [
            ("desc", description), ("A2B0", table(red)), ("A2B1", table(relative ?? red)),
            ("wtpt", Array("XYZ ".utf8) + number32(0) + white),
        ]
        var (directory, data) = (number32(tags.count), [UInt8]())
        for (name, content) in tags {
            directory += Array(name.utf8) + number32(132 + tags.count * 12 + data.count) + number32(content.count)
            data += content
            while data.count % 4 != 0 { data.append(0) }
        }
        let body = directory + data
        var head = number32(128 + body.count) + number32(0) + [2, 0x40, 0, 0] + Array("prtrCMYKLab ".utf8)
        head += [2024, 1, 1, 0, 0, 0].flatMap(number16) + Array("acsp".utf8)
        head += [UInt8](repeating: 0, count: 28) + white + [UInt8](repeating: 0, count: 48)
        return head + body
    }
}
