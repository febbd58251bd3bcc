import Testing

@testable import RemoteImageCore

extension ImageSource {
    /// The address that is loaded for a target whose longer side is `pixels`.
    func address(_ pixels: Int) throws -> String {
        let resolution = SourceResolution(self, target: .longestSide(pixels), isConstrained: false)
        let first = try #require(resolution.attempts.first)
        if let error = first.refusal(under: .http) { throw error }
        return try #require(first.webAddress).string
    }

    /// The error with which a load fails before a request is sent.
    var refusal: ImageError? {
        SourceResolution(self, target: nil, isConstrained: false).attempts.first?.refusal(under: .http)
    }
}
