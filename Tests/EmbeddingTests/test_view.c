// The widget from C: the functions of the header, signals, errors, asynchronous calls, and what is left afterwards.
//
//   test_view ADDRESS    of a server as pictures.py is one
#include <remote-image.h>

static const char *base;

static void turn_until(gboolean (*condition)(gpointer), gpointer data) {
    gint64 end = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
    while (!condition(data)) {
        g_assert_cmpint(g_get_monotonic_time(), <, end);
        if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
    }
}

static gboolean is_set(gpointer flag) { return *(gboolean *)flag; }

static gboolean is_null(gpointer pointer) { return *(gpointer *)pointer == NULL; }

static char *address(const char *path) { return g_strconcat(base, path, NULL); }

static GtkWidget *show(GtkWidget *view) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_child(GTK_WINDOW(window), view);
    gtk_window_present(GTK_WINDOW(window));
    return window;
}

static void set_flag(GObject *object, gboolean *flag) { *flag = TRUE; }

static void take_error(GObject *view, GError *error, GError **taken) {
    g_clear_error(taken);
    *taken = g_error_copy(error);
}

static void count(GObject *object, GParamSpec *spec, int *number) { *number += 1; }

static void test_accessors(void) {
    RemoteImageView *view = REMOTE_IMAGE_VIEW(g_object_ref_sink(remote_image_view_new(NULL)));
    int notified = 0;
    g_signal_connect(view, "notify", G_CALLBACK(count), &notified);
    const char *const fallbacks[] = {"https://example.org/a", "https://example.org/b", NULL};

    remote_image_view_set_identity(view, "one");
    g_assert_cmpstr(remote_image_view_get_identity(view), ==, "one");
    remote_image_view_set_low_data_uri(view, "https://example.org/low");
    g_assert_cmpstr(remote_image_view_get_low_data_uri(view), ==, "https://example.org/low");
    remote_image_view_set_fallback_uris(view, fallbacks);
    g_assert_true(g_strv_equal(remote_image_view_get_fallback_uris(view), fallbacks));
    remote_image_view_set_priority(view, REMOTE_IMAGE_PRIORITY_VERY_LOW);
    g_assert_cmpint(remote_image_view_get_priority(view), ==, REMOTE_IMAGE_PRIORITY_VERY_LOW);
    remote_image_view_set_load_options(view, REMOTE_IMAGE_LOAD_IMMEDIATELY);
    g_assert_cmpint(remote_image_view_get_load_options(view), ==, REMOTE_IMAGE_LOAD_IMMEDIATELY);
    remote_image_view_set_cache_policy(view, REMOTE_IMAGE_CACHE_POLICY_STORED_ONLY);
    g_assert_cmpint(remote_image_view_get_cache_policy(view), ==, REMOTE_IMAGE_CACHE_POLICY_STORED_ONLY);
    remote_image_view_set_corner_radius(view, 5);
    remote_image_view_set_corner_radius(view, 5);
    g_assert_cmpint(remote_image_view_get_corner_radius(view), ==, 5);
    remote_image_view_set_decorative(view, TRUE);
    g_assert_true(remote_image_view_get_decorative(view));
    remote_image_view_set_alternative_text(view, NULL);
    g_assert_null(remote_image_view_get_alternative_text(view));
    // Once for each change, never for the same again.
    g_assert_cmpint(notified, ==, 8);
    g_object_unref(view);
}

static void test_loading(void) {
    g_autofree char *uri = address("/1.png");
    GtkWidget *view = remote_image_view_new(uri);
    gboolean is_loaded = FALSE;
    g_signal_connect(view, "loaded", G_CALLBACK(set_flag), &is_loaded);
    GtkWidget *window = show(view);
    turn_until(is_set, &is_loaded);
    g_assert_cmpint(remote_image_view_get_phase(REMOTE_IMAGE_VIEW(view)), ==, REMOTE_IMAGE_PHASE_SUCCESS);
    g_assert_cmpint(remote_image_view_get_image_width(REMOTE_IMAGE_VIEW(view)), ==, 320);
    g_assert_true(GDK_IS_TEXTURE(remote_image_view_get_texture(REMOTE_IMAGE_VIEW(view))));
    g_assert_true(gtk_widget_has_css_class(view, "success"));
    gtk_window_destroy(GTK_WINDOW(window));
}

static gboolean has_error(gpointer error) { return *(GError **)error != NULL; }

static void test_failure(void) {
    g_autofree char *uri = address("/missing");
    GtkWidget *view = remote_image_view_new(uri);
    GError *error = NULL;
    g_signal_connect(view, "failed", G_CALLBACK(take_error), &error);
    GtkWidget *window = show(view);
    turn_until(has_error, &error);
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_HTTP_STATUS);
    g_assert_cmpstr(remote_image_view_get_error(REMOTE_IMAGE_VIEW(view))->message, ==, error->message);
    g_clear_error(&error);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void take_result(GObject *source, GAsyncResult *result, gpointer place) {
    *(GAsyncResult **)place = g_object_ref(result);
}

static gboolean has_result(gpointer result) { return *(GAsyncResult **)result != NULL; }

static void test_async(void) {
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    g_autoptr(GError) error = NULL;
    g_autofree char *uri = address("/2.png");
    GAsyncResult *result = NULL;
    remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, take_result, &result);
    turn_until(has_result, &result);
    g_autoptr(GdkTexture) texture = remote_image_pipeline_load_texture_finish(pipeline, result, &error);
    g_assert_no_error(error);
    g_assert_cmpint(gdk_texture_get_width(texture), ==, 320);
    g_clear_object(&result);

    // Cancelled before it began.
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_cancellable_cancel(cancellable);
    remote_image_pipeline_load_texture_async(pipeline, uri, 0, cancellable, take_result, &result);
    g_assert_null(result);
    turn_until(has_result, &result);
    g_assert_null(remote_image_pipeline_load_texture_finish(pipeline, result, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_object(&result);
}

static void test_misuse(void) {
    g_test_expect_message(NULL, G_LOG_LEVEL_CRITICAL, "*remote_image_view_set_uri: self is no RemoteImageView*");
    GtkWidget *label = g_object_ref_sink(gtk_label_new(""));
    remote_image_view_set_uri((RemoteImageView *)label, "https://example.org/");
    g_test_assert_expected_messages();
    g_test_expect_message(NULL, G_LOG_LEVEL_CRITICAL, "*remote_image_view_get_phase: self is no RemoteImageView*");
    remote_image_view_get_phase(NULL);
    g_test_assert_expected_messages();
    g_object_unref(label);
}

static void test_thousand_views(void) {
    for (int number = 0; number < 1000; number++) {
        g_autofree char *path = g_strdup_printf("/%d.png", number % 9);
        g_autofree char *uri = address(path);
        GtkWidget *view = g_object_ref_sink(remote_image_view_new(uri));
        remote_image_view_set_placeholder(REMOTE_IMAGE_VIEW(view), gtk_label_new(""));
        g_object_add_weak_pointer(G_OBJECT(view), (gpointer *)&view);
        g_object_unref(view);
        // A widget that was never shown may be let go in the next turn of the loop.
        turn_until(is_null, &view);
    }
}

int main(int argc, char **argv) {
    g_test_init(&argc, &argv, NULL);
    gtk_init();
    g_assert_cmpint(argc, ==, 2);
    base = argv[1];
    g_test_add_func("/view/accessors", test_accessors);
    g_test_add_func("/view/loading", test_loading);
    g_test_add_func("/view/failure", test_failure);
    g_test_add_func("/view/misuse", test_misuse);
    g_test_add_func("/view/thousand", test_thousand_views);
    g_test_add_func("/pipeline/async", test_async);
    return g_test_run();
}
