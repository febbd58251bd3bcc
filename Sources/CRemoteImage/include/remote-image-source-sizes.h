// Sources of images that a server offers in several sizes.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-size-options.h"
#include "remote-image-source.h"

G_BEGIN_DECLS

/**
 * RemoteImageSizedFunc:
 * @pixels: the longer side of the image in pixels
 * @user_data: the data of the program
 *
 * Gets the address of an image in a size. The server may return another size.
 *
 * Returns: (transfer full) (nullable): the address, or %NULL if there is none; loads of this size
 *   fail then
 */
typedef char *(*RemoteImageSizedFunc)(int pixels, gpointer user_data);

/**
 * remote_image_source_new_sized:
 * @identity: a name for the image in all sizes; different images need different names
 * @options: (nullable): aspect-ratio and largest
 * @func: (scope call) (closure user_data): gets the address of a size
 * @user_data: for @func
 *
 * Makes a source for an image that a server offers in any size: the address is chosen for the
 * pixels that are drawn.
 *
 * So that caches hit, sizes grow in steps: 64 pixels, then 1.5 times the step before, rounded up,
 * and #RemoteImageSizeOptions:largest. @func is called before this function returns, once for each
 * step, in ascending order: 11 times by default. For addresses that expire, make a new source, or
 * use remote_image_byte_request_use_source().
 *
 * The smallest step that covers the drawn pixels is loaded. A larger step that is shown or cached
 * is used instead, so that a window that shrinks downloads nothing. A window that grows shows the
 * old image until the larger one is loaded. On a metered network the next smaller step is loaded,
 * and replaced when the network is no longer metered. A load without a size loads the largest step.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_sized(
    const char *identity, RemoteImageSizeOptions *options, RemoteImageSizedFunc func, gpointer user_data);

/**
 * remote_image_source_new_template:
 * @uri_template: an address with `{width}` or `{height}`, and perhaps `{dpr}`
 * @identity: (nullable): a name for the image in all sizes, or %NULL for the template, with the
 *   aspect ratio of @options if it has both sides
 * @options: (nullable): aspect-ratio, dpr and largest
 *
 * Makes a source for a server whose addresses contain a size, such as Nextcloud or Jellyfin; sizes
 * are chosen as with remote_image_source_new_sized(). With an aspect ratio `{width}` and `{height}`
 * have it; otherwise both are the longer side. Without either of them, loads fail with
 * #REMOTE_IMAGE_ERROR_INVALID_URL.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_template(
    const char *uri_template, const char *identity, RemoteImageSizeOptions *options);

/**
 * remote_image_source_new_thumbor:
 * @server: the address of a thumbor server
 * @key: (nullable): the security key, or %NULL for `unsafe` addresses
 * @path: the path or the address of the original, not percent-encoded
 * @options: (nullable): crop, aspect-ratio, filters and largest
 *
 * Makes a source for an image of a thumbor server, whose addresses are signed with HMAC-SHA1; sizes
 * are chosen as with remote_image_source_new_sized(). A path that is empty, has control characters
 * or a segment `.` or `..` fails with #REMOTE_IMAGE_ERROR_INVALID_URL.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_thumbor(
    const char *server, const char *key, const char *path, RemoteImageSizeOptions *options);

/**
 * remote_image_source_new_imgproxy:
 * @server: the address of an imgproxy server
 * @key: (nullable): the key in hexadecimal digits, or %NULL for unsigned addresses
 * @salt: (nullable): the salt in hexadecimal digits
 * @uri: the address of the original, as the server loads it
 * @options: (nullable): crop, aspect-ratio, format, dpr, plain-address and largest
 *
 * Makes a source for an image of an imgproxy server, whose addresses are signed with HMAC-SHA256;
 * sizes are chosen as with remote_image_source_new_sized(). A key or salt that is not hexadecimal
 * fails with #REMOTE_IMAGE_ERROR_SOURCE.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_imgproxy(
    const char *server, const char *key, const char *salt, const char *uri, RemoteImageSizeOptions *options);

/**
 * remote_image_source_new_iiif:
 * @uri: the address of the image: server, prefix and percent-encoded identifier
 * @options: (nullable): aspect-ratio, quality, format and largest
 *
 * Makes a source for an image of a server with the IIIF Image API 3.0, level 2; sizes are chosen as
 * with remote_image_source_new_sized(). For other servers, use
 * remote_image_pipeline_load_iiif_source_async().
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_iiif(const char *uri, RemoteImageSizeOptions *options);

/**
 * remote_image_source_new_matrix:
 * @server: the address of the homeserver of the user
 * @uri: an `mxc://` address; another one fails with #REMOTE_IMAGE_ERROR_INVALID_URL
 * @options: (nullable): crop, aspect-ratio and largest
 *
 * Makes a source for the thumbnails of a Matrix image, with authenticated media (client-server API
 * 1.11); sizes are chosen as with remote_image_source_new_sized(). The largest step is the
 * original.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_matrix(
    const char *server, const char *uri, RemoteImageSizeOptions *options);

/**
 * remote_image_source_new_matrix_original:
 * @server: the address of the homeserver of the user
 * @uri: an `mxc://` address; another one fails with #REMOTE_IMAGE_ERROR_INVALID_URL
 *
 * Makes a source for the original of a Matrix image.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_matrix_original(const char *server, const char *uri);

/**
 * remote_image_source_new_candidates:
 * @uris: (array zero-terminated=1): the addresses of one image in several sizes
 * @widths: (array length=n_widths): the width of each in pixels, at least 1
 * @n_widths: the number of addresses
 * @aspect_ratio: width divided by height of all of them, or 0 for 1.5
 *
 * Makes a source for one image in several sizes. The smallest one that covers the drawn pixels is
 * loaded, or else the largest. If the numbers of addresses and widths differ, or a width is less
 * than 1, the function logs a critical message and returns %NULL.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_candidates(
    const char *const *uris, const int *widths, gsize n_widths, double aspect_ratio);

/**
 * remote_image_source_new_srcset:
 * @srcset: the value of the attribute `srcset` of HTML
 * @src: (nullable): the value of `src`, which counts as `1x` if @srcset has neither that nor a
 *   width
 * @base_uri: (nullable): the address of the document, to which relative addresses refer
 * @layout_width: the width of a `1x` image in points, for example that of
 *   remote_image_source_get_sizes_width(), or 0 for 320; used for densities only
 * @aspect_ratio: width divided by height of the images, or 0 for 1.5
 *
 * Makes a source for the images of a `srcset`, from which the drawn pixels choose one. Invalid
 * images, relative addresses without a valid base, and all images after the first 1,000 are left
 * out. Without any image, loads fail.
 *
 * Returns: (transfer full): a new source
 */
RemoteImageSource *remote_image_source_new_srcset(
    const char *srcset, const char *src, const char *base_uri, double layout_width, double aspect_ratio);

/**
 * remote_image_source_get_sizes_width:
 * @sizes: the value of the attribute `sizes` of HTML
 * @viewport_width: the width of the viewport in points
 * @viewport_height: the height of the viewport in points
 *
 * Gets the width that `sizes` has for a viewport: that of the first entry that applies, or
 * @viewport_width. Conditions may be `min-width` and `max-width`; units `px`, `em`, `rem`, `vw` and
 * `vh`.
 *
 * Returns: the width in points
 */
double remote_image_source_get_sizes_width(const char *sizes, double viewport_width, double viewport_height);

G_END_DECLS
