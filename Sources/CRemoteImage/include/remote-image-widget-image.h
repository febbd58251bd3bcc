// Remote images in widgets of the program.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-metrics.h"
#include "remote-image-source.h"

G_BEGIN_DECLS

/**
 * RemoteImageWidgetImage:
 *
 * A remote image in a #GtkPicture, a #GtkImage, or another widget with a writable property of type
 * #GdkPaintable, such as `AdwAvatar`.
 *
 * The image loads when the widget is visible, and is decoded at the size in pixels at which the
 * widget draws it. An animation plays while the widget is visible. Like a #RemoteImageView, the
 * widget shows a cached image at once, yields to other loads when it is no longer visible, releases
 * its image when it was out of sight for a while, decodes again when it has grown, and retries when
 * the network returns. A widget that has no size after three frames loads its image nevertheless.
 *
 * Without an address, until the image or a preview of it is there, and after a failure, the widget
 * shows its own content: the icon of a #GtkImage, the initials of an `AdwAvatar`. With
 * #RemoteImageWidgetImage:placeholder-icon-name, it shows that icon instead.
 *
 * The widget owns the object, and replaces it by the next one. remote_image_set_image() is enough
 * for an address, and remote_image_set_image_source() for a #RemoteImageSource:
 *
 * ```c
 * static void show_avatar(GtkWidget *avatar, const char *uri) {
 *     RemoteImageWidgetImage *image = remote_image_set_image(avatar, uri);
 *     g_object_set(image, "transition-duration", 200, NULL);
 * }
 * ```
 *
 * In `.ui` files, it is an object with the property `widget`.
 */
#define REMOTE_IMAGE_TYPE_WIDGET_IMAGE (remote_image_widget_image_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageWidgetImage, remote_image_widget_image, REMOTE_IMAGE, WIDGET_IMAGE, GObject)

/**
 * RemoteImageWidgetImage::loaded:
 * @self: the object
 *
 * Emitted when the widget shows a new image: after the first load, and when a better or newer image
 * replaces the shown one.
 */

/**
 * RemoteImageWidgetImage::failed:
 * @self: the object
 * @error: the error, of the domain #REMOTE_IMAGE_ERROR
 *
 * Emitted when a load or a reload fails. After a failed reload the widget keeps the shown image.
 * Not emitted for a cancelled load.
 */

/**
 * remote_image_set_image:
 * @widget: a #GtkPicture, a #GtkImage, or a widget with a property `custom-image` or `paintable` of
 *   type #GdkPaintable
 * @uri: (nullable): the address of the image, or %NULL for none
 *
 * Shows a remote image in a widget. Another call for the same widget, or one of
 * remote_image_set_image_source(), replaces the address and keeps the other properties, so that
 * rows of lists can be bound again at any time.
 *
 * Returns: (transfer none): the image of the widget, for its other properties and its signals
 */
RemoteImageWidgetImage *remote_image_set_image(GtkWidget *widget, const char *uri);

/**
 * remote_image_set_image_source:
 * @widget: a #GtkPicture, a #GtkImage, or a widget with a property `custom-image` or `paintable` of
 *   type #GdkPaintable
 * @source: (nullable): the source of the image, or %NULL for none
 *
 * Does the same as remote_image_set_image() for an image that is more than an address, such as one
 * in several sizes. Each function replaces the image that the other one has set.
 *
 * Returns: (transfer none): the image of the widget, for its other properties and its signals
 */
RemoteImageWidgetImage *remote_image_set_image_source(GtkWidget *widget, RemoteImageSource *source);

/**
 * remote_image_widget_image_new:
 * @widget: a widget
 * @property_name: (nullable): the name of a writable property of type #GdkPaintable, or %NULL for
 *   the image of a #GtkPicture or #GtkImage, or the property `custom-image` or else `paintable`
 *
 * Makes the image of a widget, in place of the previous one. The widget keeps a reference.
 *
 * Returns: (transfer full): a new object
 */
RemoteImageWidgetImage *remote_image_widget_image_new(GtkWidget *widget, const char *property_name);

/**
 * remote_image_widget_image_reload:
 * @self: the object
 *
 * Loads the image again from the server, also after a failure. The widget keeps its content until
 * the new image arrives.
 */
void remote_image_widget_image_reload(RemoteImageWidgetImage *self);

/**
 * remote_image_widget_image_cancel:
 * @self: the object
 *
 * Cancels the load and keeps the shown content.
 */
void remote_image_widget_image_cancel(RemoteImageWidgetImage *self);

/**
 * remote_image_widget_image_get_metrics:
 * @self: the object
 *
 * Gets the metrics of the shown image or of the failed load.
 *
 * Returns: (transfer full) (nullable): metrics, or %NULL without either
 */
RemoteImageMetrics *remote_image_widget_image_get_metrics(RemoteImageWidgetImage *self);

/**
 * RemoteImageWidgetImage:widget:
 *
 * The widget that shows the image. Set at construction.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:property-name:
 *
 * The name of the property of the widget, of type #GdkPaintable, that shows the image. Set at
 * construction.
 *
 * Default: %NULL, the image of a #GtkPicture or #GtkImage, or the property `custom-image` or else
 * `paintable`.
 */

/**
 * RemoteImageWidgetImage:uri:
 *
 * The address of the image: `http`, `https` or `data:`. Setting another address cancels the load of
 * the old one. %NULL shows the content of the widget itself.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:source:
 *
 * The source of the image, for images that are more than an address; see #RemoteImageView:source.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:low-data-uri:
 *
 * The same as #RemoteImageView:low-data-uri.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:fallback-uris:
 *
 * The same as #RemoteImageView:fallback-uris.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:identity:
 *
 * The same as #RemoteImageView:identity.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:headers:
 *
 * The same as #RemoteImageView:headers.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:pipeline:
 *
 * The same as #RemoteImageView:pipeline.
 *
 * Default: %NULL, the default pipeline.
 */

/**
 * RemoteImageWidgetImage:authorization:
 *
 * The same as #RemoteImageView:authorization.
 *
 * Default: %NULL, that of the pipeline.
 */

/**
 * RemoteImageWidgetImage:cache-policy:
 *
 * The same as #RemoteImageView:cache-policy.
 *
 * Default: #REMOTE_IMAGE_CACHE_POLICY_HTTP.
 */

/**
 * RemoteImageWidgetImage:stored-sizes:
 *
 * The same as #RemoteImageView:stored-sizes.
 *
 * Default: %TRUE.
 */

/**
 * RemoteImageWidgetImage:priority:
 *
 * The same as #RemoteImageView:priority.
 *
 * Default: #REMOTE_IMAGE_PRIORITY_NORMAL.
 */

/**
 * RemoteImageWidgetImage:max-pixel-size:
 *
 * The same as #RemoteImageView:max-pixel-size.
 *
 * Default: 0, no limit but the size of the widget.
 */

/**
 * RemoteImageWidgetImage:keep-while-loading:
 *
 * The same as #RemoteImageView:keep-while-loading.
 *
 * Default: %FALSE.
 */

/**
 * RemoteImageWidgetImage:expiry:
 *
 * The same as #RemoteImageView:expiry.
 *
 * Default: -1, no limit.
 */

/**
 * RemoteImageWidgetImage:previews:
 *
 * The same as #RemoteImageView:previews.
 *
 * Default: none.
 */

/**
 * RemoteImageWidgetImage:show-stored-while-loading:
 *
 * The same as #RemoteImageView:show-stored-while-loading.
 *
 * Default: %FALSE.
 */

/**
 * RemoteImageWidgetImage:timeout:
 *
 * The same as #RemoteImageView:timeout.
 *
 * Default: 0, the limit of the pipeline.
 */

/**
 * RemoteImageWidgetImage:max-retries:
 *
 * The same as #RemoteImageView:max-retries.
 *
 * Default: -1, the policy of the pipeline.
 */

/**
 * RemoteImageWidgetImage:wait-for-network:
 *
 * The same as #RemoteImageView:wait-for-network.
 *
 * Default: %FALSE.
 */

/**
 * RemoteImageWidgetImage:release-delay:
 *
 * The same as #RemoteImageView:release-delay.
 *
 * Default: 5000.
 */

/**
 * RemoteImageWidgetImage:thumb-hash:
 *
 * The same as #RemoteImageView:thumb-hash.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:blur-hash:
 *
 * The same as #RemoteImageView:blur-hash.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageWidgetImage:aspect-ratio:
 *
 * The same as #RemoteImageView:aspect-ratio. It is the aspect ratio of
 * #RemoteImageWidgetImage:blur-hash.
 *
 * Default: 0.
 */

/**
 * RemoteImageWidgetImage:processor:
 *
 * The same as #RemoteImageView:processor.
 *
 * Default: %NULL, the image as it is.
 */

/**
 * RemoteImageWidgetImage:image-scale:
 *
 * The same as #RemoteImageView:image-scale.
 *
 * Default: 1.
 */

/**
 * RemoteImageWidgetImage:delay:
 *
 * The same as #RemoteImageView:delay.
 *
 * Default: 0.
 */

/**
 * RemoteImageWidgetImage:viewport-margin:
 *
 * The same as #RemoteImageView:viewport-margin.
 *
 * Default: 200.
 */

/**
 * RemoteImageWidgetImage:disappear-delay:
 *
 * The same as #RemoteImageView:disappear-delay.
 *
 * Default: 300.
 */

/**
 * RemoteImageWidgetImage:transition-duration:
 *
 * The duration of the cross-fade to the image in milliseconds, from 0 to 60,000, in a #GtkPicture
 * or #GtkImage; other widgets show the image at once. 0 shows it at once, too.
 *
 * Default: 0.
 */

/**
 * RemoteImageWidgetImage:transition-cached:
 *
 * The same as #RemoteImageView:transition-cached.
 *
 * Default: %FALSE.
 */

/**
 * RemoteImageWidgetImage:placeholder-icon-name:
 *
 * The name of a themed icon that is shown without an image, until it is loaded, and after a
 * failure.
 *
 * Default: %NULL, the content that the widget had before its first image.
 */

/**
 * RemoteImageWidgetImage:placeholder-icon-size:
 *
 * The size of the icon in points, for other widgets than #GtkImage.
 *
 * Default: 0, 48 points.
 */

/**
 * RemoteImageWidgetImage:playing:
 *
 * Whether an animation plays, or pauses at its current frame.
 *
 * Default: %TRUE.
 */

/**
 * RemoteImageWidgetImage:phase:
 *
 * The state of the image.
 *
 * Read-only.
 */

/**
 * RemoteImageWidgetImage:progress:
 *
 * The progress of the load, from 0 to 1.
 *
 * Read-only.
 */

/**
 * RemoteImageWidgetImage:error:
 *
 * The error of the load in #REMOTE_IMAGE_PHASE_FAILURE; else %NULL.
 *
 * Read-only.
 */

/**
 * RemoteImageWidgetImage:status:
 *
 * The HTTP status of the response to the failed load, or of the response with the loaded image; 0
 * without a response.
 *
 * Read-only.
 */

/**
 * RemoteImageWidgetImage:texture:
 *
 * The image in #REMOTE_IMAGE_PHASE_SUCCESS; else %NULL, and %NULL while the image is released.
 *
 * Read-only.
 */

/**
 * RemoteImageWidgetImage:image-width:
 *
 * The full width of the image in pixels; 0 without one.
 *
 * Read-only.
 */

/**
 * RemoteImageWidgetImage:image-height:
 *
 * The full height of the image in pixels; 0 without one.
 *
 * Read-only.
 */

/**
 * RemoteImageWidgetImage:animated:
 *
 * Whether the image is an animation.
 *
 * Read-only.
 */

G_END_DECLS
