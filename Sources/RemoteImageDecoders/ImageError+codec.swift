import CRemoteImageCodecs

extension ImageError.Code {
    /// The code for the status of a failed call into a codec library.
    init(_ status: codec_status) {
        self =
            switch status {
            case CODEC_UNSUPPORTED: .unsupportedFormat
            case CODEC_TOO_LARGE, CODEC_NO_MEMORY: .tooManyPixels
            default: .corrupt
            }
    }
}
