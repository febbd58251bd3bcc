// Where a picture comes from.

/// A recipe for the bytes of one picture.
///
/// Two sources are equal when they name the same picture. A source made of invalid text is a value
/// like any other; loading it fails with ``ImageError/Code/invalidURL``.
public struct ImageSource: Hashable, Sendable {
    enum Recipe: Hashable, Sendable {
        case web(WebAddress)
        case invalid(text: String, ImageError)
    }

    let recipe: Recipe

    /// A picture at an http or https address.
    public init(_ address: WebAddress) {
        recipe = .web(address)
    }

    /// A picture at the address that `text` spells.
    public init(_ text: String) {
        do {
            recipe = .web(try WebAddress(text))
        } catch {
            recipe = .invalid(text: text, error)
        }
    }
}

extension ImageSource: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension ImageSource: CustomStringConvertible {
    /// The address, or the text that is none.
    public var description: String {
        switch recipe {
        case .web(let address): address.string
        case .invalid(let text, _): text
        }
    }
}

/// Whatever names a picture: a ``ImageSource``, a `String`, a `URL`.
public protocol ImageSourceConvertible {
    var imageSource: ImageSource { get }
}

extension ImageSource: ImageSourceConvertible {
    public var imageSource: ImageSource { self }
}

extension WebAddress: ImageSourceConvertible {
    public var imageSource: ImageSource { ImageSource(self) }
}

extension String: ImageSourceConvertible {
    public var imageSource: ImageSource { ImageSource(self) }
}
