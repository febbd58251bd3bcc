// The widget class, its actions and signals, and the source of its image.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
#include "remote-image-source.h"
#include "remote-image-types.h"

G_BEGIN_DECLS

/**
 * RemoteImageView:
 *
 * A widget that shows a remote image.
 *
 * The view loads when it becomes visible and cancels the load when it is no longer visible, as
 * #RemoteImageView:load-options specifies. A view is visible while it is mapped, laid out, and
 * within or near the viewports around it. It decodes at the size in pixels at which it is drawn; if
 * it is laid out with no width or no height, it decodes the image in full. It shares transfers and
 * images with all other views, and shows a cached image in its first frame. Time-consuming work
 * runs on threads of the library; the view itself, like every widget, must be used on the main
 * thread.
 *
 * Sizes of widgets are in points, the logical pixels of GTK: at scale 2, a point is 2 × 2 pixels.
 *
 * ```c
 * GtkWidget *view = remote_image_view_new("https://www.gtk.org/assets/img/logo-gtk.png");
 * remote_image_view_set_alternative_text(REMOTE_IMAGE_VIEW(view), "The logo of GTK");
 * remote_image_view_set_corner_radius(REMOTE_IMAGE_VIEW(view), 12);
 * ```
 *
 * Setting a property to a value out of its range has no effect, and GObject logs a warning. Invalid
 * headers are logged with a warning, since they are errors of the program; an invalid address makes
 * the load fail, since addresses usually come from outside the program.
 *
 * ## CSS nodes
 *
 * A single node with the name `remoteimage` and one of the classes `empty`, `loading`, `success`
 * and `failure`. With a visible keyboard focus (`:focus-visible`) it has an outline, which style
 * sheets of the program may replace.
 *
 * ## In `.ui` files
 *
 * The child types are `placeholder` and `failure`.
 *
 * ## Accessibility
 *
 * The role is %GTK_ACCESSIBLE_ROLE_IMG, the label is #RemoteImageView:alternative-text.
 */
#define REMOTE_IMAGE_TYPE_VIEW (remote_image_view_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageView, remote_image_view, REMOTE_IMAGE, VIEW, GtkWidget)

/**
 * RemoteImageView::loaded:
 * @self: the view
 *
 * Emitted when the view shows a new image: after the first load, and when a better or newer image
 * replaces the shown one. Not emitted when a reload is cancelled or returns the image that is
 * already shown.
 */

/**
 * RemoteImageView::failed:
 * @self: the view
 * @error: the error, of the domain #REMOTE_IMAGE_ERROR
 *
 * Emitted when a load or a reload fails. After a failed reload the view keeps the shown image:
 * #RemoteImageView:phase is #REMOTE_IMAGE_PHASE_SUCCESS, and #RemoteImageView:error is %NULL. Not
 * emitted for a cancelled load.
 */

/**
 * remote_image_view_new:
 * @uri: (nullable): the address of the image
 *
 * Makes a view. The first view connects the library to the main loop; no other setup is needed.
 *
 * Returns: (transfer floating): a new view
 */
GtkWidget *remote_image_view_new(const char *uri);

/**
 * remote_image_view_reload:
 * @self: a view
 *
 * Loads the image again from the server and stores the response, whatever the value of
 * #RemoteImageView:cache-policy. A shown image stays until the new one arrives; after a failure,
 * the view shows its placeholder meanwhile.
 */
void remote_image_view_reload(RemoteImageView *self);

/**
 * remote_image_view_cancel:
 * @self: a view
 *
 * Cancels the load and keeps the shown content.
 */
void remote_image_view_cancel(RemoteImageView *self);

/**
 * RemoteImageView:uri:
 *
 * The address of the image: `http`, `https` or `data:`. Setting another address cancels the load of
 * the old one. A visible view loads the new image at once, and shows a cached image before the call
 * returns. An invalid address fails with #REMOTE_IMAGE_ERROR_INVALID_URL, a `file:` address with
 * #REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME; neither logs a warning, since addresses usually come from
 * outside the program. %NULL shows the placeholder.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_uri:
 * @self: the object
 *
 * Gets #RemoteImageView:uri.
 *
 * Returns: (transfer none) (nullable): the address of the image
 */
const char *remote_image_view_get_uri(RemoteImageView *self);

/**
 * remote_image_view_set_uri:
 * @self: the object
 * @uri: (nullable): the address of the image
 *
 * Sets #RemoteImageView:uri.
 */
void remote_image_view_set_uri(RemoteImageView *self, const char *uri);

/**
 * RemoteImageView:source:
 *
 * The source of the image, for images that are more than an address. Setting a source sets
 * #RemoteImageView:uri to %NULL, and setting an address sets the source to %NULL.
 * #RemoteImageView:low-data-uri, #RemoteImageView:fallback-uris and
 * #RemoteImageView:identity apply to an address only.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_source:
 * @self: the object
 *
 * Gets #RemoteImageView:source.
 *
 * Returns: (transfer none) (nullable): a source
 */
RemoteImageSource *remote_image_view_get_source(RemoteImageView *self);

/**
 * remote_image_view_set_source:
 * @self: the object
 * @source: (nullable): a source
 *
 * Sets #RemoteImageView:source.
 */
void remote_image_view_set_source(RemoteImageView *self, RemoteImageSource *source);

/**
 * RemoteImageView:low-data-uri:
 *
 * The address of a smaller image for metered networks. The view loads it in place of
 * #RemoteImageView:uri while the network is metered, and shows it during the load of
 * #RemoteImageView:uri if it is in memory. When the network is no longer metered, the image of
 * #RemoteImageView:uri replaces it. The smaller image never replaces a shown image.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_low_data_uri:
 * @self: the object
 *
 * Gets #RemoteImageView:low-data-uri.
 *
 * Returns: (transfer none) (nullable): the address of a smaller image
 */
const char *remote_image_view_get_low_data_uri(RemoteImageView *self);

/**
 * remote_image_view_set_low_data_uri:
 * @self: the object
 * @low_data_uri: (nullable): the address of a smaller image
 *
 * Sets #RemoteImageView:low-data-uri.
 */
void remote_image_view_set_low_data_uri(RemoteImageView *self, const char *low_data_uri);

/**
 * RemoteImageView:fallback-uris:
 *
 * Addresses that are tried in order if #RemoteImageView:uri fails. If all fail, the error is that
 * of the last address.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_fallback_uris:
 * @self: the object
 *
 * Gets #RemoteImageView:fallback-uris.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): more addresses
 */
const char * const *remote_image_view_get_fallback_uris(RemoteImageView *self);

/**
 * remote_image_view_set_fallback_uris:
 * @self: the object
 * @fallback_uris: (nullable) (array zero-terminated=1): more addresses
 *
 * Sets #RemoteImageView:fallback-uris.
 */
void remote_image_view_set_fallback_uris(RemoteImageView *self, const char * const *fallback_uris);

/**
 * RemoteImageView:identity:
 *
 * A name that replaces the address in the keys of caches and shared transfers, for example for
 * signed addresses that change with each request. Request headers stay part of the key. An empty
 * name is the same as %NULL.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_identity:
 * @self: the object
 *
 * Gets #RemoteImageView:identity.
 *
 * Returns: (transfer none) (nullable): a name for the image
 */
const char *remote_image_view_get_identity(RemoteImageView *self);

/**
 * remote_image_view_set_identity:
 * @self: the object
 * @identity: (nullable): a name for the image
 *
 * Sets #RemoteImageView:identity.
 */
void remote_image_view_set_identity(RemoteImageView *self, const char *identity);

/**
 * RemoteImageView:headers:
 *
 * The request headers of this image. Requests with different headers share neither transfers nor
 * images. An invalid line is not sent, and a warning is logged.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_headers:
 * @self: the object
 *
 * Gets #RemoteImageView:headers.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): lines of the form `Name: value`
 */
const char * const *remote_image_view_get_headers(RemoteImageView *self);

/**
 * remote_image_view_set_headers:
 * @self: the object
 * @headers: (nullable) (array zero-terminated=1): lines of the form `Name: value`
 *
 * Sets #RemoteImageView:headers.
 */
void remote_image_view_set_headers(RemoteImageView *self, const char * const *headers);

/**
 * RemoteImageView:pipeline:
 *
 * The pipeline that fetches, decodes and caches. %NULL stands for
 * remote_image_pipeline_get_default().
 *
 * Default: %NULL, the default pipeline.
 */

/**
 * remote_image_view_get_pipeline:
 * @self: the object
 *
 * Gets #RemoteImageView:pipeline.
 *
 * Returns: (transfer none) (nullable): a pipeline
 */
RemoteImagePipeline *remote_image_view_get_pipeline(RemoteImageView *self);

/**
 * remote_image_view_set_pipeline:
 * @self: the object
 * @pipeline: (nullable): a pipeline
 *
 * Sets #RemoteImageView:pipeline.
 */
void remote_image_view_set_pipeline(RemoteImageView *self, RemoteImagePipeline *pipeline);

G_END_DECLS
