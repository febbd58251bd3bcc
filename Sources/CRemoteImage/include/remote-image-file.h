// A local file of an image, for other programs.
#pragma once
#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
#include "remote-image-source.h"
G_BEGIN_DECLS

/**
 * RemoteImageFile:
 *
 * The handle of a local file of an image, for programs that read images by their path or `file:`
 * address: a media player publishes its cover as `mpris:artUrl`
 * (https://www.freedesktop.org/wiki/Specifications/mpris-spec/metadata/), and the desktop shows it.
 * Keep the handle as long as the address is published.
 *
 * The file is a copy of the encoded data. Its path neither changes nor disappears while a handle
 * exists, whatever is evicted from the disk cache or removed from it. The file is removed soon
 * after its last handle is finalized; the files that a process leaves at its end are removed by the
 * next process that makes one. Handles of the same process with equal data share one file. Another
 * image never gets the path of an existing file.
 *
 * The file is in the folder `files` of #RemoteImagePipeline:cache-directory, by default
 * `$XDG_CACHE_HOME/<application id>/remote-images/files`; in that folder, too, if
 * #RemoteImagePipeline:disk-cache-limit is 0. In a Flatpak this is below
 * `~/.var/app/<application id>/cache`, which has the same path on the host. Only the user may read
 * the file.
 */
#define REMOTE_IMAGE_TYPE_FILE (remote_image_file_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageFile, remote_image_file, REMOTE_IMAGE, FILE, GObject)

/**
 * RemoteImageFile:file:
 *
 * The file. Its name has the usual extension of the format of the image.
 *
 * Read-only.
 */

/**
 * remote_image_file_get_file:
 * @self: a handle that remote_image_pipeline_load_file_finish() returned
 *
 * Gets #RemoteImageFile:file. g_file_get_uri() returns its `file:` address.
 *
 * Returns: (transfer none) (nullable): the file, or %NULL if the library did not make @self
 */
GFile *remote_image_file_get_file(RemoteImageFile *self);

/**
 * remote_image_pipeline_load_file_async:
 * @self: a pipeline
 * @uri: an address
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads the encoded data of an image into a local file that other programs can read. The data comes
 * from the disk cache or from the server, and is not changed. Data that is not an image fails with
 * #REMOTE_IMAGE_ERROR_NOT_AN_IMAGE, an image that cannot be decoded with the error of the decode,
 * such as #REMOTE_IMAGE_ERROR_CORRUPT, a file that cannot be written with #REMOTE_IMAGE_ERROR_IO.
 */
void remote_image_pipeline_load_file_async(
    RemoteImagePipeline *self, const char *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_load_file_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_load_file_async().
 *
 * Returns: (transfer full): the handle of the file
 */
RemoteImageFile *remote_image_pipeline_load_file_finish(
    RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_load_source_file_async:
 * @self: a pipeline
 * @source: a source
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Loads the image of a source into a local file, as remote_image_pipeline_load_file_async() does
 * for an address. Of several sizes, the largest is loaded.
 */
void remote_image_pipeline_load_source_file_async(
    RemoteImagePipeline *self, RemoteImageSource *source, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_load_source_file_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_load_source_file_async().
 *
 * Returns: (transfer full): the handle of the file
 */
RemoteImageFile *remote_image_pipeline_load_source_file_finish(
    RemoteImagePipeline *self, GAsyncResult *result, GError **error);

G_END_DECLS
