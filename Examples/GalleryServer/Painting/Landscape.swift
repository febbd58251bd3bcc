import Foundation

/// A landscape of ridges, water and weather under a sky.
struct Landscape {
    let scene: Scene
    let light: Light
    let weather: Scene.Weather
    let title: String
    private let number: Int

    /// - Parameter round: How many landscapes of this scene come before, for a varied light.
    init(_ scene: Scene, number: Int, round: Int) {
        var random = Random(number, 1)
        (self.scene, self.number) = (scene, number)
        light = scene.lights[round % scene.lights.count]
        let chosen = scene.weathers[round % scene.weathers.count]
        weather = light.isCovered && chosen == .clear ? .clouds : chosen
        title = "\(random.pick(scene.titles(in: weather))) \(light.name)"
    }

    func layers(on canvas: Canvas) -> [any Layer] {
        var random = Random(number, 2)
        let width = canvas.width
        let sunX = width * (random.chance(0.5) ? random.float(0.2...0.4) : random.float(0.6...0.8))
        let horizon = horizon(&random)
        let noise = Noise(&random)
        let cover: Float =
            switch weather {
            case _ where light.isCovered: 0.75
            case .clear: 0
            case .rain, .snow: random.float(0.6...0.7)
            case .clouds, .mist: random.float(0.3...0.52)
            }
        let sunHeight = min(horizon * 0.75, light.sunHeight)
        let stretch: Float = random.pick([1, 1.6, 3])
        var view = View(
            canvas: canvas, light: light, horizon: horizon, sunX: sunX, noise: noise, outline: Outline(noise: noise),
            random: random)
        let front = view.layers(of: scene)
        let hiddenBelow = Ridge.hideCovered(
            &view.ridges, above: (view.waterLevel ?? .infinity) + 2 * canvas.pixel, on: canvas)
        var back: [any Layer] = [
            Sky(
                light: light, horizon: horizon, sun: Point(sunX, horizon - sunHeight), noise: noise, cover: cover,
                stretch: stretch, hiddenBelow: hiddenBelow)
        ]
        if light.isNight && weather != .rain {
            back.append(Stars(&random, width: width, horizon: horizon))
        }
        if scene == .aurora { back.append(Aurora(noise: noise, horizon: horizon)) }
        back += view.inSky
        for (index, ridge) in view.ridges.enumerated() {
            back.append(ridge)
            guard weather == .mist, index < view.ridges.count - 1 else { continue }
            let middle = ridge.height(at: width / 2, on: canvas) + 0.09
            back.append(
                Mist(
                    noise: noise, color: light.haze.mixed(with: light.horizon, 0.4), middle: middle, height: 0.1,
                    opacity: 0.62))
        }
        if let level = view.waterLevel {
            back.append(
                Water(
                    level: level, behind: back, light: light, depths: view.depths, sunX: sunX, noise: noise,
                    roughness: view.roughness))
        }
        back += front
        switch weather {
        case .rain: back.append(Precipitation(&random, width: width, isSnow: false))
        case .snow: back.append(Precipitation(&random, width: width, isSnow: true))
        default: break
        }
        return back
    }

    private func horizon(_ random: inout Random) -> Float {
        switch scene {
        case .sea, .coast: random.float(0.5...0.62)
        case .lake, .aurora: random.float(0.56...0.64)
        case .city: 0.74
        case .desert, .meadow: random.float(0.5...0.6)
        default: random.float(0.62...0.72)
        }
    }
}
