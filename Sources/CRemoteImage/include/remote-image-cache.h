// The memory cache and the disk cache of a pipeline.
#pragma once
#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
G_BEGIN_DECLS

/**
 * remote_image_pipeline_get_memory_usage:
 * @self: a pipeline
 *
 * Gets the size of the memory cache, counted as for #RemoteImagePipeline:memory-cache-limit.
 *
 * Returns: bytes
 */
gsize remote_image_pipeline_get_memory_usage(RemoteImagePipeline *self);

/**
 * remote_image_pipeline_clear_memory:
 * @self: a pipeline
 *
 * Removes all images from the memory cache. Views keep the images that they show.
 */
void remote_image_pipeline_clear_memory(RemoteImagePipeline *self);

/**
 * remote_image_pipeline_get_disk_usage_async:
 * @self: a pipeline
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Gets the size of the disk cache.
 */
void remote_image_pipeline_get_disk_usage_async(
    RemoteImagePipeline *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_get_disk_usage_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_get_disk_usage_async().
 *
 * Returns: bytes, or -1 with an error
 */
gssize remote_image_pipeline_get_disk_usage_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_trim_disk_async:
 * @self: a pipeline
 * @byte_count: bytes, not negative
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Removes resized images and then responses, old and large ones first, until the disk cache has
 * at most @byte_count bytes; 0 removes all responses.
 */
void remote_image_pipeline_trim_disk_async(
    RemoteImagePipeline *self, gint64 byte_count, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_trim_disk_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_trim_disk_async().
 *
 * Returns: %TRUE, or %FALSE with an error
 */
gboolean remote_image_pipeline_trim_disk_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_remove_stored_sizes_async:
 * @self: a pipeline
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Removes all resized images from the disk cache and keeps their originals. Resized images are
 * stored again later, unless #RemoteImagePipeline:stored-sizes is %FALSE.
 */
void remote_image_pipeline_remove_stored_sizes_async(
    RemoteImagePipeline *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_remove_stored_sizes_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_remove_stored_sizes_async().
 *
 * Returns: %TRUE, or %FALSE with an error
 */
gboolean remote_image_pipeline_remove_stored_sizes_finish(
    RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_remove_async:
 * @self: a pipeline
 * @uri: an address
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Removes the images of an address from memory and from disk: in all sizes, and with all headers,
 * accounts and processors. Images with a #RemoteImageView:identity stay in both.
 */
void remote_image_pipeline_remove_async(
    RemoteImagePipeline *self, const char *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_remove_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_remove_async().
 *
 * Returns: %TRUE, or %FALSE with an error
 */
gboolean remote_image_pipeline_remove_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

G_END_DECLS
