// The widget: when it requests its image, and the limits of the load.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-view.h"

G_BEGIN_DECLS

/**
 * remote_image_view_load:
 * @self: a view
 *
 * Loads the image, also if #RemoteImageView:load-options do not request it, for example when the
 * user clicks a placeholder. Does nothing if the image is shown or loading.
 */
void remote_image_view_load(RemoteImageView *self);

/**
 * RemoteImageView:delay:
 *
 * How long the view waits before it requests the image, in milliseconds, from 0 to 60,000, so that
 * views that scroll by quickly request nothing. Images from the memory cache are not delayed.
 *
 * Default: 0.
 */

/**
 * remote_image_view_get_delay:
 * @self: the object
 *
 * Gets #RemoteImageView:delay.
 *
 * Returns: milliseconds, at most 60,000
 */
int remote_image_view_get_delay(RemoteImageView *self);

/**
 * remote_image_view_set_delay:
 * @self: the object
 * @delay: milliseconds, at most 60,000
 *
 * Sets #RemoteImageView:delay.
 */
void remote_image_view_set_delay(RemoteImageView *self, int delay);

/**
 * RemoteImageView:viewport-margin:
 *
 * The distance from the viewports around the view within which the view counts as visible, in
 * points, from 0 to 32,767.
 *
 * In a #GtkListView or a #GtkGridView, views outside of the viewport load after those inside. GTK
 * makes rows for at most 100 items of a list, or 15 lines of a grid, on each side.
 *
 * Default: 200.
 */

/**
 * remote_image_view_get_viewport_margin:
 * @self: the object
 *
 * Gets #RemoteImageView:viewport-margin.
 *
 * Returns: points, at most 32,767
 */
int remote_image_view_get_viewport_margin(RemoteImageView *self);

/**
 * remote_image_view_set_viewport_margin:
 * @self: the object
 * @viewport_margin: points, at most 32,767
 *
 * Sets #RemoteImageView:viewport-margin.
 */
void remote_image_view_set_viewport_margin(RemoteImageView *self, int viewport_margin);

/**
 * RemoteImageView:disappear-delay:
 *
 * How long the view must be invisible before its load is cancelled, in milliseconds, from 0 to
 * 60,000, so that scrolling back keeps the load. Until then, the loads of visible views come first.
 *
 * Default: 300.
 */

/**
 * remote_image_view_get_disappear_delay:
 * @self: the object
 *
 * Gets #RemoteImageView:disappear-delay.
 *
 * Returns: milliseconds, at most 60,000
 */
int remote_image_view_get_disappear_delay(RemoteImageView *self);

/**
 * remote_image_view_set_disappear_delay:
 * @self: the object
 * @disappear_delay: milliseconds, at most 60,000
 *
 * Sets #RemoteImageView:disappear-delay.
 */
void remote_image_view_set_disappear_delay(RemoteImageView *self, int disappear_delay);

/**
 * RemoteImageView:release-delay:
 *
 * How long the view must be invisible before it releases its image, in milliseconds, from 0 to
 * 3,600,000, so that views that were scrolled past do not fill the memory; the limit of the memory
 * cache then applies. While memory is low, the image is released at once. -1 keeps it.
 *
 * The view keeps its size and its phase; #RemoteImageView:texture is %NULL. When the view comes
 * back, an image in the memory cache is drawn in the same frame; any other image is loaded again.
 *
 * Default: 5,000.
 */

/**
 * remote_image_view_get_release_delay:
 * @self: the object
 *
 * Gets #RemoteImageView:release-delay.
 *
 * Returns: milliseconds, at most 3,600,000; -1 if the view keeps its image
 */
int remote_image_view_get_release_delay(RemoteImageView *self);

/**
 * remote_image_view_set_release_delay:
 * @self: the object
 * @release_delay: milliseconds, at most 3,600,000; -1 to keep the image
 *
 * Sets #RemoteImageView:release-delay.
 */
void remote_image_view_set_release_delay(RemoteImageView *self, int release_delay);

/**
 * RemoteImageView:expiry:
 *
 * The age in seconds from which a stored image is not used, in addition to the limits of
 * #RemoteImageView:cache-policy. It counts from the time at which the response was received or last
 * validated. An expired image in memory is shown while the server is asked; an expired image on
 * disk is used if the server cannot be reached.
 *
 * Default: -1, no limit.
 */

/**
 * remote_image_view_get_expiry:
 * @self: the object
 *
 * Gets #RemoteImageView:expiry.
 *
 * Returns: seconds, or -1
 */
int remote_image_view_get_expiry(RemoteImageView *self);

/**
 * remote_image_view_set_expiry:
 * @self: the object
 * @expiry: seconds, or -1
 *
 * Sets #RemoteImageView:expiry.
 */
void remote_image_view_set_expiry(RemoteImageView *self, int expiry);

/**
 * RemoteImageView:show-stored-while-loading:
 *
 * Whether a stored image is shown at once, whatever its age, and replaced if the server has a newer
 * one. It applies to #REMOTE_IMAGE_CACHE_POLICY_HTTP.
 *
 * Default: %FALSE.
 */

/**
 * remote_image_view_get_show_stored_while_loading:
 * @self: the object
 *
 * Gets #RemoteImageView:show-stored-while-loading.
 *
 * Returns: whether a stored image is shown at once
 */
gboolean remote_image_view_get_show_stored_while_loading(RemoteImageView *self);

/**
 * remote_image_view_set_show_stored_while_loading:
 * @self: the object
 * @show_stored_while_loading: whether a stored image is shown at once
 *
 * Sets #RemoteImageView:show-stored-while-loading.
 */
void remote_image_view_set_show_stored_while_loading(RemoteImageView *self, gboolean show_stored_while_loading);

/**
 * RemoteImageView:timeout:
 *
 * The maximum duration of each transfer of the image in seconds, from 0 to 86,400; a longer one
 * fails with #REMOTE_IMAGE_ERROR_TIMEOUT.
 *
 * Default: 0, that of #RemoteImagePipeline:timeout.
 */

/**
 * remote_image_view_get_timeout:
 * @self: the object
 *
 * Gets #RemoteImageView:timeout.
 *
 * Returns: seconds, or 0
 */
int remote_image_view_get_timeout(RemoteImageView *self);

/**
 * remote_image_view_set_timeout:
 * @self: the object
 * @timeout: seconds, or 0
 *
 * Sets #RemoteImageView:timeout.
 */
void remote_image_view_set_timeout(RemoteImageView *self, int timeout);

/**
 * RemoteImageView:max-retries:
 *
 * The maximum number of retries of a failed transfer, up to 100: after connection failures,
 * incomplete responses and the statuses 408, 429 and 5xx. The delay is half a second before the
 * first retry and doubles with each further one, up to 30 seconds; each is shortened at random by
 * up to half. `Retry-After` replaces it; if that is longer than 30 seconds, the transfer is not
 * retried.
 *
 * Default: -1, that of the pipeline: 2.
 */

/**
 * remote_image_view_get_max_retries:
 * @self: the object
 *
 * Gets #RemoteImageView:max-retries.
 *
 * Returns: a number of retries, or -1
 */
int remote_image_view_get_max_retries(RemoteImageView *self);

/**
 * remote_image_view_set_max_retries:
 * @self: the object
 * @max_retries: a number of retries, or -1
 *
 * Sets #RemoteImageView:max-retries.
 */
void remote_image_view_set_max_retries(RemoteImageView *self, int max_retries);

/**
 * RemoteImageView:wait-for-network:
 *
 * Whether a retry after a failed connection waits until the network is connected again.
 *
 * Default: %FALSE.
 */

/**
 * remote_image_view_get_wait_for_network:
 * @self: the object
 *
 * Gets #RemoteImageView:wait-for-network.
 *
 * Returns: whether a retry waits for the network
 */
gboolean remote_image_view_get_wait_for_network(RemoteImageView *self);

/**
 * remote_image_view_set_wait_for_network:
 * @self: the object
 * @wait_for_network: whether a retry waits for the network
 *
 * Sets #RemoteImageView:wait-for-network.
 */
void remote_image_view_set_wait_for_network(RemoteImageView *self, gboolean wait_for_network);

G_END_DECLS
