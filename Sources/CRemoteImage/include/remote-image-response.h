// A response with a success status.
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

/**
 * RemoteImageResponse:
 *
 * A complete response with a success status, which a #RemoteImageResponseFilter checks.
 */
#define REMOTE_IMAGE_TYPE_RESPONSE (remote_image_response_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageResponse, remote_image_response, REMOTE_IMAGE, RESPONSE, GObject)

/**
 * remote_image_response_get_uri:
 * @self: a response
 *
 * Gets the address of the response, after redirects.
 *
 * Returns: (transfer none): an address
 */
const char *remote_image_response_get_uri(RemoteImageResponse *self);

/**
 * remote_image_response_get_status:
 * @self: a response
 *
 * Gets the HTTP status.
 *
 * Returns: 200 to 299
 */
int remote_image_response_get_status(RemoteImageResponse *self);

/**
 * remote_image_response_get_header:
 * @self: a response
 * @name: the name of a header
 *
 * Gets a header of the response. Several values are separated by commas.
 *
 * Returns: (transfer none) (nullable): the value, or %NULL without the header
 */
const char *remote_image_response_get_header(RemoteImageResponse *self, const char *name);

/**
 * remote_image_response_get_bytes:
 * @self: a response
 *
 * Gets the body, without content coding.
 *
 * Returns: (transfer full): the bytes of the file
 */
GBytes *remote_image_response_get_bytes(RemoteImageResponse *self);

/**
 * remote_image_response_get_attempt:
 * @self: a response
 *
 * Gets the number of the attempt. Each retry after a failure increments it.
 *
 * Returns: 1 or more
 */
int remote_image_response_get_attempt(RemoteImageResponse *self);

G_END_DECLS
