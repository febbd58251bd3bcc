// Who fetches, decodes and caches.
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

/**
 * RemoteImagePipeline:
 *
 * Fetches, decodes and caches images, and shares the work among all who want the same.
 *
 * There is one for the program, remote_image_pipeline_get_default(). Its properties, and those of any other pipeline, are
 * set before its first use, and are fixed from then on: setting one later is warned about and does nothing. A view uses its
 * pipeline from when it has an address and is in a window, a paintable from when it has an address.
 */
#define REMOTE_IMAGE_TYPE_PIPELINE (remote_image_pipeline_get_type())
G_DECLARE_FINAL_TYPE(RemoteImagePipeline, remote_image_pipeline, REMOTE_IMAGE, PIPELINE, GObject)

/**
 * RemoteImagePipeline:cache-directory:
 *
 * The folder in which responses are kept between runs. Several processes may share one. A folder that is a symbolic link,
 * belongs to another user, or is writable by other users is not used: nothing is stored, and a warning is logged once.
 *
 * Default: %NULL, `$XDG_CACHE_HOME/<application id>/remote-images`, or below `~/.cache`; nothing is stored where neither
 * `XDG_CACHE_HOME` nor `HOME` is set.
 */

/**
 * RemoteImagePipeline:disk-cache-limit:
 *
 * Bytes that the folder may take; 0 keeps nothing on disk.
 *
 * Default: -1, 2 % of the free space, from 16 to 256 MiB.
 */

/**
 * RemoteImagePipeline:memory-cache-limit:
 *
 * Bytes of decoded images in memory; 0 keeps none.
 *
 * Default: -1, 128 MiB, or less on small machines.
 */

/**
 * RemoteImagePipeline:user-agent:
 *
 * The `User-Agent` of requests that have none. One with control characters is warned about and not sent.
 *
 * Default: %NULL, the name of the program and of this library.
 */

/**
 * RemoteImagePipeline:headers:
 *
 * Request headers, lines of the form `Name: value`, that every request has unless it sets them. What tells
 * accounts apart belongs to the headers of a view.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePipeline:max-transfers:
 *
 * Transfers at once, from 1 to 1,024.
 *
 * Default: 16.
 */

/**
 * RemoteImagePipeline:max-transfers-per-host:
 *
 * Transfers at once from one host, from 1 to 1,024.
 *
 * Default: 6.
 */

/**
 * RemoteImagePipeline:max-body-size:
 *
 * Bytes that one response may have; more gives #REMOTE_IMAGE_ERROR_TOO_LARGE.
 *
 * Default: 33554432.
 */

/**
 * RemoteImagePipeline:max-pixels:
 *
 * Pixels that one image may have; more gives #REMOTE_IMAGE_ERROR_TOO_MANY_PIXELS.
 *
 * Default: 50000000.
 */

/**
 * RemoteImagePipeline:timeout:
 *
 * Seconds that one transfer may take, from 1 to 86,400.
 *
 * Default: 60.
 */

/**
 * RemoteImagePipeline:block-private-networks:
 *
 * Whether loopback, link-local and private addresses are refused, after redirects too. Where a proxy stands between,
 * everything is refused: it is the proxy that looks up names.
 *
 * Default: %FALSE.
 */

/**
 * RemoteImagePipeline:isolation:
 *
 * Whether images are decoded in a process of their own.
 *
 * Default: #REMOTE_IMAGE_ISOLATION_PREFERRED.
 */

/**
 * remote_image_pipeline_get_default:
 *
 * The pipeline that views use where they are given no other.
 *
 * Returns: (transfer none): the pipeline, which lives as long as the process
 */
RemoteImagePipeline *remote_image_pipeline_get_default(void);

/**
 * remote_image_pipeline_new:
 *
 * Makes a pipeline with a memory cache of its own. The store on disk is that of the program, unless
 * #RemoteImagePipeline:cache-directory says another.
 *
 * Returns: (transfer full): a new pipeline
 */
RemoteImagePipeline *remote_image_pipeline_new(void);

/**
 * remote_image_pipeline_load_texture_async:
 * @self: a pipeline
 * @uri: an address
 * @max_pixel_size: pixels of the longer side at most, or 0 for all
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads an image, from memory or from where it is.
 */
void remote_image_pipeline_load_texture_async(
    RemoteImagePipeline *self, const char *uri, int max_pixel_size, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_load_texture_finish:
 * @self: a pipeline
 * @result: what @callback was given
 *
 * Ends remote_image_pipeline_load_texture_async(). Errors are of the domains #REMOTE_IMAGE_ERROR and
 * #G_IO_ERROR.
 *
 * Returns: (transfer full): the image
 */
GdkTexture *remote_image_pipeline_load_texture_finish(
    RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_load_bytes_async:
 * @self: a pipeline
 * @uri: an address
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads the file of an image, not decoded: to save or to copy it. Shares the transfer with views of the same
 * address.
 */
void remote_image_pipeline_load_bytes_async(
    RemoteImagePipeline *self, const char *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_load_bytes_finish:
 * @self: a pipeline
 * @result: what @callback was given
 *
 * Ends remote_image_pipeline_load_bytes_async().
 *
 * Returns: (transfer full): the bytes of the file
 */
GBytes *remote_image_pipeline_load_bytes_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_get_cached_texture:
 * @self: a pipeline
 * @uri: an address
 * @max_pixel_size: pixels of the longer side at most, or 0 for all
 *
 * The image, if it is in memory, fresh, and has the pixels wanted. Takes no time.
 *
 * Returns: (transfer full) (nullable): the image
 */
GdkTexture *remote_image_pipeline_get_cached_texture(RemoteImagePipeline *self, const char *uri, int max_pixel_size);

/**
 * remote_image_pipeline_prefetch:
 * @self: a pipeline
 * @uris: (array zero-terminated=1): addresses
 *
 * Loads images into the memory cache before they are shown, a few at a time, at the lowest priority.
 */
void remote_image_pipeline_prefetch(RemoteImagePipeline *self, const char * const *uris);

/**
 * remote_image_pipeline_cancel_prefetch:
 * @self: a pipeline
 *
 * Ends what remote_image_pipeline_prefetch() began.
 */
void remote_image_pipeline_cancel_prefetch(RemoteImagePipeline *self);

G_END_DECLS
