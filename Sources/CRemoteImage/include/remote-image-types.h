// Enumerations and the error domain.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * RemoteImagePhase:
 * @REMOTE_IMAGE_PHASE_EMPTY: No image is requested or shown
 * @REMOTE_IMAGE_PHASE_LOADING: The image is loading
 * @REMOTE_IMAGE_PHASE_SUCCESS: The image is shown
 * @REMOTE_IMAGE_PHASE_FAILURE: The load failed, and there is no image to show
 *
 * The state of an image.
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
 * @REMOTE_IMAGE_LOAD_IMMEDIATELY: load as soon as the view has an address, visible or not
 * @REMOTE_IMAGE_LOAD_ON_APPEAR: load when the view becomes visible
 * @REMOTE_IMAGE_LOAD_CANCEL_ON_DISAPPEAR: cancel a running load when the view is no longer visible
 * @REMOTE_IMAGE_LOAD_LOWER_PRIORITY_ON_DISAPPEAR: continue a running load at the lowest priority
 *   when the view is no longer visible
 *
 * When a view loads its image, and how a running load continues when the view is no longer visible.
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
 * @REMOTE_IMAGE_CACHE_POLICY_HTTP: use a stored image by the rules of HTTP (RFC 9111)
 * @REMOTE_IMAGE_CACHE_POLICY_STORED: use a stored image of any age, else load; fail with
 *   #REMOTE_IMAGE_ERROR_NOT_STORED at once if the server cannot be reached
 * @REMOTE_IMAGE_CACHE_POLICY_STORED_ONLY: use a stored image, else fail with
 *   #REMOTE_IMAGE_ERROR_NOT_STORED; never load
 * @REMOTE_IMAGE_CACHE_POLICY_RELOAD: load, then store
 * @REMOTE_IMAGE_CACHE_POLICY_NO_STORE: load, and do not store the response
 * @REMOTE_IMAGE_CACHE_POLICY_REVALIDATE: validate a stored image with the server, unless it is
 *   both fresh and `immutable` (RFC 8246)
 *
 * Whether a stored image may be used, and whether the response is stored.
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
 * @REMOTE_IMAGE_ISOLATION_PREFERRED: if `remote-image-decoder` is installed; else decode in the
 *   calling process
 * @REMOTE_IMAGE_ISOLATION_REQUIRED: always; images fail with #REMOTE_IMAGE_ERROR_IO if that is not
 *   possible
 * @REMOTE_IMAGE_ISOLATION_NONE: never
 *
 * Whether images are decoded in a separate process, `remote-image-decoder`. It can open neither
 * files nor connections, so that an image that exploits a decoder affects nothing else. If the
 * program is installed but fails, the image fails.
 */
typedef enum {
    REMOTE_IMAGE_ISOLATION_PREFERRED = 0,
    REMOTE_IMAGE_ISOLATION_REQUIRED,
    REMOTE_IMAGE_ISOLATION_NONE,
} RemoteImageIsolation;

#define REMOTE_IMAGE_TYPE_ISOLATION (remote_image_isolation_get_type())
GType remote_image_isolation_get_type(void) G_GNUC_CONST;

/**
 * RemoteImageServerCrop:
 * @REMOTE_IMAGE_SERVER_CROP_NONE: the whole image
 * @REMOTE_IMAGE_SERVER_CROP_CENTER: the largest part of an aspect ratio around the center
 * @REMOTE_IMAGE_SERVER_CROP_SMART: the largest part of an aspect ratio, which the server positions
 *   around what it detects, such as a face
 *
 * The part of an image that an image service returns.
 */
typedef enum {
    REMOTE_IMAGE_SERVER_CROP_NONE = 0,
    REMOTE_IMAGE_SERVER_CROP_CENTER,
    REMOTE_IMAGE_SERVER_CROP_SMART,
} RemoteImageServerCrop;

#define REMOTE_IMAGE_TYPE_SERVER_CROP (remote_image_server_crop_get_type())
GType remote_image_server_crop_get_type(void) G_GNUC_CONST;

/**
 * RemoteImagePriority:
 * @REMOTE_IMAGE_PRIORITY_VERY_LOW: after all other loads except prefetches
 * @REMOTE_IMAGE_PRIORITY_LOW: after normal priority
 * @REMOTE_IMAGE_PRIORITY_NORMAL: the default
 * @REMOTE_IMAGE_PRIORITY_HIGH: before normal priority
 * @REMOTE_IMAGE_PRIORITY_VERY_HIGH: before all other loads except those of visible views
 *
 * The priority of an image among the waiting loads.
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
 * @REMOTE_IMAGE_CONTENT_FIT_FILL: fill the whole area, without keeping the aspect ratio
 * @REMOTE_IMAGE_CONTENT_FIT_CONTAIN: show the whole image and keep its aspect ratio
 * @REMOTE_IMAGE_CONTENT_FIT_COVER: fill the whole area and keep the aspect ratio; the excess is
 *   clipped
 * @REMOTE_IMAGE_CONTENT_FIT_SCALE_DOWN: like #REMOTE_IMAGE_CONTENT_FIT_CONTAIN, but never larger
 *   than the image
 *
 * How an image is fitted into the area of the view. In C, it is another name of #GtkContentFit.
 *
 * Deprecated: 1.0: Use #GtkContentFit, whose values are equal. Vala still needs this one, since the
 *   bindings for GTK 4.6 lack the other.
 */
#ifdef __GI_SCANNER__
typedef enum {
    REMOTE_IMAGE_CONTENT_FIT_FILL = 0,
    REMOTE_IMAGE_CONTENT_FIT_CONTAIN,
    REMOTE_IMAGE_CONTENT_FIT_COVER,
    REMOTE_IMAGE_CONTENT_FIT_SCALE_DOWN,
} RemoteImageContentFit;
#else
typedef GtkContentFit RemoteImageContentFit;
#define REMOTE_IMAGE_CONTENT_FIT_FILL GTK_CONTENT_FIT_FILL
#define REMOTE_IMAGE_CONTENT_FIT_CONTAIN GTK_CONTENT_FIT_CONTAIN
#define REMOTE_IMAGE_CONTENT_FIT_COVER GTK_CONTENT_FIT_COVER
#define REMOTE_IMAGE_CONTENT_FIT_SCALE_DOWN GTK_CONTENT_FIT_SCALE_DOWN
#endif

#define REMOTE_IMAGE_TYPE_CONTENT_FIT (remote_image_content_fit_get_type())
GType remote_image_content_fit_get_type(void) G_GNUC_CONST;

/**
 * REMOTE_IMAGE_ERROR:
 *
 * The error domain of this library.
 */
#define REMOTE_IMAGE_ERROR (remote_image_error_quark())

/**
 * RemoteImageError:
 * @REMOTE_IMAGE_ERROR_INVALID_URL: the address is not a valid URL
 * @REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME: the scheme of the address or of a redirect is not allowed
 * @REMOTE_IMAGE_ERROR_FORBIDDEN_ADDRESS: the address is in a private network, and the pipeline
 *   blocks private networks
 * @REMOTE_IMAGE_ERROR_CONNECTION: the server could not be reached
 * @REMOTE_IMAGE_ERROR_TIMEOUT: the load took longer than allowed
 * @REMOTE_IMAGE_ERROR_TLS: no trusted TLS connection could be made
 * @REMOTE_IMAGE_ERROR_TOO_MANY_REDIRECTS: more redirects than allowed
 * @REMOTE_IMAGE_ERROR_PROTOCOL: the response violates HTTP
 * @REMOTE_IMAGE_ERROR_INCOMPLETE: the response ended before its announced length
 * @REMOTE_IMAGE_ERROR_TOO_LARGE: the response is larger than the limit
 * @REMOTE_IMAGE_ERROR_HTTP_STATUS: the status of the response is not 2xx
 * @REMOTE_IMAGE_ERROR_EMPTY_BODY: the response has an empty body
 * @REMOTE_IMAGE_ERROR_ENCODING: the content encoding of the response is unknown or invalid
 * @REMOTE_IMAGE_ERROR_NOT_AN_IMAGE: the bytes are of no known image format
 * @REMOTE_IMAGE_ERROR_UNSUPPORTED_FORMAT: an image format for which no decoder is installed or
 *   allowed
 * @REMOTE_IMAGE_ERROR_CORRUPT: the decoder could not read the image
 * @REMOTE_IMAGE_ERROR_TOO_MANY_PIXELS: the image has more pixels, or a longer side, than the limit
 * @REMOTE_IMAGE_ERROR_DECODE_TIMEOUT: decoding took longer than allowed
 * @REMOTE_IMAGE_ERROR_PROCESSING: a processor failed
 * @REMOTE_IMAGE_ERROR_SOURCE: a custom image source of the program failed
 * @REMOTE_IMAGE_ERROR_NOT_STORED: there is no stored image, and the cache policy forbids loading or
 *   the server could not be reached
 * @REMOTE_IMAGE_ERROR_CANCELLED: the request was cancelled
 * @REMOTE_IMAGE_ERROR_IO: reading or writing a file failed, or the decoder process cannot be used
 *
 * The reason of a failed load. The message of the `GError` is a localized sentence for users.
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

/**
 * remote_image_error_quark:
 *
 * Gets the error domain of this library, %REMOTE_IMAGE_ERROR.
 *
 * Returns: the quark `remote-image-error-quark`
 */
GQuark remote_image_error_quark(void) G_GNUC_CONST;

/**
 * remote_image_error_get_status:
 * @error: an error of the domain #REMOTE_IMAGE_ERROR
 *
 * Gets the HTTP status of the response that caused an error. Bindings that copy an error lose it,
 * as PyGObject does: there, use the property `status` of the view, paintable or widget image.
 *
 * Returns: the status, or 0 without a response
 */
int remote_image_error_get_status(const GError *error);

G_END_DECLS
