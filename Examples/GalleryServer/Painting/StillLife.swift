import Foundation

/// Things on a table in the light of a window.
struct StillLife {
    enum Subject: CaseIterable {
        case fruit, bottles, flowers, coffee, pears
    }

    let subject: Subject
    let title: String
    private let number: Int

    init(_ subject: Subject, number: Int) {
        (self.subject, self.number) = (subject, number)
        var random = Random(number, 3)
        title =
            switch subject {
            case .fruit: random.pick(["A bowl of fruit", "Oranges in a bowl", "Still life with a blue bowl"])
            case .bottles: random.pick(["Four bottles", "Glass on the table", "Bottles by the window"])
            case .flowers: random.pick(["Flowers from the garden", "A vase by the window", "A bunch of flowers"])
            case .coffee: random.pick(["Coffee and three books", "A pause at noon", "The reading table"])
            case .pears: random.pick(["Three pears and a jug", "Pears", "A jug in the afternoon"])
            }
    }

    func layers(on canvas: Canvas) -> [any Layer] {
        var random = Random(number, 4)
        let room = Self.rooms[number / 5 % Self.rooms.count]
        let lightX: Float = random.chance(0.7) ? -1 : 1
        let noise = Noise(&random)
        let edge = random.float(0.62...0.68) - (canvas.width < 0.9 ? 0.1 : 0)
        let middle = canvas.width / 2
        var things = Arrangement(
            middle: middle, table: edge + 0.14, lightX: lightX, noise: noise, random: random, accents: room.things)
        let background = Room(
            wall: Color(hex: room.wall), table: Color(hex: room.table), edge: edge, lightX: lightX,
            width: canvas.width, noise: noise)
        // Things fill a wide picture and fit into a narrow one.
        let scale = min(subject == .flowers ? 1.08 : 1.24, max(0.8, canvas.width))
        return [background, Zoom(scale, around: Point(middle, edge + 0.2), things.layers(of: subject))]
    }

    /// The colors of the wall, of the table and of the things on it.
    private static let rooms: [(wall: UInt32, table: UInt32, things: [UInt32])] = [
        (0x8FA79B, 0x8A5A3A, [0xF2E8D8, 0xC4553A, 0x2F5D62, 0xE3A63C]),
        (0xC9A98A, 0x5F3F30, [0x30506E, 0xEDE3D0, 0xB5452F, 0x7F9A5B]),
        (0x4F6272, 0xB08458, [0xE8D6B8, 0xD9793B, 0x8FB0A8, 0xB03A48]),
        (0xD8C3B4, 0x9C7456, [0x6E8BA4, 0xC96F5A, 0xF5EBDD, 0x55704F]),
        (0x2F4A4A, 0x6E4A32, [0xD9B25F, 0xE9DCC5, 0xA8442F, 0x7FA59A]),
        (0xB98A7E, 0xE6D2BA, [0x3C5A5A, 0xF4EDE1, 0x8C3B3B, 0xDDA15E]),
        (0xA9B8C4, 0xD4C3AA, [0x27496D, 0xE07A5F, 0xF7F0E3, 0x81A684]),
    ]
}

/// A wall with the light of a window, and a table.
private struct Room: Layer {
    let wall, table: Color
    let edge: Float
    let lightX: Float
    let width: Float
    let noise: Noise

    func paint(_ row: inout Row) {
        let y = row.y
        let isTable = clamp((y - edge) / row.pixel + 0.5)
        let (plasterLine, grainLine) = (noise.line(y * 9, octaves: 3), noise.line(y * 46, octaves: 4))
        let plasters = row.samples(width: 0.012) { plasterLine.value($0 * 9) * 0.03 }
        let grains = row.samples(width: 0.006) { grainLine.value($0 * 2.4) * 0.16 }
        for column in row.colors.indices {
            let x = row.x(column)
            let across = (x / width - 0.5) * lightX
            let toLight = 0.5 + across
            var color = wall.lit(0.72 + toLight * 0.34 + plasters[column] - y * 0.1)
            // The window throws four slanted panes on the wall.
            let u = (x / width - 0.5) * lightX + 0.34 - (y - 0.3) * 0.3
            let v = y - 0.08 - u * 0.1
            if y < 0.6 && u > 0 && u < 0.29 {
                let panes = pane(u, 0.02, 0.13) + pane(u, 0.155, 0.265)
                let light = panes * (pane(v, 0, 0.2) + pane(v, 0.225, 0.43))
                color = color.mixed(with: Color(hex: 0xFFF0CC), light * 0.26)
            }
            if isTable > 0 {
                let wood = table.lit(0.74 + toLight * 0.4 + grains[column] + (y - edge) * 0.25)
                color = color.mixed(with: wood, isTable)
            }
            row.colors[column] = color
        }
    }

    /// A soft-edged interval.
    private func pane(_ x: Float, _ start: Float, _ end: Float) -> Float {
        smooth((x - start) / 0.02 + 0.5) * smooth((end - x) / 0.02 + 0.5)
    }
}
