extension PipelineObject {
    /// Removes the images of an account from memory and disk.
    package func removeAccount(_ account: String) async throws(ImageError) -> AsyncAnswer {
        try await pipeline.removeAll(ofAccount: account)
        return .count(1)
    }

    /// Removes the images with an identity from memory and disk, for all accounts.
    package func removeIdentity(_ identity: String) async throws(ImageError) -> AsyncAnswer {
        // An address need not be normalised.
        let names = [identity, (try? WebAddress(identity))?.string].compactMap { $0 }
        pipeline.configuration.memoryCache?.removeAll { key in
            names.contains { ImageSource.isName(key.identity, of: $0) }
        }
        return try await withStore { $0.removeAll(named: identity) }
    }
}
