// Icons of notifications, local files, images of widgets, and the status of
// a failure from C.
//
//   test_desktop ADDRESS    the address of the test server (images.py)
#include "fixture.h"

static void test_icon(void) {
    g_autofree char *uri = address("/1.png?icon");
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    remote_image_pipeline_load_icon_async(
        pipeline, uri, 64, REMOTE_IMAGE_CONTENT_FIT_COVER, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_autoptr(GIcon) icon = remote_image_pipeline_load_icon_finish(pipeline, result, &error);
    g_assert_no_error(error);
    g_assert_true(G_IS_BYTES_ICON(icon));
    g_autoptr(GdkTexture) texture = gdk_texture_new_from_bytes(g_bytes_icon_get_bytes(G_BYTES_ICON(icon)), &error);
    g_assert_no_error(error);
    g_assert_cmpint(gdk_texture_get_width(texture), ==, 64);
    g_assert_cmpint(gdk_texture_get_height(texture), ==, 64);
}

static void test_icon_sizes(void) {
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*size is negative*");
    remote_image_pipeline_load_icon_async(
        pipeline, "https://a.example/", -1, REMOTE_IMAGE_CONTENT_FIT_COVER, NULL, NULL, NULL);
    g_test_assert_expected_messages();
}

static gboolean is_missing(gpointer path) { return !g_file_test(path, G_FILE_TEST_EXISTS); }

static void test_file(void) {
    g_autofree char *uri = address("/2.png?file");
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    remote_image_pipeline_load_file_async(pipeline, uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    RemoteImageFile *file = remote_image_pipeline_load_file_finish(pipeline, result, &error);
    g_assert_no_error(error);
    g_clear_object(&result);
    g_autofree char *path = g_file_get_path(remote_image_file_get_file(file));
    g_assert_true(g_str_has_suffix(path, ".png"));
    g_assert_false(is_missing(path));
    g_object_unref(file);
    turn_until(is_missing, path);
}

static void test_file_of_text(void) {
    g_autofree char *uri = address("/text?file");
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    remote_image_pipeline_load_file_async(pipeline, uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_assert_null(remote_image_pipeline_load_file_finish(pipeline, result, &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_NOT_AN_IMAGE);
}

static gboolean has_paintable(gpointer picture) { return gtk_picture_get_paintable(picture) != NULL; }

static void test_binding(void) {
    g_autofree char *uri = address("/3.png?bound");
    GtkWidget *picture = g_object_ref_sink(gtk_picture_new());
    RemoteImagePaintable *paintable = remote_image_paintable_new(uri);
    remote_image_paintable_bind_widget(paintable, picture, "paintable");
    g_assert_false(has_paintable(picture));
    turn_until(has_paintable, picture);
    remote_image_paintable_set_uri(paintable, NULL);
    g_assert_false(has_paintable(picture));
    // The widget keeps the paintable, and releases it at its end.
    g_object_add_weak_pointer(G_OBJECT(paintable), (gpointer *)&paintable);
    g_object_unref(paintable);
    settle();
    g_assert_nonnull(paintable);
    g_object_unref(picture);
    turn_until(is_null, &paintable);
}

static void test_binding_to_nothing(void) {
    GtkWidget *label = g_object_ref_sink(gtk_label_new(""));
    g_autoptr(RemoteImagePaintable) paintable = remote_image_paintable_new(NULL);
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*no writable property custom-image of type GdkPaintable*");
    remote_image_paintable_bind_widget(paintable, label, "custom-image");
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*property_name is NULL*");
    remote_image_paintable_bind_widget(paintable, label, NULL);
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*widget is no GtkWidget*");
    remote_image_paintable_unbind_widget(paintable, NULL, "paintable");
    g_test_assert_expected_messages();
    g_object_unref(label);
}

static gboolean shows_paintable(gpointer image) {
    return gtk_image_get_storage_type(image) == GTK_IMAGE_PAINTABLE;
}

static void test_set_image(void) {
    g_autofree char *uri = address("/4.png?set");
    GtkWidget *icon = gtk_image_new_from_icon_name("avatar-default-symbolic");
    RemoteImageWidgetImage *image = remote_image_set_image(icon, uri);
    g_assert_true(remote_image_set_image(icon, uri) == image);
    g_assert_cmpstr(gtk_image_get_icon_name(GTK_IMAGE(icon)), ==, "avatar-default-symbolic");
    GtkWidget *window = show(icon);
    turn_until(shows_paintable, icon);
    g_autoptr(RemoteImageMetrics) metrics = remote_image_widget_image_get_metrics(image);
    g_assert_cmpint(remote_image_metrics_get_status(metrics), ==, 200);
    remote_image_set_image(icon, NULL);
    g_assert_cmpstr(gtk_image_get_icon_name(GTK_IMAGE(icon)), ==, "avatar-default-symbolic");
    // The widget owns the object.
    g_object_add_weak_pointer(G_OBJECT(image), (gpointer *)&image);
    gtk_window_destroy(GTK_WINDOW(window));
    turn_until(is_null, &image);
}

static void test_set_image_source(void) {
    g_autofree char *uri = address("/4.png?source"), *named = NULL;
    g_autoptr(RemoteImageSource) source = remote_image_source_new_for_uri(uri, "avatar");
    g_autoptr(RemoteImageSource) given = NULL;
    GtkWidget *icon = gtk_image_new_from_icon_name("avatar-default-symbolic");
    RemoteImageWidgetImage *image = remote_image_set_image(icon, "data:,");
    g_assert_true(remote_image_set_image_source(icon, source) == image);
    g_object_get(image, "uri", &named, "source", &given, NULL);
    g_assert_null(named);
    g_assert_true(given == source);
    GtkWidget *window = show(icon);
    turn_until(shows_paintable, icon);
    remote_image_set_image_source(icon, NULL);
    g_assert_cmpstr(gtk_image_get_icon_name(GTK_IMAGE(icon)), ==, "avatar-default-symbolic");
    gtk_window_destroy(GTK_WINDOW(window));
}

/// A program that read the property took over the floating reference of its widget.
static void test_the_widget_of_an_image_stays_floating(void) {
    GtkWidget *picture = gtk_picture_new(), *widget = NULL;
    RemoteImageWidgetImage *image = remote_image_set_image(picture, NULL);
    g_object_get(image, "widget", &widget, NULL);
    g_assert_true(widget == picture);
    g_assert_true(g_object_is_floating(picture));
    g_object_unref(widget);
    g_object_ref_sink(picture);
    g_object_unref(picture);
}

static void test_set_image_of_nothing(void) {
    GtkWidget *label = g_object_ref_sink(gtk_label_new(""));
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*the widget has no writable property of type GdkPaintable*");
    g_assert_null(remote_image_set_image(label, NULL));
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*no writable property of type GdkPaintable named label*");
    g_assert_null(remote_image_widget_image_new(label, "label"));
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*widget is no GtkWidget*");
    g_assert_null(remote_image_set_image(NULL, NULL));
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "remote_image_set_image_source: widget is no GtkWidget*");
    g_assert_null(remote_image_set_image_source(NULL, NULL));
    g_test_assert_expected_messages();
    g_object_unref(label);
}

static void take_status(GObject *paintable, GError *error, int *status) {
    g_autoptr(GError) copy = g_error_copy(error);
    *status = remote_image_error_get_status(copy);
}

static gboolean is_404(gpointer status) { return *(int *)status == 404; }

static gboolean is_200(gpointer status) { return *(int *)status == 200; }

static void test_status(void) {
    g_autofree char *uri = address("/missing?status");
    g_autoptr(RemoteImagePaintable) paintable = remote_image_paintable_new(NULL);
    int status = 0;
    g_signal_connect(paintable, "failed", G_CALLBACK(take_status), &status);
    remote_image_paintable_set_uri(paintable, uri);
    turn_until(is_404, &status);
    g_assert_cmpint(remote_image_paintable_get_status(paintable), ==, 404);
    g_assert_cmpint(remote_image_error_get_status(remote_image_paintable_get_error(paintable)), ==, 404);
    g_autofree char *damaged = address("/damaged.png?status");
    remote_image_paintable_set_uri(paintable, damaged);
    turn_until(is_200, &status);
    g_assert_cmpint(remote_image_paintable_get_status(paintable), ==, 200);
    g_assert_cmpint(remote_image_error_get_status(remote_image_paintable_get_error(paintable)), ==, 200);
    g_autoptr(GError) other = g_error_new_literal(G_IO_ERROR, G_IO_ERROR_FAILED, "");
    g_assert_cmpint(remote_image_error_get_status(other), ==, 0);
    g_autoptr(GError) own = g_error_new_literal(REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_IO, "");
    g_assert_cmpint(remote_image_error_get_status(own), ==, 0);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/icon", test_icon);
    g_test_add_func("/icon/sizes", test_icon_sizes);
    g_test_add_func("/file", test_file);
    g_test_add_func("/file/text", test_file_of_text);
    g_test_add_func("/binding", test_binding);
    g_test_add_func("/binding/mistakes", test_binding_to_nothing);
    g_test_add_func("/set-image", test_set_image);
    g_test_add_func("/set-image/source", test_set_image_source);
    g_test_add_func("/set-image/floating", test_the_widget_of_an_image_stays_floating);
    g_test_add_func("/set-image/mistakes", test_set_image_of_nothing);
    g_test_add_func("/status", test_status);
    return g_test_run();
}
