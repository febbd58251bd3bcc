// Enumerations and the error domain.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * RemoteImagePhase:
 * @REMOTE_IMAGE_PHASE_EMPTY: Nothing is asked for, nothing is shown
 * @REMOTE_IMAGE_PHASE_LOADING: The image is on its way
 * @REMOTE_IMAGE_PHASE_SUCCESS: The image is shown
 * @REMOTE_IMAGE_PHASE_FAILURE: There is no image, and the error says why
 *
 * Where the life of an image stands.
 */
typedef enum {
    REMOTE_IMAGE_PHASE_EMPTY = 0,
    REMOTE_IMAGE_PHASE_LOADING,
    REMOTE_IMAGE_PHASE_SUCCESS,
    REMOTE_IMAGE_PHASE_FAILURE,
} RemoteImagePhase;

#define REMOTE_IMAGE_TYPE_PHASE (remote_image_phase_get_type())
GType remote_image_phase_get_type(void) G_GNUC_CONST;

/**
 * RemoteImageLoadOptions:
 * @REMOTE_IMAGE_LOAD_IMMEDIATELY: as soon as there is an address, visible or not
 * @REMOTE_IMAGE_LOAD_ON_APPEAR: when the view comes into sight
 * @REMOTE_IMAGE_LOAD_CANCEL_ON_DISAPPEAR: a load under way is cancelled when the view goes out of sight
 * @REMOTE_IMAGE_LOAD_LOWER_PRIORITY_ON_DISAPPEAR: a load under way goes on at the lowest priority when the view
 *   goes out of sight
 *
 * When a view loads its image, and what becomes of the load when the view goes out of sight.
 */
typedef enum {
    REMOTE_IMAGE_LOAD_IMMEDIATELY = 1 << 0,
    REMOTE_IMAGE_LOAD_ON_APPEAR = 1 << 1,
    REMOTE_IMAGE_LOAD_CANCEL_ON_DISAPPEAR = 1 << 2,
    REMOTE_IMAGE_LOAD_LOWER_PRIORITY_ON_DISAPPEAR = 1 << 3,
} RemoteImageLoadOptions;

#define REMOTE_IMAGE_TYPE_LOAD_OPTIONS (remote_image_load_options_get_type())
GType remote_image_load_options_get_type(void) G_GNUC_CONST;

/**
 * RemoteImageCachePolicy:
 * @REMOTE_IMAGE_CACHE_POLICY_HTTP: a stored image while it is fresh, as HTTP says (RFC 9111)
 * @REMOTE_IMAGE_CACHE_POLICY_STORED: a stored image whatever its age, else load; #REMOTE_IMAGE_ERROR_NOT_STORED at
 *   once where the server cannot be reached
 * @REMOTE_IMAGE_CACHE_POLICY_STORED_ONLY: a stored image or #REMOTE_IMAGE_ERROR_NOT_STORED; never load
 * @REMOTE_IMAGE_CACHE_POLICY_RELOAD: load, then store
 * @REMOTE_IMAGE_CACHE_POLICY_NO_STORE: load, and store nothing
 * @REMOTE_IMAGE_CACHE_POLICY_REVALIDATE: ask the server whether what is stored still holds, even if it is fresh
 *
 * Whether a stored image may answer, and whether the answer is stored.
 */
typedef enum {
    REMOTE_IMAGE_CACHE_POLICY_HTTP = 0,
    REMOTE_IMAGE_CACHE_POLICY_STORED,
    REMOTE_IMAGE_CACHE_POLICY_STORED_ONLY,
    REMOTE_IMAGE_CACHE_POLICY_RELOAD,
    REMOTE_IMAGE_CACHE_POLICY_NO_STORE,
    REMOTE_IMAGE_CACHE_POLICY_REVALIDATE,
} RemoteImageCachePolicy;

#define REMOTE_IMAGE_TYPE_CACHE_POLICY (remote_image_cache_policy_get_type())
GType remote_image_cache_policy_get_type(void) G_GNUC_CONST;

/**
 * RemoteImageIsolation:
 * @REMOTE_IMAGE_ISOLATION_PREFERRED: wherever `remote-image-decoder` is installed, else in the process of the program
 * @REMOTE_IMAGE_ISOLATION_REQUIRED: always; an image fails with #REMOTE_IMAGE_ERROR_IO where that is not possible
 * @REMOTE_IMAGE_ISOLATION_NONE: never
 *
 * Whether images are decoded in a process of their own, `remote-image-decoder`, that can open no file and no connection, so
 * that a file made to break a decoder breaks nothing else. A program that is installed and fails is an error.
 */
typedef enum {
    REMOTE_IMAGE_ISOLATION_PREFERRED = 0,
    REMOTE_IMAGE_ISOLATION_REQUIRED,
    REMOTE_IMAGE_ISOLATION_NONE,
} RemoteImageIsolation;

#define REMOTE_IMAGE_TYPE_ISOLATION (remote_image_isolation_get_type())
GType remote_image_isolation_get_type(void) G_GNUC_CONST;

/**
 * RemoteImagePriority:
 * @REMOTE_IMAGE_PRIORITY_VERY_LOW: after everything else
 * @REMOTE_IMAGE_PRIORITY_LOW: after what is normal
 * @REMOTE_IMAGE_PRIORITY_NORMAL: the default
 * @REMOTE_IMAGE_PRIORITY_HIGH: before what is normal
 * @REMOTE_IMAGE_PRIORITY_VERY_HIGH: before everything that is not on screen
 *
 * How urgent an image is, among those that wait.
 */
typedef enum {
    REMOTE_IMAGE_PRIORITY_VERY_LOW = -2,
    REMOTE_IMAGE_PRIORITY_LOW = -1,
    REMOTE_IMAGE_PRIORITY_NORMAL = 0,
    REMOTE_IMAGE_PRIORITY_HIGH = 1,
    REMOTE_IMAGE_PRIORITY_VERY_HIGH = 2,
} RemoteImagePriority;

#define REMOTE_IMAGE_TYPE_PRIORITY (remote_image_priority_get_type())
GType remote_image_priority_get_type(void) G_GNUC_CONST;

/**
 * RemoteImageContentFit:
 * @REMOTE_IMAGE_CONTENT_FIT_FILL: the whole place is filled, the shape is not kept
 * @REMOTE_IMAGE_CONTENT_FIT_CONTAIN: the whole image, in its own shape
 * @REMOTE_IMAGE_CONTENT_FIT_COVER: the whole place is filled; what is over is cut off
 * @REMOTE_IMAGE_CONTENT_FIT_SCALE_DOWN: as #REMOTE_IMAGE_CONTENT_FIT_CONTAIN, and never larger than the image
 *
 * How an image is brought into its place. The values are those of `GtkContentFit`, which bindings for GTK 4.6
 * lack.
 */
typedef enum {
    REMOTE_IMAGE_CONTENT_FIT_FILL = 0,
    REMOTE_IMAGE_CONTENT_FIT_CONTAIN,
    REMOTE_IMAGE_CONTENT_FIT_COVER,
    REMOTE_IMAGE_CONTENT_FIT_SCALE_DOWN,
} RemoteImageContentFit;

#define REMOTE_IMAGE_TYPE_CONTENT_FIT (remote_image_content_fit_get_type())
GType remote_image_content_fit_get_type(void) G_GNUC_CONST;

/**
 * REMOTE_IMAGE_ERROR:
 *
 * The domain of the errors of this library.
 */
#define REMOTE_IMAGE_ERROR (remote_image_error_quark())

/**
 * RemoteImageError:
 * @REMOTE_IMAGE_ERROR_INVALID_URL: the text is no address
 * @REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME: an address, or a redirect, of a scheme that is not allowed
 * @REMOTE_IMAGE_ERROR_FORBIDDEN_ADDRESS: the address leads into a network that the program closed off
 * @REMOTE_IMAGE_ERROR_CONNECTION: the server could not be reached
 * @REMOTE_IMAGE_ERROR_TIMEOUT: it took longer than allowed
 * @REMOTE_IMAGE_ERROR_TLS: no trustworthy connection
 * @REMOTE_IMAGE_ERROR_TOO_MANY_REDIRECTS: more redirects than allowed
 * @REMOTE_IMAGE_ERROR_PROTOCOL: the answer was not HTTP
 * @REMOTE_IMAGE_ERROR_INCOMPLETE: the answer ended before its announced length
 * @REMOTE_IMAGE_ERROR_TOO_LARGE: the answer is larger than the limit
 * @REMOTE_IMAGE_ERROR_HTTP_STATUS: the server answered with another status than 2xx
 * @REMOTE_IMAGE_ERROR_EMPTY_BODY: the answer has no bytes
 * @REMOTE_IMAGE_ERROR_ENCODING: the content coding of the answer is unknown or broken
 * @REMOTE_IMAGE_ERROR_NOT_AN_IMAGE: the bytes are of no known image format
 * @REMOTE_IMAGE_ERROR_UNSUPPORTED_FORMAT: an image format for which no decoder is installed or allowed
 * @REMOTE_IMAGE_ERROR_CORRUPT: the decoder could not read the image
 * @REMOTE_IMAGE_ERROR_TOO_MANY_PIXELS: the image has more pixels, or a longer side, than the limit
 * @REMOTE_IMAGE_ERROR_DECODE_TIMEOUT: decoding took longer than allowed
 * @REMOTE_IMAGE_ERROR_PROCESSING: a processor failed
 * @REMOTE_IMAGE_ERROR_SOURCE: a source of the program’s own failed
 * @REMOTE_IMAGE_ERROR_NOT_STORED: there is no stored copy, and only such a one was allowed or the server could not be reached
 * @REMOTE_IMAGE_ERROR_CANCELLED: the request was cancelled
 * @REMOTE_IMAGE_ERROR_IO: reading or writing a file failed
 *
 * Why there is no image. The message of the `GError` is a sentence for people in their language.
 */
typedef enum {
    REMOTE_IMAGE_ERROR_INVALID_URL = 0,
    REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME,
    REMOTE_IMAGE_ERROR_FORBIDDEN_ADDRESS,
    REMOTE_IMAGE_ERROR_CONNECTION,
    REMOTE_IMAGE_ERROR_TIMEOUT,
    REMOTE_IMAGE_ERROR_TLS,
    REMOTE_IMAGE_ERROR_TOO_MANY_REDIRECTS,
    REMOTE_IMAGE_ERROR_PROTOCOL,
    REMOTE_IMAGE_ERROR_INCOMPLETE,
    REMOTE_IMAGE_ERROR_TOO_LARGE,
    REMOTE_IMAGE_ERROR_HTTP_STATUS,
    REMOTE_IMAGE_ERROR_EMPTY_BODY,
    REMOTE_IMAGE_ERROR_ENCODING,
    REMOTE_IMAGE_ERROR_NOT_AN_IMAGE,
    REMOTE_IMAGE_ERROR_UNSUPPORTED_FORMAT,
    REMOTE_IMAGE_ERROR_CORRUPT,
    REMOTE_IMAGE_ERROR_TOO_MANY_PIXELS,
    REMOTE_IMAGE_ERROR_DECODE_TIMEOUT,
    REMOTE_IMAGE_ERROR_PROCESSING,
    REMOTE_IMAGE_ERROR_SOURCE,
    REMOTE_IMAGE_ERROR_NOT_STORED,
    REMOTE_IMAGE_ERROR_CANCELLED,
    REMOTE_IMAGE_ERROR_IO,
} RemoteImageError;

#define REMOTE_IMAGE_TYPE_ERROR (remote_image_error_get_type())
GType remote_image_error_get_type(void) G_GNUC_CONST;

GQuark remote_image_error_quark(void) G_GNUC_CONST;

G_END_DECLS
