// The pipeline: images of sources.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
#include "remote-image-source-sizes.h"
#include "remote-image-source.h"

G_BEGIN_DECLS

/**
 * remote_image_pipeline_load_source_texture_async:
 * @self: a pipeline
 * @source: a source
 * @max_pixel_size: pixels of the longer side at most, which also choose among several sizes, or 0
 *   for all
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads the image of a source, as remote_image_pipeline_load_texture_async() does for an address.
 */
void remote_image_pipeline_load_source_texture_async(
    RemoteImagePipeline *self, RemoteImageSource *source, int max_pixel_size, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_load_source_texture_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_load_source_texture_async(). Errors are of the domains
 * #REMOTE_IMAGE_ERROR and #G_IO_ERROR.
 *
 * Returns: (transfer full): the image
 */
GdkTexture *remote_image_pipeline_load_source_texture_finish(
    RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_load_source_bytes_async:
 * @self: a pipeline
 * @source: a source
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads the file of an image without decoding it. Of several sizes, the largest is loaded.
 */
void remote_image_pipeline_load_source_bytes_async(
    RemoteImagePipeline *self, RemoteImageSource *source, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_load_source_bytes_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_load_source_bytes_async().
 *
 * Returns: (transfer full): the bytes of the file
 */
GBytes *remote_image_pipeline_load_source_bytes_finish(
    RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_prefetch_sources:
 * @self: a pipeline
 * @sources: (array length=n_sources): sources
 * @n_sources: their number
 * @max_pixel_size: pixels of the longer side at most, which also choose among several sizes, or 0
 *   for all
 *
 * Loads images into the memory cache in advance, a few at a time, after all other loads. While the
 * network is metered or the desktop saves power, no load is started.
 * remote_image_pipeline_cancel_prefetch() cancels these loads, too.
 */
void remote_image_pipeline_prefetch_sources(
    RemoteImagePipeline *self, RemoteImageSource *const *sources, gsize n_sources, int max_pixel_size);

/**
 * remote_image_pipeline_load_iiif_source_async:
 * @self: a pipeline
 * @uri: the address of the image: server, prefix and percent-encoded identifier
 * @options: (nullable): quality and format
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads the description of an image of a server with the IIIF Image API 3.0, `info.json`, and makes
 * a source with the sizes that the server prefers or allows. A description that is damaged, larger
 * than 1 MiB or contradicts itself fails with #REMOTE_IMAGE_ERROR_PROTOCOL. Its addresses are
 * ignored, so that it cannot redirect requests to another server.
 */
void remote_image_pipeline_load_iiif_source_async(
    RemoteImagePipeline *self, const char *uri, RemoteImageSizeOptions *options, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_load_iiif_source_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_load_iiif_source_async().
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_pipeline_load_iiif_source_finish(
    RemoteImagePipeline *self, GAsyncResult *result, GError **error);

G_END_DECLS
