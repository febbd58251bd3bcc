extension String {
    /// The text in memory of C, up to its first zero.
    package init(cText bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
