// Processors, which change the pixels of images.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-types.h"

G_BEGIN_DECLS

/**
 * RemoteImageProcessor:
 *
 * Changes the pixels of a decoded image: its size, its shape or its colors. Processors run on
 * threads of the library. A processor does not change after its creation, and may be used for any
 * number of images. Set it as #RemoteImageView:processor or #RemoteImagePaintable:processor.
 *
 * Lengths are in pixels of the decoded image. A view decodes its image for the size at which it is
 * drawn, times the scale of the screen; #RemoteImageView:max-pixel-size limits it. To round the
 * corners of a view at any size, use #RemoteImageView:corner-radius.
 *
 * A constructor that receives an invalid value returns %NULL, and a critical message is logged. A
 * processor that fails makes the load fail with #REMOTE_IMAGE_ERROR_PROCESSING.
 */
#define REMOTE_IMAGE_TYPE_PROCESSOR (remote_image_processor_get_type())
G_DECLARE_FINAL_TYPE(RemoteImageProcessor, remote_image_processor, REMOTE_IMAGE, PROCESSOR, GObject)

/**
 * remote_image_processor_new_resize:
 * @width: pixels, from 1 to 32,767
 * @height: pixels, from 1 to 32,767
 * @fit: how the image is fitted into the size; with %GTK_CONTENT_FIT_COVER, the excess is
 *   cropped
 * @enlarge: whether smaller images are enlarged, except with %GTK_CONTENT_FIT_SCALE_DOWN
 *
 * Makes a processor that resizes images.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_resize(
    int width, int height, GtkContentFit fit, gboolean enlarge);

/**
 * remote_image_processor_new_crop:
 * @width: pixels, at least 1
 * @height: pixels, at least 1
 * @gravity: the part that is kept, from %GDK_GRAVITY_NORTH_WEST to %GDK_GRAVITY_SOUTH_EAST
 *
 * Makes a processor that crops images to a size. Sides that are not longer stay as they are.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_crop(int width, int height, GdkGravity gravity);

/**
 * remote_image_processor_new_crop_area:
 * @area: an area in pixels of the image, whose sides are at least 1
 *
 * Makes a processor that crops images to the part of an area that is inside the image. If no part
 * is, the load fails with #REMOTE_IMAGE_ERROR_PROCESSING.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_crop_area(const GdkRectangle *area);

/**
 * remote_image_processor_new_circle:
 *
 * Makes a processor that crops images to their largest centered circle.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_circle(void);

/**
 * remote_image_processor_new_circle_with_border:
 * @width: the width of the border in pixels, at least 0
 * @color: the color of the border
 *
 * Makes a processor that crops images to their largest centered circle, and draws a border inside
 * its edge.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_circle_with_border(double width, const GdkRGBA *color);

/**
 * remote_image_processor_new_rounded:
 * @radius: the radius in pixels, at least 0
 *
 * Makes a processor that rounds the corners of images. A radius above half of the shorter side has
 * the effect of half of the shorter side.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_rounded(double radius);

/**
 * remote_image_processor_new_rounded_with_border:
 * @radius: the radius in pixels, at least 0
 * @width: the width of the border in pixels, at least 0
 * @color: the color of the border
 *
 * Makes a processor that rounds the corners of images, and draws a border inside their edge. With
 * the radius 0 it only draws the border.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_rounded_with_border(
    double radius, double width, const GdkRGBA *color);

/**
 * remote_image_processor_new_blur:
 * @sigma: the standard deviation in pixels, from 0 to 1,000, as of `blur()` in CSS
 *
 * Makes a processor that blurs images with an approximate Gaussian.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_blur(double sigma);

/**
 * remote_image_processor_new_grayscale:
 *
 * Makes a processor that converts images to shades of gray.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_grayscale(void);

/**
 * remote_image_processor_new_tint:
 * @color: the color of all pixels
 *
 * Makes a processor that replaces the color of every pixel and keeps its alpha, as themes draw
 * symbolic icons.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_tint(const GdkRGBA *color);

/**
 * remote_image_processor_new_composition:
 * @processors: (array length=n_processors) (nullable): processors, in the order in which they run
 * @n_processors: the number of processors
 *
 * Makes a processor that runs several processors. Compositions that begin with equal processors
 * share these steps. A composition of none leaves images as they are.
 *
 * Returns: (transfer full): a new processor
 */
RemoteImageProcessor *remote_image_processor_new_composition(
    RemoteImageProcessor *const *processors, gsize n_processors);

/**
 * remote_image_processor_to_string:
 * @self: a processor
 *
 * Describes a processor, for messages: its names with their parameters. Equal processors have equal
 * descriptions.
 *
 * Returns: (transfer full): a description
 */
char *remote_image_processor_to_string(RemoteImageProcessor *self);

G_END_DECLS
