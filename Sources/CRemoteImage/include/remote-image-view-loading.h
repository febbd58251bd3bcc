// The widget: how it loads its image, and the state of the load.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-view.h"

G_BEGIN_DECLS

/**
 * RemoteImageView:load-options:
 *
 * When the view loads, and how a running load continues when the view is no longer visible.
 *
 * Default: #REMOTE_IMAGE_LOAD_ON_APPEAR and #REMOTE_IMAGE_LOAD_CANCEL_ON_DISAPPEAR.
 */

/**
 * remote_image_view_get_load_options:
 * @self: the object
 *
 * Gets #RemoteImageView:load-options.
 *
 * Returns: when to load
 */
RemoteImageLoadOptions remote_image_view_get_load_options(RemoteImageView *self);

/**
 * remote_image_view_set_load_options:
 * @self: the object
 * @load_options: when to load
 *
 * Sets #RemoteImageView:load-options.
 */
void remote_image_view_set_load_options(RemoteImageView *self, RemoteImageLoadOptions load_options);

/**
 * RemoteImageView:cache-policy:
 *
 * Whether a stored image may be used, and whether the response is stored. A change takes effect
 * with the next load.
 *
 * Default: #REMOTE_IMAGE_CACHE_POLICY_HTTP.
 */

/**
 * remote_image_view_get_cache_policy:
 * @self: the object
 *
 * Gets #RemoteImageView:cache-policy.
 *
 * Returns: a policy
 */
RemoteImageCachePolicy remote_image_view_get_cache_policy(RemoteImageView *self);

/**
 * remote_image_view_set_cache_policy:
 * @self: the object
 * @cache_policy: a policy
 *
 * Sets #RemoteImageView:cache-policy.
 */
void remote_image_view_set_cache_policy(RemoteImageView *self, RemoteImageCachePolicy cache_policy);

/**
 * RemoteImageView:stored-sizes:
 *
 * Whether resized images are stored and used. After all images have loaded, the decoded image is
 * stored beside its original if decoding the original takes at least three times as long; the next
 * run decodes the resized image. A resized image is used only if HTTP and
 * #RemoteImageView:cache-policy allow the use of the original. A change takes effect with the
 * next load. If #RemoteImagePipeline:stored-sizes is %FALSE, this property has no effect.
 *
 * Default: %TRUE.
 */

/**
 * remote_image_view_get_stored_sizes:
 * @self: the object
 *
 * Gets #RemoteImageView:stored-sizes.
 *
 * Returns: whether resized images are stored and used
 */
gboolean remote_image_view_get_stored_sizes(RemoteImageView *self);

/**
 * remote_image_view_set_stored_sizes:
 * @self: the object
 * @stored_sizes: whether resized images are stored and used
 *
 * Sets #RemoteImageView:stored-sizes.
 */
void remote_image_view_set_stored_sizes(RemoteImageView *self, gboolean stored_sizes);

/**
 * RemoteImageView:priority:
 *
 * The priority of the image among the waiting loads. Visible views come before all other loads,
 * whatever their priority. A change applies to a running load.
 *
 * Default: #REMOTE_IMAGE_PRIORITY_NORMAL.
 */

/**
 * remote_image_view_get_priority:
 * @self: the object
 *
 * Gets #RemoteImageView:priority.
 *
 * Returns: a priority
 */
RemoteImagePriority remote_image_view_get_priority(RemoteImageView *self);

/**
 * remote_image_view_set_priority:
 * @self: the object
 * @priority: a priority
 *
 * Sets #RemoteImageView:priority.
 */
void remote_image_view_set_priority(RemoteImageView *self, RemoteImagePriority priority);

/**
 * RemoteImageView:max-pixel-size:
 *
 * The maximum number of pixels that are decoded on the longer side, however large the view is.
 * Below it, a view decodes at the size at which it is drawn.
 *
 * Default: 0, no bound.
 */

/**
 * remote_image_view_get_max_pixel_size:
 * @self: the object
 *
 * Gets #RemoteImageView:max-pixel-size.
 *
 * Returns: pixels of the longer side, or 0
 */
int remote_image_view_get_max_pixel_size(RemoteImageView *self);

/**
 * remote_image_view_set_max_pixel_size:
 * @self: the object
 * @max_pixel_size: pixels of the longer side, or 0
 *
 * Sets #RemoteImageView:max-pixel-size.
 */
void remote_image_view_set_max_pixel_size(RemoteImageView *self, int max_pixel_size);

/**
 * RemoteImageView:keep-while-loading:
 *
 * Whether the shown image stays while the image of another address loads. A reload always keeps it.
 *
 * Default: %FALSE.
 */

/**
 * remote_image_view_get_keep_while_loading:
 * @self: the object
 *
 * Gets #RemoteImageView:keep-while-loading.
 *
 * Returns: whether the old image stays
 */
gboolean remote_image_view_get_keep_while_loading(RemoteImageView *self);

/**
 * remote_image_view_set_keep_while_loading:
 * @self: the object
 * @keep_while_loading: whether the old image stays
 *
 * Sets #RemoteImageView:keep-while-loading.
 */
void remote_image_view_set_keep_while_loading(RemoteImageView *self, gboolean keep_while_loading);

/**
 * RemoteImageView:transition-duration:
 *
 * The duration of the cross-fade to a new image, in milliseconds, from 0 to 60,000. Images from the
 * memory cache appear at once, unless #RemoteImageView:transition-cached is set. There is no
 * cross-fade while the desktop's animations are off or the desktop saves power.
 *
 * Default: 0, at once.
 */

/**
 * remote_image_view_get_transition_duration:
 * @self: the object
 *
 * Gets #RemoteImageView:transition-duration.
 *
 * Returns: milliseconds, at most 60,000
 */
int remote_image_view_get_transition_duration(RemoteImageView *self);

/**
 * remote_image_view_set_transition_duration:
 * @self: the object
 * @transition_duration: milliseconds, at most 60,000
 *
 * Sets #RemoteImageView:transition-duration.
 */
void remote_image_view_set_transition_duration(RemoteImageView *self, int transition_duration);

/**
 * RemoteImageView:phase:
 *
 * The state of the image. The view has the CSS class of the same name: `empty`, `loading`,
 * `success` or `failure`.
 *
 * Read-only.
 */

/**
 * remote_image_view_get_phase:
 * @self: the object
 *
 * Gets #RemoteImageView:phase.
 *
 * Returns: the phase
 */
RemoteImagePhase remote_image_view_get_phase(RemoteImageView *self);

/**
 * RemoteImageView:progress:
 *
 * The progress of the load, from 0 to 1: 0 while the length is unknown, 1 when the image is shown.
 *
 * Read-only.
 */

/**
 * remote_image_view_get_progress:
 * @self: the object
 *
 * Gets #RemoteImageView:progress.
 *
 * Returns: 0 to 1
 */
double remote_image_view_get_progress(RemoteImageView *self);

/**
 * RemoteImageView:error:
 *
 * The error of the load in #REMOTE_IMAGE_PHASE_FAILURE; else %NULL.
 *
 * Read-only.
 */

/**
 * remote_image_view_get_error:
 * @self: the object
 *
 * Gets #RemoteImageView:error.
 *
 * Returns: (nullable) (transfer none): the error, of the domain #REMOTE_IMAGE_ERROR, valid until
 *   the phase changes
 */
const GError *remote_image_view_get_error(RemoteImageView *self);

/**
 * RemoteImageView:status:
 *
 * The HTTP status of the response to the failed load, or of the response with the loaded image; 0
 * without a response.
 *
 * Read-only.
 */

/**
 * remote_image_view_get_status:
 * @self: the object
 *
 * Gets #RemoteImageView:status.
 *
 * Returns: a status, or 0
 */
int remote_image_view_get_status(RemoteImageView *self);

/**
 * RemoteImageView:texture:
 *
 * The image in #REMOTE_IMAGE_PHASE_SUCCESS; else %NULL, and %NULL while the image is released (see
 * #RemoteImageView:release-delay). Its size is the decoded size, which may be smaller than the size
 * of the image.
 *
 * Read-only.
 */

/**
 * remote_image_view_get_texture:
 * @self: the object
 *
 * Gets #RemoteImageView:texture.
 *
 * Returns: (nullable) (transfer none): the texture, valid until the phase changes or the image is
 *   released; keep a reference for longer
 */
GdkTexture *remote_image_view_get_texture(RemoteImageView *self);

/**
 * RemoteImageView:image-width:
 *
 * The full width of the image in pixels, after its orientation is applied; 0 without an image.
 *
 * Read-only.
 */

/**
 * remote_image_view_get_image_width:
 * @self: the object
 *
 * Gets #RemoteImageView:image-width.
 *
 * Returns: pixels
 */
int remote_image_view_get_image_width(RemoteImageView *self);

/**
 * RemoteImageView:image-height:
 *
 * The full height of the image in pixels, after its orientation is applied; 0 without an image.
 *
 * Read-only.
 */

/**
 * remote_image_view_get_image_height:
 * @self: the object
 *
 * Gets #RemoteImageView:image-height.
 *
 * Returns: pixels
 */
int remote_image_view_get_image_height(RemoteImageView *self);

G_END_DECLS
