// A widget that shows one image with zoom.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-view.h"

G_BEGIN_DECLS

/**
 * RemoteImageViewerFit:
 * @REMOTE_IMAGE_VIEWER_FIT_WHOLE: the whole image, not enlarged
 * @REMOTE_IMAGE_VIEWER_FIT_WIDTH: as wide as the viewer, and scrolled to its top
 * @REMOTE_IMAGE_VIEWER_FIT_HEIGHT: as high as the viewer, and scrolled to its start
 * @REMOTE_IMAGE_VIEWER_FIT_COVER: the smallest size that covers the viewer
 * @REMOTE_IMAGE_VIEWER_FIT_NATURAL_SIZE: one point for each point of the image
 *
 * How large an image is without a zoom factor.
 */
typedef enum {
    REMOTE_IMAGE_VIEWER_FIT_WHOLE = 0,
    REMOTE_IMAGE_VIEWER_FIT_WIDTH,
    REMOTE_IMAGE_VIEWER_FIT_HEIGHT,
    REMOTE_IMAGE_VIEWER_FIT_COVER,
    REMOTE_IMAGE_VIEWER_FIT_NATURAL_SIZE,
} RemoteImageViewerFit;

#define REMOTE_IMAGE_TYPE_VIEWER_FIT (remote_image_viewer_fit_get_type())
GType remote_image_viewer_fit_get_type(void) G_GNUC_CONST;

/**
 * RemoteImageViewer:
 *
 * A widget that shows one image with zoom, from the whole image to magnified pixels.
 *
 * Pinch, Ctrl and the scroll wheel, or the keys plus and minus zoom; the point between the fingers
 * or under the pointer stays where it is. The key 0 shows the image without a zoom factor, the key
 * 1 its natural size; a double click switches between them, and doubles the image where they are
 * the same. Dragging, the arrow keys and scrolling move the image. The viewer decodes more pixels
 * when it is zoomed in.
 *
 * The image and its options are those of #RemoteImageViewer:view. Another address is shown without
 * a zoom factor.
 *
 * ```c
 * GtkWidget *viewer = remote_image_viewer_new("https://example.org/map.jpg");
 * remote_image_viewer_set_fit(REMOTE_IMAGE_VIEWER(viewer), REMOTE_IMAGE_VIEWER_FIT_WIDTH);
 * RemoteImageView *view = remote_image_viewer_get_view(REMOTE_IMAGE_VIEWER(viewer));
 * remote_image_view_set_alternative_text(view, "A map");
 * ```
 *
 * ## CSS nodes
 *
 * A node with the name `remoteimageviewer` around a `scrolledwindow` with the node of the view.
 */
#define REMOTE_IMAGE_TYPE_VIEWER (remote_image_viewer_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageViewer, remote_image_viewer, REMOTE_IMAGE, VIEWER, GtkWidget)

/**
 * remote_image_viewer_new:
 * @uri: (nullable): the address of the image
 *
 * Makes a viewer.
 *
 * Returns: (transfer floating): a new viewer
 */
GtkWidget *remote_image_viewer_new(const char *uri);

/**
 * RemoteImageViewer:view:
 *
 * The view of the image, for its address, its other properties and its signals.
 *
 * Read-only.
 */

/**
 * remote_image_viewer_get_view:
 * @self: the object
 *
 * Gets #RemoteImageViewer:view.
 *
 * Returns: (transfer none): the view
 */
RemoteImageView *remote_image_viewer_get_view(RemoteImageViewer *self);

/**
 * RemoteImageViewer:fit:
 *
 * How large an image is without a zoom factor, for all images and all sizes of the viewer.
 *
 * Default: #REMOTE_IMAGE_VIEWER_FIT_WHOLE.
 */

/**
 * remote_image_viewer_get_fit:
 * @self: the object
 *
 * Gets #RemoteImageViewer:fit.
 *
 * Returns: how to fit
 */
RemoteImageViewerFit remote_image_viewer_get_fit(RemoteImageViewer *self);

/**
 * remote_image_viewer_set_fit:
 * @self: the object
 * @fit: how to fit
 *
 * Sets #RemoteImageViewer:fit.
 */
void remote_image_viewer_set_fit(RemoteImageViewer *self, RemoteImageViewerFit fit);

/**
 * RemoteImageViewer:max-zoom:
 *
 * The maximum zoom factor, from 1 to 1,000.
 *
 * Default: 8.
 */

/**
 * remote_image_viewer_get_max_zoom:
 * @self: the object
 *
 * Gets #RemoteImageViewer:max-zoom.
 *
 * Returns: a factor, at least 1
 */
double remote_image_viewer_get_max_zoom(RemoteImageViewer *self);

/**
 * remote_image_viewer_set_max_zoom:
 * @self: the object
 * @max_zoom: a factor, at least 1
 *
 * Sets #RemoteImageViewer:max-zoom.
 */
void remote_image_viewer_set_max_zoom(RemoteImageViewer *self, double max_zoom);

/**
 * RemoteImageViewer:zoom:
 *
 * The zoom factor relative to the natural size of the image; 0 for the size of
 * #RemoteImageViewer:fit. It is limited to #RemoteImageViewer:max-zoom, and to the factor at which
 * the whole image fits.
 *
 * Default: 0.
 */

/**
 * remote_image_viewer_get_zoom:
 * @self: the object
 *
 * Gets #RemoteImageViewer:zoom.
 *
 * Returns: a factor, or 0
 */
double remote_image_viewer_get_zoom(RemoteImageViewer *self);

/**
 * remote_image_viewer_set_zoom:
 * @self: the object
 * @zoom: a factor, or 0
 *
 * Sets #RemoteImageViewer:zoom.
 */
void remote_image_viewer_set_zoom(RemoteImageViewer *self, double zoom);

G_END_DECLS
