// The filters of a pipeline: functions of the program that change requests and check responses.
#pragma once
#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
#include "remote-image-response.h"
#include "remote-image-transfer-request.h"
G_BEGIN_DECLS

/**
 * RemoteImageRequestFilter:
 * @request: a request, to be answered at once or later
 * @user_data: the data of the filter
 *
 * Changes a request before the disk cache is searched and the request is sent, for example to sign
 * its address. Called on the main thread, once for each load that the memory cache cannot serve,
 * also if a stored response is used, and again for each retry. Not called under
 * #REMOTE_IMAGE_CACHE_POLICY_STORED_ONLY. For tokens that expire, use #RemoteImageAuthorization.
 *
 * Answer with remote_image_transfer_request_proceed() or remote_image_transfer_request_fail(), in
 * the function or later; keep a reference to the request until then.
 */
typedef void (*RemoteImageRequestFilter)(RemoteImageTransferRequest *request, gpointer user_data);

/**
 * RemoteImageResponseFilter:
 * @response: a response
 * @user_data: the data of the filter
 * @error: place for the reason of a refusal
 *
 * Decides whether a response is an acceptable image. Called on the main thread for each complete
 * response with a success status, also from the disk cache.
 *
 * If the function returns %FALSE, the load fails with the message of @error, which views show, and
 * the response is not stored. Errors of the
 * domain #REMOTE_IMAGE_ERROR keep their code, except #REMOTE_IMAGE_ERROR_CANCELLED; network errors
 * of GIO get one, and may be retried; all others become #REMOTE_IMAGE_ERROR_SOURCE.
 *
 * Returns: %TRUE to accept the response, or %FALSE with an error
 */
typedef gboolean (*RemoteImageResponseFilter)(RemoteImageResponse *response, gpointer user_data, GError **error);

/**
 * remote_image_pipeline_set_request_filter:
 * @self: a pipeline
 * @name: the name of the filter
 * @account: (nullable): the account that the filter authenticates, an empty text for a filter that
 *   authenticates none, or %NULL if the account is unknown
 * @filter: (nullable) (scope notified) (closure user_data) (destroy destroy): the filter, or %NULL
 *   to remove it
 * @user_data: for @filter
 * @destroy: (nullable): called for @user_data on the main thread, after its last use
 *
 * Sets the filter of all requests of the pipeline, before its first use: setting it later logs a
 * critical message, and all loads from servers and the disk cache fail from then on.
 *
 * Cached images belong to @account: another token of the same account finds them again, another
 * account does not. All accounts share the images of an empty text. If the account is unknown,
 * requests share neither images in memory nor transfers, and a stored response is used only for a
 * request with the same address and headers.
 *
 * The pipeline releases @user_data at its end. If @user_data keeps the pipeline, call
 * g_object_run_dispose(): it releases @user_data, and loads that need the filter are cancelled.
 */
void remote_image_pipeline_set_request_filter(
    RemoteImagePipeline *self, const char *name, const char *account, RemoteImageRequestFilter filter,
    gpointer user_data, GDestroyNotify destroy);

/**
 * remote_image_pipeline_set_response_filter:
 * @self: a pipeline
 * @name: the name of the filter
 * @filter: (nullable) (scope notified) (closure user_data) (destroy destroy): the filter, or %NULL
 *   to remove it
 * @user_data: for @filter
 * @destroy: (nullable): called for @user_data on the main thread, after its last use
 *
 * Sets the filter of all responses of the pipeline, before its first use: setting it later logs a
 * critical message, and all loads from servers and the disk cache fail from then on. With a filter
 * of responses, resized images from the disk cache are not used.
 *
 * The pipeline releases @user_data at its end. If @user_data keeps the pipeline, call
 * g_object_run_dispose(): it releases @user_data, and loads that need the filter are cancelled.
 */
void remote_image_pipeline_set_response_filter(
    RemoteImagePipeline *self, const char *name, RemoteImageResponseFilter filter, gpointer user_data,
    GDestroyNotify destroy);

G_END_DECLS
