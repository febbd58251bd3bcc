// Images in other places of a desktop: notifications, and widgets with placeholders of their own.
#pragma once
#include <gtk/gtk.h>
#include "remote-image-paintable.h"
#include "remote-image-pipeline.h"
#include "remote-image-source.h"
#include "remote-image-types.h"
G_BEGIN_DECLS

/**
 * remote_image_pipeline_load_icon_async:
 * @self: a pipeline
 * @uri: an address
 * @size: the maximum side in pixels; 0 is 256, and more than 512 is 512
 * @fit: how an image that is not square is fitted: %GTK_CONTENT_FIT_COVER crops it,
 *   %GTK_CONTENT_FIT_CONTAIN and %GTK_CONTENT_FIT_SCALE_DOWN add transparent
 *   borders, %GTK_CONTENT_FIT_FILL changes its aspect ratio
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads an image as the icon of a #GNotification: a #GBytesIcon with a PNG file. It meets the rules
 * of the notification portal (https://flatpak.github.io/xdg-desktop-portal/docs/icons.html): it is
 * square, with sides of at most 512 pixels, and has less than 4 MiB. The portal rejects a
 * notification with any other icon. Images are not enlarged; of an animation, the icon is the first
 * frame.
 *
 * Where GIO finds neither a portal nor the notification service of GNOME, it sends notifications
 * without icons of this kind; for such desktops make a #GFileIcon of a #RemoteImageFile.
 */
void remote_image_pipeline_load_icon_async(
    RemoteImagePipeline *self, const char *uri, int size, GtkContentFit fit, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_load_icon_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_load_icon_async().
 *
 * Returns: (transfer full): the icon
 */
GIcon *remote_image_pipeline_load_icon_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_load_source_icon_async:
 * @self: a pipeline
 * @source: a source
 * @size: the maximum side in pixels; 0 is 256, and more than 512 is 512
 * @fit: how an image that is not square is fitted
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads the image of a source as an icon, as remote_image_pipeline_load_icon_async() does for an
 * address.
 */
void remote_image_pipeline_load_source_icon_async(
    RemoteImagePipeline *self, RemoteImageSource *source, int size, GtkContentFit fit,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_load_source_icon_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_load_source_icon_async().
 *
 * Returns: (transfer full): the icon
 */
GIcon *remote_image_pipeline_load_source_icon_finish(
    RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_paintable_bind_widget:
 * @self: a paintable
 * @widget: a widget
 * @property_name: the name of a writable property of type #GdkPaintable, such as `custom-image` of
 *   `AdwAvatar`
 *
 * Shows the image of the paintable in a widget with a placeholder of its own: the property is %NULL
 * until the paintable has an image or a preview, after a failure, and while the image of another
 * #RemoteImagePaintable:uri loads. An `AdwAvatar` shows its initials meanwhile, and then the middle
 * of the image.
 *
 * The property gets a paintable of its own for each image. While no bound widget is visible, the
 * paintable releases its image; see #RemoteImagePaintable:release-delay. The widget keeps @self
 * until another paintable is bound to the same property, remote_image_paintable_unbind_widget() is
 * called, or the widget is finalized. Set #RemoteImagePaintable:max-pixel-size to about twice the
 * pixels that the widget shows, since it limits the longer side of an image that may not be square:
 * 192 for an avatar of 48 points at scale 2.
 *
 * Deprecated: 1.0: Use remote_image_set_image(), which loads the image when the widget is visible
 *   and at its size.
 */
void remote_image_paintable_bind_widget(RemoteImagePaintable *self, GtkWidget *widget, const char *property_name);

/**
 * remote_image_paintable_unbind_widget:
 * @self: a paintable
 * @widget: a widget
 * @property_name: the name of the property
 *
 * Ends remote_image_paintable_bind_widget(), and sets the property to %NULL. Does nothing if
 * another paintable was bound meanwhile.
 *
 * Deprecated: 1.0: Use remote_image_set_image().
 */
void remote_image_paintable_unbind_widget(RemoteImagePaintable *self, GtkWidget *widget, const char *property_name);

G_END_DECLS
