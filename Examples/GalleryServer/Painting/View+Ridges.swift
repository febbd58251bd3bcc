import Foundation

/// The kinds of ridges.
extension View {
    private mutating func seed() -> Float { random.float(0...60) }

    private func mist(_ color: Color, _ depth: Float, _ distance: Float, _ light: Light) -> Color {
        color.mixed(with: light.haze, smooth(depth / 0.28) * (0.25 + distance * 0.6))
    }

    mutating func addPeaks(at level: Float, height: Float, width: Float, distance: Float, snow: Float) {
        let (seed, noise, light, outline, lightX) = (seed(), noise, light, outline, lightX)
        let rock = light.ground(Color(hex: 0x5A6474), distance: distance)
        let white = Color(hex: 0xFFFFFF).under(light.ambient.mixed(with: light.sun, 0.5))
            .mixed(with: light.haze, distance * 0.6)
        let blue = white.mixed(with: light.zenith, 0.45)
        let ridge = Ridge(
            on: canvas, outline: { outline.peaks($0, at: level, height: height, width: width, seed: seed) }
        ) { x, y, depth in
            let (u, v) = (x * 6.5 + depth * 2.5 * lightX + seed, depth * 6)
            let face = noise.rock(u, v, lightX: lightX)
            let patches = noise.fractal(u * 1.6, v * 3, octaves: 4)
            let line = smooth(snow + (face - 0.5) * 0.07 + patches * 0.09 - depth, from: -0.012, to: 0.012)
            let bare = rock.lit(0.68 + face * 0.5)
            let color = bare.mixed(with: blue.mixed(with: white, face), line)
            return color.mixed(with: light.haze, smooth(depth / 0.42) * 0.9)
        }
        ridges.append(ridge)
    }

    mutating func addHills(
        at level: Float, height: Float, width: Float, color: UInt32, distance: Float, octaves: Int = 4
    ) {
        let (seed, light, outline) = (seed(), light, outline)
        let ground = light.ground(Color(hex: color), distance: distance)
        let ridge = Ridge(
            on: canvas,
            outline: { outline.hills($0, at: level, height: height, width: width, seed: seed, octaves: octaves) }
        ) { _, _, depth in
            ground.mixed(with: light.haze, smooth(depth / 0.26) * (0.2 + distance * 0.55))
        }
        ridges.append(ridge)
    }

    /// Adds a hill with conifers of a height.
    mutating func addForest(
        at level: Float, trees: Float, distance: Float, bumps: Float = 0.08, snow: Bool = false
    ) {
        let (seed, noise, light, outline) = (seed(), noise, light, outline)
        let green = light.ground(Color(hex: 0x1F3B33), distance: distance)
        let frost = light.ground(Color(hex: 0xDDE6F0), distance: distance)
        let ridge = Ridge(
            on: canvas,
            outline: { x in
                let ground = outline.hills(x, at: level, height: bumps, width: 0.7, seed: seed)
                return outline.conifers(x, on: ground, height: trees, seed: seed)
            }
        ) { x, y, depth in
            var color = green.lit(1.06 + noise.value(x * 40, y * 60) * 0.08)
            if snow {
                let patch = noise.fractal(x * 60, y * 90, octaves: 2)
                color = color.mixed(with: frost, smooth(patch + 0.35 - depth / trees * 0.35) * 0.75)
            }
            return color.mixed(with: light.haze, smooth((y - level + bumps * 0.4) / 0.2) * (0.12 + distance * 0.75))
        }
        ridges.append(ridge)
    }

    /// Adds a hill with rows of crops and the shadows of clouds.
    mutating func addField(at level: Float, height: Float, color: UInt32, distance: Float) {
        let (seed, noise, light, outline) = (seed(), noise, light, outline)
        let ground = light.ground(Color(hex: color), distance: distance)
        let slant = random.float(-0.8...0.8)
        let rows = random.chance(0.6) ? random.float(40...70) : 0
        let ridge = Ridge(
            on: canvas, outline: { outline.hills($0, at: level, height: height, width: 0.9, seed: seed, octaves: 2) }
        ) { x, y, depth in
            let grass = noise.fractal(x * 14, y * 46, octaves: 4)
            let shadow = smooth(noise.value(x * 1.7 + seed, depth * 4), from: 0.05, to: 0.4)
            var brightness = 1.06 + grass * 0.2 - shadow * 0.2
            if rows > 0 { brightness += sin((x + slant * depth * 3) * rows / (1 + depth * 4)) * 0.05 }
            return ground.lit(brightness).mixed(with: light.sun, max(0, 0.14 - depth) * 0.9)
        }
        ridges.append(ridge)
    }

    mutating func addDune(at level: Float, height: Float, width: Float, color: UInt32, distance: Float) {
        let (seed, noise, light, outline, lightX) = (seed(), noise, light, outline, lightX)
        let lit = light.ground(Color(hex: color), distance: distance)
        let dark = light.ground(
            Color(hex: color).under(Color(hex: 0x8A5A66)).mixed(with: light.zenith, 0.05), distance: distance)
        func crest(_ x: Float) -> Float {
            outline.dunes(x, at: level, height: height, width: width, seed: seed)
        }
        let ridge = Ridge(on: canvas, outline: crest) { x, y, depth in
            // The slopes that face away from the light are in shadow.
            let shifted = x + depth * 1.1 * lightX + noise.value(x * 2.5 + seed, depth * 5) * 0.05 * depth / height
            let slope = (crest(shifted + 0.02) - crest(shifted - 0.02)) / 0.04 * lightX
            let shade = smooth(0.62 - slope * 2.6 + depth * 0.6)
            let ripples = sin((y * 2.2 + noise.value(x * 4, y * 9) * 0.05 + x * 0.15) * 190) * 0.018
            let grain = noise.value(x * 120, y * 190) * 0.025
            return dark.mixed(with: lit, shade * 0.9 + 0.1).lit(1 + ripples * shade + grain)
                .mixed(with: light.sun, max(0, 0.03 - depth) * 5 * shade)
        }
        ridges.append(ridge)
    }

    mutating func addSnow(at level: Float, height: Float) {
        let (seed, noise, light, outline, lightX) = (seed(), noise, light, outline, lightX)
        let white = Color(hex: 0xFCFDFF).under(light.ambient.mixed(with: .white, light.isNight ? 0.1 : 0.3))
        let blue = white.under(Color(hex: 0xB4C6E6))
        let ridge = Ridge(
            on: canvas, outline: { outline.hills($0, at: level, height: height, width: 0.9, seed: seed, octaves: 2) }
        ) { x, y, depth in
            let drift = noise.fractal(x * 2 + depth * 2 * lightX, depth * 7 + seed, octaves: 3)
            return white.mixed(with: blue, smooth(drift * 0.9 + 0.35 + depth * 0.8))
        }
        ridges.append(ridge)
    }

    mutating func addMesa(at level: Float, height: Float, distance: Float) {
        let (seed, noise, light, outline, lightX) = (seed(), noise, light, outline, lightX)
        let red = light.ground(Color(hex: 0xB8623C), distance: distance)
        let pale = light.ground(Color(hex: 0xE0A070), distance: distance)
        let scrub = light.ground(Color(hex: 0x8A7A48), distance: distance)
        let ridge = Ridge(
            on: canvas, outline: { outline.mesas($0, at: level, height: height, width: 0.55, seed: seed) }
        ) { x, y, depth in
            let foot = smooth(y - level, from: -0.04, to: 0.03)
            var (rock, plain) = (red, pale)
            if foot < 1 {
                let layer = (y + noise.value(x * 2, seed) * 0.012) * 34
                let strata = noise.fractal(x * 1.2 + seed, layer, octaves: 2)
                let face = noise.rock(x * 16 + seed, y * 2.4, lightX: lightX)
                rock = red.mixed(with: pale, smooth(0.4 + strata * 0.8)).lit(0.74 + face * 0.4)
            }
            if foot > 0 {
                let bush = noise.fractal(x * 24, y * 70, octaves: 3)
                plain = pale.lit(0.95).mixed(with: scrub, smooth(bush, from: 0, to: 0.35) * 0.8)
            }
            return rock.mixed(with: plain, foot).mixed(with: light.haze, smooth(depth / 0.4) * distance * 0.7)
        }
        ridges.append(ridge)
    }

    /// Adds houses with lit windows.
    mutating func addSkyline(at level: Float, height: Float, distance: Float, seed: Float) {
        let (noise, light) = (noise, light)
        let wall = light.ground(Color(hex: 0x2A3040), distance: distance)
        let house: Float = 0.05 + 0.025 * seed
        func random(_ cell: Float, _ purpose: Float) -> Float {
            0.5 + 0.5 * noise.value(cell * 3.7 + 0.5 + seed * 17, purpose + 0.5)
        }
        func outline(_ x: Float) -> Float {
            let cell = (x / house).rounded(.down)
            let along = x / house - cell
            let tall = height * (0.25 + random(cell, 1) * random(cell, 1) * 1.3)
            let kind = random(cell, 2)
            var top = tall
            if kind < 0.4 { top -= abs(along - 0.5) < 0.3 ? 0 : tall * 0.1 }
            if kind > 0.62 { top -= abs(along - 0.5) * house * 0.9 }
            if kind > 0.45, kind < 0.55, abs(along - 0.5) < 0.03 { top += 0.05 }
            return level - top
        }
        let lampShare: Float = light.isNight ? 0.5 : 0.28
        let ridge = Ridge(on: canvas, detail: 0, outline: outline) { x, y, depth in
            let cell = (x / house).rounded(.down)
            let along = x / house - cell
            var color = wall.lit(0.9 + random(cell, 3) * 0.25)
            // Windows: a grid of lit and dark ones.
            let size = 0.01 + 0.004 * seed
            let (columns, rows) = ((house / size).rounded(), (level - y) / (size * 1.45))
            let (u, v) = (along * columns, rows)
            let (column, floor) = (u.rounded(.down), v.rounded(.down))
            let isPane = abs(u - column - 0.5) < 0.28 && abs(v - floor - 0.5) < 0.26
            if isPane, depth > 0.014, y < level - 0.01 {
                let lamp = noise.value(cell * 5 + column * 1.37 + 0.5, floor * 1.73 + seed * 9)
                let isLit = 0.5 + lamp * 0.8 < lampShare
                let pane = isLit ? Color(hex: 0xFFD68A).mixed(with: Color(hex: 0xFFF4D8), abs(lamp)) : wall.lit(1.3)
                color = color.mixed(with: pane, isLit ? 0.9 - distance * 0.55 : 0.5)
            }
            return color.mixed(with: light.haze, smooth(depth / 0.5) * distance * 0.7)
        }
        ridges.append(ridge)
    }

    /// Conifers in the foreground, at the sides of the picture.
    mutating func pines(count: Int) -> [any Layer] {
        let color = light.ground(Color(hex: 0x132A26), distance: 0)
        let bank = light.ground(Color(hex: 0x1B2E22), distance: 0)
        let isRight = sunX < canvas.width / 2
        let (outline, width, seed) = (outline, canvas.width, seed())
        func shore(_ x: Float) -> Float {
            let inward = isRight ? 1 - x / width : x / width
            return 0.9 + smooth(inward, from: 0.1, to: 0.62) * 0.13 + outline.noise.outline(
                x * 4, seed: seed, octaves: 4) * 0.018
        }
        var layers: [any Layer] = [Ridge(on: canvas, outline: shore) { _, _, depth in bank.lit(1 - depth * 2) }]
        for index in 0..<count {
            let inward = (Float(index) + random.float(0.2...0.8)) / Float(count) * 0.34
            let x = (isRight ? 1 - inward : inward) * width
            let height = random.float(0.28...0.62) * (1 - inward)
            layers += Scenery.conifer(Point(x, shore(x) + 0.01), height: height, color, &random)
        }
        return layers
    }
}
