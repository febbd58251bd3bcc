import Glibc
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders
@testable import RemoteImageDecoding

/// Color spaces as numbers: code points, curves, primaries, and the profiles made of them.
@Suite struct ColorSpaceTests {
    private let standard = CalibratedColors.standard

    private func isNear(_ found: [Double], _ expected: [Double], _ tolerance: Double = 0.0001) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) <= tolerance }
    }

    // MARK: Code points (ITU-T H.273)

    private func chromaticities(_ primaries: Int) -> [Double]? {
        CodePoints(primaries: primaries, transfer: 13).chromaticities
    }

    @Test func `the primaries of each code point are known, and reserved ones are not supported`() {
        let known = (-1...30).filter { chromaticities($0) != nil }
        #expect(known == [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22])
        #expect(known.filter { chromaticities($0) == standard } == [0, 1, 2])
        #expect(chromaticities(6) == chromaticities(7))
        #expect(Set(known.compactMap(chromaticities)).count == 10)
        #expect(chromaticities(10) == [1 / 3.0, 1 / 3.0, 1, 0, 0, 1, 0, 0])
    }

    /// Table 2 of ITU-T H.273: white, red, green and blue.
    @Test(
        arguments: [
            (1, [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]),
            (4, [0.31, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08]),
            (5, [0.3127, 0.329, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06]),
            (6, [0.3127, 0.329, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07]),
            (8, [0.31, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049]),
            (9, [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]),
            (11, [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]),
            (12, [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]),
            (22, [0.3127, 0.329, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077]),
        ] as [(Int, [Double])])
    func `the primaries of a code point are those of the standard`(primaries: Int, expected: [Double]) {
        #expect(chromaticities(primaries) == expected)
    }

    private func curve(_ transfer: Int) -> TransferCurve? {
        CodePoints(primaries: 1, transfer: transfer, televisionCurve: .gamma(2.4)).curve
    }

    @Test func `the curve of each code point is known, and those of HDR and reserved ones are not`() {
        #expect((-1...20).filter { curve($0) == .sRGB } == [0, 2, 12, 13])
        #expect((-1...20).filter { curve($0) == .gamma(2.4) } == [1, 6, 11, 14, 15])
        #expect((-1...20).filter { curve($0) == nil } == [-1, 3, 9, 10, 16, 18, 19, 20])
        #expect(CodePoints(primaries: 1, transfer: 1).curve == .sRGB, "AVIF")
        // The light of a sample of one half.
        for (transfer, light) in [(4, 0.2176), (5, 0.1436), (7, 0.2650), (8, 0.5), (13, 0.2140), (17, 0.1799)] {
            let found = curve(transfer)?.light(of: 0.5) ?? -1
            #expect(abs(found - light) < 0.0001, "\(transfer): \(found)")
        }
    }

    @Test func `code points of sRGB need no conversion`() {
        func needsNone(_ primaries: Int, _ transfer: Int) -> Bool {
            CalibratedColors(CodePoints(primaries: primaries, transfer: transfer)) == nil
        }
        #expect(needsNone(1, 13))
        #expect(needsNone(2, 2))
        #expect(!needsNone(1, 8), "another curve")
        #expect(!needsNone(12, 13), "other primaries")
        #expect(needsNone(3, 8) && needsNone(12, 3), "a reserved number")
    }

    // MARK: Curves

    @Test func `the curve of sRGB is a line in the dark and a power above`() {
        for (sample, light) in [(0, 0), (0.02, 0.001548), (0.04, 0.003096), (0.05, 0.003936), (0.5, 0.214041), (1, 1)] {
            #expect(abs(TransferCurve.sRGB.light(of: sample) - light) < 0.000001)
            #expect(abs(TransferCurve.sRGB.sample(of: light) - sample) < 0.0001)
        }
        #expect(isNear(TransferCurve.sRGB.parameters, [2.4, 0.947867, 0.052133, 0.077399, 0.04045], 0.000001))
        #expect(TransferCurve.gamma(1.8).parameters == [1.8, 1, 0, 0, 0])
    }

    @Test func `the curve of SMPTE ST 240 is continuous and ends at white`() {
        #expect(abs(TransferCurve.st240.light(of: 0.08) - 0.02) < 0.000001)
        #expect(abs(TransferCurve.st240.light(of: 0.0913) - 0.0228) < 0.0001)
        #expect(abs(TransferCurve.st240.light(of: 1) - 1) < 0.000001)
    }

    @Test func `the white of digital cinema is brighter than its level`() {
        #expect(abs(TransferCurve.st428.light(of: 1) - 52.37 / 48) < 0.000001)
        #expect(abs(TransferCurve.st428.sample(of: 52.37 / 48) - 1) < 0.000001)
    }

    // MARK: Calibrated colors

    private func isConverted(
        gamma: Double = 0.45455, _ chromaticities: [Double], isGray: Bool = false
    ) -> Bool {
        CalibratedColors(gamma: gamma, chromaticities: chromaticities, isGray: isGray) != nil
    }

    @Test func `colors near sRGB are not converted`() {
        let unknown = [Double](repeating: 0, count: 8)
        let adobe = [0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06]
        for colors in [unknown, standard, standard.map { $0 + 0.004 }, standard.map { $0 - 0.004 }] {
            for gamma in [0.435, 0.45455, 0.475] { #expect(!isConverted(gamma: gamma, colors)) }
            for gamma in [0.43, 0.48, 1] { #expect(isConverted(gamma: gamma, colors)) }
        }
        #expect(isConverted(standard.map { $0 + 0.006 }))
        #expect(isConverted(adobe))
        #expect(!isConverted(adobe, isGray: true))
        #expect(isConverted(gamma: 1, adobe, isGray: true))
    }

    @Test func `impossible colors are not converted`() {
        for (gamma, isPossible) in [(0.09, false), (0.1, true), (10, true), (10.1, false), (-1, false)] {
            #expect(isConverted(gamma: gamma, standard) == isPossible)
        }
        #expect(!isConverted(gamma: 1, Array(standard.dropLast())))
        #expect(!isConverted(gamma: 1, standard + [0.1]))
        for index in 0..<8 {
            var colors = standard
            colors[index] = -0.01
            #expect(!isConverted(gamma: 1, colors))
            colors[index] = 0.95
            #expect(!isConverted(gamma: 1, colors), "a sum above 1")
        }
        // Only for a color may x and y add up to 1, and only white needs light.
        #expect(isConverted(gamma: 1, [0.3457, 0.3585, 0.7347, 0.2653, 0.1596, 0.8404, 0.0366, 0.0001]))
        #expect(!isConverted(gamma: 1, [0.3127, 0, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]))
        #expect(!isConverted(gamma: 1, [0.3127, 0.329, 0.64, 0.33, 0.64, 0.33, 0.15, 0.06]), "two equal colors")
        #expect(!isConverted(gamma: 1, [0.7, 0.25, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]), "white outside the colors")
    }

    /// The numbers of the usual profile of sRGB.
    @Test func `the primaries of sRGB are adapted to D50`() throws {
        let found = try #require(CalibratedColors.adapted(standard))
        #expect(found.count == 3)
        #expect(isNear(found[0], [0.4360, 0.2225, 0.0139], 0.0003))
        #expect(isNear(found[1], [0.3851, 0.7169, 0.0971], 0.0003))
        #expect(isNear(found[2], [0.1431, 0.0606, 0.7141], 0.0003))
    }

    @Test func `shares of vectors are solved, unless the vectors are in a plane`() {
        let columns: [[Double]] = [[2, 0, 1], [0, 3, 1], [1, 1, 4]]
        // 1, 2 and 3 times the columns.
        #expect(CalibratedColors.solve(columns, [5, 9, 15]).map { isNear($0, [1, 2, 3]) } == true)
        #expect(CalibratedColors.solve(columns, [2, 0, 1]).map { isNear($0, [1, 0, 0]) } == true)
        #expect(CalibratedColors.solve([[1, 0, 0], [0, 1, 0], [1, 1, 0]], [1, 1, 1]) == nil)
    }

    private struct Tag: Equatable {
        let name: String
        let content: [UInt8]
    }

    private func number(_ bytes: some Collection<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// The tags of a profile, found by its table.
    private func tags(_ profile: [UInt8]) -> [Tag] {
        (0..<number(profile[128..<132])).map { index in
            let entry = 132 + index * 12
            let (offset, count) = (
                number(profile[(entry + 4)..<(entry + 8)]), number(profile[(entry + 8)..<(entry + 12)])
            )
            return Tag(
                name: String(decoding: profile[entry..<(entry + 4)], as: UTF8.self),
                content: Array(profile[offset..<(offset + count)]))
        }
    }

    private func fixed(_ content: [UInt8], from start: Int) -> [Double] {
        stride(from: start, to: content.count, by: 4).map {
            Double(Int32(truncatingIfNeeded: number(content[$0..<($0 + 4)]))) / 65_536
        }
    }

    private func header(_ byteCount: Int, _ space: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 128)
        bytes.replaceSubrange(0..<4, with: byteCount.bigEndianBytes())
        bytes.replaceSubrange(8..<10, with: [4, 0x20])
        bytes.replaceSubrange(12..<24, with: "mntr\(space)XYZ ".utf8)
        bytes.replaceSubrange(24..<30, with: [7, 0xE8, 0, 1, 0, 1])
        bytes.replaceSubrange(36..<40, with: "acsp".utf8)
        bytes.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2C])
        return bytes
    }

    @Test func `a profile of three colors has a curve and a place for each`() throws {
        let colors = try #require(CalibratedColors(CodePoints(primaries: 1, transfer: 8)))
        let profile = colors.profile
        var expected = header(profile.count, "RGB ")
        // D50 is rounded.
        expected[79] = profile[79]
        #expect(Array(profile[..<128]) == expected)
        let tags = tags(profile)
        #expect(tags.map(\.name) == ["wtpt", "rXYZ", "rTRC", "gXYZ", "gTRC", "bXYZ", "bTRC"])
        #expect(profile.count == 132 + 7 * 12 + 4 * 20 + 3 * 32)
        let place: [UInt8] = Array("XYZ ".utf8) + [0, 0, 0, 0]
        for index in [0, 1, 3, 5] { #expect(Array(tags[index].content[..<8]) == place) }
        #expect(isNear(fixed(tags[0].content, from: 8), [0.9642, 1, 0.8249]))
        #expect(isNear(fixed(tags[1].content, from: 8), [0.4360, 0.2225, 0.0139], 0.0003))
        #expect(isNear(fixed(tags[3].content, from: 8), [0.3851, 0.7169, 0.0971], 0.0003))
        #expect(isNear(fixed(tags[5].content, from: 8), [0.1431, 0.0606, 0.7141], 0.0003))
        let curve: [UInt8] = Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0]
        for index in [2, 4, 6] {
            #expect(Array(tags[index].content[..<12]) == curve)
            #expect(fixed(tags[index].content, from: 12) == [1, 1, 0, 0, 0])
        }
    }

    @Test func `a profile of gray has one curve`() throws {
        let unknown = [Double](repeating: 0, count: 8)
        let profile = try #require(CalibratedColors(gamma: 0.5, chromaticities: unknown, isGray: true)).profile
        var expected = header(profile.count, "GRAY")
        expected[79] = profile[79]
        #expect(Array(profile[..<128]) == expected)
        let tags = tags(profile)
        #expect(tags.map(\.name) == ["wtpt", "kTRC"])
        #expect(fixed(tags[1].content, from: 12) == [2, 1, 0, 0, 0])
    }

    // MARK: Rows

    private func converted(
        _ bytes: [UInt8], _ size: PixelSize, channels: Int, stride: Int, _ conversion: ColorConversion
    ) -> [UInt8] {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return }
            conversion.apply(to: base, size: size, channels: channels, stride: stride)
        }
        return bytes
    }

    /// PQ, which needs no library, a profile of colors, and one of gray.
    private var conversions: [ColorConversion] {
        let gray = CalibratedColors(gamma: 1, chromaticities: [Double](repeating: 0, count: 8), isGray: true)
        return [
            CodePoints(primaries: 9, transfer: 16).conversion, CodePoints(primaries: 1, transfer: 8).conversion,
            gray.flatMap { .from($0.profile) },
        ].compactMap { $0 }
    }

    @Test func `each row is converted, and alpha and the bytes between the rows are left`() {
        let size = PixelSize(width: 2, height: 3)
        for conversion in conversions {
            for channels in [3, 4] {
                func pixel(_ level: UInt8) -> [UInt8] {
                    [UInt8](repeating: level, count: 3) + (channels == 4 ? [UInt8(77)] : [])
                }
                let levels: [[UInt8]] = [[60, 90], [100, 120], [140, 160]]
                let expected = levels.map { row in
                    row.map { level in
                        converted(
                            pixel(level), PixelSize(width: 1, height: 1), channels: channels, stride: channels,
                            conversion)
                    }
                }
                #expect(expected[0][0] != pixel(60) && expected[2][1] != pixel(160))
                #expect(channels == 3 || expected[1][1][3] == 77)
                let rows = levels.map { $0.flatMap(pixel) + [1, 2, 3, 4, 5] }
                let found = converted(
                    rows.flatMap { $0 }, size, channels: channels, stride: 2 * channels + 5, conversion)
                #expect(found == expected.flatMap { $0.flatMap { $0 } + [1, 2, 3, 4, 5] })
            }
        }
    }

    @Test(.enabled(if: ColorConversion.isAvailable))
    func `one colored pixel anywhere keeps a gray profile from being applied`() throws {
        let gray = try #require(
            CalibratedColors(gamma: 1, chromaticities: [Double](repeating: 0, count: 8), isGray: true))
        let conversion = try #require(ColorConversion.from(gray.profile))
        let plain = [UInt8](repeating: 100, count: 2 * 2 * 3)
        let size = PixelSize(width: 2, height: 2)
        #expect(converted(plain, size, channels: 3, stride: 6, conversion) != plain)
        for index in plain.indices {
            var colored = plain
            colored[index] = 101
            #expect(converted(colored, size, channels: 3, stride: 6, conversion) == colored)
        }
    }
}
