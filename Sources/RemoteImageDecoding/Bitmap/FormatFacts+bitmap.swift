extension FormatFacts {
    static let bmp = FormatFacts(
        fileExtension: "bmp", mediaType: "image/bmp", hasColorProfile: false,
        isOne: BMPHeader.isOne,
        header: BMPHeader.read,
        nanoseconds: { _, pixels, _ in 3 * pixels })

    static let ico = FormatFacts(
        fileExtension: "ico", mediaType: "image/vnd.microsoft.icon",
        isOne: ICOHeader.isOne,
        header: ICOHeader.read,
        allowsSize: { _, _ in true },
        nanoseconds: { _, pixels, _ in 3 * pixels })
}
