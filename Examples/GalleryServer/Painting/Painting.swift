import RemoteImage

/// A painted photograph: a landscape or a still life. The number alone determines it.
public struct Painting {
    let number: Int
    private let motif: any Motif

    /// - Parameter number: 0 to 999,999.
    public init(number: Int) {
        self.number = number
        let scenes = Scene.allCases
        let subjects = StillLife.Subject.allCases
        if number % 5 == 3 {
            motif = StillLife(subjects[number / 5 % subjects.count], number: number)
        } else {
            let index = number - (number + 1) / 5
            motif = Landscape(scenes[index * 5 % scenes.count], number: number, round: index / scenes.count)
        }
    }

    /// What the picture shows, for example "Mist over the third ridge at dawn". Titles repeat.
    public var title: String { motif.title }

    /// The invented name of a photographer.
    public var photographer: String { Person(number: number % 24).name }

    /// The size in pixels.
    public var size: PixelSize { Self.sizes[number % Self.sizes.count] }

    /// - Parameter size: Any size with the aspect ratio of the picture.
    func pixels(size: PixelSize) -> PixelBuffer {
        let canvas = Canvas(size: size)
        return canvas.paint(motif.layers(on: canvas) + Label.layers(number, on: canvas))
    }

    private static let sizes = [
        PixelSize(width: 640, height: 480), PixelSize(width: 480, height: 640), PixelSize(width: 800, height: 600),
        PixelSize(width: 1200, height: 800), PixelSize(width: 600, height: 600), PixelSize(width: 1000, height: 500),
        PixelSize(width: 1600, height: 1200),
    ]
}

/// A kind of picture.
protocol Motif {
    var title: String { get }
    /// The layers from back to front.
    func layers(on canvas: Canvas) -> [any Layer]
}

extension Landscape: Motif {}
extension StillLife: Motif {}
