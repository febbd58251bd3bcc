import RemoteImageGtk

extension PipelineObject {
    /// Removes the images of an account from memory and disk.
    func removeAccount(_ account: String) async throws(ImageError) -> AsyncAnswer {
        try await pipeline.removeAll(ofAccount: account)
        return .count(1)
    }

    /// Removes the images with an identity from memory and disk, for all accounts.
    func removeIdentity(_ identity: String) async throws(ImageError) -> AsyncAnswer {
        .count(try await pipeline.remove(named: identity))
    }
}
