extension PipelineObject {
    /// Removes the images of an account from memory and disk.
    package func removeAccount(_ account: String) async throws(ImageError) -> AsyncAnswer {
        try await pipeline.removeAll(ofAccount: account)
        return .count(1)
    }

    /// Removes the images with an identity from memory and disk, for all accounts.
    package func removeIdentity(_ identity: String) async throws(ImageError) -> AsyncAnswer {
        // An address need not be normalised.
        let names = [identity, (try? WebAddress(identity))?.string]
        pipeline.configuration.memoryCache?.removeAll { names.contains($0.identity) }
        return try await withStore { $0.removeAll(named: identity) }
    }
}
