// Where the bytes of an image come from.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-byte-request.h"

G_BEGIN_DECLS

/**
 * RemoteImageSource:
 *
 * What to load: an identity, and how to get the bytes of the image. It does not change after it is
 * made, and any number of views can share it.
 *
 * Set it with #RemoteImageView:source or #RemoteImagePaintable:source, or pass it to the functions
 * of a #RemoteImagePipeline. Two sources of the same kind with the same identity are the same
 * image: they share loads and cached images.
 *
 * An invalid address makes the load fail, since addresses usually come from outside the program. A
 * constructor without an identity logs a critical message and returns %NULL.
 */
#define REMOTE_IMAGE_TYPE_SOURCE (remote_image_source_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageSource, remote_image_source, REMOTE_IMAGE, SOURCE, GObject)

/**
 * remote_image_source_new_for_uri:
 * @uri: an address: `http`, `https` or `data:`
 * @identity: (nullable): a name that replaces the address in the keys of caches and shared
 *   transfers, or %NULL for the address
 *
 * Makes a source for an address. An invalid address fails with #REMOTE_IMAGE_ERROR_INVALID_URL, a
 * `file:` address with #REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_for_uri(const char *uri, const char *identity);

/**
 * remote_image_source_new_for_file:
 * @file: an image file
 *
 * Makes a source for a file with a local path. Never pass files whose names come from outside the
 * program. Another file fails with #REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME; read it with
 * remote_image_source_new_for_stream().
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_for_file(GFile *file);

/**
 * remote_image_source_new_for_bytes:
 * @identity: a name for the image; different bytes need different names
 * @bytes: an image file
 *
 * Makes a source for bytes that the program already has. The bytes are copied.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_for_bytes(const char *identity, GBytes *bytes);

/**
 * remote_image_source_new_for_stream:
 * @identity: a name for the image; different images need different names
 * @func: (scope notified) (closure user_data) (destroy destroy): provides the bytes
 * @user_data: for @func
 * @destroy: (nullable): releases @user_data when the source is no longer used
 *
 * Makes a source whose bytes the program provides for each load, in pieces and with progress. They
 * are not stored on disk.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_for_stream(
    const char *identity, RemoteImageByteFunc func, gpointer user_data, GDestroyNotify destroy);

/**
 * remote_image_byte_request_use_source:
 * @self: a request
 * @source: another source, such as an address that is signed anew for each load
 *
 * Answers with another source, from which the image is loaded. The image keeps the identity of the
 * request. Of several sizes, the largest is loaded.
 */
void remote_image_byte_request_use_source(RemoteImageByteRequest *self, RemoteImageSource *source);

/**
 * remote_image_source_new_fallbacks:
 * @sources: (array length=n_sources): sources
 * @n_sources: their number
 *
 * Makes a source of sources that are tried in order until one succeeds. If all fail, the error is
 * that of the last one.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_fallbacks(RemoteImageSource *const *sources, gsize n_sources);

/**
 * remote_image_source_new_adaptive: (constructor)
 * @regular: the image
 * @low_data: a smaller image for metered networks
 *
 * Makes a source with a second, smaller image for metered networks; see
 * #RemoteImageView:low-data-uri.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_adaptive(RemoteImageSource *regular, RemoteImageSource *low_data);

/**
 * remote_image_source_ignoring_query_items:
 * @self: a source for an `http` or `https` address
 * @names: (array zero-terminated=1): the names of query items, as they are in the address
 *
 * Makes a source with the same address, identified without some query items, such as a signature
 * that changes with each request. The identity of other sources does not change.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_ignoring_query_items(RemoteImageSource *self, const char *const *names);

/**
 * remote_image_source_get_identity:
 * @self: a source
 *
 * Gets what identifies the image. A hash replaces the user name and password of an address.
 *
 * Returns: (transfer none): the identity
 */
const char *remote_image_source_get_identity(RemoteImageSource *self);

/**
 * remote_image_source_to_string:
 * @self: a source
 *
 * Describes the source for logs, without user name and password.
 *
 * Returns: (transfer full): the description
 */
char *remote_image_source_to_string(RemoteImageSource *self);

G_END_DECLS
