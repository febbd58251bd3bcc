// The previews of an image while it is received.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * RemoteImagePreviewOptions:
 * @REMOTE_IMAGE_PREVIEW_EMBEDDED_THUMBNAIL: the thumbnail that cameras store at the start of a JPEG
 * @REMOTE_IMAGE_PREVIEW_PROGRESSIVE: a progressive JPEG after each of its scans, and a JPEG XL each
 *   time the received bytes have grown by half; at most five previews a second
 *
 * The previews of an image while it is received. A preview never replaces the finished image and is
 * not cached.
 */
typedef enum {
    REMOTE_IMAGE_PREVIEW_EMBEDDED_THUMBNAIL = 1 << 0,
    REMOTE_IMAGE_PREVIEW_PROGRESSIVE = 1 << 1,
} RemoteImagePreviewOptions;

#define REMOTE_IMAGE_TYPE_PREVIEW_OPTIONS (remote_image_preview_options_get_type())
GType remote_image_preview_options_get_type(void) G_GNUC_CONST;

G_END_DECLS
