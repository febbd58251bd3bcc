// The signal of a pipeline for the failures of all its images, from C: its arguments, and the life
// of the pipeline.
//
//   test_failures ADDRESS    the address of the test server (images.py)
#include "fixture.h"

typedef struct {
    int count;
    char *uri;
    gboolean is_visible;
    GError *error;
} Failure;

static void clear(Failure *failure) {
    g_clear_pointer(&failure->uri, g_free);
    g_clear_error(&failure->error);
}

static void take_failure(
    RemoteImagePipeline *pipeline, const char *uri, gboolean is_visible, GError *error, Failure *failure) {
    clear(failure);
    *failure = (Failure){failure->count + 1, g_strdup(uri), is_visible, g_error_copy(error)};
}

static void test_a_visible_image(void) {
    g_autofree char *uri = address("/missing?visible");
    g_autoptr(RemoteImagePipeline) pipeline = remote_image_pipeline_new();
    Failure failure = {0};
    g_signal_connect(pipeline, "failed", G_CALLBACK(take_failure), &failure);
    GtkWidget *view = remote_image_view_new(uri);
    remote_image_view_set_pipeline(REMOTE_IMAGE_VIEW(view), pipeline);
    GError *error = NULL;
    g_signal_connect(view, "failed", G_CALLBACK(take_error), &error);
    GtkWidget *window = show(view);
    turn_until(is_there, &error);
    turn_until(is_set, &failure.count);
    g_assert_cmpstr(failure.uri, ==, uri);
    g_assert_true(failure.is_visible);
    g_assert_error(failure.error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_HTTP_STATUS);
    g_assert_cmpstr(failure.error->message, ==, error->message);
    g_assert_cmpint(remote_image_error_get_status(failure.error), ==, 404);
    g_clear_error(&error);
    gtk_window_destroy(GTK_WINDOW(window));
    settle();
    g_assert_cmpint(failure.count, ==, 1);
    clear(&failure);
}

static void test_a_prefetched_image(void) {
    g_autofree char *uri = address("/damaged.png?prefetched");
    g_autoptr(RemoteImagePipeline) pipeline = remote_image_pipeline_new();
    Failure failure = {0};
    g_signal_connect(pipeline, "failed", G_CALLBACK(take_failure), &failure);
    remote_image_pipeline_prefetch(pipeline, (const char *[]){uri, NULL});
    turn_until(is_set, &failure.count);
    g_assert_cmpstr(failure.uri, ==, uri);
    g_assert_false(failure.is_visible);
    g_assert_error(failure.error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_CORRUPT);
    clear(&failure);
}

/// The call keeps the pipeline, the connection and the failure do not.
static void test_a_pipeline_that_is_released_during_a_call(void) {
    g_autofree char *uri = address("/missing?released");
    RemoteImagePipeline *pipeline = remote_image_pipeline_new();
    Failure failure = {0};
    g_signal_connect(pipeline, "failed", G_CALLBACK(take_failure), &failure);
    g_object_add_weak_pointer(G_OBJECT(pipeline), (gpointer *)&pipeline);
    g_autoptr(GAsyncResult) result = NULL;
    remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, take_result, &result);
    g_object_unref(pipeline);
    turn_until(is_there, &result);
    g_assert_cmpint(failure.count, ==, 1);
    g_clear_object(&result);
    turn_until(is_null, &pipeline);
    clear(&failure);
}

static void test_a_pipeline_that_is_released_with_its_prefetches(void) {
    g_autofree char *never = address("/never?prefetched");
    g_autofree char *missing = address("/missing?prefetched");
    RemoteImagePipeline *pipeline = remote_image_pipeline_new();
    Failure failure = {0};
    g_signal_connect(pipeline, "failed", G_CALLBACK(take_failure), &failure);
    g_object_add_weak_pointer(G_OBJECT(pipeline), (gpointer *)&pipeline);
    remote_image_pipeline_prefetch(pipeline, (const char *[]){never, missing, NULL});
    // The other prefetch still runs.
    turn_until(is_set, &failure.count);
    g_assert_cmpstr(failure.uri, ==, missing);
    g_object_unref(pipeline);
    turn_until(is_null, &pipeline);
    settle();
    g_assert_cmpint(failure.count, ==, 1);
    clear(&failure);
}

static void release(
    RemoteImagePipeline *pipeline, const char *uri, gboolean is_visible, GError *error, RemoteImagePipeline **owned) {
    g_clear_object(owned);
    // The emission holds a reference.
    g_assert_true(REMOTE_IMAGE_IS_PIPELINE(pipeline));
}

static void test_a_handler_that_releases_the_pipeline(void) {
    g_autofree char *uri = address("/missing?handler");
    RemoteImagePipeline *pipeline = remote_image_pipeline_new(), *watched = pipeline;
    g_object_add_weak_pointer(G_OBJECT(watched), (gpointer *)&watched);
    g_signal_connect(pipeline, "failed", G_CALLBACK(release), &pipeline);
    remote_image_pipeline_prefetch(pipeline, (const char *[]){uri, NULL});
    turn_until(is_null, &watched);
    g_assert_null(pipeline);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/failures/visible", test_a_visible_image);
    g_test_add_func("/failures/prefetched", test_a_prefetched_image);
    g_test_add_func("/failures/released/call", test_a_pipeline_that_is_released_during_a_call);
    g_test_add_func("/failures/released/prefetches", test_a_pipeline_that_is_released_with_its_prefetches);
    g_test_add_func("/failures/released/handler", test_a_handler_that_releases_the_pipeline);
    return g_test_run();
}
