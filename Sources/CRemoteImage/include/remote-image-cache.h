// What a pipeline keeps in memory and on disk.
#pragma once
#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
G_BEGIN_DECLS

/**
 * remote_image_pipeline_get_memory_usage:
 * @self: a pipeline
 *
 * Bytes of decoded images in memory.
 *
 * Returns: bytes
 */
gsize remote_image_pipeline_get_memory_usage(RemoteImagePipeline *self);

/**
 * remote_image_pipeline_clear_memory:
 * @self: a pipeline
 *
 * Forgets the decoded images. Those on screen stay there.
 */
void remote_image_pipeline_clear_memory(RemoteImagePipeline *self);

/**
 * remote_image_pipeline_get_disk_usage_async:
 * @self: a pipeline
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Asks how many bytes are kept on disk.
 */
void remote_image_pipeline_get_disk_usage_async(
    RemoteImagePipeline *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * remote_image_pipeline_get_disk_usage_finish:
 * @self: a pipeline
 * @result: what @callback was given
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
 * Removes what was used longest ago until no more than @byte_count bytes are kept on disk; 0 removes
 * everything.
 */
void remote_image_pipeline_trim_disk_async(
    RemoteImagePipeline *self, gint64 byte_count, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_trim_disk_finish:
 * @self: a pipeline
 * @result: what @callback was given
 *
 * Ends remote_image_pipeline_trim_disk_async().
 *
 * Returns: %TRUE, or %FALSE with an error
 */
gboolean remote_image_pipeline_trim_disk_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_remove_async:
 * @self: a pipeline
 * @uri: an address
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Forgets the image of an address in memory, and all that the disk has of the address. What views with
 * #RemoteImageView:headers have of it stays in memory, and what was loaded with a #RemoteImageView:identity stays in
 * both.
 */
void remote_image_pipeline_remove_async(
    RemoteImagePipeline *self, const char *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_remove_finish:
 * @self: a pipeline
 * @result: what @callback was given
 *
 * Ends remote_image_pipeline_remove_async().
 *
 * Returns: %TRUE, or %FALSE with an error
 */
gboolean remote_image_pipeline_remove_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

G_END_DECLS
