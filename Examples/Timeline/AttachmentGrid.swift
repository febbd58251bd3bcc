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

    private func view(of attachment: Status.Attachment, ratio: Double) -> DeclaredWidget {
        var options = ImageOptions(
            // A hidden image is blurred in few pixels, which look the same on every display.
            maxPixelSize: isHidden ? 48 : nil, keepsImageWhileLoading: true,
            previewHash: attachment.blurhash.map { .blurHash($0, aspectRatio: attachment.aspectRatio) },
            processors: isHidden ? [.gaussianBlur(sigma: 4)] : [])
        options.reservedSize = .aspectRatio(ratio)
        return RemoteImageView(attachment.source, options: options)
            .contentFit(.cover).cornerRadius(8).alternativeText(attachment.description ?? "")
            .expand(vertical: false).cssClass("image")
    }
}

extension Status.Attachment {
    var aspectRatio: Double { Double(meta.original.width) / Double(max(1, meta.original.height)) }

    /// The smaller image, or the original where that has too few pixels.
    var source: ImageSource {
        .candidates([
            SourceCandidate(previewUrl, size: PixelSize(width: meta.small.width, height: meta.small.height)),
            SourceCandidate(url, size: PixelSize(width: meta.original.width, height: meta.original.height)),
        ])
    }
}
