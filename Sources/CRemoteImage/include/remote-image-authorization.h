// Credentials of accounts.
#pragma once
#include <gtk/gtk.h>
#include "remote-image-credential-request.h"
G_BEGIN_DECLS

/**
 * RemoteImageAuthorization:
 *
 * Authorizes the requests of one account, and replaces credentials that a server refuses.
 *
 * Set it as #RemoteImagePipeline:authorization, #RemoteImageView:authorization or
 * #RemoteImagePaintable:authorization. The signal #RemoteImageAuthorization::credential-needed asks
 * for a credential for each transfer to one of the origins, never for a cached image that is fresh.
 * If the server refuses the credential, with status 401, or with 403 and a `WWW-Authenticate`
 * header (RFC 9110 section 11.6.1), the signal asks once for a new one, for all transfers whose
 * credential was refused, and they are repeated with it. If the new credential is refused too, the
 * image fails with that status.
 *
 * Cached images belong to the account, in memory and on disk: another credential of the same
 * account finds them again, another account does not. The credential is never stored. A redirect to
 * another origin does not receive it.
 *
 * Set the properties before the authorization is used: setting them later logs a critical message
 * and has no effect. Authorizations are equal if account, origins and header name are equal; a
 * transfer that several of them share asks one of them.
 */
#define REMOTE_IMAGE_TYPE_AUTHORIZATION (remote_image_authorization_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageAuthorization, remote_image_authorization, REMOTE_IMAGE, AUTHORIZATION, GObject)

/**
 * remote_image_authorization_new:
 * @account: the name of the account, not empty
 *
 * Makes an authorization without origins. Set #RemoteImageAuthorization:origins, and connect to
 * #RemoteImageAuthorization::credential-needed.
 *
 * Returns: (transfer full): a new authorization
 */
RemoteImageAuthorization *remote_image_authorization_new(const char *account);

/**
 * RemoteImageAuthorization:account:
 *
 * The account, by a name that the program chooses. It is stored as a hash. Without a name, a
 * critical message is logged, and the requests to the origins fail.
 *
 * Default: %NULL.
 */

/**
 * remote_image_authorization_get_account:
 * @self: an authorization
 *
 * Gets #RemoteImageAuthorization:account.
 *
 * Returns: (transfer none) (nullable): the name of the account
 */
const char *remote_image_authorization_get_account(RemoteImageAuthorization *self);

/**
 * RemoteImageAuthorization:origins:
 *
 * The origins whose requests are authorized: scheme, host and port, such as `https://example.org`
 * or `https://media.example.org:8443`. The host `*.example.org` stands for all hosts below
 * `example.org`, without that host itself. Requests to other origins are sent without a credential,
 * and all accounts share their images. If one of the texts is not an origin, a critical message is
 * logged, and all requests fail with #REMOTE_IMAGE_ERROR_INVALID_URL.
 *
 * Default: empty.
 */

/**
 * remote_image_authorization_get_origins:
 * @self: an authorization
 *
 * Gets #RemoteImageAuthorization:origins.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): origins
 */
const char *const *remote_image_authorization_get_origins(RemoteImageAuthorization *self);

/**
 * remote_image_authorization_set_origins:
 * @self: an authorization
 * @origins: (nullable) (array zero-terminated=1): origins
 *
 * Sets #RemoteImageAuthorization:origins.
 */
void remote_image_authorization_set_origins(RemoteImageAuthorization *self, const char *const *origins);

/**
 * RemoteImageAuthorization:header-name:
 *
 * The request header of the credential, such as `X-Emby-Token`. A text that is not the name of a
 * header is not set, and a critical message is logged.
 *
 * Default: `Authorization`.
 */

/**
 * remote_image_authorization_get_header_name:
 * @self: an authorization
 *
 * Gets #RemoteImageAuthorization:header-name.
 *
 * Returns: (transfer none): the name of a header
 */
const char *remote_image_authorization_get_header_name(RemoteImageAuthorization *self);

/**
 * remote_image_authorization_set_header_name:
 * @self: an authorization
 * @header_name: the name of a header
 *
 * Sets #RemoteImageAuthorization:header-name.
 */
void remote_image_authorization_set_header_name(RemoteImageAuthorization *self, const char *header_name);

/**
 * RemoteImageAuthorization::credential-needed:
 * @self: the authorization
 * @request: the request, to be answered at once or later
 *
 * Emitted when a request needs a credential. Answer with
 * remote_image_credential_request_respond() or remote_image_credential_request_fail(), in the
 * handler or later; keep a reference to the request until then. Without a refusal, answer with the
 * credential at hand: the signal is emitted for each transfer. Without a handler, the requests fail
 * with #REMOTE_IMAGE_ERROR_SOURCE, and a warning is logged.
 */

G_END_DECLS
