import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let existingWidgets = Page(name: "widgets", title: "Existing widgets", endlessCount: 2) { context in
        @MainActor func image(_ address: String, _ placeholder: ImagePlaceholder) -> Widget {
            let image = Widget(gtk_picture_new())
            gtk_picture_set_content_fit(image.opaque, GTK_CONTENT_FIT_COVER)
            PendingImage.load(address, into: image, placeholder, context.pipeline)
            return image
        }
        @MainActor func icon(_ address: String, _ placeholder: ImagePlaceholder) -> Widget {
            let icon = Widget(gtk_image_new())
            gtk_image_set_pixel_size(icon.opaque, 96)
            PendingImage.load(address, into: icon, placeholder, context.pipeline)
            return icon
        }
        return PageLayout.page(
            "setImage loads an image into an existing GtkPicture or GtkImage.",
            [
                ("GtkPicture", image(context.address(.image(13)), .clear)),
                ("GtkImage, 96 points", icon(context.address(.image(14)), .clear)),
                ("GtkPicture, loading", image(context.address(.endless(15)), .iconName("image-loading-symbolic"))),
                ("GtkImage, loading", icon(context.address(.endless(16)), .iconName("content-loading-symbolic"))),
                ("GtkPicture, failed", image(context.address(.missing), .iconName("image-missing-symbolic"))),
                (
                    "Custom placeholder",
                    image(
                        context.address(.missing),
                        .custom { gtk_widget_add_css_class($0.pointer, "striped") })
                ),
            ])
    }
}
