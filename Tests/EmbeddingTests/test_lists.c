// Prefetching in lists from C.
//
//   test_lists ADDRESS    the address of the test server (images.py)
#include "fixture.h"

static void set_up(GtkListItemFactory *factory, GtkListItem *row, gpointer unused) {
    GtkWidget *view = remote_image_view_new(NULL);
    g_object_set(view, "reserved-width", 60, "reserved-height", 40, "viewport-margin", 0, NULL);
    gtk_list_item_set_child(row, view);
}

static void bind(GtkListItemFactory *factory, GtkListItem *row, gpointer unused) {
    remote_image_view_set_uri(
        REMOTE_IMAGE_VIEW(gtk_list_item_get_child(row)),
        gtk_string_object_get_string(gtk_list_item_get_item(row)));
}

/// A list of a hundred rows, each with an address of its own.
static GtkWidget *new_list(const char *name) {
    GtkStringList *model = gtk_string_list_new(NULL);
    for (int row = 0; row < 100; row++) {
        g_autofree char *uri = g_strdup_printf("%s/1.png?%s-%d", base, name, row);
        gtk_string_list_append(model, uri);
    }
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(set_up), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
    return gtk_list_view_new(GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(model))), factory);
}

typedef struct {
    int calls;
    int releases;
    gboolean is_wrong;
} Data;

static RemoteImageSource *source_of(GObject *item, gpointer pointer) {
    Data *data = pointer;
    data->calls += 1;
    if (data->is_wrong) return NULL;
    return remote_image_source_new_for_uri(gtk_string_object_get_string(GTK_STRING_OBJECT(item)), NULL);
}

static void release(gpointer data) { ((Data *)data)->releases += 1; }
static gboolean was_called(gpointer data) { return ((Data *)data)->calls > 2; }
static gboolean was_released(gpointer data) { return ((Data *)data)->releases == 1; }

static gboolean has_images(gpointer pipeline) { return remote_image_pipeline_get_memory_usage(pipeline) > 0; }

static GtkWidget *show_list(GtkWidget *list) {
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_widget_set_size_request(scrolled, 100, 200);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
    return show(scrolled);
}

static void test_prefetching(void) {
    Data data = {0};
    // The views use another pipeline, so that only prefetches fill this one.
    g_autoptr(RemoteImagePipeline) pipeline = remote_image_pipeline_new();
    GtkWidget *list = new_list("prefetched");
    remote_image_list_prefetch(list, pipeline, 16, source_of, &data, release);
    GtkWidget *window = show_list(list);
    turn_until(has_images, pipeline);
    g_assert_cmpint(data.releases, ==, 0);
    gtk_window_destroy(GTK_WINDOW(window));
    turn_until(was_released, &data);
}

static void test_no_image(void) {
    Data data = {.is_wrong = TRUE};
    g_autoptr(RemoteImagePipeline) pipeline = remote_image_pipeline_new();
    GtkWidget *list = new_list("none");
    remote_image_list_prefetch(list, pipeline, 0, source_of, &data, release);
    GtkWidget *window = show_list(list);
    turn_until(was_called, &data);
    settle();
    g_assert_cmpint(remote_image_pipeline_get_memory_usage(pipeline), ==, 0);
    remote_image_list_prefetch(list, NULL, 0, NULL, NULL, NULL);
    turn_until(was_released, &data);
    gtk_window_destroy(GTK_WINDOW(window));
    settle();
    g_assert_cmpint(data.releases, ==, 1);
}

static void test_mistakes(void) {
    Data data = {0};
    GtkWidget *label = g_object_ref_sink(gtk_label_new(""));
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*list is no GtkListView, GtkGridView or GtkColumnView*");
    remote_image_list_prefetch(label, NULL, 0, source_of, &data, release);
    turn_until(was_released, &data);
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*list is no GtkListView*");
    remote_image_list_prefetch(NULL, NULL, 0, source_of, &data, NULL);
    GtkWidget *list = g_object_ref_sink(new_list("mistakes"));
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*max_pixel_size is negative*");
    remote_image_list_prefetch(list, NULL, -1, source_of, &data, NULL);
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*pipeline is no RemoteImagePipeline*");
    remote_image_list_prefetch(list, (RemoteImagePipeline *)label, 0, source_of, &data, NULL);
    g_test_assert_expected_messages();
    g_assert_cmpint(data.calls, ==, 0);
    g_object_unref(list);
    g_object_unref(label);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/list/prefetching", test_prefetching);
    g_test_add_func("/list/no-image", test_no_image);
    g_test_add_func("/list/mistakes", test_mistakes);
    return g_test_run();
}
