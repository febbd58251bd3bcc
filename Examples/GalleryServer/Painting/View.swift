import Foundation

/// The ground of a landscape: its ridges from far to near, and what stands on them.
struct View {
    let canvas: Canvas
    let light: Light
    let horizon: Float
    let sunX: Float
    let noise: Noise
    let outline: Outline
    var random: Random

    var ridges: [Ridge] = []
    /// What is in front of the sky and behind the ridges.
    var inSky: [any Layer] = []
    var waterLevel: Float?
    var depths = Color(hex: 0x1E5A6A)
    var roughness: Float = 0

    var width: Float { canvas.width }
    /// 1 if the light comes from the right, -1 from the left.
    var lightX: Float { sunX > width / 2 ? 1 : -1 }

    /// Adds the ridges of a scene. Returns the layers in front of them.
    mutating func layers(of scene: Scene) -> [any Layer] {
        if !light.isNight && random.chance(0.5) {
            let place = Point(random.float(0.2...0.8) * width, random.float(0.2...0.4))
            inSky += Scenery.birds(place, light.zenith.lit(0.55), &random)
        }
        switch scene {
        case .mountains: return mountains()
        case .lake: return lake()
        case .forest: return forest()
        case .sea: return sea()
        case .meadow: return meadow()
        case .city: return city()
        case .desert: return desert()
        case .ridges: return farRidges()
        case .winter: return winter()
        case .coast: return coast()
        case .canyon: return canyon()
        case .aurora: return aurora()
        }
    }

    // MARK: Scenes

    private mutating func mountains() -> [any Layer] {
        addPeaks(at: horizon - 0.14, height: 0.2, width: 0.9, distance: 0.82, snow: 0.12)
        addPeaks(at: horizon - 0.06, height: 0.26, width: 0.7, distance: 0.5, snow: 0.17)
        addForest(at: horizon + 0.08, trees: 0.022, distance: 0.45)
        addForest(at: horizon + 0.17, trees: 0.05, distance: 0.2)
        return pines(count: random.int(2...4))
    }

    private mutating func lake() -> [any Layer] {
        addPeaks(at: horizon - 0.12, height: 0.2, width: 0.8, distance: 0.75, snow: 0.12)
        addHills(at: horizon - 0.06, height: 0.1, width: 0.5, color: 0x3D5F4A, distance: 0.55)
        addForest(at: horizon + 0.005, trees: 0.035, distance: 0.3, bumps: 0.03)
        waterLevel = horizon + 0.02
        roughness = random.float(0.05...0.25)
        if random.chance(0.5) {
            let foot = Point(random.float(0.25...0.75) * width, random.float(0.1...0.2) + horizon)
            return Scenery.sailboat(foot, height: random.float(0.08...0.13), light: light) + pines(count: 2)
        }
        return pines(count: random.int(2...5))
    }

    private mutating func forest() -> [any Layer] {
        addHills(at: horizon - 0.24, height: 0.14, width: 0.8, color: 0x3E5D58, distance: 0.9)
        for (index, trees) in ([0.05, 0.085, 0.13, 0.2] as [Float]).enumerated() {
            let share = Float(index) / 3
            addForest(at: horizon - 0.1 + share * 0.34, trees: trees, distance: 0.78 - share * 0.7)
        }
        return pines(count: random.int(1...3))
    }

    private mutating func sea() -> [any Layer] {
        if random.chance(0.6) {
            addHills(at: horizon + 0.0, height: 0.07, width: 0.6, color: 0x3B4C5C, distance: 0.75)
        }
        waterLevel = horizon
        roughness = random.float(0.6...1)
        let count = random.int(1...2)
        return (0..<count).flatMap { index in
            let away = random.float(0.02...0.16)
            let foot = Point(random.float(0.15...0.85) * width, horizon + away)
            return Scenery.sailboat(foot, height: 0.05 + away * 0.9, light: light)
        }
    }

    private mutating func meadow() -> [any Layer] {
        addHills(at: horizon - 0.05, height: 0.14, width: 0.9, color: 0x5E7F86, distance: 0.8)
        let greens: [UInt32] = random.pick([
            [0x7C9B5C, 0x9CB356, 0x6F9A45, 0x4E8338], [0xB9A85E, 0xD0B55C, 0x9FA04C, 0x6C8A3C],
            [0x8A8FB4, 0x8E7FB8, 0x7A9A58, 0x5A8A44],
        ])
        for (index, green) in greens.enumerated() {
            let share = Float(index) / 3
            addField(
                at: horizon + 0.04 + share * 0.26, height: 0.08 + share * 0.04, color: green,
                distance: 0.5 - share * 0.45)
        }
        let hill = ridges[3]
        var front: [any Layer] = []
        if random.chance(0.4) {
            inSky += Scenery.balloon(
                Point(width - sunX + random.float(-0.1...0.1), random.float(0.2...0.3)),
                height: random.float(0.12...0.2),
                Color(hex: random.pick([0xD8452E, 0x2F7FA8, 0xE0A02A])), light: light)
        }
        let trees = random.int(1...3)
        for _ in 0..<trees {
            let x = random.float(0.12...0.88) * width
            let foot = Point(x, hill.height(at: x, on: canvas) + 0.05)
            let leaf = light.ground(Color(hex: random.pick([0x4C7A34, 0x6B8A30, 0xB8742C])), distance: 0.05)
            front += Scenery.tree(foot, height: random.float(0.14...0.26), leaf, lightX: lightX, &random)
        }
        return front
    }

    private mutating func city() -> [any Layer] {
        for (index, distance) in ([0.78, 0.5, 0.18] as [Float]).enumerated() {
            addSkyline(at: horizon + 0.02, height: 0.44 - Float(index) * 0.09, distance: distance, seed: Float(index))
        }
        waterLevel = horizon + 0.02
        depths = Color(hex: 0x223A55)
        roughness = 0.3
        return []
    }

    private mutating func desert() -> [any Layer] {
        let sand = random.pick([0xE0A868, 0xE8BE84, 0xD98A54] as [UInt32])
        addHills(at: horizon - 0.02, height: 0.07, width: 0.5, color: 0xA06A50, distance: 0.8)
        for index in 0..<5 {
            let share = Float(index) / 4
            addDune(
                at: horizon + 0.03 + share * share * 0.36, height: 0.04 + share * 0.13, width: 0.35 + share * 0.6,
                color: sand, distance: 0.55 * (1 - share))
        }
        return []
    }

    private mutating func farRidges() -> [any Layer] {
        for index in 0..<7 {
            let share = Float(index) / 6
            addHills(
                at: horizon - 0.26 + share * 0.42, height: 0.12 + share * 0.06, width: 0.75 - share * 0.2,
                color: 0x24394A,
                distance: 0.95 - share * 0.9, octaves: 6)
        }
        addForest(at: 0.97, trees: 0.07, distance: 0)
        return []
    }

    private mutating func winter() -> [any Layer] {
        addPeaks(at: horizon - 0.16, height: 0.2, width: 0.8, distance: 0.8, snow: 0.4)
        addForest(at: horizon - 0.02, trees: 0.05, distance: 0.55, snow: true)
        addForest(at: horizon + 0.05, trees: 0.085, distance: 0.3, snow: true)
        addSnow(at: horizon + 0.11, height: 0.06)
        addSnow(at: horizon + 0.2, height: 0.08)
        let x = (sunX > width / 2 ? 0.3 : 0.7) * width
        let foot = Point(x, ridges[3].height(at: x, on: canvas) + 0.035)
        return Scenery.cabin(foot, height: 0.13, light: light, snow: true) + pines(count: 2)
    }

    private mutating func coast() -> [any Layer] {
        waterLevel = horizon
        roughness = random.float(0.5...0.9)
        depths = Color(hex: 0x17606E)
        addHills(at: horizon - 0.0, height: 0.06, width: 0.5, color: 0x3B5560, distance: 0.8)
        let isRight = sunX < width / 2
        let (noise, outline, width, light, lightX) = (noise, outline, width, light, lightX)
        let foot = horizon
        func headland(_ x: Float) -> Float {
            let inland = (isRight ? x / width : 1 - x / width)
            let rise = smooth(inland, from: 0.42, to: 0.6) * 0.16 + smooth(inland, from: 0.6, to: 1) * 0.08
            let low = smooth(inland, from: 0.3, to: 0.42)
            return mix(1.1, foot + 0.18, low) - rise + outline.noise.outline(x * 5, seed: 8, octaves: 5) * 0.022
        }
        let cliff = Ridge(on: canvas, outline: headland) { x, y, depth in
            let grass = light.ground(Color(hex: 0x66853F), distance: 0.08)
            let rock = light.ground(Color(hex: 0x8A7460), distance: 0.1)
            let strata = noise.fractal(x * 7 + y * 3, y * 22, octaves: 3)
            let face = noise.rock(x * 9 + y * 2, y * 6, lightX: lightX)
            let edge = smooth(depth + strata * 0.03, from: 0.02, to: 0.05)
            return grass.lit(0.92 + strata * 0.2).mixed(with: rock.lit(0.66 + face * 0.5 + strata * 0.22), edge)
        }
        let towerX = (isRight ? 0.74 : 0.26) * width
        return [cliff]
            + Scenery.lighthouse(Point(towerX, headland(towerX) + 0.015), height: 0.36, light: light)
    }

    private mutating func canyon() -> [any Layer] {
        for index in 0..<4 {
            let share = Float(index) / 3
            addMesa(at: horizon - 0.02 + share * 0.26, height: 0.34 - share * 0.1, distance: 0.58 - share * 0.5)
        }
        return []
    }

    private mutating func aurora() -> [any Layer] {
        addPeaks(at: horizon - 0.05, height: 0.16, width: 0.8, distance: 0.55, snow: 0.3)
        addForest(at: horizon + 0.01, trees: 0.04, distance: 0.15, bumps: 0.02)
        waterLevel = horizon + 0.02
        depths = Color(hex: 0x14343C)
        roughness = 0.12
        let x = random.float(0.3...0.7) * width
        let shore = pines(count: 4)
        return Scenery.cabin(Point(x, horizon + 0.025), height: 0.035, light: light, snow: true) + shore
    }
}
