import Foundation
import GalleryServer

/// A photograph of the gallery.
struct Photograph: Identifiable, Hashable {
    /// The position in the gallery, from 1.
    let id: Int
    let address: String
    let title: String
    /// Empty if it is unknown.
    let photographer: String

    init(painted number: Int, address: String) {
        let painting = Painting(number: number)
        (id, self.address, title, photographer) = (number, address, painting.title, painting.photographer)
    }

    private init(id: Int, address: String) {
        (self.id, self.address, photographer) = (id, address, "")
        title = address.split(separator: "/").last?.removingPercentEncoding ?? address
    }

    /// The images of any addresses, which their file names describe.
    static func list(of addresses: [String]) -> [Photograph] {
        addresses.enumerated().map { Photograph(id: $0 + 1, address: $1) }
    }
}
