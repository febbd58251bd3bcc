// The widget: what it shows until the image is loaded.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-preview.h"
#include "remote-image-view.h"

G_BEGIN_DECLS

/**
 * RemoteImageView:blur-hash:
 *
 * A BlurHash: a blurred preview that is shown until a better preview or the image is loaded. Its
 * aspect ratio is #RemoteImageView:aspect-ratio, else that of #RemoteImageView:reserved-width and
 * #RemoteImageView:reserved-height, else 1. #RemoteImageView:thumb-hash takes precedence. An
 * invalid BlurHash shows no preview, and a warning is logged.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_blur_hash:
 * @self: the object
 *
 * Gets #RemoteImageView:blur-hash.
 *
 * Returns: (transfer none) (nullable): a BlurHash
 */
const char *remote_image_view_get_blur_hash(RemoteImageView *self);

/**
 * remote_image_view_set_blur_hash:
 * @self: the object
 * @blur_hash: (nullable): a BlurHash
 *
 * Sets #RemoteImageView:blur-hash.
 */
void remote_image_view_set_blur_hash(RemoteImageView *self, const char *blur_hash);

/**
 * RemoteImageView:previews:
 *
 * The previews that are shown while the image is received. If several views share a transfer, the
 * previews of the first one apply.
 *
 * Default: none.
 */

/**
 * remote_image_view_get_previews:
 * @self: the object
 *
 * Gets #RemoteImageView:previews.
 *
 * Returns: the previews
 */
RemoteImagePreviewOptions remote_image_view_get_previews(RemoteImageView *self);

/**
 * remote_image_view_set_previews:
 * @self: the object
 * @previews: the previews
 *
 * Sets #RemoteImageView:previews.
 */
void remote_image_view_set_previews(RemoteImageView *self, RemoteImagePreviewOptions previews);

/**
 * RemoteImageView:aspect-ratio:
 *
 * The width of the image divided by its height, from 0 to 10,000, if the program knows it before
 * the image is loaded. The height of the view then follows from its width, whatever its content, so
 * that the layout does not change when the image arrives. 0 stands for an unknown aspect ratio.
 *
 * Put views side by side into a homogeneous `GtkBox`: from GTK 4.18 on, the minimum height of any
 * other box can be less than theirs.
 *
 * Default: 0, the view has the size of its content.
 */

/**
 * remote_image_view_get_aspect_ratio:
 * @self: the object
 *
 * Gets #RemoteImageView:aspect-ratio.
 *
 * Returns: width divided by height, or 0
 */
double remote_image_view_get_aspect_ratio(RemoteImageView *self);

/**
 * remote_image_view_set_aspect_ratio:
 * @self: the object
 * @aspect_ratio: width divided by height, or 0
 *
 * Sets #RemoteImageView:aspect-ratio.
 */
void remote_image_view_set_aspect_ratio(RemoteImageView *self, double aspect_ratio);

/**
 * RemoteImageView:reserved-width:
 *
 * The width of the view in points, from 0 to 32,767, whatever its content. It has an effect if
 * #RemoteImageView:reserved-height is set too, or if the height follows from
 * #RemoteImageView:aspect-ratio. Larger content is clipped.
 *
 * Default: 0, the width of the content.
 */

/**
 * remote_image_view_get_reserved_width:
 * @self: the object
 *
 * Gets #RemoteImageView:reserved-width.
 *
 * Returns: points, or 0
 */
int remote_image_view_get_reserved_width(RemoteImageView *self);

/**
 * remote_image_view_set_reserved_width:
 * @self: the object
 * @reserved_width: points, or 0
 *
 * Sets #RemoteImageView:reserved-width.
 */
void remote_image_view_set_reserved_width(RemoteImageView *self, int reserved_width);

/**
 * RemoteImageView:reserved-height:
 *
 * The height of the view in points, from 0 to 32,767, whatever its content. It has an effect if
 * #RemoteImageView:reserved-width is set too, or if the width follows from
 * #RemoteImageView:aspect-ratio. Larger content is clipped.
 *
 * Default: 0, the height of the content.
 */

/**
 * remote_image_view_get_reserved_height:
 * @self: the object
 *
 * Gets #RemoteImageView:reserved-height.
 *
 * Returns: points, or 0
 */
int remote_image_view_get_reserved_height(RemoteImageView *self);

/**
 * remote_image_view_set_reserved_height:
 * @self: the object
 * @reserved_height: points, or 0
 *
 * Sets #RemoteImageView:reserved-height.
 */
void remote_image_view_set_reserved_height(RemoteImageView *self, int reserved_height);

/**
 * RemoteImageView:transition-cached:
 *
 * Whether #RemoteImageView:transition-duration also applies to images from the memory cache, which
 * are in the first frame of a view.
 *
 * Default: %FALSE.
 */

/**
 * remote_image_view_get_transition_cached:
 * @self: the object
 *
 * Gets #RemoteImageView:transition-cached.
 *
 * Returns: whether cached images cross-fade
 */
gboolean remote_image_view_get_transition_cached(RemoteImageView *self);

/**
 * remote_image_view_set_transition_cached:
 * @self: the object
 * @transition_cached: whether cached images cross-fade
 *
 * Sets #RemoteImageView:transition-cached.
 */
void remote_image_view_set_transition_cached(RemoteImageView *self, gboolean transition_cached);

G_END_DECLS
