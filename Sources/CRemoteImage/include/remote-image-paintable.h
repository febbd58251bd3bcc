// A remote image for everything that draws a paintable.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
#include "remote-image-types.h"

G_BEGIN_DECLS

/**
 * RemoteImagePaintable:
 *
 * A remote image as a #GdkPaintable, for everything in GTK that draws one: #GtkPicture, #GtkImage, #GtkTextBuffer.
 *
 * It has no place on screen, and so loads as soon as it has an address, and all pixels of the image unless
 * #RemoteImagePaintable:max-pixel-size bounds them. Where a widget will do, #RemoteImageView does more.
 */
#define REMOTE_IMAGE_TYPE_PAINTABLE (remote_image_paintable_get_type())
G_DECLARE_FINAL_TYPE(RemoteImagePaintable, remote_image_paintable, REMOTE_IMAGE, PAINTABLE, GObject)

/**
 * remote_image_paintable_new:
 * @uri: (nullable): the address of the image
 *
 * Makes a paintable, which begins to load.
 *
 * Returns: (transfer full): a new paintable
 */
RemoteImagePaintable *remote_image_paintable_new(const char *uri);

/**
 * remote_image_paintable_reload:
 * @self: a paintable
 *
 * Loads the image again, from the server. What is drawn stays until then.
 */
void remote_image_paintable_reload(RemoteImagePaintable *self);

/**
 * remote_image_paintable_cancel:
 * @self: a paintable
 *
 * Ends the load and keeps what is drawn.
 */
void remote_image_paintable_cancel(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:uri:
 *
 * Where the image comes from: `http`, `https` or `data:`. Another address ends the load of the old one; the
 * new one is loaded at once, and an image that is in memory is there when the call returns. Text that is no
 * address gives #REMOTE_IMAGE_ERROR_INVALID_URL, `file:` gives #REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME: neither is
 * a programming error, since addresses come from elsewhere. %NULL shows nothing.
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
 * RemoteImagePaintable:pipeline:
 *
 * Who fetches, decodes and caches; %NULL is remote_image_pipeline_get_default().
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
 * Where the life of the image stands.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_phase:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:phase.
 *
 * Returns: where the view stands
 */
RemoteImagePhase remote_image_paintable_get_phase(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:progress:
 *
 * How far the load has come, from 0 to 1: 0 as long as the length is not known, 1 when the image is there.
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
 * Why there is no image, in #REMOTE_IMAGE_PHASE_FAILURE; else %NULL.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_error:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:error.
 *
 * Returns: (nullable) (transfer none): the error, of the domain #REMOTE_IMAGE_ERROR, valid until the phase
 *   changes
 */
const GError *remote_image_paintable_get_error(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:texture:
 *
 * What is drawn: the image, or while it loads a preview or the image that stays meanwhile; %NULL where there is
 * nothing. It has the pixels that were decoded for the paintable, which may be fewer than the image has.
 *
 * Read-only.
 */

/**
 * remote_image_paintable_get_texture:
 * @self: the object
 *
 * Gets #RemoteImagePaintable:texture.
 *
 * Returns: (nullable) (transfer none): the texture, valid until another one is notified
 */
GdkTexture *remote_image_paintable_get_texture(RemoteImagePaintable *self);

/**
 * RemoteImagePaintable:image-width:
 *
 * The width in pixels of the image itself that is drawn, a preview or the one that stays meanwhile too, after its
 * orientation is applied; 0 without one.
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
 * The height in pixels of the image itself that is drawn, a preview or the one that stays meanwhile too, after its
 * orientation is applied; 0 without one.
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
 * A second, smaller image for networks where bytes cost money. It is loaded in place of
 * #RemoteImagePaintable:uri where the network is metered, and shown meanwhile where it is in memory. When the network
 * stops being metered, the image of #RemoteImagePaintable:uri takes its place. An image that is shown is never replaced
 * by the smaller one.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:fallback-uris:
 *
 * Addresses that are tried in this order when #RemoteImagePaintable:uri gives no image. When all failed, the
 * error is that of the last.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:identity:
 *
 * A name that stands for the address wherever images are shared and cached: for addresses that are signed
 * anew each time. Request headers still count.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:headers:
 *
 * Request headers of this image. Requests that differ in them share neither transfer nor image. A line that
 * is no header is warned about and not sent.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:cache-policy:
 *
 * Whether a stored image may answer, and whether the answer is stored. Takes effect with the next load.
 *
 * Default: #REMOTE_IMAGE_CACHE_POLICY_HTTP.
 */

/**
 * RemoteImagePaintable:priority:
 *
 * How urgent the image is among those that wait. Views on screen come before all others whatever their
 * priority. Changes a load under way.
 *
 * Default: #REMOTE_IMAGE_PRIORITY_NORMAL.
 */

/**
 * RemoteImagePaintable:max-pixel-size:
 *
 * No more than this many pixels are decoded on the longer side; a paintable decodes all of them otherwise.
 *
 * Default: 0, no bound.
 */

/**
 * RemoteImagePaintable:keep-while-loading:
 *
 * Whether the image that is shown stays while that of another address loads. A reload always keeps it.
 *
 * Default: %FALSE.
 */

G_END_DECLS
