// Processors from C: the pixels that each makes, what views share, and invalid values.
//
//   test_processing ADDRESS    the address of the test server (images.py)
#include "fixture.h"
#include <math.h>

static const GdkRGBA red = {1, 0, 0, 1}, blue = {0, 0, 1, 1};

/// Pixels as B, G, R, A, premultiplied, as GDK downloads them on a little-endian machine.
typedef struct {
    int width, height;
    guchar *bytes;
} Pixels;

static Pixels pixels_of(GdkTexture *texture) {
    Pixels pixels = {gdk_texture_get_width(texture), gdk_texture_get_height(texture), NULL};
    pixels.bytes = g_malloc((gsize)pixels.width * pixels.height * 4);
    gdk_texture_download(texture, pixels.bytes, (gsize)pixels.width * 4);
    return pixels;
}

static const guchar *at(Pixels pixels, int x, int y) {
    return pixels.bytes + ((gsize)y * pixels.width + x) * 4;
}

static gboolean has_succeeded(gpointer paintable) {
    return remote_image_paintable_get_phase(paintable) == REMOTE_IMAGE_PHASE_SUCCESS;
}

static RemoteImagePaintable *paintable_with(const char *path, RemoteImageProcessor *processor) {
    g_autofree char *uri = address(path);
    return g_object_new(REMOTE_IMAGE_TYPE_PAINTABLE, "processor", processor, "uri", uri, NULL);
}

/// The pixels of image 3 of the server, 320 × 240, after a processor, which is released.
static Pixels processed(RemoteImageProcessor *processor) {
    g_autoptr(RemoteImagePaintable) paintable = paintable_with("/3.png?processed", processor);
    turn_until(has_succeeded, paintable);
    g_clear_object(&processor);
    return pixels_of(remote_image_paintable_get_texture(paintable));
}

static void assert_size(RemoteImageProcessor *processor, int width, int height) {
    Pixels pixels = processed(processor);
    g_assert_cmpint(pixels.width, ==, width);
    g_assert_cmpint(pixels.height, ==, height);
    g_free(pixels.bytes);
}

static void test_resize(void) {
    assert_size(remote_image_processor_new_resize(100, 100, GTK_CONTENT_FIT_CONTAIN, FALSE), 100, 75);
    assert_size(remote_image_processor_new_resize(100, 100, GTK_CONTENT_FIT_COVER, FALSE), 100, 100);
    assert_size(remote_image_processor_new_resize(100, 100, GTK_CONTENT_FIT_FILL, FALSE), 100, 100);
    assert_size(remote_image_processor_new_resize(640, 640, GTK_CONTENT_FIT_CONTAIN, FALSE), 320, 240);
    assert_size(remote_image_processor_new_resize(640, 640, GTK_CONTENT_FIT_CONTAIN, TRUE), 640, 480);
    assert_size(remote_image_processor_new_resize(640, 640, GTK_CONTENT_FIT_SCALE_DOWN, TRUE), 320, 240);
}

static void test_crop(void) {
    Pixels whole = processed(NULL);
    static const struct {
        GdkGravity gravity;
        int x, y;
    } parts[] = {
        {GDK_GRAVITY_NORTH_WEST, 0, 0},   {GDK_GRAVITY_NORTH, 110, 0},   {GDK_GRAVITY_NORTH_EAST, 220, 0},
        {GDK_GRAVITY_WEST, 0, 95},        {GDK_GRAVITY_CENTER, 110, 95}, {GDK_GRAVITY_EAST, 220, 95},
        {GDK_GRAVITY_SOUTH_WEST, 0, 190}, {GDK_GRAVITY_SOUTH, 110, 190}, {GDK_GRAVITY_SOUTH_EAST, 220, 190},
    };
    for (gsize index = 0; index < G_N_ELEMENTS(parts); index++) {
        Pixels part = processed(remote_image_processor_new_crop(100, 50, parts[index].gravity));
        g_assert_cmpint(part.width, ==, 100);
        g_assert_cmpint(part.height, ==, 50);
        for (int y = 0; y < 50; y++)
            g_assert_cmpmem(at(part, 0, y), 400, at(whole, parts[index].x, parts[index].y + y), 400);
        g_free(part.bytes);
    }
    // The part of an area that is inside the image.
    Pixels part = processed(remote_image_processor_new_crop_area(&(GdkRectangle){300, -10, 1000, 30}));
    g_assert_cmpint(part.width, ==, 20);
    g_assert_cmpint(part.height, ==, 20);
    g_assert_cmpmem(at(part, 0, 0), 80, at(whole, 300, 0), 80);
    g_free(part.bytes);
    g_free(whole.bytes);
}

static gboolean has_failed(gpointer paintable) {
    return remote_image_paintable_get_phase(paintable) == REMOTE_IMAGE_PHASE_FAILURE;
}

static void test_an_area_outside_of_the_image(void) {
    g_autoptr(RemoteImageProcessor) processor = remote_image_processor_new_crop_area(&(GdkRectangle){320, 0, 1, 1});
    g_autoptr(RemoteImagePaintable) paintable = paintable_with("/3.png?outside", processor);
    turn_until(has_failed, paintable);
    g_assert_error(remote_image_paintable_get_error(paintable), REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_PROCESSING);
}

static void test_shapes(void) {
    Pixels circle = processed(remote_image_processor_new_circle());
    g_assert_cmpint(circle.width, ==, 240);
    g_assert_cmpint(circle.height, ==, 240);
    g_assert_cmpint(at(circle, 0, 0)[3], ==, 0);
    g_assert_cmpint(at(circle, 120, 1)[3], ==, 255);
    g_free(circle.bytes);

    Pixels ring = processed(remote_image_processor_new_circle_with_border(4, &red));
    g_assert_cmpmem(at(ring, 120, 1), 4, "\0\0\xff\xff", 4);
    g_assert_cmpint(at(ring, 120, 8)[2], !=, 255);
    g_free(ring.bytes);

    Pixels rounded = processed(remote_image_processor_new_rounded(40));
    g_assert_cmpint(rounded.width, ==, 320);
    g_assert_cmpint(at(rounded, 0, 0)[3], ==, 0);
    g_assert_cmpint(at(rounded, 42, 0)[3], ==, 255);
    g_free(rounded.bytes);

    Pixels framed = processed(remote_image_processor_new_rounded_with_border(0, 2, &blue));
    g_assert_cmpmem(at(framed, 0, 0), 4, "\xff\0\0\xff", 4);
    g_assert_cmpmem(at(framed, 319, 239), 4, "\xff\0\0\xff", 4);
    g_free(framed.bytes);
}

static void test_colours(void) {
    Pixels gray = processed(remote_image_processor_new_grayscale());
    const guchar *pixel = at(gray, 5, 5);
    g_assert_true(pixel[0] == pixel[1] && pixel[1] == pixel[2]);
    g_free(gray.bytes);

    Pixels tinted = processed(remote_image_processor_new_tint(&(GdkRGBA){0, 0.5, NAN, 4}));
    g_assert_cmpmem(at(tinted, 200, 100), 4, "\0\x80\0\xff", 4);
    g_free(tinted.bytes);

    // A white bar begins at (60, 81). A blur mixes it with the colour beside it.
    Pixels whole = processed(NULL), blurred = processed(remote_image_processor_new_blur(6));
    g_assert_cmpint(at(blurred, 60, 120)[2], <, 255);
    g_assert_cmpint(at(blurred, 58, 120)[2], >, at(whole, 58, 120)[2]);
    Pixels sharp = processed(remote_image_processor_new_blur(0));
    g_assert_cmpmem(sharp.bytes, (gsize)320 * 240 * 4, whole.bytes, (gsize)320 * 240 * 4);
    g_free(whole.bytes);
    g_free(blurred.bytes);
    g_free(sharp.bytes);
}

static void test_composition(void) {
    g_autoptr(RemoteImageProcessor) gray = remote_image_processor_new_grayscale();
    g_autoptr(RemoteImageProcessor) crop = remote_image_processor_new_crop(100, 50, GDK_GRAVITY_CENTER);
    RemoteImageProcessor *both[] = {crop, gray};
    RemoteImageProcessor *composition = remote_image_processor_new_composition(both, 2);
    g_autofree char *text = remote_image_processor_to_string(composition);
    g_assert_cmpstr(text, ==, "crop(100x50,center), grayscale");
    // A composition may be part of another one.
    g_autoptr(RemoteImageProcessor) circle = remote_image_processor_new_circle();
    RemoteImageProcessor *more[] = {composition, circle};
    Pixels pixels = processed(remote_image_processor_new_composition(more, 2));
    g_assert_cmpint(pixels.width, ==, 50);
    g_assert_cmpint(pixels.height, ==, 50);
    g_assert_cmpint(at(pixels, 0, 0)[3], ==, 0);
    g_assert_cmpint(at(pixels, 25, 25)[0], ==, at(pixels, 25, 25)[2]);
    g_free(pixels.bytes);
    g_object_unref(composition);
}

static void test_an_empty_composition(void) {
    g_autoptr(RemoteImageProcessor) none = remote_image_processor_new_composition(NULL, 0);
    g_autofree char *text = remote_image_processor_to_string(none);
    g_assert_cmpstr(text, ==, "");
    assert_size(g_steal_pointer(&none), 320, 240);
    assert_size(g_object_new(REMOTE_IMAGE_TYPE_PROCESSOR, NULL), 320, 240);
}

static void test_equal_processors_share_an_image(void) {
    g_autoptr(RemoteImageProcessor) one = remote_image_processor_new_blur(3);
    g_autoptr(RemoteImageProcessor) equal = remote_image_processor_new_blur(3);
    g_autoptr(RemoteImageProcessor) other = remote_image_processor_new_blur(4);
    g_autoptr(RemoteImagePaintable) first = paintable_with("/4.png?shared", one);
    turn_until(has_succeeded, first);
    g_autoptr(RemoteImagePaintable) second = paintable_with("/4.png?shared", equal);
    g_assert_true(has_succeeded(second));
    g_assert_true(remote_image_paintable_get_texture(first) == remote_image_paintable_get_texture(second));
    g_autoptr(RemoteImagePaintable) third = paintable_with("/4.png?shared", other);
    g_assert_false(has_succeeded(third));
    turn_until(has_succeeded, third);
}

static void test_a_view_holds_its_processor(void) {
    RemoteImageProcessor *processor = remote_image_processor_new_circle();
    g_object_add_weak_pointer(G_OBJECT(processor), (gpointer *)&processor);
    RemoteImageView *view = new_view();
    remote_image_view_set_processor(view, processor);
    g_object_unref(processor);
    settle();
    g_assert_nonnull(processor);
    g_object_unref(view);
    turn_until(is_null, &processor);
}

static void expect(const char *pattern) { g_test_expect_message(NULL, G_LOG_LEVEL_CRITICAL, pattern); }

static void test_invalid_values(void) {
    static const int sides[][2] = {{0, 10}, {10, 0}, {-1, 10}, {32768, 10}, {10, G_MAXINT}};
    for (gsize index = 0; index < G_N_ELEMENTS(sides); index++) {
        expect("*remote_image_processor_new_resize: a side is not from 1 to 32,767*");
        g_assert_null(remote_image_processor_new_resize(
            sides[index][0], sides[index][1], GTK_CONTENT_FIT_COVER, TRUE));
    }
    expect("*remote_image_processor_new_resize: fit is not a GtkContentFit*");
    g_assert_null(remote_image_processor_new_resize(10, 10, 99, FALSE));
    expect("*remote_image_processor_new_crop: width or height is less than 1*");
    g_assert_null(remote_image_processor_new_crop(0, 10, GDK_GRAVITY_CENTER));
    expect("*remote_image_processor_new_crop: gravity is not the name of a part*");
    g_assert_null(remote_image_processor_new_crop(10, 10, GDK_GRAVITY_STATIC));
    expect("*remote_image_processor_new_crop_area: area is NULL*");
    g_assert_null(remote_image_processor_new_crop_area(NULL));
    expect("*remote_image_processor_new_crop_area: width or height is less than 1*");
    g_assert_null(remote_image_processor_new_crop_area(&(GdkRectangle){0, 0, 10, 0}));
    static const double lengths[] = {-1, NAN, INFINITY};
    for (gsize index = 0; index < G_N_ELEMENTS(lengths); index++) {
        expect("*remote_image_processor_new_rounded: radius is negative or not a number*");
        g_assert_null(remote_image_processor_new_rounded(lengths[index]));
        expect("*remote_image_processor_new_rounded_with_border: width is negative or not a number*");
        g_assert_null(remote_image_processor_new_rounded_with_border(1, lengths[index], &red));
        expect("*remote_image_processor_new_blur: sigma is not from 0 to 1,000*");
        g_assert_null(remote_image_processor_new_blur(lengths[index]));
    }
    expect("*remote_image_processor_new_circle_with_border: color is NULL*");
    g_assert_null(remote_image_processor_new_circle_with_border(1, NULL));
    expect("*remote_image_processor_new_tint: color is NULL*");
    g_assert_null(remote_image_processor_new_tint(NULL));
    expect("*remote_image_processor_new_composition: processors is NULL*");
    g_assert_null(remote_image_processor_new_composition(NULL, 1));
    g_autoptr(RemoteImageProcessor) circle = remote_image_processor_new_circle();
    RemoteImageProcessor *with_null[] = {circle, NULL};
    expect("*remote_image_processor_new_composition: one of processors is no RemoteImageProcessor*");
    g_assert_null(remote_image_processor_new_composition(with_null, 2));
    expect("*remote_image_processor_to_string: self is no RemoteImageProcessor*");
    g_assert_null(remote_image_processor_to_string(NULL));
    g_test_assert_expected_messages();
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/processing/resize", test_resize);
    g_test_add_func("/processing/crop", test_crop);
    g_test_add_func("/processing/outside", test_an_area_outside_of_the_image);
    g_test_add_func("/processing/shapes", test_shapes);
    g_test_add_func("/processing/colours", test_colours);
    g_test_add_func("/processing/composition", test_composition);
    g_test_add_func("/processing/empty", test_an_empty_composition);
    g_test_add_func("/processing/shared", test_equal_processors_share_an_image);
    g_test_add_func("/processing/held", test_a_view_holds_its_processor);
    g_test_add_func("/processing/invalid", test_invalid_values);
    return g_test_run();
}
