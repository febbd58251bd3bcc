/// The kinds of landscapes.
enum Scene: CaseIterable {
    case mountains, lake, forest, sea, meadow, city, desert, ridges, winter, coast, canyon, aurora

    enum Weather {
        case clear, clouds, rain, snow, mist
    }

    /// The light that suits the scene.
    var lights: [Light] {
        switch self {
        case .mountains: [.earlyMorning, .golden, .noon, .dusk, .dawn, .autumn, .moonlight]
        case .lake: [.dawn, .summer, .golden, .dusk, .earlyMorning, .sunset, .moonlight]
        case .forest: [.overcast, .dawn, .earlyMorning, .moonlight, .golden, .storm]
        case .sea: [.sunset, .golden, .noon, .moonlight, .dawn, .storm, .dusk]
        case .meadow: [.summer, .autumn, .golden, .noon, .earlyMorning, .storm]
        case .city: [.blueHour, .dusk, .sunset, .moonlight, .golden]
        case .desert: [.golden, .noon, .sunset, .moonlight, .dawn, .dusk]
        case .ridges: [.dusk, .dawn, .sunset, .golden, .earlyMorning, .blueHour]
        case .winter: [.noon, .dawn, .overcast, .dusk, .moonlight]
        case .coast: [.summer, .sunset, .noon, .dusk, .storm, .earlyMorning]
        case .canyon: [.sunset, .noon, .golden, .autumn, .blueHour]
        case .aurora: [.polarNight]
        }
    }

    var weathers: [Weather] {
        switch self {
        case .mountains: [.clouds, .clear, .mist, .clouds]
        case .lake: [.clouds, .mist, .clear]
        case .forest: [.mist, .rain, .mist, .clear]
        case .sea: [.clouds, .clear, .clouds]
        case .meadow: [.clouds, .clouds, .rain, .clear]
        case .city: [.clouds, .clear, .rain]
        case .desert, .canyon: [.clear, .clouds]
        case .ridges: [.mist, .clear, .clouds]
        case .winter: [.snow, .clear, .snow, .clouds]
        case .coast: [.clouds, .clear]
        case .aurora: [.clear]
        }
    }

    /// Names for pictures of the scene, without the time of day.
    func titles(in weather: Weather) -> [String] {
        switch (self, weather) {
        case (.mountains, .mist): ["Mist under the summits", "Fog in the high valley"]
        case (.mountains, .clear): ["The north face", "First snow on the summits"]
        case (.mountains, _): ["Clouds over the pass", "The high peaks"]
        case (.lake, .mist): ["Mist on the lake", "The lake before the wind"]
        case (.lake, _): ["A mountain lake", "Still water", "The far shore"]
        case (.forest, .rain): ["Rain in the spruce forest", "A wet day in the woods"]
        case (.forest, .clear): ["Spruces on the slope", "The edge of the forest"]
        case (.forest, _): ["Mist between the spruces", "The forest wakes"]
        case (.sea, .clear): ["A calm sea", "The open sea"]
        case (.sea, _): ["Clouds over the sea", "Sails on the horizon"]
        case (.meadow, .rain): ["A shower over the fields", "Rain on the meadows"]
        case (.meadow, _): ["Rolling fields", "A tree on the hill", "The meadows"]
        case (.city, .rain): ["Rain over the city", "Wet roofs"]
        case (.city, _): ["The skyline", "Windows across the river", "The old harbor"]
        case (.desert, _): ["Dunes", "The great sand sea", "Wind over the dunes"]
        case (.ridges, .mist): ["Mist over the third ridge", "Layers of mist"]
        case (.ridges, _): ["Seven ridges", "The blue hills", "Far hills"]
        case (.winter, .snow): ["Snowfall at the cabin", "Quiet snow"]
        case (.winter, _): ["The cabin in winter", "Deep snow"]
        case (.coast, _): ["The lighthouse", "The headland"]
        case (.canyon, _): ["Table mountains", "The red valley"]
        case (.aurora, _): ["Northern lights", "Green fire over the fjord"]
        }
    }
}
