// The widget: what it is, and where its image comes from.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
#include "remote-image-types.h"

G_BEGIN_DECLS

/**
 * RemoteImageView:
 *
 * A widget that shows a remote image.
 *
 * It loads when it is mapped and has a size, and cancels when it is unmapped, both as
 * #RemoteImageView:load-options say. It decodes for the pixels it is drawn in, shares transfers and images with every
 * other view, and shows an image that is in memory in its first frame. Everything that takes time happens on
 * threads of the library; a view, as every widget, belongs to the main thread.
 *
 * A property that is given a value out of its range keeps the one it has, and GObject warns. Texts that make no sense are
 * warned about where they come from the program, as headers do; addresses, which come from elsewhere, fail.
 *
 * ## CSS nodes
 *
 * One node with the name `remoteimage`, and one of the classes `empty`, `loading`, `success` and `failure`.
 *
 * ## In `.ui` files
 *
 * The types of child are `placeholder` and `failure`.
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
 * The image is there. Also emitted when a better or newer one took its place, but not when a reload was cancelled or
 * gave the image that is shown.
 */

/**
 * RemoteImageView::failed:
 * @self: the view
 * @error: why, of the domain #REMOTE_IMAGE_ERROR
 *
 * There is no image, or the one that is shown could not be reloaded: it stays then, #RemoteImageView:phase is
 * #REMOTE_IMAGE_PHASE_SUCCESS, and #RemoteImageView:error is %NULL. A load that was cancelled is no failure.
 */

/**
 * remote_image_view_new:
 * @uri: (nullable): the address of the image
 *
 * Makes a view. The first one connects the library to the main loop; nothing else is needed.
 *
 * Returns: (transfer floating): a new view
 */
GtkWidget *remote_image_view_new(const char *uri);

/**
 * remote_image_view_reload:
 * @self: a view
 *
 * Loads the image again, from the server. What is shown stays until then.
 */
void remote_image_view_reload(RemoteImageView *self);

/**
 * remote_image_view_cancel:
 * @self: a view
 *
 * Ends the load and keeps what is shown.
 */
void remote_image_view_cancel(RemoteImageView *self);

/**
 * RemoteImageView:uri:
 *
 * Where the image comes from: `http`, `https` or `data:`. Another address ends the load of the old one; a
 * view that is shown loads the new one at once, and an image that is in memory is there when the call returns.
 * Text that is no address gives #REMOTE_IMAGE_ERROR_INVALID_URL, `file:` gives
 * #REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME: neither is a programming error, since addresses come from elsewhere.
 * %NULL shows the placeholder.
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
 * RemoteImageView:low-data-uri:
 *
 * A second, smaller image for networks where bytes cost money. It is loaded in place of #RemoteImageView:uri
 * where the network is metered, and shown meanwhile where it is in memory. When the network stops being metered, the
 * image of #RemoteImageView:uri takes its place. An image that is shown is never replaced by the smaller one.
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
 * Addresses that are tried in this order when #RemoteImageView:uri gives no image. When all failed, the error
 * is that of the last.
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
 * A name that stands for the address wherever images are shared and cached: for addresses that are signed
 * anew each time. Request headers still count.
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
 * Request headers of this image. Requests that differ in them share neither transfer nor image. A line that
 * is no header is warned about and not sent.
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
 * Who fetches, decodes and caches; %NULL is remote_image_pipeline_get_default().
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
