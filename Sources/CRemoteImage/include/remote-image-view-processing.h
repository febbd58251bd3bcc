// The widget: how its image is processed, aligned and played.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-processor.h"
#include "remote-image-view.h"

G_BEGIN_DECLS

/**
 * RemoteImageView:processor:
 *
 * Changes the pixels of the decoded image, for example its colors. Views with equal processors
 * share the processed image. A change processes the image again.
 *
 * Default: %NULL, the image as it is.
 */

/**
 * remote_image_view_get_processor:
 * @self: the object
 *
 * Gets #RemoteImageView:processor.
 *
 * Returns: (transfer none) (nullable): a processor
 */
RemoteImageProcessor *remote_image_view_get_processor(RemoteImageView *self);

/**
 * remote_image_view_set_processor:
 * @self: the object
 * @processor: (nullable): a processor
 *
 * Sets #RemoteImageView:processor.
 */
void remote_image_view_set_processor(RemoteImageView *self, RemoteImageProcessor *processor);

/**
 * RemoteImageView:image-scale:
 *
 * The pixels of the image per point, from 0.1 to 100: 2 for an image that is made for screens of
 * twice the resolution, which is laid out at half its size in pixels.
 *
 * Default: 1.
 */

/**
 * remote_image_view_get_image_scale:
 * @self: the object
 *
 * Gets #RemoteImageView:image-scale.
 *
 * Returns: pixels of the image per point
 */
double remote_image_view_get_image_scale(RemoteImageView *self);

/**
 * remote_image_view_set_image_scale:
 * @self: the object
 * @image_scale: pixels of the image per point
 *
 * Sets #RemoteImageView:image-scale.
 */
void remote_image_view_set_image_scale(RemoteImageView *self, double image_scale);

/**
 * RemoteImageView:xalign:
 *
 * The horizontal alignment of the image in a wider view, or of the visible part of a wider image:
 * from 0, left, to 1, right.
 *
 * Default: 0.5, the center.
 */

/**
 * remote_image_view_get_xalign:
 * @self: the object
 *
 * Gets #RemoteImageView:xalign.
 *
 * Returns: from 0, left, to 1, right
 */
double remote_image_view_get_xalign(RemoteImageView *self);

/**
 * remote_image_view_set_xalign:
 * @self: the object
 * @xalign: from 0, left, to 1, right
 *
 * Sets #RemoteImageView:xalign.
 */
void remote_image_view_set_xalign(RemoteImageView *self, double xalign);

/**
 * RemoteImageView:yalign:
 *
 * The vertical alignment of the image in a higher view, or of the visible part of a higher image:
 * from 0, top, to 1, bottom.
 *
 * Default: 0.5, the center.
 */

/**
 * remote_image_view_get_yalign:
 * @self: the object
 *
 * Gets #RemoteImageView:yalign.
 *
 * Returns: from 0, top, to 1, bottom
 */
double remote_image_view_get_yalign(RemoteImageView *self);

/**
 * remote_image_view_set_yalign:
 * @self: the object
 * @yalign: from 0, top, to 1, bottom
 *
 * Sets #RemoteImageView:yalign.
 */
void remote_image_view_set_yalign(RemoteImageView *self, double yalign);

/**
 * RemoteImageView:focus-x:
 *
 * The horizontal focal point, as Mastodon has it: from -1, left, to 1, right. It is another form of
 * #RemoteImageView:xalign, which is (1 + x) / 2, and keeps the focal point visible if the image is
 * clipped.
 *
 * Default: 0, the center.
 */

/**
 * remote_image_view_get_focus_x:
 * @self: the object
 *
 * Gets #RemoteImageView:focus-x.
 *
 * Returns: from -1, left, to 1, right
 */
double remote_image_view_get_focus_x(RemoteImageView *self);

/**
 * remote_image_view_set_focus_x:
 * @self: the object
 * @focus_x: from -1, left, to 1, right
 *
 * Sets #RemoteImageView:focus-x.
 */
void remote_image_view_set_focus_x(RemoteImageView *self, double focus_x);

/**
 * RemoteImageView:focus-y:
 *
 * The vertical focal point, as Mastodon has it: from -1, bottom, to 1, top. It is another form of
 * #RemoteImageView:yalign, which is (1 - y) / 2.
 *
 * Default: 0, the center.
 */

/**
 * remote_image_view_get_focus_y:
 * @self: the object
 *
 * Gets #RemoteImageView:focus-y.
 *
 * Returns: from -1, bottom, to 1, top
 */
double remote_image_view_get_focus_y(RemoteImageView *self);

/**
 * remote_image_view_set_focus_y:
 * @self: the object
 * @focus_y: from -1, bottom, to 1, top
 *
 * Sets #RemoteImageView:focus-y.
 */
void remote_image_view_set_focus_y(RemoteImageView *self, double focus_y);

/**
 * RemoteImageView:playing:
 *
 * Whether an animated image plays while the view is visible, the desktop's animations are on, and
 * the desktop does not save power. %FALSE pauses it at its current frame, or at its first frame if
 * it has not played yet; %TRUE resumes it there. An animation that was hidden starts again with its
 * first frame. Views that show the same decoded image show the same frame, also after a pause.
 *
 * All animations of the program share 128 MiB of memory, or less on small machines. The others show
 * their first frame, and play in their order when there is room.
 *
 * Default: %TRUE.
 */

/**
 * remote_image_view_get_playing:
 * @self: the object
 *
 * Gets #RemoteImageView:playing.
 *
 * Returns: whether animations play
 */
gboolean remote_image_view_get_playing(RemoteImageView *self);

/**
 * remote_image_view_set_playing:
 * @self: the object
 * @playing: whether animations play
 *
 * Sets #RemoteImageView:playing.
 */
void remote_image_view_set_playing(RemoteImageView *self, gboolean playing);

/**
 * RemoteImageView:context-menu:
 *
 * Whether the view has a context menu, with which the image can be opened, saved and copied, and
 * whether the image can be dragged into other programs. The menu makes the view focusable, so that
 * keyboards can open it; a long press on a touch screen opens it, too.
 *
 * Other programs receive the original file, which is loaded when they ask for it, or PNG in full
 * size. If the file cannot be loaded, and in other formats, they receive the pixels that the view
 * shows. In a #RemoteImageViewer, dragging moves an image that is larger than the viewer instead.
 *
 * The items are the actions `image.open`, `image.save`, `image.copy` and `image.copy-address` of
 * the view, which gtk_widget_activate_action() and the buttons within the view can use, too.
 *
 * Default: %FALSE.
 */

/**
 * remote_image_view_get_context_menu:
 * @self: the object
 *
 * Gets #RemoteImageView:context-menu.
 *
 * Returns: whether the view has a context menu
 */
gboolean remote_image_view_get_context_menu(RemoteImageView *self);

/**
 * remote_image_view_set_context_menu:
 * @self: the object
 * @context_menu: whether the view has a context menu
 *
 * Sets #RemoteImageView:context-menu.
 */
void remote_image_view_set_context_menu(RemoteImageView *self, gboolean context_menu);

/**
 * RemoteImageView:extra-menu:
 *
 * Items that follow those of the context menu, as with #GtkText:extra-menu. Their actions are those
 * of the view and of the widgets around it. Without #RemoteImageView:context-menu they are not
 * shown.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_extra_menu:
 * @self: the object
 *
 * Gets #RemoteImageView:extra-menu.
 *
 * Returns: (transfer none) (nullable): a menu
 */
GMenuModel *remote_image_view_get_extra_menu(RemoteImageView *self);

/**
 * remote_image_view_set_extra_menu:
 * @self: the object
 * @extra_menu: (nullable): a menu
 *
 * Sets #RemoteImageView:extra-menu.
 */
void remote_image_view_set_extra_menu(RemoteImageView *self, GMenuModel *extra_menu);

/**
 * RemoteImageView:animated:
 *
 * Whether the image is an animation in #REMOTE_IMAGE_PHASE_SUCCESS; else %FALSE.
 *
 * Read-only.
 */

/**
 * remote_image_view_get_animated:
 * @self: the object
 *
 * Gets #RemoteImageView:animated.
 *
 * Returns: whether the image is an animation
 */
gboolean remote_image_view_get_animated(RemoteImageView *self);

G_END_DECLS
