// The paintable: its previews and its processor, and the limits of its loads.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-paintable.h"
#include "remote-image-preview.h"
#include "remote-image-processor.h"

G_BEGIN_DECLS

/**
 * RemoteImagePaintable:thumb-hash:
 *
 * A ThumbHash in Base64: a blurred preview that is drawn until a better preview or the image is
 * loaded. An invalid ThumbHash draws no preview, and a warning is logged.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:blur-hash:
 *
 * A BlurHash: a blurred preview that is drawn until a better preview or the image is loaded. Its
 * aspect ratio is #RemoteImagePaintable:aspect-ratio, else 1. #RemoteImagePaintable:thumb-hash
 * takes precedence. An invalid BlurHash draws no preview, and a warning is logged.
 *
 * Default: %NULL.
 */

/**
 * RemoteImagePaintable:previews:
 *
 * The previews that are drawn while the image is received. If several requests share a transfer,
 * the previews of the first one apply.
 *
 * Default: none.
 */

/**
 * RemoteImagePaintable:aspect-ratio:
 *
 * The width of the image divided by its height, from 0 to 10,000, if the program knows it before
 * the image is loaded: the aspect ratio of #RemoteImagePaintable:blur-hash. 0 stands for an unknown
 * aspect ratio.
 *
 * Default: 0.
 */

/**
 * RemoteImagePaintable:processor:
 *
 * Changes the pixels of the decoded image, for example its colors. Requests with equal processors
 * share the processed image. A change processes the image again.
 *
 * Default: %NULL, the image as it is.
 */

/**
 * RemoteImagePaintable:image-scale:
 *
 * The pixels of the image per point, from 0.1 to 100: 2 for an image that is made for screens of
 * twice the resolution, which is laid out at half its size in pixels.
 *
 * Default: 1.
 */

/**
 * RemoteImagePaintable:expiry:
 *
 * The age in seconds from which a stored image is not used, in addition to the limits of
 * #RemoteImagePaintable:cache-policy. It counts from the time at which the response was received or
 * last validated. An expired image in memory is drawn while the server is asked; an expired image
 * on disk is used if the server cannot be reached.
 *
 * Default: -1, no limit.
 */

/**
 * RemoteImagePaintable:show-stored-while-loading:
 *
 * Whether a stored image is drawn at once, whatever its age, and replaced if the server has a newer
 * one. It applies to #REMOTE_IMAGE_CACHE_POLICY_HTTP.
 *
 * Default: %FALSE.
 */

/**
 * RemoteImagePaintable:timeout:
 *
 * The maximum duration of each transfer of the image in seconds, from 0 to 86,400; a longer one
 * fails with #REMOTE_IMAGE_ERROR_TIMEOUT.
 *
 * Default: 0, that of #RemoteImagePipeline:timeout.
 */

/**
 * RemoteImagePaintable:max-retries:
 *
 * The maximum number of retries of a failed transfer, up to 100: after connection failures,
 * incomplete responses and the statuses 408, 429 and 5xx. The delay is half a second before the
 * first retry and doubles with each further one, up to 30 seconds; each is shortened at random by
 * up to half. `Retry-After` replaces it; if that is longer than 30 seconds, the transfer is not
 * retried.
 *
 * Default: -1, that of the pipeline: 2.
 */

/**
 * RemoteImagePaintable:wait-for-network:
 *
 * Whether a retry after a failed connection waits until the network is connected again.
 *
 * Default: %FALSE.
 */

/**
 * RemoteImagePaintable:release-delay:
 *
 * How long the widgets to which the paintable is bound must be invisible before it releases its
 * image, in milliseconds, from 0 to 3,600,000; the limit of the memory cache then applies. While
 * memory is low, the image is released at once. -1 keeps it. A paintable that is not bound, or that
 * something else draws, too, keeps its image.
 *
 * The paintable keeps its size and its phase; #RemoteImagePaintable:texture is %NULL. When one of
 * the widgets comes back, an image in the memory cache is drawn in the same frame; any other image
 * is loaded again.
 *
 * Default: 5,000.
 */

/**
 * RemoteImagePaintable:animated:
 *
 * Whether the image is an animation in #REMOTE_IMAGE_PHASE_SUCCESS; else %FALSE. It plays while a
 * widget that draws the paintable is visible.
 *
 * Read-only.
 */

G_END_DECLS
