// Invalid values from C: the library warns about them and ignores them.
//
//   test_misuse ADDRESS    the address of the test server (images.py)
#include "fixture.h"
#include <math.h>

static void expect(GLogLevelFlags level, const char *pattern) { g_test_expect_message(NULL, level, pattern); }

static void expect_out_of_range(const char *property) {
    g_autofree char *pattern = g_strdup_printf("*invalid or out of range for property '%s'*", property);
    g_test_expect_message("GLib-GObject", G_LOG_LEVEL_WARNING, pattern);
}

static void test_numbers_out_of_range(void) {
    g_autoptr(RemoteImageView) view = new_view();
    expect_out_of_range("corner-radius");
    remote_image_view_set_corner_radius(view, -5);
    expect_out_of_range("corner-radius");
    remote_image_view_set_corner_radius(view, 40000);
    expect_out_of_range("max-pixel-size");
    remote_image_view_set_max_pixel_size(view, -1);
    expect_out_of_range("transition-duration");
    remote_image_view_set_transition_duration(view, -1);
    expect_out_of_range("transition-duration");
    remote_image_view_set_transition_duration(view, 60001);
    expect_out_of_range("aspect-ratio");
    remote_image_view_set_aspect_ratio(view, -1);
    expect_out_of_range("aspect-ratio");
    remote_image_view_set_aspect_ratio(view, INFINITY);
    expect_out_of_range("reserved-width");
    remote_image_view_set_reserved_width(view, -1);
    expect_out_of_range("expiry");
    remote_image_view_set_expiry(view, -2);
    expect_out_of_range("delay");
    remote_image_view_set_delay(view, 60001);
    expect_out_of_range("max-retries");
    remote_image_view_set_max_retries(view, 101);
    expect_out_of_range("xalign");
    remote_image_view_set_xalign(view, 1.5);
    expect_out_of_range("previews");
    remote_image_view_set_previews(view, 1 << 5);
    expect_out_of_range("content-fit");
    remote_image_view_set_content_fit(view, 99);
    expect_out_of_range("cache-policy");
    remote_image_view_set_cache_policy(view, -1);
    expect_out_of_range("priority");
    remote_image_view_set_priority(view, 3);
    expect_out_of_range("load-options");
    remote_image_view_set_load_options(view, 1 << 10);
    g_test_assert_expected_messages();
    // Nothing has changed.
    g_assert_cmpint(remote_image_view_get_corner_radius(view), ==, 0);
    g_assert_cmpint(remote_image_view_get_max_pixel_size(view), ==, 0);
    g_assert_cmpint(remote_image_view_get_transition_duration(view), ==, 0);
    g_assert_cmpfloat(remote_image_view_get_aspect_ratio(view), ==, 0);
    g_assert_cmpint(remote_image_view_get_expiry(view), ==, -1);
    g_assert_cmpint(remote_image_view_get_max_retries(view), ==, -1);
    g_assert_cmpint(remote_image_view_get_previews(view), ==, 0);
    g_assert_cmpint(remote_image_view_get_content_fit(view), ==, GTK_CONTENT_FIT_CONTAIN);
    g_assert_cmpint(remote_image_view_get_cache_policy(view), ==, REMOTE_IMAGE_CACHE_POLICY_HTTP);
    g_assert_cmpint(remote_image_view_get_priority(view), ==, REMOTE_IMAGE_PRIORITY_NORMAL);
    g_assert_cmpint(
        remote_image_view_get_load_options(view), ==,
        REMOTE_IMAGE_LOAD_ON_APPEAR | REMOTE_IMAGE_LOAD_CANCEL_ON_DISAPPEAR);
}

static void test_not_a_number(void) {
    g_autoptr(RemoteImageView) view = new_view();
    g_auto(GValue) value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_DOUBLE);
    g_value_set_double(&value, NAN);
    expect_out_of_range("corner-radius");
    g_object_set_property(G_OBJECT(view), "corner-radius", &value);
    g_test_assert_expected_messages();
    g_assert_cmpint(remote_image_view_get_corner_radius(view), ==, 0);
    expect_out_of_range("aspect-ratio");
    remote_image_view_set_aspect_ratio(view, NAN);
    g_test_assert_expected_messages();
    g_assert_cmpfloat(remote_image_view_get_aspect_ratio(view), ==, 0);
}

static void test_headers_that_are_none(void) {
    g_autoptr(RemoteImageView) view = new_view();
    const char *const lines[] = {"", ": x", "Na me: x", "A: b\r\nC: d", "X-Key: open", "no colon", NULL};
    static const int wrong[] = {1, 2, 3, 4, 6};
    for (gsize index = 0; index < G_N_ELEMENTS(wrong); index++) {
        g_autofree char *pattern = g_strdup_printf("*header %d is not of the form*", wrong[index]);
        expect(G_LOG_LEVEL_WARNING, pattern);
    }
    remote_image_view_set_headers(view, lines);
    g_test_assert_expected_messages();
    // The valid header is sent.
    g_autofree char *uri = address("/secret");
    gboolean is_loaded = FALSE;
    g_signal_connect(view, "loaded", G_CALLBACK(set_flag), &is_loaded);
    remote_image_view_set_uri(view, uri);
    GtkWidget *window = show(GTK_WIDGET(view));
    turn_until(is_set, &is_loaded);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void test_addresses_that_are_none(void) {
    static const struct {
        const char *uri;
        RemoteImageError code;
    } bad[] = {
        {"", REMOTE_IMAGE_ERROR_INVALID_URL},
        {"no address at all", REMOTE_IMAGE_ERROR_INVALID_URL},
        {"http://", REMOTE_IMAGE_ERROR_INVALID_URL},
        {"\xff\xfe", REMOTE_IMAGE_ERROR_INVALID_URL},
        {"file:///etc/passwd", REMOTE_IMAGE_ERROR_FORBIDDEN_SCHEME},
        {"data:image/png;base64,AAAA", REMOTE_IMAGE_ERROR_NOT_AN_IMAGE},
    };
    for (gsize index = 0; index < G_N_ELEMENTS(bad); index++) {
        g_test_message("%s", bad[index].uri);
        GtkWidget *view = remote_image_view_new(bad[index].uri);
        GError *error = NULL;
        g_signal_connect(view, "failed", G_CALLBACK(take_error), &error);
        GtkWidget *window = show(view);
        turn_until(is_there, &error);
        g_assert_error(error, REMOTE_IMAGE_ERROR, (int)bad[index].code);
        g_clear_error(&error);
        gtk_window_destroy(GTK_WINDOW(window));
    }
}

static void test_a_thumb_hash_that_is_none(void) {
    g_autofree char *uri = address("/8.png");
    GtkWidget *view = remote_image_view_new(uri);
    expect(G_LOG_LEVEL_WARNING, "*the thumb-hash is not the Base64 text of a ThumbHash*");
    remote_image_view_set_thumb_hash(REMOTE_IMAGE_VIEW(view), "?");
    g_test_assert_expected_messages();
    remote_image_view_set_placeholder_icon_name(REMOTE_IMAGE_VIEW(view), "");
    gboolean is_loaded = FALSE;
    g_signal_connect(view, "loaded", G_CALLBACK(set_flag), &is_loaded);
    GtkWidget *window = show(view);
    turn_until(is_set, &is_loaded);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void test_a_blur_hash_that_is_none(void) {
    static const char *const wrong[] = {"", "?", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdn\xff"};
    g_autofree char *uri = address("/8.png?blur");
    g_autoptr(RemoteImageView) view = new_view();
    g_autoptr(RemoteImagePaintable) paintable = remote_image_paintable_new(NULL);
    for (gsize index = 0; index < G_N_ELEMENTS(wrong); index++) {
        expect(G_LOG_LEVEL_WARNING, "*RemoteImageView: the blur-hash is not a BlurHash, and is not shown*");
        remote_image_view_set_blur_hash(view, wrong[index]);
        expect(G_LOG_LEVEL_WARNING, "*RemoteImagePaintable: the blur-hash is not a BlurHash, and is not shown*");
        g_object_set(paintable, "blur-hash", wrong[index], NULL);
        g_test_assert_expected_messages();
    }
    gboolean is_loaded = FALSE;
    g_signal_connect(view, "loaded", G_CALLBACK(set_flag), &is_loaded);
    remote_image_view_set_uri(view, uri);
    GtkWidget *window = show(GTK_WIDGET(view));
    turn_until(is_set, &is_loaded);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void fail_when_called(GObject *source, GAsyncResult *result, gpointer data) { g_assert_not_reached(); }

static void test_numbers_that_are_negative(void) {
    g_autofree char *folder = g_dir_make_tmp("remote-image-XXXXXX", NULL);
    g_autoptr(RemoteImagePipeline) pipeline = g_object_new(
        REMOTE_IMAGE_TYPE_PIPELINE, "cache-directory", folder, "disk-cache-limit", (gint64)10000000, NULL);
    g_autofree char *uri = address("/8.png?negative");
    g_autoptr(GAsyncResult) result = NULL;
    remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, take_result, &result);
    turn_until(is_there, &result);
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_pipeline_trim_disk_async: byte_count is negative*");
    remote_image_pipeline_trim_disk_async(pipeline, -1, NULL, fail_when_called, NULL);
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_pipeline_load_texture_async: max_pixel_size is negative*");
    remote_image_pipeline_load_texture_async(pipeline, uri, -1, NULL, fail_when_called, NULL);
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_pipeline_get_cached_texture: max_pixel_size is negative*");
    g_assert_null(remote_image_pipeline_get_cached_texture(pipeline, uri, -1));
    g_test_assert_expected_messages();
    // Everything is still stored.
    g_clear_object(&result);
    remote_image_pipeline_get_disk_usage_async(pipeline, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_assert_cmpint(remote_image_pipeline_get_disk_usage_finish(pipeline, result, NULL), >, 0);
}

static void test_a_user_agent_that_is_none(void) {
    expect(G_LOG_LEVEL_WARNING, "*user-agent with control characters is not sent*");
    g_autoptr(RemoteImagePipeline) pipeline = g_object_new(
        REMOTE_IMAGE_TYPE_PIPELINE, "user-agent", "Photos\r\nX-Key: open", NULL);
    g_test_assert_expected_messages();
    // The server would accept the request if the second line were sent as a header.
    g_autofree char *uri = address("/secret?agent");
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    remote_image_pipeline_load_bytes_async(pipeline, uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_assert_null(remote_image_pipeline_load_bytes_finish(pipeline, result, &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_HTTP_STATUS);
}

static void test_widgets_that_cannot_be_shown(void) {
    // A widget with another parent, the window around the view, and the view itself.
    GtkWidget *elsewhere = gtk_label_new("");
    GtkWidget *other = g_object_ref_sink(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
    gtk_box_append(GTK_BOX(other), elsewhere);
    GtkWidget *view = remote_image_view_new(NULL);
    GtkWidget *window = show(view);
    GtkWidget *const wrong[] = {elsewhere, window, view};
    for (gsize index = 0; index < G_N_ELEMENTS(wrong); index++) {
        expect(G_LOG_LEVEL_WARNING, "*has another parent, or is around the view, and is not shown*");
        remote_image_view_set_placeholder(REMOTE_IMAGE_VIEW(view), wrong[index]);
        g_test_assert_expected_messages();
        remote_image_view_set_placeholder(REMOTE_IMAGE_VIEW(view), NULL);
    }
    g_assert_true(gtk_widget_get_parent(elsewhere) == other);
    gtk_window_destroy(GTK_WINDOW(window));
    g_object_unref(other);
}

static void test_objects_of_another_type(void) {
    g_autoptr(RemoteImageView) view = new_view();
    GtkWidget *label = g_object_ref_sink(gtk_label_new(""));
    g_test_expect_message("GLib-GObject", G_LOG_LEVEL_WARNING, "*invalid object type 'GtkLabel' for value type 'RemoteImagePipeline'*");
    remote_image_view_set_pipeline(view, (RemoteImagePipeline *)label);
    g_test_assert_expected_messages();
    g_assert_null(remote_image_view_get_pipeline(view));
    g_test_expect_message("GLib-GObject", G_LOG_LEVEL_WARNING, "*invalid object type 'GtkLabel' for value type 'RemoteImageProcessor'*");
    remote_image_view_set_processor(view, (RemoteImageProcessor *)label);
    g_test_assert_expected_messages();
    g_assert_null(remote_image_view_get_processor(view));

    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_view_set_uri: self is no RemoteImageView*");
    remote_image_view_set_uri((RemoteImageView *)label, "https://example.org/");
    g_test_assert_expected_messages();
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_view_get_phase: self is no RemoteImageView*");
    remote_image_view_get_phase(NULL);
    g_test_assert_expected_messages();
    g_object_unref(label);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/misuse/numbers", test_numbers_out_of_range);
    g_test_add_func("/misuse/nan", test_not_a_number);
    g_test_add_func("/misuse/headers", test_headers_that_are_none);
    g_test_add_func("/misuse/addresses", test_addresses_that_are_none);
    g_test_add_func("/misuse/thumb-hash", test_a_thumb_hash_that_is_none);
    g_test_add_func("/misuse/blur-hash", test_a_blur_hash_that_is_none);
    g_test_add_func("/misuse/negative", test_numbers_that_are_negative);
    g_test_add_func("/misuse/user-agent", test_a_user_agent_that_is_none);
    g_test_add_func("/misuse/widgets", test_widgets_that_cannot_be_shown);
    g_test_add_func("/misuse/objects", test_objects_of_another_type);
    return g_test_run();
}
