// The pipeline: it fetches, decodes and caches images.
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

/**
 * RemoteImagePipeline:
 *
 * Fetches, decodes and caches images, and shares the work among requests for the same image.
 *
 * remote_image_pipeline_get_default() returns the pipeline that views use by default. Set the
 * properties of a pipeline before its first use: setting them later, except for
 * #RemoteImagePipeline:proxy, logs a critical message and has no effect. A view first uses its
 * pipeline when it has an address or a source and is in a window; with #RemoteImageView:pipeline or
 * #REMOTE_IMAGE_LOAD_IMMEDIATELY, already before it is in a window. A paintable first uses it when
 * it has an address or a source.
 *
 * ```c
 * RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
 * gint64 limit = 64 << 20;
 * g_object_set(pipeline, "user-agent", "Photos/1.0", "memory-cache-limit", limit, NULL);
 * ```
 */
#define REMOTE_IMAGE_TYPE_PIPELINE (remote_image_pipeline_get_type())
G_DECLARE_FINAL_TYPE(RemoteImagePipeline, remote_image_pipeline, REMOTE_IMAGE, PIPELINE, GObject)

/**
 * RemoteImagePipeline:cache-directory:
 *
 * The folder of the disk cache, which persists between runs. Several processes may share a
 * folder. A folder that is a symbolic link, belongs to another user, or is writable by other users
 * is not used: nothing is stored, and a warning is logged once.
 *
 * Default: `$XDG_CACHE_HOME/<application id>/remote-images`, or below `~/.cache`, also after %NULL
 * was set; nothing is stored if neither `XDG_CACHE_HOME` nor `HOME` is set, and the property is
 * %NULL.
 */

/**
 * RemoteImagePipeline:disk-cache-limit:
 *
 * The maximum size of the disk cache, in bytes; 0 stores nothing on disk.
 *
 * Default: -1, 2 % of the free space, from 16 to 256 MiB.
 */

/**
 * RemoteImagePipeline:memory-cache-limit:
 *
 * The maximum size of the memory cache, in bytes; 0 disables it. Each image counts with its
 * pixels, of 3 bytes if it is opaque, else of 4, and with the data of its animation.
 *
 * Default: -1, 128 MiB, or less on small machines.
 */

/**
 * RemoteImagePipeline:user-agent:
 *
 * The `User-Agent` of requests that set none. A value with control characters is not sent, and a
 * warning is logged.
 *
 * Default: the name of the program and of this library, also after %NULL was set.
 */

/**
 * RemoteImagePipeline:headers:
 *
 * Default request headers, lines of the form `Name: value`; the headers of a view or paintable
 * override them. Set headers that identify an account on the view instead.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePipeline:max-transfers:
 *
 * The maximum number of concurrent transfers, from 1 to 1,024. A quarter of them is kept for hosts
 * with fewer running transfers than an eighth of this limit, but at least one, while there are
 * requests to several hosts.
 *
 * Default: 16.
 */

/**
 * RemoteImagePipeline:max-transfers-per-host:
 *
 * The maximum number of concurrent transfers from one host, from 1 to 1,024.
 *
 * Default: 6.
 */

/**
 * RemoteImagePipeline:max-body-size:
 *
 * The maximum size of a response body, in bytes. A larger body fails with
 * #REMOTE_IMAGE_ERROR_TOO_LARGE.
 *
 * Default: 33554432.
 */

/**
 * RemoteImagePipeline:max-pixels:
 *
 * The maximum number of pixels of an image. A larger image fails with
 * #REMOTE_IMAGE_ERROR_TOO_MANY_PIXELS.
 *
 * Default: 50000000.
 */

/**
 * RemoteImagePipeline:timeout:
 *
 * The maximum duration of a transfer, in seconds, from 1 to 86,400.
 *
 * Default: 60.
 */

/**
 * RemoteImagePipeline:block-private-networks:
 *
 * Whether loopback, link-local and private addresses are refused, also after redirects. Behind a
 * proxy all addresses are refused, since the proxy resolves the names.
 *
 * Default: %FALSE.
 */

/**
 * RemoteImagePipeline:isolation:
 *
 * Whether images are decoded in a separate process.
 *
 * Default: #REMOTE_IMAGE_ISOLATION_PREFERRED.
 */

/**
 * RemoteImagePipeline:stored-sizes:
 *
 * Whether resized images are stored and used, for all requests of the pipeline; see
 * #RemoteImageView:stored-sizes. Resized images occupy at most 15 % of the limit of the disk cache
 * and are evicted before originals.
 *
 * Default: %TRUE.
 */

/**
 * RemoteImagePipeline:proxy:
 *
 * The proxy of all requests of the pipeline, also of its pipeline in Swift: `default` for that of
 * the desktop or the environment, `none`, or an address with the scheme `http`, `https`, `socks`,
 * `socks4`, `socks4a` or `socks5`, as in #GProxyResolver. With `socks`, `socks4a` and `socks5` the
 * proxy resolves the names. The environment variable `no_proxy` applies to an address. If the
 * address is not valid or the proxy cannot be reached, requests fail with
 * #REMOTE_IMAGE_ERROR_CONNECTION. %NULL and an empty text stand for `default`.
 *
 * May be set at any time, and applies to all requests that are sent later. Running transfers keep
 * their proxy.
 *
 * Default: `default`.
 */

/**
 * remote_image_pipeline_get_proxy:
 * @self: the object
 *
 * Gets #RemoteImagePipeline:proxy.
 *
 * Returns: (transfer none) (nullable): `default`, `none` or an address
 */
const char *remote_image_pipeline_get_proxy(RemoteImagePipeline *self);

/**
 * remote_image_pipeline_set_proxy:
 * @self: the object
 * @proxy: (nullable): `default`, `none` or an address
 *
 * Sets #RemoteImagePipeline:proxy.
 */
void remote_image_pipeline_set_proxy(RemoteImagePipeline *self, const char *proxy);

/**
 * RemoteImagePipeline::failed:
 * @self: the pipeline
 * @uri: (nullable): the address that was tried first, without user name and password. Files have an
 *   address, too, and an invalid address is the text that the program gave. %NULL for a `data:`
 *   address, and for bytes whose identity is no web address
 * @is_visible: whether the image was visible: %FALSE if it is prefetched, out of its viewport, or
 *   loaded by a paintable or a call
 * @error: the error, of the domain #REMOTE_IMAGE_ERROR; that of the last address if several were
 *   tried
 *
 * Emitted on the main thread for each request for an image that fails after all retries: of views,
 * paintables, widget images and prefetches, and of remote_image_pipeline_load_texture_async(). The
 * place for the errors of a whole program.
 *
 * Several views that share a load have a request each. Not emitted for cancelled requests, nor for
 * calls that load the file of an image, such as remote_image_pipeline_load_bytes_async(), which
 * report their errors to their callers alone. Handlers may be connected at any time.
 */

/**
 * remote_image_pipeline_get_default:
 *
 * Gets the pipeline that views use if no other pipeline is set. As other calls, it must be made on
 * the main thread; elsewhere it only logs a critical message.
 *
 * Returns: (transfer none): the pipeline, valid for the lifetime of the process
 */
RemoteImagePipeline *remote_image_pipeline_get_default(void);

/**
 * remote_image_pipeline_new:
 *
 * Makes a pipeline with a memory cache of its own. It shares the disk cache of the program, unless
 * #RemoteImagePipeline:cache-directory names another folder.
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
 * Loads an image from the memory cache, the disk cache or the server.
 */
void remote_image_pipeline_load_texture_async(
    RemoteImagePipeline *self, const char *uri, int max_pixel_size, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_load_texture_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_load_texture_async(). Errors are of the domains #REMOTE_IMAGE_ERROR
 * and #G_IO_ERROR.
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
 * Loads the file of an image without decoding it, for example to save or copy it. Shares the
 * transfer with views of the same address.
 */
void remote_image_pipeline_load_bytes_async(
    RemoteImagePipeline *self, const char *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_load_bytes_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
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
 * Gets the image if it is in the memory cache, fresh, and large enough. Does not block.
 *
 * Returns: (transfer full) (nullable): the image
 */
GdkTexture *remote_image_pipeline_get_cached_texture(RemoteImagePipeline *self, const char *uri, int max_pixel_size);

/**
 * remote_image_pipeline_prefetch:
 * @self: a pipeline
 * @uris: (array zero-terminated=1): addresses
 *
 * Loads images into the memory cache in advance, a few at a time, after all other loads. While the
 * network is metered or the desktop saves power, no load is started.
 */
void remote_image_pipeline_prefetch(RemoteImagePipeline *self, const char * const *uris);

/**
 * remote_image_pipeline_cancel_prefetch:
 * @self: a pipeline
 *
 * Cancels the loads that remote_image_pipeline_prefetch() started.
 */
void remote_image_pipeline_cancel_prefetch(RemoteImagePipeline *self);

G_END_DECLS
