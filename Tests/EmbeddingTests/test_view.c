// The widget from C: loading, failures, cancelling, `.ui` files, asynchronous calls, and leaks.
//
//   test_view ADDRESS    the address of the test server (images.py)
#include "fixture.h"

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

static void test_failure(void) {
    g_autofree char *uri = address("/missing");
    GtkWidget *view = remote_image_view_new(uri);
    GError *error = NULL;
    g_signal_connect(view, "failed", G_CALLBACK(take_error), &error);
    GtkWidget *window = show(view);
    turn_until(is_there, &error);
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_HTTP_STATUS);
    g_assert_cmpstr(remote_image_view_get_error(REMOTE_IMAGE_VIEW(view))->message, ==, error->message);
    g_clear_error(&error);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void show_nothing(RemoteImageView *view, GError *error, char **message) {
    g_autofree char *before = g_strdup(error->message);
    remote_image_view_set_uri(view, NULL);
    g_assert_null(remote_image_view_get_error(view));
    // The error stays valid during the signal.
    g_assert_cmpstr(error->message, ==, before);
    *message = g_steal_pointer(&before);
}

static void test_a_handler_that_asks_for_another_image(void) {
    g_autofree char *uri = address("/missing?handler");
    g_autofree char *message = NULL;
    GtkWidget *view = remote_image_view_new(uri);
    g_signal_connect(view, "failed", G_CALLBACK(show_nothing), &message);
    GtkWidget *window = show(view);
    turn_until(is_there, &message);
    gtk_window_destroy(GTK_WINDOW(window));
}

static gboolean has_ended(gpointer view) {
    return remote_image_view_get_phase(view) != REMOTE_IMAGE_PHASE_LOADING;
}

/// The shown image stays, and `loaded` is not emitted again.
static void test_a_reload_that_gives_nothing_new(void) {
    g_autofree char *uri = address("/once?reload");
    RemoteImageView *view = REMOTE_IMAGE_VIEW(remote_image_view_new(uri));
    g_autoptr(GError) error = NULL;
    int loaded = 0;
    g_signal_connect(view, "failed", G_CALLBACK(take_error), &error);
    g_signal_connect_swapped(view, "loaded", G_CALLBACK(count_swapped), &loaded);
    GtkWidget *window = show(GTK_WIDGET(view));
    turn_until(is_set, &loaded);
    g_autoptr(GdkTexture) texture = g_object_ref(remote_image_view_get_texture(view));

    remote_image_view_reload(view);
    turn_until(is_there, &error);
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_HTTP_STATUS);
    g_clear_error(&error);
    g_assert_cmpint(remote_image_view_get_phase(view), ==, REMOTE_IMAGE_PHASE_SUCCESS);
    g_assert_null(remote_image_view_get_error(view));
    g_assert_true(remote_image_view_get_texture(view) == texture);

    remote_image_view_reload(view);
    g_assert_cmpint(remote_image_view_get_phase(view), ==, REMOTE_IMAGE_PHASE_LOADING);
    remote_image_view_cancel(view);
    g_assert_cmpint(remote_image_view_get_phase(view), ==, REMOTE_IMAGE_PHASE_SUCCESS);
    settle();
    g_assert_no_error(error);
    g_assert_cmpint(loaded, ==, 1);

    // Another address loads although the previous load was cancelled, and so does the first one
    // again.
    g_autofree char *other = address("/4.png?reload");
    remote_image_view_set_uri(view, other);
    turn_until(has_ended, view);
    remote_image_view_set_uri(view, uri);
    turn_until(has_ended, view);
    settle();
    g_assert_cmpint(loaded, ==, 3);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void test_async(void) {
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    g_autoptr(GError) error = NULL;
    g_autofree char *uri = address("/2.png");
    GAsyncResult *result = NULL;
    remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_autoptr(GdkTexture) texture = remote_image_pipeline_load_texture_finish(pipeline, result, &error);
    g_assert_no_error(error);
    g_assert_cmpint(gdk_texture_get_width(texture), ==, 320);
    g_clear_object(&result);

    // Cancelled before the call.
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_cancellable_cancel(cancellable);
    remote_image_pipeline_load_texture_async(pipeline, uri, 0, cancellable, take_result, &result);
    g_assert_null(result);
    turn_until(is_there, &result);
    g_assert_null(remote_image_pipeline_load_texture_finish(pipeline, result, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_object(&result);
}

static void test_the_result_of_another_call(void) {
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *uri = address("/2.png");
    remote_image_pipeline_load_bytes_async(pipeline, uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_test_expect_message(
        NULL, G_LOG_LEVEL_CRITICAL, "*not that of remote_image_pipeline_load_texture_async() on this object*");
    g_assert_null(remote_image_pipeline_load_texture_finish(pipeline, result, &error));
    g_test_assert_expected_messages();
    g_autoptr(GBytes) bytes = remote_image_pipeline_load_bytes_finish(pipeline, result, &error);
    g_assert_no_error(error);
    g_assert_nonnull(bytes);
}

static gboolean is_loading(gpointer view) {
    // A view requests no image before it has a size.
    return remote_image_view_get_phase(view) == REMOTE_IMAGE_PHASE_LOADING && gtk_widget_get_width(view) > 0;
}

static void test_cancelling(void) {
    g_autofree char *uri = address("/never");
    RemoteImageView *view = REMOTE_IMAGE_VIEW(remote_image_view_new(uri));
    GError *error = NULL;
    g_signal_connect(view, "failed", G_CALLBACK(take_error), &error);
    GtkWidget *window = show(GTK_WIDGET(view));
    turn_until(is_loading, view);
    remote_image_view_cancel(view);
    settle();
    // Cancelling is not a failure.
    g_assert_cmpint(remote_image_view_get_phase(view), ==, REMOTE_IMAGE_PHASE_EMPTY);
    g_assert_no_error(error);
    g_assert_null(remote_image_view_get_error(view));
    gtk_window_destroy(GTK_WINDOW(window));
}

static gboolean cancel(gpointer cancellable) {
    g_cancellable_cancel(cancellable);
    return G_SOURCE_REMOVE;
}

static void test_cancelling_a_call(void) {
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GAsyncResult) result = NULL;
    g_autofree char *uri = address("/never");
    remote_image_pipeline_load_bytes_async(pipeline, uri, cancellable, take_result, &result);
    g_timeout_add(50, cancel, cancellable);
    turn_until(is_there, &result);
    g_assert_null(remote_image_pipeline_load_bytes_finish(pipeline, result, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static GtkBuilder *build(const char *inside, GError **error) {
    g_type_ensure(REMOTE_IMAGE_TYPE_VIEW);
    g_autofree char *text = g_strconcat(
        "<interface><object class=\"RemoteImageView\" id=\"view\">", inside, "</object></interface>", NULL);
    GtkBuilder *builder = gtk_builder_new();
    if (!gtk_builder_add_from_string(builder, text, -1, error)) g_clear_object(&builder);
    return builder;
}

static void test_ui_file(void) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GtkBuilder) builder = build(
        "<property name=\"content-fit\">cover</property><property name=\"corner-radius\">12</property>"
        "<property name=\"priority\">very-high</property>"
        "<property name=\"load-options\">on-appear|cancel-on-disappear</property>"
        "<property name=\"headers\">X-Key: open</property>"
        "<child type=\"placeholder\"><object class=\"GtkLabel\" id=\"wait\"/></child>"
        "<child type=\"failure\"><object class=\"GtkLabel\" id=\"sorry\"/></child>",
        &error);
    g_assert_no_error(error);
    RemoteImageView *view = REMOTE_IMAGE_VIEW(gtk_builder_get_object(builder, "view"));
    GtkWidget *wait = GTK_WIDGET(gtk_builder_get_object(builder, "wait"));
    GtkWidget *sorry = GTK_WIDGET(gtk_builder_get_object(builder, "sorry"));
    g_assert_cmpint(remote_image_view_get_content_fit(view), ==, GTK_CONTENT_FIT_COVER);
    g_assert_cmpint(remote_image_view_get_corner_radius(view), ==, 12);
    g_assert_cmpint(remote_image_view_get_priority(view), ==, REMOTE_IMAGE_PRIORITY_VERY_HIGH);
    g_assert_cmpint(
        remote_image_view_get_load_options(view), ==,
        REMOTE_IMAGE_LOAD_ON_APPEAR | REMOTE_IMAGE_LOAD_CANCEL_ON_DISAPPEAR);
    g_assert_cmpstr(remote_image_view_get_headers(view)[0], ==, "X-Key: open");
    g_assert_true(remote_image_view_get_placeholder(view) == wait);
    g_assert_true(remote_image_view_get_failure(view) == sorry);

    GError *failure = NULL;
    g_signal_connect(view, "failed", G_CALLBACK(take_error), &failure);
    GtkWidget *window = show(GTK_WIDGET(view));
    g_assert_true(gtk_widget_get_parent(wait) == GTK_WIDGET(view));
    g_autofree char *uri = address("/missing");
    remote_image_view_set_uri(view, uri);
    turn_until(is_there, &failure);
    g_assert_true(gtk_widget_get_parent(sorry) == GTK_WIDGET(view));
    g_assert_null(gtk_widget_get_parent(wait));
    g_clear_error(&failure);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void test_accessibility(void) {
    GtkWidget *view = remote_image_view_new(NULL);
    GtkWidget *window = show(view);
    gtk_test_accessible_assert_role(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_ROLE_IMG);
    remote_image_view_set_alternative_text(REMOTE_IMAGE_VIEW(view), "A cat");
    gtk_test_accessible_assert_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, "A cat");
    remote_image_view_set_decorative(REMOTE_IMAGE_VIEW(view), TRUE);
    gtk_test_accessible_assert_state(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void test_mistakes_in_ui_files(void) {
    g_autoptr(GError) error = NULL;
    g_assert_null(build("<property name=\"colour\">red</property>", &error));
    g_assert_error(error, GTK_BUILDER_ERROR, GTK_BUILDER_ERROR_INVALID_PROPERTY);

    g_test_expect_message(NULL, G_LOG_LEVEL_WARNING, "*of type “placeholder” or “failure”, not “title”*");
    g_object_unref(build("<child type=\"title\"><object class=\"GtkLabel\"/></child>", NULL));
    g_test_assert_expected_messages();
}

static void test_thousand_views(void) {
    for (int number = 0; number < 1000; number++) {
        g_autofree char *path = g_strdup_printf("/%d.png", number % 9);
        g_autofree char *uri = address(path);
        GtkWidget *view = g_object_ref_sink(remote_image_view_new(uri));
        remote_image_view_set_placeholder(REMOTE_IMAGE_VIEW(view), gtk_label_new(""));
        g_object_add_weak_pointer(G_OBJECT(view), (gpointer *)&view);
        g_object_unref(view);
        // A widget that was never shown may be released in the next iteration of the loop.
        turn_until(is_null, &view);
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/view/loading", test_loading);
    g_test_add_func("/view/failure", test_failure);
    g_test_add_func("/view/failure/handler", test_a_handler_that_asks_for_another_image);
    g_test_add_func("/view/reload", test_a_reload_that_gives_nothing_new);
    g_test_add_func("/view/cancelling", test_cancelling);
    g_test_add_func("/view/accessibility", test_accessibility);
    g_test_add_func("/view/ui", test_ui_file);
    g_test_add_func("/view/ui/mistakes", test_mistakes_in_ui_files);
    g_test_add_func("/view/thousand", test_thousand_views);
    g_test_add_func("/pipeline/async", test_async);
    g_test_add_func("/pipeline/cancelling", test_cancelling_a_call);
    g_test_add_func("/pipeline/result", test_the_result_of_another_call);
    return g_test_run();
}
