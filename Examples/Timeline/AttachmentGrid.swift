import RemoteImageGtk

/// The images of a status: one in its own shape, several in columns.
struct AttachmentGrid: WidgetDeclaration {
    let attachments: [Status.Attachment]
    let isHidden: Bool

    var body: DeclaredWidget {
        if let attachment = attachments.first, attachments.count == 1 {
            // A tall image is cropped, so that it fits into the window.
            view(of: attachment, ratio: max(0.9, attachment.aspectRatio))
        } else {
            Column(spacing: 4) {
                for start in stride(from: 0, to: attachments.count, by: 2) {
                    Row(spacing: 4, homogeneous: true) {
                        for attachment in attachments[start...].prefix(2) {
                            view(of: attachment, ratio: start + 1 == attachments.count ? 8 / 3 : 4 / 3)
                        }
                    }
                }
            }
        }
    }

    private func view(of attachment: Status.Attachment, ratio: Double) -> NetworkImage {
        var options = ImageOptions(
            // A hidden image is blurred in few pixels, which look the same on every display.
            maxPixelSize: isHidden ? 48 : nil, keepsImageWhileLoading: true,
            previewHash: attachment.blurhash.map { .blurHash($0, aspectRatio: attachment.aspectRatio) },
            processors: isHidden ? [.gaussianBlur(sigma: 4)] : [])
        options.reservedSize = .aspectRatio(ratio)
        return NetworkImage(attachment.source, options: options)
            .contentFit(.cover).cornerRadius(8).accessibleLabel(attachment.description ?? "")
            .expand(vertical: false).cssClass("image")
    }
}

extension Status {
    /// The attachments that are images.
    var images: [Attachment] { mediaAttachments.filter { $0.source != nil } }
}

extension Status.Attachment {
    var aspectRatio: Double {
        guard let size = meta?.original?.pixels else { return 1 }
        return Double(size.width) / Double(size.height)
    }

    /// The smaller image, or the original where that has too few pixels. `nil` for a file that is
    /// not an image.
    var source: ImageSource? {
        guard type == "image", let url, let previewUrl, let original = meta?.original?.pixels,
            let small = meta?.small?.pixels
        else { return nil }
        return .candidates([SourceCandidate(previewUrl, size: small), SourceCandidate(url, size: original)])
    }
}

extension Status.Attachment.Size {
    /// `nil` without a valid size.
    fileprivate var pixels: PixelSize? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return PixelSize(width: width, height: height)
    }
}
