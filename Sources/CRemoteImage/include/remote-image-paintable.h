// A remote image as a paintable.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
#include "remote-image-source.h"
#include "remote-image-types.h"

G_BEGIN_DECLS

/**
 * RemoteImagePaintable:
 *
 * A remote image as a #GdkPaintable, for GTK classes that draw paintables: #GtkPicture, #GtkImage,
 * #GtkTextBuffer.
 *
 * A paintable has no position on screen. It therefore loads as soon as it has an address, and
 * decodes all pixels of the image unless #RemoteImagePaintable:max-pixel-size limits them. Prefer
 * #RemoteImageView where a widget can be used.
 *
 * An animation plays while a widget that draws the paintable is visible: a #GtkPicture, a
 * #GtkImage, or another widget that connects itself to the signal
 * #GdkPaintable::invalidate-contents.
 *
 * A paintable keeps its image as long as it exists, unless it is bound to widgets; see
 * #RemoteImagePaintable:release-delay. To load an image when a widget is visible, at the size of
 * the widget, use remote_image_set_image().
 *
 * ```c
 * g_autoptr(RemoteImagePaintable) logo =
 *     remote_image_paintable_new("https://www.gtk.org/assets/img/logo-gtk.png");
 * GtkWidget *picture = gtk_picture_new_for_paintable(GDK_PAINTABLE(logo));
 * ```
 */
#define REMOTE_IMAGE_TYPE_PAINTABLE (remote_image_paintable_get_type())
G_DECLARE_FINAL_TYPE(RemoteImagePaintable, remote_image_paintable, REMOTE_IMAGE, PAINTABLE, GObject)

/**
 * RemoteImagePaintable::loaded:
 * @self: the paintable
 *
 * Emitted when the paintable draws a new image: after the first load, and when a better or newer
 * image replaces the drawn one. A cached image is drawn before the function that sets the address
 * returns, and the signal is emitted within it: connect a handler first.
 */

/**
 * RemoteImagePaintable::failed:
 * @self: the paintable
 * @error: the error, of the domain #REMOTE_IMAGE_ERROR
 *
 * Emitted when a load or a reload fails. After a failed reload the paintable keeps the drawn image.
 * Not emitted for a cancelled load.
 */

/**
 * remote_image_paintable_new:
 * @uri: (nullable): the address of the image
 *
 * Makes a paintable, which starts to load.
 *
 * Returns: (transfer full): a new paintable
 */
RemoteImagePaintable *remote_image_paintable_new(const char *uri);

/**
 * remote_image_paintable_reload:
 * @self: a paintable
 *
 * Loads the image again from the server. The paintable keeps its content until the new image
 * arrives.
 */
void remote_image_paintable_reload(RemoteImagePaintable *self);

/**
 * remote_image_paintable_cancel:
 * @self: a paintable
 *
 * Cancels the load and keeps the drawn content.
 */
void remote_image_paintable_cancel(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:uri:
 *
 * The address of the image: `http`, `https` or `data:`. Setting another address cancels the load of
 * the old one. The new image is loaded at once, and a cached image is drawn before the call
 * returns. An invalid address fails with #REMOTE_IMAGE_ERROR_INVALID_URL, a `file:` address with
 * #REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME; neither logs a warning, since addresses usually come from
 * outside the program. %NULL draws nothing.
 *
 * Default: %NULL.
 */

/**
 * remote_image_paintable_get_uri:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:uri.
 *
 * Returns: (transfer none) (nullable): the address of the image
 */
const char *remote_image_paintable_get_uri(RemoteImagePaintable *self);

/**
 * remote_image_paintable_set_uri:
 * @self: the object
 * @uri: (nullable): the address of the image
 *
 * Sets #RemoteImagePaintable:uri.
 */
void remote_image_paintable_set_uri(RemoteImagePaintable *self, const char *uri);

/**
 * RemoteImagePaintable:source:
 *
 * The source of the image, for images that are more than an address. Setting a source sets
 * #RemoteImagePaintable:uri to %NULL, and setting an address sets the source to %NULL.
 * #RemoteImagePaintable:low-data-uri, #RemoteImagePaintable:fallback-uris and
 * #RemoteImagePaintable:identity apply to an address only.
 *
 * Default: %NULL.
 */

/**
 * remote_image_paintable_get_source:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:source.
 *
 * Returns: (transfer none) (nullable): a source
 */
RemoteImageSource *remote_image_paintable_get_source(RemoteImagePaintable *self);

/**
 * remote_image_paintable_set_source:
 * @self: the object
 * @source: (nullable): a source
 *
 * Sets #RemoteImagePaintable:source.
 */
void remote_image_paintable_set_source(RemoteImagePaintable *self, RemoteImageSource *source);

/**
 * RemoteImagePaintable:pipeline:
 *
 * The pipeline that fetches, decodes and caches. %NULL stands for
 * remote_image_pipeline_get_default().
 *
 * Default: %NULL, the default pipeline.
 */

/**
 * remote_image_paintable_get_pipeline:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:pipeline.
 *
 * Returns: (transfer none) (nullable): a pipeline
 */
RemoteImagePipeline *remote_image_paintable_get_pipeline(RemoteImagePaintable *self);

/**
 * remote_image_paintable_set_pipeline:
 * @self: the object
 * @pipeline: (nullable): a pipeline
 *
 * Sets #RemoteImagePaintable:pipeline.
 */
void remote_image_paintable_set_pipeline(RemoteImagePaintable *self, RemoteImagePipeline *pipeline);

/**
 * RemoteImagePaintable:phase:
 *
 * The state of the image.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_phase:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:phase.
 *
 * Returns: the phase
 */
RemoteImagePhase remote_image_paintable_get_phase(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:progress:
 *
 * The progress of the load, from 0 to 1: 0 while the length is unknown, 1 when the image is loaded.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_progress:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:progress.
 *
 * Returns: 0 to 1
 */
double remote_image_paintable_get_progress(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:error:
 *
 * The error of the load in #REMOTE_IMAGE_PHASE_FAILURE; else %NULL.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_error:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:error.
 *
 * Returns: (nullable) (transfer none): the error, of the domain #REMOTE_IMAGE_ERROR, valid until
 *   the phase changes
 */
const GError *remote_image_paintable_get_error(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:status:
 *
 * The HTTP status of the response to the failed load, or of the response with the loaded image; 0
 * without a response.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_status:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:status.
 *
 * Returns: a status, or 0
 */
int remote_image_paintable_get_status(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:texture:
 *
 * The drawn texture: the image or, during a load, a preview or the previous image. %NULL if there
 * is none, and while the image is released (see #RemoteImagePaintable:release-delay). Its size is
 * the decoded size, which may be smaller than the size of the image.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_texture:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:texture.
 *
 * Returns: (nullable) (transfer none): the texture, valid until the next change of the property
 */
GdkTexture *remote_image_paintable_get_texture(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:image-width:
 *
 * The full width in pixels of the drawn image, preview or previous image, after its orientation is
 * applied; 0 without one.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_image_width:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:image-width.
 *
 * Returns: pixels
 */
int remote_image_paintable_get_image_width(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:image-height:
 *
 * The full height in pixels of the drawn image, preview or previous image, after its orientation is
 * applied; 0 without one.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_image_height:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:image-height.
 *
 * Returns: pixels
 */
int remote_image_paintable_get_image_height(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:low-data-uri:
 *
 * The address of a smaller image for metered networks. The paintable loads it in place of
 * #RemoteImagePaintable:uri while the network is metered, and draws it during the load of
 * #RemoteImagePaintable:uri if it is in memory. When the network is no longer metered, the image of
 * #RemoteImagePaintable:uri replaces it. The smaller image never replaces a drawn image.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:fallback-uris:
 *
 * Addresses that are tried in order if #RemoteImagePaintable:uri fails. If all fail, the error is
 * that of the last address.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:identity:
 *
 * A name that replaces the address in the keys of caches and shared transfers, for example for
 * signed addresses that change with each request. Request headers stay part of the key.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:headers:
 *
 * The request headers of this image. Requests with different headers share neither transfers nor
 * images. An invalid line is not sent, and a warning is logged.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:cache-policy:
 *
 * Whether a stored image may be used, and whether the response is stored. A change takes effect
 * with the next load.
 *
 * Default: #REMOTE_IMAGE_CACHE_POLICY_HTTP.
 */

/**
 * RemoteImagePaintable:stored-sizes:
 *
 * Whether resized images are stored and used. After all images have loaded, the decoded image is
 * stored beside its original if decoding the original takes at least three times as long; the next
 * run decodes the resized image. A resized image is used only if HTTP and
 * #RemoteImagePaintable:cache-policy allow the use of the original. A change takes effect with the
 * next load. If #RemoteImagePipeline:stored-sizes is %FALSE, this property has no effect.
 *
 * Default: %TRUE.
 */

/**
 * RemoteImagePaintable:priority:
 *
 * The priority of the image among the waiting loads. Visible views come before all other loads,
 * whatever their priority. A change applies to a running load.
 *
 * Default: #REMOTE_IMAGE_PRIORITY_NORMAL.
 */

/**
 * RemoteImagePaintable:max-pixel-size:
 *
 * The maximum number of pixels that are decoded on the longer side.
 *
 * Default: 0, no limit: all pixels are decoded.
 */

/**
 * RemoteImagePaintable:keep-while-loading:
 *
 * Whether the drawn image stays while the image of another address loads. A reload always keeps it.
 *
 * Default: %FALSE.
 */

G_END_DECLS
