extension Set<String> {
    /// The texts with which `list` calls the function that it gets. `list` passes on its last
    /// argument, the address of the set, and does not keep it.
    init(
        listedBy list: (
            (@convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void)?, UnsafeMutableRawPointer?
        ) -> Void
    ) {
        self = []
        withUnsafeMutablePointer(to: &self) { texts in
            list(
                { text, texts in
                    guard let text else { return }
                    texts?.assumingMemoryBound(to: Set<String>.self).pointee.insert(String(cString: text))
                }, texts)
        }
    }
}
