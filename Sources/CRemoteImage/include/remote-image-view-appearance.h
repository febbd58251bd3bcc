// The widget: its appearance.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-view.h"

G_BEGIN_DECLS

/**
 * RemoteImageView:content-fit:
 *
 * How the image is fitted into the view.
 *
 * Default: %GTK_CONTENT_FIT_CONTAIN.
 */

/**
 * remote_image_view_get_content_fit:
 * @self: the object
 *
 * Gets #RemoteImageView:content-fit.
 *
 * Returns: how to fit
 */
GtkContentFit remote_image_view_get_content_fit(RemoteImageView *self);

/**
 * remote_image_view_set_content_fit:
 * @self: the object
 * @content_fit: how to fit
 *
 * Sets #RemoteImageView:content-fit.
 */
void remote_image_view_set_content_fit(RemoteImageView *self, GtkContentFit content_fit);

/**
 * RemoteImageView:corner-radius:
 *
 * The radius of the corners in points, from 0 to 32,767. It applies to the corners of the image if
 * the whole image is shown, else to the corners of the view.
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
 * The accessible label: a description of the image for screen readers.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_alternative_text:
 * @self: the object
 *
 * Gets #RemoteImageView:alternative-text.
 *
 * Returns: (transfer none) (nullable): a description of the image
 */
const char *remote_image_view_get_alternative_text(RemoteImageView *self);

/**
 * remote_image_view_set_alternative_text:
 * @self: the object
 * @alternative_text: (nullable): a description of the image
 *
 * Sets #RemoteImageView:alternative-text.
 */
void remote_image_view_set_alternative_text(RemoteImageView *self, const char *alternative_text);

/**
 * RemoteImageView:decorative:
 *
 * Whether the image is only decoration, so that assistive technologies ignore it.
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
 * The widget that is shown until the image, its preview or the previous image is shown. It lies
 * over the preview of a hash. In `.ui` files: `<child type="placeholder">`.
 *
 * Default: %NULL, a spinner or a progress bar if the load takes longer than 250 ms.
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
 * The widget that is shown after a failed load. In `.ui` files: `<child type="failure">`. Call
 * remote_image_view_reload() to retry.
 *
 * Default: %NULL, an icon, the error message and a retry button; in a small view a button or an
 * icon with the message as its tooltip, in a #GtkButton always the icon.
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
 * The name of a themed icon that is shown in place of #RemoteImageView:placeholder if that is
 * %NULL.
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
 * RemoteImageView:placeholder-icon-size:
 *
 * The size of the icon of #RemoteImageView:placeholder-icon-name in points, from 0 to 32,767; 0 is
 * the normal size of the theme.
 *
 * Default: 0.
 */

/**
 * remote_image_view_get_placeholder_icon_size:
 * @self: the object
 *
 * Gets #RemoteImageView:placeholder-icon-size.
 *
 * Returns: points, at most 32,767
 */
int remote_image_view_get_placeholder_icon_size(RemoteImageView *self);

/**
 * remote_image_view_set_placeholder_icon_size:
 * @self: the object
 * @placeholder_icon_size: points, at most 32,767
 *
 * Sets #RemoteImageView:placeholder-icon-size.
 */
void remote_image_view_set_placeholder_icon_size(RemoteImageView *self, int placeholder_icon_size);

/**
 * RemoteImageView:thumb-hash:
 *
 * A ThumbHash in Base64: a blurred preview that is shown until a better preview or the image is
 * loaded. An invalid ThumbHash shows no preview.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_thumb_hash:
 * @self: the object
 *
 * Gets #RemoteImageView:thumb-hash.
 *
 * Returns: (transfer none) (nullable): a ThumbHash in Base64
 */
const char *remote_image_view_get_thumb_hash(RemoteImageView *self);

/**
 * remote_image_view_set_thumb_hash:
 * @self: the object
 * @thumb_hash: (nullable): a ThumbHash in Base64
 *
 * Sets #RemoteImageView:thumb-hash.
 */
void remote_image_view_set_thumb_hash(RemoteImageView *self, const char *thumb_hash);

G_END_DECLS
