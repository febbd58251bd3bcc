extension ImagePipeline {
    /// The pipeline that front ends use where no other is given: GdkPixbuf decodes, everything else is at
    /// its default.
    public static let shared = ImagePipeline(Configuration(decoders: [PixbufDecoder()]))
}
