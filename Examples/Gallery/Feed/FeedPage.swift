import GalleryServer
import RemoteImageGtk

/// Posts with avatars, photographs with blurred previews, and animated stickers.
struct FeedPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        ImageList(Post.all) { post in
            PostRow(post: post, server: server)
        }
        .cssClass("feed")
    }
}

private struct PostRow: WidgetDeclaration {
    let post: Post
    let server: RunningServer

    var body: DeclaredWidget {
        Row(spacing: 12) {
            NetworkImage(server.address(.portrait(post.author)))
                .processors([.circle()])
                .decorative()
                .frame(width: 44, height: 44)
                .align(vertical: .start)
            Column(spacing: 4) {
                Row(spacing: 6) {
                    Label(post.name).lineLimit(1).cssClass("heading")
                    Label(post.age).cssClass("dim-label")
                }
                Label(post.text).textAlignment(0)
                FlowBox(columns: 1...2, spacing: 6) {
                    for attachment in post.attachments { self.attachment(attachment) }
                }
                .align(horizontal: .start)
            }
            .expand(vertical: false)
        }
        .padding(horizontal: 18, vertical: 10)
    }

    @WidgetBuilder
    private func attachment(_ attachment: Post.Attachment) -> DeclaredWidget {
        switch attachment {
        case .photograph(let number, let blurHash):
            NetworkImage(server.address(.slow(number)), options: ImageOptions(previewHash: .blurHash(blurHash)))
                .contentFit(.cover).transition(.crossFade)
                .accessibleLabel(Painting(number: number).title)
                .frame(width: 240, height: 180)
                .cssClass("tile").clipped()
        case .sticker(let number):
            NetworkImage(server.address(.moving(number)))
                .accessibleLabel("Sticker")
                .frame(width: 120, height: 120)
                .align(horizontal: .start)
        }
    }
}
