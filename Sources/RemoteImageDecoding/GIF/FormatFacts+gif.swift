extension FormatFacts {
    static let gif = FormatFacts(
        fileExtension: "gif", mediaType: "image/gif", hasColorProfile: false,
        isOne: { $0.has("GIF87a") || $0.has("GIF89a") },
        header: GIFHeader.read,
        reachesEnd: { GIFHeader.outline($0, frameLimit: 1).firstFrameEnd != nil }, framesMayFollowEnd: true,
        frameCount: { GIFHeader.outline($0, frameLimit: $1).frameCount },
        animation: GIFAnimation.outline,
        nanoseconds: { bytes, pixels, _ in 6.6 * pixels + 5.8 * Double(bytes.count) })
}
