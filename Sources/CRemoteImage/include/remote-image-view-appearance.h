// The widget: how it looks.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-view.h"

G_BEGIN_DECLS

/**
 * RemoteImageView:content-fit:
 *
 * How the image is brought into its place.
 *
 * Default: #REMOTE_IMAGE_CONTENT_FIT_CONTAIN.
 */

/**
 * remote_image_view_get_content_fit:
 * @self: the object
 *
 * Gets #RemoteImageView:content-fit.
 *
 * Returns: how to fit
 */
RemoteImageContentFit remote_image_view_get_content_fit(RemoteImageView *self);

/**
 * remote_image_view_set_content_fit:
 * @self: the object
 * @content_fit: how to fit
 *
 * Sets #RemoteImageView:content-fit.
 */
void remote_image_view_set_content_fit(RemoteImageView *self, RemoteImageContentFit content_fit);

/**
 * RemoteImageView:corner-radius:
 *
 * The radius of the corners: those of the image where it is shown whole, else those of the view. In
 * points, from 0 to 32,767.
 *
 * Default: 0.
 */

/**
 * remote_image_view_get_corner_radius:
 * @self: the object
 *
 * Gets #RemoteImageView:corner-radius.
 *
 * Returns: points, at most 32,767
 */
int remote_image_view_get_corner_radius(RemoteImageView *self);

/**
 * remote_image_view_set_corner_radius:
 * @self: the object
 * @corner_radius: points, at most 32,767
 *
 * Sets #RemoteImageView:corner-radius.
 */
void remote_image_view_set_corner_radius(RemoteImageView *self, int corner_radius);

/**
 * RemoteImageView:alternative-text:
 *
 * What the image shows, for those who cannot see it: the accessible label.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_alternative_text:
 * @self: the object
 *
 * Gets #RemoteImageView:alternative-text.
 *
 * Returns: (transfer none) (nullable): what the image shows
 */
const char *remote_image_view_get_alternative_text(RemoteImageView *self);

/**
 * remote_image_view_set_alternative_text:
 * @self: the object
 * @alternative_text: (nullable): what the image shows
 *
 * Sets #RemoteImageView:alternative-text.
 */
void remote_image_view_set_alternative_text(RemoteImageView *self, const char *alternative_text);

/**
 * RemoteImageView:decorative:
 *
 * Whether the image says nothing that is not said beside it: assistive technologies then leave it out.
 *
 * Default: %FALSE.
 */

/**
 * remote_image_view_get_decorative:
 * @self: the object
 *
 * Gets #RemoteImageView:decorative.
 *
 * Returns: whether it is decoration
 */
gboolean remote_image_view_get_decorative(RemoteImageView *self);

/**
 * remote_image_view_set_decorative:
 * @self: the object
 * @decorative: whether it is decoration
 *
 * Sets #RemoteImageView:decorative.
 */
void remote_image_view_set_decorative(RemoteImageView *self, gboolean decorative);

/**
 * RemoteImageView:placeholder:
 *
 * Shown before the image is there. In `.ui` files it is `<child type="placeholder">`.
 *
 * Default: %NULL, a spinner while it loads.
 */

/**
 * remote_image_view_get_placeholder:
 * @self: the object
 *
 * Gets #RemoteImageView:placeholder.
 *
 * Returns: (transfer none) (nullable): a widget
 */
GtkWidget *remote_image_view_get_placeholder(RemoteImageView *self);

/**
 * remote_image_view_set_placeholder:
 * @self: the object
 * @placeholder: (nullable): a widget
 *
 * Sets #RemoteImageView:placeholder.
 */
void remote_image_view_set_placeholder(RemoteImageView *self, GtkWidget *placeholder);

/**
 * RemoteImageView:failure:
 *
 * Shown where there is no image. In `.ui` files it is `<child type="failure">`. Call
 * remote_image_view_reload() to try again.
 *
 * Default: %NULL, an icon, the error and a button to try again.
 */

/**
 * remote_image_view_get_failure:
 * @self: the object
 *
 * Gets #RemoteImageView:failure.
 *
 * Returns: (transfer none) (nullable): a widget
 */
GtkWidget *remote_image_view_get_failure(RemoteImageView *self);

/**
 * remote_image_view_set_failure:
 * @self: the object
 * @failure: (nullable): a widget
 *
 * Sets #RemoteImageView:failure.
 */
void remote_image_view_set_failure(RemoteImageView *self, GtkWidget *failure);

/**
 * RemoteImageView:placeholder-icon-name:
 *
 * A themed icon that is shown before the image is there, where #RemoteImageView:placeholder is %NULL.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_placeholder_icon_name:
 * @self: the object
 *
 * Gets #RemoteImageView:placeholder-icon-name.
 *
 * Returns: (transfer none) (nullable): the name of an icon
 */
const char *remote_image_view_get_placeholder_icon_name(RemoteImageView *self);

/**
 * remote_image_view_set_placeholder_icon_name:
 * @self: the object
 * @placeholder_icon_name: (nullable): the name of an icon
 *
 * Sets #RemoteImageView:placeholder-icon-name.
 */
void remote_image_view_set_placeholder_icon_name(RemoteImageView *self, const char *placeholder_icon_name);

/**
 * RemoteImageView:thumb-hash:
 *
 * A ThumbHash as Base64 text: a blurred likeness of the image that is shown from the first moment until there is
 * something better. What is no ThumbHash shows nothing.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_thumb_hash:
 * @self: the object
 *
 * Gets #RemoteImageView:thumb-hash.
 *
 * Returns: (transfer none) (nullable): a ThumbHash as Base64 text
 */
const char *remote_image_view_get_thumb_hash(RemoteImageView *self);

/**
 * remote_image_view_set_thumb_hash:
 * @self: the object
 * @thumb_hash: (nullable): a ThumbHash as Base64 text
 *
 * Sets #RemoteImageView:thumb-hash.
 */
void remote_image_view_set_thumb_hash(RemoteImageView *self, const char *thumb_hash);

G_END_DECLS
