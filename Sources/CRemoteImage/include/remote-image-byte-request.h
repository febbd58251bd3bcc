// A request for the bytes of an image, which the program answers.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * RemoteImageByteRequest:
 *
 * A request for the bytes of an image, such as a decrypted attachment, a row of a database or a
 * file of a portal.
 *
 * Answer it on the main thread, in the #RemoteImageByteFunc or later: with
 * remote_image_byte_request_append() for each piece and remote_image_byte_request_finish() after
 * the last one, with remote_image_byte_request_send_stream(), with
 * remote_image_byte_request_use_source(), or with remote_image_byte_request_fail(). A call after
 * the end of the answer logs a critical message and has no effect. If the last reference to the
 * request is released before the end of the answer, the load fails with
 * #REMOTE_IMAGE_ERROR_SOURCE, and a warning is logged.
 *
 * When the image is no longer needed, for example because the last view that showed it is no longer
 * visible, the cancellable of the request is cancelled and all further answers are ignored. The
 * same happens when there are more bytes than #RemoteImagePipeline:max-body-size, and after
 * #RemoteImageView:timeout, by default #RemoteImagePipeline:timeout, which applies to the whole
 * answer.
 */
#define REMOTE_IMAGE_TYPE_BYTE_REQUEST (remote_image_byte_request_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageByteRequest, remote_image_byte_request, REMOTE_IMAGE, BYTE_REQUEST, GObject)

/**
 * RemoteImageByteFunc:
 * @request: a request; add a reference to answer it later
 * @user_data: the data of the program
 *
 * Answers a request for the bytes of an image, or begins to. Called on the main thread, once for
 * all views and other requests that want the image at the same time.
 */
typedef void (*RemoteImageByteFunc)(RemoteImageByteRequest *request, gpointer user_data);

/**
 * remote_image_byte_request_get_identity:
 * @self: a request
 *
 * Gets the identity of the source.
 *
 * Returns: (transfer none) (nullable): the identity, or %NULL if the library did not make @self
 */
const char *remote_image_byte_request_get_identity(RemoteImageByteRequest *self);

/**
 * remote_image_byte_request_get_cancellable:
 * @self: a request
 *
 * Gets a cancellable that is cancelled, on the main thread, when the answer is no longer needed.
 *
 * Returns: (transfer none) (nullable): the cancellable, or %NULL if the library did not make @self
 */
GCancellable *remote_image_byte_request_get_cancellable(RemoteImageByteRequest *self);

/**
 * remote_image_byte_request_set_length:
 * @self: a request
 * @length: the number of bytes of all pieces, or -1 if it is unknown, the default
 *
 * Announces the number of bytes, for the progress. Call it before the first bytes. If fewer bytes
 * follow, the load fails with #REMOTE_IMAGE_ERROR_INCOMPLETE; if more follow, with
 * #REMOTE_IMAGE_ERROR_SOURCE.
 */
void remote_image_byte_request_set_length(RemoteImageByteRequest *self, gint64 length);

/**
 * remote_image_byte_request_set_content_type:
 * @self: a request
 * @content_type: (nullable): a media type such as `image/jpeg`
 *
 * Announces the media type. Call it before the first bytes. The format of the image is recognized
 * from the bytes themselves.
 */
void remote_image_byte_request_set_content_type(RemoteImageByteRequest *self, const char *content_type);

/**
 * remote_image_byte_request_append:
 * @self: a request
 * @bytes: the next bytes; empty ones are allowed
 *
 * Adds a piece to the image. The bytes are copied.
 */
void remote_image_byte_request_append(RemoteImageByteRequest *self, GBytes *bytes);

/**
 * remote_image_byte_request_finish:
 * @self: a request
 *
 * Ends the answer after the last piece. An image without bytes fails with
 * #REMOTE_IMAGE_ERROR_EMPTY_BODY.
 */
void remote_image_byte_request_finish(RemoteImageByteRequest *self);

/**
 * remote_image_byte_request_send_stream:
 * @self: a request
 * @stream: the bytes of the image, or the rest of them after
 *   remote_image_byte_request_append()
 *
 * Reads a stream to its end without blocking, and ends the answer. If reading fails, the load
 * fails. The library keeps the request and the stream until then; the program must not read from
 * the stream. The stream is closed when its last reference is released.
 */
void remote_image_byte_request_send_stream(RemoteImageByteRequest *self, GInputStream *stream);

/**
 * remote_image_byte_request_fail:
 * @self: a request
 * @error: why there are no bytes, or no more bytes
 *
 * Ends the answer with an error. Errors of the domain #REMOTE_IMAGE_ERROR keep their code, except
 * #REMOTE_IMAGE_ERROR_CANCELLED; network errors of GIO get one; all others become
 * #REMOTE_IMAGE_ERROR_SOURCE. The message of @error is part of the error of the load and may be
 * logged: it must contain no secret.
 */
void remote_image_byte_request_fail(RemoteImageByteRequest *self, const GError *error);

G_END_DECLS
