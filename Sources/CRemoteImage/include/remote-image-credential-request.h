// A request that needs a credential.
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

/**
 * RemoteImageCredentialRequest:
 *
 * A request that needs a credential, from #RemoteImageAuthorization::credential-needed.
 *
 * Answer it once, with remote_image_credential_request_respond() or
 * remote_image_credential_request_fail(). A second answer is ignored and logs a critical message.
 * If the last reference to the request is released without an answer, its load fails with
 * #REMOTE_IMAGE_ERROR_SOURCE, and a warning is logged. A load whose answer takes longer than
 * #RemoteImageView:timeout, by default #RemoteImagePipeline:timeout, fails with
 * #REMOTE_IMAGE_ERROR_TIMEOUT.
 */
#define REMOTE_IMAGE_TYPE_CREDENTIAL_REQUEST (remote_image_credential_request_get_type())
G_DECLARE_FINAL_TYPE(
    RemoteImageCredentialRequest, remote_image_credential_request, REMOTE_IMAGE, CREDENTIAL_REQUEST, GObject)

/**
 * remote_image_credential_request_get_uri:
 * @self: a request
 *
 * Gets the address of the request. It belongs to one of the origins of the authorization.
 *
 * Returns: (transfer none): an address
 */
const char *remote_image_credential_request_get_uri(RemoteImageCredentialRequest *self);

/**
 * remote_image_credential_request_get_refused_credential:
 * @self: a request
 *
 * Gets the credential that the server refused. With remote_image_credential_request_get_status(),
 * it tells whether the request asks for a replacement.
 *
 * Returns: (transfer none) (nullable): a credential, or %NULL without a refusal and after the
 *   refusal of a request without a credential
 */
const char *remote_image_credential_request_get_refused_credential(RemoteImageCredentialRequest *self);

/**
 * remote_image_credential_request_get_status:
 * @self: a request
 *
 * Gets the HTTP status of the response that refused the credential.
 *
 * Returns: 401 or 403, or 0 without a refusal
 */
int remote_image_credential_request_get_status(RemoteImageCredentialRequest *self);

/**
 * remote_image_credential_request_get_challenges:
 * @self: a request
 *
 * Gets the values of the `WWW-Authenticate` header of the response that refused the credential (RFC
 * 9110 section 11.6.1).
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): values, or %NULL without any
 */
const char *const *remote_image_credential_request_get_challenges(RemoteImageCredentialRequest *self);

/**
 * remote_image_credential_request_get_cancellable:
 * @self: a request
 *
 * Gets an object that is cancelled, on the main thread, when the answer is no longer needed: the
 * load was cancelled or has reached its time limit. A later answer is ignored. A view that is
 * cancelled never cancels the replacement of a refused credential, for which other views may wait.
 *
 * Returns: (transfer none) (nullable): a cancellable, or %NULL if the library did not make @self
 */
GCancellable *remote_image_credential_request_get_cancellable(RemoteImageCredentialRequest *self);

/**
 * remote_image_credential_request_respond:
 * @self: a request
 * @value: (nullable): the whole value of the header, such as `Bearer` and a token, or %NULL to send
 *   the request without a credential
 *
 * Answers the request. A value with characters other than those from U+0020 to U+007E fails the
 * load with #REMOTE_IMAGE_ERROR_SOURCE and logs a critical message, without the value. If the value
 * equals the refused credential, the refusal is final, and the image fails with its status.
 */
void remote_image_credential_request_respond(RemoteImageCredentialRequest *self, const char *value);

/**
 * remote_image_credential_request_fail:
 * @self: a request
 * @error: the reason
 *
 * Fails the request. The load fails with the code of @error if it is a #RemoteImageError, with
 * #REMOTE_IMAGE_ERROR_CONNECTION, #REMOTE_IMAGE_ERROR_TIMEOUT or #REMOTE_IMAGE_ERROR_TLS for
 * network errors of GIO, else with #REMOTE_IMAGE_ERROR_SOURCE. After a connection error or a
 * timeout, stored images are shown as if the server could not be reached. The message of @error is
 * neither logged nor shown, since it may contain a credential.
 */
void remote_image_credential_request_fail(RemoteImageCredentialRequest *self, const GError *error);

G_END_DECLS
