import Foundation

/// A wide view of a lake at the foot of mountains. Enlarging it shows small things: a village,
/// sheep, boats and balloons.
struct Panorama {
    func layers(on canvas: Canvas) -> [any Layer] {
        var random = Random(3)
        let (width, horizon, light) = (canvas.width, Float(0.46), Light.golden)
        let sunX = width * 0.7
        let noise = Noise(&random)
        var view = View(
            canvas: canvas, light: light, horizon: horizon, sunX: sunX, noise: noise, outline: Outline(noise: noise),
            random: random)
        view.addPeaks(at: horizon - 0.1, height: 0.16, width: 0.5, distance: 0.75, snow: 0.13)
        view.addPeaks(at: horizon - 0.05, height: 0.13, width: 0.4, distance: 0.5, snow: 0.07)
        view.addForest(at: horizon + 0.02, trees: 0.012, distance: 0.5, bumps: 0.05)
        view.addForest(at: horizon + 0.055, trees: 0.016, distance: 0.35, bumps: 0.02)
        let level = horizon + 0.06
        let hiddenBelow = Ridge.hideCovered(&view.ridges, above: level + 2 * canvas.pixel, on: canvas)
        var back: [any Layer] = [
            Sky(
                light: light, horizon: horizon, sun: Point(sunX, horizon - 0.26), noise: noise, cover: 0.42,
                stretch: 1.6, hiddenBelow: hiddenBelow)
        ]
        for index in 0..<7 {
            let place = Point(random.float(0.1...0.9) * width, random.float(0.08...0.3))
            let color = Color(hex: [0xD8452E, 0x2F7FA8, 0xE0A02A, 0x5B8A48][index % 4])
            back += Scenery.balloon(place, height: random.float(0.02...0.06), color, light: light)
            if index < 2 { back += Scenery.birds(place + Point(0.1, 0.05), light.zenith.lit(0.5), &random) }
        }
        back += view.ridges as [any Layer]
        var layers = back
        layers.append(
            Water(
                level: level, behind: back, light: light, depths: Color(hex: 0x1E5A6A), sunX: sunX, noise: noise,
                roughness: 0.2))
        for _ in 0..<16 {
            let away = random.float(0.01...0.12)
            let foot = Point(random.float(0.05...0.95) * width, level + away)
            layers += Scenery.sailboat(foot, height: 0.012 + away * 0.3, light: light)
        }
        view.ridges = []
        view.addField(at: level + 0.2, height: 0.05, color: 0x8FA84A, distance: 0.16)
        view.addField(at: level + 0.34, height: 0.06, color: 0x5F8A38, distance: 0)
        layers += shore(view, view.ridges[0], from: 0.004, to: 0.14, random: &random)
        layers += shore(view, view.ridges[1], from: 0.01, to: 0.14, random: &random)
        return layers
    }

    /// A meadow with its houses, trees and sheep, from far to near.
    private func shore(
        _ view: View, _ ground: Ridge, from: Float, to: Float, random: inout Random
    ) -> [any Layer] {
        let (canvas, light) = (view.canvas, view.light)
        var layers: [any Layer] = [ground]
        let count = 130
        for index in 0..<count {
            let share = Float(index) / Float(count)
            let x = random.float(0.01...0.99) * canvas.width
            let foot = Point(x, ground.height(at: x, on: canvas) + mix(from, to, share))
            let size = 0.016 + foot.y * foot.y * 0.03
            switch random.int(0...9) {
            case 0, 1: layers += Scenery.cabin(foot, height: size, light: light, snow: false)
            case 2, 3: layers += sheep(foot, size: size * 0.3, light: light)
            case 4, 5:
                let leaf = light.ground(Color(hex: random.pick([0x4C7A34, 0x6B8A30, 0xB8742C])), distance: 0.05)
                layers += Scenery.tree(foot, height: size * 1.7, leaf, lightX: view.lightX, &random)
            default:
                let green = light.ground(Color(hex: random.pick([0x1F3B33, 0x2B4A34])), distance: 0.05)
                layers += Scenery.conifer(foot, height: size * random.float(1.4...2.6), green, &random)
            }
        }
        return layers
    }

    private func sheep(_ foot: Point, size: Float, light: Light) -> [any Layer] {
        let wool = Color(hex: 0xFFF6E6).under(light.ambient.mixed(with: .white, 0.4))
        let dark = Color(hex: 0x3A2E2A)
        let body = foot - Point(0, size * 0.55)
        let legs = [-0.3, 0.3].map { (x: Float) in
            Shape(.stroke([foot + Point(x * size, 0), body + Point(x * size, 0)], size * 0.12), dark)
        }
        return [Glow(foot, Point(size, size * 0.2), Color.black.faded(0.4))] + legs + [
            Shape(
                .ellipse(body, Point(0.62, 0.4) * size),
                .radial(body + Point(0.2, -0.2) * size, size, wool, wool.lit(0.7))),
            Shape(.ellipse(body + Point(0.6, -0.18) * size, Point(0.2, 0.17) * size), dark),
        ]
    }
}
