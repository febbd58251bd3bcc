// What the sources of image services have in common.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-types.h"

G_BEGIN_DECLS

/**
 * RemoteImageSizeOptions:
 *
 * The options of a source that has its image in any size. Each source uses those that its
 * constructor names and ignores the others; it copies them, so that later changes have no effect.
 *
 * In C, create it with g_object_new() and its properties. The constructors of sources also accept
 * %NULL for the defaults.
 */
#define REMOTE_IMAGE_TYPE_SIZE_OPTIONS (remote_image_size_options_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageSizeOptions, remote_image_size_options, REMOTE_IMAGE, SIZE_OPTIONS, GObject)

/**
 * remote_image_size_options_new:
 *
 * Makes options with default values.
 *
 * Returns: (transfer full): new options
 */
RemoteImageSizeOptions *remote_image_size_options_new(void);

/**
 * RemoteImageSizeOptions:crop:
 *
 * The part of the image that the server returns. A part has
 * #RemoteImageSizeOptions:aspect-ratio, or is square if that is 0.
 *
 * Default: #REMOTE_IMAGE_SERVER_CROP_NONE.
 */

/**
 * RemoteImageSizeOptions:aspect-ratio:
 *
 * Width divided by height of the image that the server returns, at most 1,000; 0 if it is unknown.
 * Without it, an image that fills its box (%GTK_CONTENT_FIT_COVER) is loaded with 1.5
 * times the pixels of the longer side of the box.
 *
 * Default: 0.
 */

/**
 * RemoteImageSizeOptions:largest:
 *
 * The longer side of the largest size in pixels, at most 65,535; 0 stands for the default of the
 * source: 1,641 for Matrix, else 3,693.
 *
 * Default: 0.
 */

/**
 * RemoteImageSizeOptions:dpr:
 *
 * The pixels per point that the server receives, from 1 to 100. Sizes in the address are divided by
 * it, so that the number of pixels does not depend on it, apart from rounding.
 *
 * Default: 1.
 */

/**
 * RemoteImageSizeOptions:format:
 *
 * The format that the server returns, such as `webp`.
 *
 * Default: %NULL, the choice of the server for imgproxy, `jpg` for IIIF.
 */

/**
 * RemoteImageSizeOptions:quality:
 *
 * The quality of IIIF: `default`, `color`, `gray` or `bitonal`.
 *
 * Default: %NULL, `default`.
 */

/**
 * RemoteImageSizeOptions:filters:
 *
 * The filters of thumbor in order, such as `format(webp)` and `quality(80)`.
 *
 * Default: %NULL.
 */

/**
 * RemoteImageSizeOptions:plain-address:
 *
 * Whether imgproxy receives the address of the original percent-encoded instead of in Base64.
 *
 * Default: %FALSE.
 */

G_END_DECLS
