// Accounts: the authorizations of pipelines, views and paintables, and the removal of images.
#pragma once
#include <gtk/gtk.h>
#include "remote-image-authorization.h"
#include "remote-image-paintable.h"
#include "remote-image-pipeline.h"
#include "remote-image-view.h"
G_BEGIN_DECLS

/**
 * RemoteImagePipeline:authorization:
 *
 * The authorization of all requests to its origins. The authorization of a view or a paintable
 * replaces it.
 *
 * Default: %NULL.
 */

/**
 * remote_image_pipeline_get_authorization:
 * @self: a pipeline
 *
 * Gets #RemoteImagePipeline:authorization.
 *
 * Returns: (transfer none) (nullable): an authorization
 */
RemoteImageAuthorization *remote_image_pipeline_get_authorization(RemoteImagePipeline *self);

/**
 * remote_image_pipeline_set_authorization:
 * @self: a pipeline
 * @authorization: (nullable): an authorization
 *
 * Sets #RemoteImagePipeline:authorization.
 */
void remote_image_pipeline_set_authorization(RemoteImagePipeline *self, RemoteImageAuthorization *authorization);

/**
 * RemoteImageView:authorization:
 *
 * The authorization of this image, in place of #RemoteImagePipeline:authorization. Setting the
 * authorization of another account loads the image of that account.
 *
 * Default: %NULL.
 */

/**
 * remote_image_view_get_authorization:
 * @self: a view
 *
 * Gets #RemoteImageView:authorization.
 *
 * Returns: (transfer none) (nullable): an authorization
 */
RemoteImageAuthorization *remote_image_view_get_authorization(RemoteImageView *self);

/**
 * remote_image_view_set_authorization:
 * @self: a view
 * @authorization: (nullable): an authorization
 *
 * Sets #RemoteImageView:authorization.
 */
void remote_image_view_set_authorization(RemoteImageView *self, RemoteImageAuthorization *authorization);

/**
 * RemoteImagePaintable:authorization:
 *
 * The authorization of this image, in place of #RemoteImagePipeline:authorization. Setting the
 * authorization of another account loads the image of that account.
 *
 * Default: %NULL.
 */

/**
 * remote_image_paintable_get_authorization:
 * @self: a paintable
 *
 * Gets #RemoteImagePaintable:authorization.
 *
 * Returns: (transfer none) (nullable): an authorization
 */
RemoteImageAuthorization *remote_image_paintable_get_authorization(RemoteImagePaintable *self);

/**
 * remote_image_paintable_set_authorization:
 * @self: a paintable
 * @authorization: (nullable): an authorization
 *
 * Sets #RemoteImagePaintable:authorization.
 */
void remote_image_paintable_set_authorization(RemoteImagePaintable *self, RemoteImageAuthorization *authorization);

/**
 * remote_image_pipeline_remove_account_async:
 * @self: a pipeline
 * @account: the name of an account, as in #RemoteImageAuthorization:account
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Removes all images of an account from the memory cache and from disk, for example after the user
 * has signed out. Images of other accounts stay. Running loads of the account are cancelled, and
 * their responses are not stored. A view that belongs to the account keeps the image that it shows,
 * and may load it again: change its authorization first.
 */
void remote_image_pipeline_remove_account_async(
    RemoteImagePipeline *self, const char *account, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_remove_account_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_remove_account_async().
 *
 * Returns: %TRUE, or %FALSE with an error
 */
gboolean remote_image_pipeline_remove_account_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

/**
 * remote_image_pipeline_remove_identity_async:
 * @self: a pipeline
 * @identity: an identity, as in #RemoteImageView:identity, or an address
 * @cancellable: (nullable): ends the call with %G_IO_ERROR_CANCELLED
 * @callback: (nullable) (scope async) (closure user_data): called when it is done
 * @user_data: for @callback
 *
 * Removes all images with an identity from the memory cache and from disk, for all accounts.
 */
void remote_image_pipeline_remove_identity_async(
    RemoteImagePipeline *self, const char *identity, GCancellable *cancellable, GAsyncReadyCallback callback,
    gpointer user_data);

/**
 * remote_image_pipeline_remove_identity_finish:
 * @self: a pipeline
 * @result: the result that was passed to @callback
 *
 * Ends remote_image_pipeline_remove_identity_async().
 *
 * Returns: %TRUE, or %FALSE with an error
 */
gboolean remote_image_pipeline_remove_identity_finish(RemoteImagePipeline *self, GAsyncResult *result, GError **error);

G_END_DECLS
