// Sources from C: images in sizes, bytes of the program, and wrong calls.
//
//   test_sources ADDRESS    the address of the test server (images.py)
#include "fixture.h"

static void expect(const char *pattern) { g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, pattern); }

static void fail_when_called(GObject *source, GAsyncResult *result, gpointer data) { g_assert_not_reached(); }

/// Loads the texture of a source, with the error of the load.
static GdkTexture *load(RemoteImageSource *source, int pixels, GError **error) {
    g_autoptr(RemoteImagePipeline) pipeline = remote_image_pipeline_new();
    g_autoptr(GAsyncResult) result = NULL;
    remote_image_pipeline_load_source_texture_async(pipeline, source, pixels, NULL, take_result, &result);
    turn_until(is_there, &result);
    return remote_image_pipeline_load_source_texture_finish(pipeline, result, error);
}

/// The bytes of an image of the server.
static GBytes *image_file(void) {
    g_autofree char *uri = address("/1.png?sources");
    g_autoptr(RemoteImageSource) source = remote_image_source_new_for_uri(uri, NULL);
    g_autoptr(RemoteImagePipeline) pipeline = remote_image_pipeline_new();
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    remote_image_pipeline_load_source_bytes_async(pipeline, source, NULL, take_result, &result);
    turn_until(is_there, &result);
    GBytes *bytes = remote_image_pipeline_load_source_bytes_finish(pipeline, result, &error);
    g_assert_no_error(error);
    return bytes;
}

// MARK: Requests

/// Keeps a request until the test answers it.
static void keep(RemoteImageByteRequest *request, gpointer place) {
    *(RemoteImageByteRequest **)place = g_object_ref(request);
}

static gboolean has_progress(gpointer view) { return remote_image_view_get_progress(view) > 0; }

static gboolean is_cancelled(gpointer cancellable) { return g_cancellable_is_cancelled(cancellable); }

static gboolean is_shown(gpointer view) { return remote_image_view_get_phase(view) == REMOTE_IMAGE_PHASE_SUCCESS; }

static void test_an_attachment_with_progress(void) {
    g_autoptr(GBytes) file = image_file();
    gsize size = g_bytes_get_size(file);
    g_autoptr(RemoteImageByteRequest) request = NULL;
    g_autoptr(RemoteImageSource) source = remote_image_source_new_for_stream("attachment 1", keep, &request, NULL);
    g_autoptr(RemoteImageView) view = new_view();
    remote_image_view_set_source(view, source);
    g_assert_true(remote_image_view_get_source(view) == source);
    GtkWidget *window = show(GTK_WIDGET(view));
    turn_until(is_there, &request);
    g_assert_cmpstr(remote_image_byte_request_get_identity(request), ==, "attachment 1");
    remote_image_byte_request_set_length(request, (gint64)size);
    remote_image_byte_request_set_content_type(request, "image/png");
    g_autoptr(GBytes) first = g_bytes_new_from_bytes(file, 0, size / 2);
    remote_image_byte_request_append(request, first);
    turn_until(has_progress, view);
    g_autoptr(GBytes) rest = g_bytes_new_from_bytes(file, size / 2, size - size / 2);
    g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_bytes(rest);
    remote_image_byte_request_send_stream(request, stream);
    turn_until(is_shown, view);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void test_a_view_that_disappears(void) {
    g_autoptr(RemoteImageByteRequest) request = NULL;
    g_autoptr(RemoteImageSource) source = remote_image_source_new_for_stream("attachment 2", keep, &request, NULL);
    GtkWidget *view = remote_image_view_new(NULL);
    remote_image_view_set_source(REMOTE_IMAGE_VIEW(view), source);
    GtkWidget *window = show(view);
    turn_until(is_there, &request);
    GCancellable *cancellable = remote_image_byte_request_get_cancellable(request);
    g_assert_false(g_cancellable_is_cancelled(cancellable));
    gtk_window_destroy(GTK_WINDOW(window));
    turn_until(is_cancelled, cancellable);
    // Late answers are ignored without a message.
    g_autoptr(GBytes) late = g_bytes_new_static("late", 4);
    remote_image_byte_request_append(request, late);
    remote_image_byte_request_finish(request);
    settle();
}

static void test_two_answers(void) {
    g_autoptr(GBytes) file = image_file();
    g_autoptr(RemoteImageByteRequest) request = NULL;
    g_autoptr(RemoteImageSource) source = remote_image_source_new_for_stream("twice", keep, &request, NULL);
    g_autoptr(RemoteImagePaintable) paintable = remote_image_paintable_new(NULL);
    remote_image_paintable_set_source(paintable, source);
    turn_until(is_there, &request);
    remote_image_byte_request_append(request, file);
    expect("*set_length: the answer has begun already*");
    remote_image_byte_request_set_length(request, 1);
    expect("*set_content_type: the answer has begun already*");
    remote_image_byte_request_set_content_type(request, NULL);
    expect("*use_source: the request is answered already*");
    remote_image_byte_request_use_source(request, source);
    remote_image_byte_request_finish(request);
    expect("*append: the request is answered already*");
    remote_image_byte_request_append(request, file);
    expect("*finish: the request is answered already*");
    remote_image_byte_request_finish(request);
    g_autoptr(GError) error = g_error_new_literal(G_IO_ERROR, G_IO_ERROR_FAILED, "late");
    expect("*fail: the request is answered already*");
    remote_image_byte_request_fail(request, error);
    g_autoptr(GInputStream) stream = g_memory_input_stream_new();
    expect("*send_stream: the request is answered already*");
    remote_image_byte_request_send_stream(request, stream);
    g_test_assert_expected_messages();
    // The first answer counts.
    while (remote_image_paintable_get_phase(paintable) != REMOTE_IMAGE_PHASE_SUCCESS) {
        g_assert_cmpint(remote_image_paintable_get_phase(paintable), ==, REMOTE_IMAGE_PHASE_LOADING);
        g_main_context_iteration(NULL, TRUE);
    }
}

static void test_an_answer_during_a_stream(void) {
    g_autoptr(GBytes) file = image_file();
    g_autoptr(RemoteImageByteRequest) request = NULL;
    g_autoptr(RemoteImageSource) source = remote_image_source_new_for_stream("stream", keep, &request, NULL);
    g_autoptr(RemoteImageView) view = new_view();
    remote_image_view_set_source(view, source);
    GtkWidget *window = show(GTK_WIDGET(view));
    turn_until(is_there, &request);
    g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_bytes(file);
    remote_image_byte_request_send_stream(request, stream);
    expect("*finish: the request is answered already*");
    remote_image_byte_request_finish(request);
    expect("*append: the request is answered already*");
    remote_image_byte_request_append(request, file);
    g_test_assert_expected_messages();
    turn_until(is_shown, view);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void send_closed_stream(RemoteImageByteRequest *request, gpointer data) {
    g_autoptr(GInputStream) stream = g_memory_input_stream_new();
    g_input_stream_close(stream, NULL, NULL);
    remote_image_byte_request_send_stream(request, stream);
}

static void test_a_stream_that_cannot_be_read(void) {
    g_autoptr(RemoteImageSource) source =
        remote_image_source_new_for_stream("unreadable", send_closed_stream, NULL, NULL);
    g_autoptr(GError) error = NULL;
    g_assert_null(load(source, 0, &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_SOURCE);
}

static void forget(RemoteImageByteRequest *request, gpointer data) {}

static void test_a_request_that_is_released(void) {
    g_autoptr(RemoteImageSource) source = remote_image_source_new_for_stream("released", forget, NULL, NULL);
    g_autoptr(GError) error = NULL;
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_WARNING, "*it was released without an answer, so its load fails*");
    g_assert_null(load(source, 0, &error));
    g_test_assert_expected_messages();
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_SOURCE);
}

static void test_a_request_of_the_program(void) {
    g_autoptr(RemoteImageByteRequest) request = g_object_new(REMOTE_IMAGE_TYPE_BYTE_REQUEST, NULL);
    g_autoptr(GBytes) bytes = g_bytes_new_static("bytes", 5);
    g_assert_null(remote_image_byte_request_get_cancellable(request));
    g_assert_null(remote_image_byte_request_get_identity(request));
    expect("*append: the request was not made by RemoteImage*");
    remote_image_byte_request_append(request, bytes);
    expect("*append: bytes is NULL*");
    remote_image_byte_request_append(request, NULL);
    expect("*send_stream: stream is no GInputStream*");
    remote_image_byte_request_send_stream(request, (GInputStream *)request);
    expect("*fail: error is NULL*");
    remote_image_byte_request_fail(request, NULL);
    expect("*finish: self is no RemoteImageByteRequest*");
    remote_image_byte_request_finish(NULL);
    g_test_assert_expected_messages();
}

/// Counts how often it releases its data.
static void count_release(gpointer number) { *(int *)number += 1; }

static gboolean is_released(gpointer number) { return *(int *)number > 0; }

static void answer_with_nothing(RemoteImageByteRequest *request, gpointer number) {
    g_assert_cmpint(*(int *)number, ==, 0);
    remote_image_byte_request_finish(request);
}

static void test_the_data_is_released_once(void) {
    int unused = 0, used = 0, refused = 0;
    g_object_unref(remote_image_source_new_for_stream("unused", answer_with_nothing, &unused, count_release));
    turn_until(is_released, &unused);
    RemoteImageSource *source = remote_image_source_new_for_stream("used", answer_with_nothing, &used, count_release);
    g_autoptr(GError) error = NULL;
    g_assert_null(load(source, 0, &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_EMPTY_BODY);
    g_assert_cmpint(used, ==, 0);
    g_object_unref(source);
    turn_until(is_released, &used);
    expect("*new_for_stream: identity is missing*");
    g_assert_null(remote_image_source_new_for_stream(NULL, answer_with_nothing, &refused, count_release));
    turn_until(is_released, &refused);
    settle();
    g_assert_cmpint(unused + used + refused, ==, 3);
}

// MARK: Sizes

static char *sized_address(int pixels, gpointer steps) {
    *(int *)steps += 1;
    if (pixels == 96) return NULL;
    g_autofree char *path = g_strdup_printf("/2.png?pixels=%d", pixels);
    return address(path);
}

static void test_sizes(void) {
    int steps = 0;
    g_autoptr(RemoteImageSizeOptions) options =
        g_object_new(REMOTE_IMAGE_TYPE_SIZE_OPTIONS, "largest", 500, "aspect-ratio", 4.0 / 3, NULL);
    g_autoptr(RemoteImageSource) source = remote_image_source_new_sized("two", options, sized_address, &steps);
    g_assert_cmpint(steps, ==, 7);
    g_autoptr(GError) error = NULL;
    g_autoptr(GdkTexture) texture = load(source, 64, &error);
    g_assert_no_error(error);
    g_assert_cmpint(gdk_texture_get_width(texture), ==, 64);
    g_assert_null(load(source, 96, &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_SOURCE);
}

/// What a source for an invalid address fails with.
static void assert_fails(RemoteImageSource *source, RemoteImageError code) {
    g_autoptr(GError) error = NULL;
    g_assert_null(load(source, 0, &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, (int)code);
    g_object_unref(source);
}

static void test_services(void) {
    assert_fails(remote_image_source_new_thumbor(base, NULL, "../a", NULL), REMOTE_IMAGE_ERROR_INVALID_URL);
    assert_fails(remote_image_source_new_thumbor(NULL, NULL, NULL, NULL), REMOTE_IMAGE_ERROR_INVALID_URL);
    assert_fails(remote_image_source_new_imgproxy(base, "no key", NULL, "a", NULL), REMOTE_IMAGE_ERROR_SOURCE);
    assert_fails(remote_image_source_new_imgproxy(base, NULL, NULL, NULL, NULL), REMOTE_IMAGE_ERROR_INVALID_URL);
    assert_fails(remote_image_source_new_iiif(NULL, NULL), REMOTE_IMAGE_ERROR_INVALID_URL);
    assert_fails(remote_image_source_new_iiif(base, NULL), REMOTE_IMAGE_ERROR_HTTP_STATUS);
    assert_fails(remote_image_source_new_matrix(base, "mxc://a", NULL), REMOTE_IMAGE_ERROR_INVALID_URL);
    assert_fails(remote_image_source_new_matrix_original(base, NULL), REMOTE_IMAGE_ERROR_INVALID_URL);
    assert_fails(remote_image_source_new_template(NULL, NULL, NULL), REMOTE_IMAGE_ERROR_INVALID_URL);
    assert_fails(remote_image_source_new_srcset(NULL, NULL, NULL, 0, 0), REMOTE_IMAGE_ERROR_INVALID_URL);
    assert_fails(remote_image_source_new_fallbacks(NULL, 0), REMOTE_IMAGE_ERROR_INVALID_URL);
    g_assert_cmpfloat(remote_image_source_get_sizes_width("50vw", 640, 480), ==, 320);
    g_autofree char *uri = address("/3.png?sources");
    const char *const uris[] = {uri, NULL};
    const int widths[] = {320};
    g_autoptr(RemoteImageSource) candidates = remote_image_source_new_candidates(uris, widths, 1, 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(GdkTexture) texture = load(candidates, 0, &error);
    g_assert_no_error(error);
}

// MARK: Wrong calls

static void test_arguments_that_are_none(void) {
    g_autoptr(RemoteImageSource) source = remote_image_source_new_for_uri("https://example.org/", NULL);
    g_autoptr(GBytes) bytes = g_bytes_new_static("bytes", 5);
    expect("*new_for_bytes: identity is missing*");
    g_assert_null(remote_image_source_new_for_bytes("", bytes));
    expect("*new_for_bytes: bytes is NULL*");
    g_assert_null(remote_image_source_new_for_bytes("a", NULL));
    expect("*new_for_stream: func is NULL*");
    g_assert_null(remote_image_source_new_for_stream("a", NULL, NULL, NULL));
    expect("*new_sized: func is NULL*");
    g_assert_null(remote_image_source_new_sized("a", NULL, NULL, NULL));
    expect("*new_for_file: file is no GFile*");
    g_assert_null(remote_image_source_new_for_file(NULL));
    expect("*new_iiif: options is no RemoteImageSizeOptions*");
    g_assert_null(remote_image_source_new_iiif("https://example.org/", (RemoteImageSizeOptions *)source));
    expect("*new_adaptive: low_data is no RemoteImageSource*");
    g_assert_null(remote_image_source_new_adaptive(source, NULL));
    RemoteImageSource *const sources[] = {source, NULL};
    expect("*new_fallbacks: an element of sources is no RemoteImageSource*");
    g_assert_null(remote_image_source_new_fallbacks(sources, 2));
    const char *const uris[] = {"https://example.org/", NULL};
    const int widths[] = {0};
    expect("*new_candidates: each address needs a width of at least 1*");
    g_assert_null(remote_image_source_new_candidates(uris, widths, 1, 1));
    expect("*new_candidates: each address needs a width of at least 1*");
    g_assert_null(remote_image_source_new_candidates(uris, NULL, 0, 1));
    expect("*get_identity: self is no RemoteImageSource*");
    g_assert_null(remote_image_source_get_identity(NULL));
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    expect("*load_source_texture_async: source is no RemoteImageSource*");
    remote_image_pipeline_load_source_texture_async(pipeline, NULL, 0, NULL, fail_when_called, NULL);
    expect("*load_source_texture_async: max_pixel_size is negative*");
    remote_image_pipeline_load_source_texture_async(pipeline, source, -1, NULL, fail_when_called, NULL);
    expect("*prefetch_sources: an element of sources is no RemoteImageSource*");
    remote_image_pipeline_prefetch_sources(pipeline, sources, 2, 0);
    g_test_assert_expected_messages();
}

static void test_a_source_of_the_program(void) {
    assert_fails(g_object_new(REMOTE_IMAGE_TYPE_SOURCE, NULL), REMOTE_IMAGE_ERROR_SOURCE);
}

static gpointer make_source(gpointer data) { return remote_image_source_new_for_uri("https://example.org/", NULL); }

static void test_another_thread(void) {
    expect("*new_for_uri: *must be used on the thread that the process began with*");
    g_assert_null(g_thread_join(g_thread_new(NULL, make_source, NULL)));
    g_test_assert_expected_messages();
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/source/stream/progress", test_an_attachment_with_progress);
    g_test_add_func("/source/stream/cancelling", test_a_view_that_disappears);
    g_test_add_func("/source/stream/twice", test_two_answers);
    g_test_add_func("/source/stream/reading", test_an_answer_during_a_stream);
    g_test_add_func("/source/stream/unreadable", test_a_stream_that_cannot_be_read);
    g_test_add_func("/source/stream/released", test_a_request_that_is_released);
    g_test_add_func("/source/stream/program", test_a_request_of_the_program);
    g_test_add_func("/source/stream/data", test_the_data_is_released_once);
    g_test_add_func("/source/sizes", test_sizes);
    g_test_add_func("/source/services", test_services);
    g_test_add_func("/source/arguments", test_arguments_that_are_none);
    g_test_add_func("/source/program", test_a_source_of_the_program);
    g_test_add_func("/source/thread", test_another_thread);
    return g_test_run();
}
