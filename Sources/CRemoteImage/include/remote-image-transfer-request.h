// A request before it is sent.
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

/**
 * RemoteImageTransferRequest:
 *
 * A request that a #RemoteImageRequestFilter may change before it is sent.
 *
 * Answer it once, with remote_image_transfer_request_proceed() or
 * remote_image_transfer_request_fail(). A second answer is ignored and logs a critical message. If
 * the last reference to the request is released without an answer, its load fails with
 * #REMOTE_IMAGE_ERROR_SOURCE, and a warning is logged. A load whose answer takes longer than
 * #RemoteImageView:timeout, by default #RemoteImagePipeline:timeout, fails with
 * #REMOTE_IMAGE_ERROR_TIMEOUT.
 */
#define REMOTE_IMAGE_TYPE_TRANSFER_REQUEST (remote_image_transfer_request_get_type())
G_DECLARE_FINAL_TYPE(
    RemoteImageTransferRequest, remote_image_transfer_request, REMOTE_IMAGE, TRANSFER_REQUEST, GObject)

/**
 * remote_image_transfer_request_get_uri:
 * @self: a request
 *
 * Gets the address of the request.
 *
 * Returns: (transfer none): an address
 */
const char *remote_image_transfer_request_get_uri(RemoteImageTransferRequest *self);

/**
 * remote_image_transfer_request_set_uri:
 * @self: a request
 * @uri: an address
 *
 * Sets the address of the request. The image is stored under its original address. With an invalid
 * address, remote_image_transfer_request_proceed() fails the load with
 * #REMOTE_IMAGE_ERROR_INVALID_URL.
 */
void remote_image_transfer_request_set_uri(RemoteImageTransferRequest *self, const char *uri);

/**
 * remote_image_transfer_request_get_header:
 * @self: a request
 * @name: the name of a header
 *
 * Gets a header of the request. Several values are separated by commas.
 *
 * Returns: (transfer none) (nullable): the value, or %NULL if the header is not set
 */
const char *remote_image_transfer_request_get_header(RemoteImageTransferRequest *self, const char *name);

/**
 * remote_image_transfer_request_set_header:
 * @self: a request
 * @name: the name of a header
 * @value: (nullable): the value, or %NULL to remove the header
 *
 * Sets a header of the request. An invalid name or value is not set, and a critical message without
 * the value is logged.
 */
void remote_image_transfer_request_set_header(
    RemoteImageTransferRequest *self, const char *name, const char *value);

/**
 * remote_image_transfer_request_get_target_width:
 * @self: a request
 *
 * Gets the largest width in pixels at which the image is needed. A filter with an account must not
 * select another size by it, since the response stands for the whole image.
 *
 * Returns: pixels, or 0 for the full size
 */
int remote_image_transfer_request_get_target_width(RemoteImageTransferRequest *self);

/**
 * remote_image_transfer_request_get_target_height:
 * @self: a request
 *
 * Gets the largest height in pixels at which the image is needed.
 *
 * Returns: pixels, or 0 for the full size
 */
int remote_image_transfer_request_get_target_height(RemoteImageTransferRequest *self);

/**
 * remote_image_transfer_request_get_attempt:
 * @self: a request
 *
 * Gets the number of the attempt. Each retry after a failure increments it.
 *
 * Returns: 1 or more
 */
int remote_image_transfer_request_get_attempt(RemoteImageTransferRequest *self);

/**
 * remote_image_transfer_request_get_cancellable:
 * @self: a request
 *
 * Gets an object that is cancelled, on the main thread, when the answer is no longer needed: the
 * load was cancelled or has reached its time limit. A later answer is ignored.
 *
 * Returns: (transfer none) (nullable): a cancellable, or %NULL if the library did not make @self
 */
GCancellable *remote_image_transfer_request_get_cancellable(RemoteImageTransferRequest *self);

/**
 * remote_image_transfer_request_proceed:
 * @self: a request
 *
 * Sends the request with its changes. Later changes have no effect.
 */
void remote_image_transfer_request_proceed(RemoteImageTransferRequest *self);

/**
 * remote_image_transfer_request_fail:
 * @self: a request
 * @error: the reason
 *
 * Fails the request, as remote_image_credential_request_fail() does.
 */
void remote_image_transfer_request_fail(RemoteImageTransferRequest *self, const GError *error);

G_END_DECLS
