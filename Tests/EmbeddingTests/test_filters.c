// The filters of a pipeline from C: requests that are changed, and responses that are refused.
//
//   test_filters ADDRESS    the address of the test server (images.py)
#include "fixture.h"
#include <string.h>

static void expect(GLogLevelFlags level, const char *pattern) { g_test_expect_message("RemoteImage", level, pattern); }

static RemoteImagePipeline *new_pipeline(void) {
    g_autofree char *folder = g_dir_make_tmp("remote-image-XXXXXX", NULL);
    return g_object_new(REMOTE_IMAGE_TYPE_PIPELINE, "cache-directory", folder, NULL);
}

static GBytes *load(RemoteImagePipeline *pipeline, const char *path, GError **error) {
    g_autofree char *uri = address(path);
    g_autoptr(GAsyncResult) result = NULL;
    remote_image_pipeline_load_bytes_async(pipeline, uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    return remote_image_pipeline_load_bytes_finish(pipeline, result, error);
}

static void clear_count(gpointer count) { *(int *)count = -1; }

static gboolean is_cleared(gpointer count) { return *(int *)count == -1; }

static gboolean proceed(gpointer request) {
    remote_image_transfer_request_proceed(request);
    g_object_unref(request);
    return G_SOURCE_REMOVE;
}

static void sign(RemoteImageTransferRequest *request, gpointer count) {
    g_assert_true(g_str_has_suffix(remote_image_transfer_request_get_uri(request), "/unsigned?c"));
    g_assert_cmpint(remote_image_transfer_request_get_attempt(request), ==, 1);
    g_assert_cmpint(remote_image_transfer_request_get_target_width(request), ==, 0);
    g_assert_cmpint(remote_image_transfer_request_get_target_height(request), ==, 0);
    g_autofree char *uri = address("/secret?c-signed");
    remote_image_transfer_request_set_uri(request, uri);
    remote_image_transfer_request_set_header(request, "X-Key", "open");
    g_assert_cmpstr(remote_image_transfer_request_get_header(request, "x-key"), ==, "open");
    *(int *)count += 1;
    g_idle_add(proceed, g_object_ref(request));
}

static void test_a_filter_signs_addresses(void) {
    RemoteImagePipeline *pipeline = new_pipeline();
    int count = 0;
    remote_image_pipeline_set_request_filter(pipeline, "signature", "", sign, &count, clear_count);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = load(pipeline, "/unsigned?c", &error);
    g_assert_no_error(error);
    g_assert_cmpint(count, ==, 1);
    // The image is stored under its own address.
    g_autoptr(GBytes) again = load(pipeline, "/unsigned?c", &error);
    g_assert_no_error(error);
    g_assert_true(g_bytes_equal(bytes, again));
    g_object_unref(pipeline);
    turn_until(is_cleared, &count);
}

static void answer_twice(RemoteImageTransferRequest *request, gpointer unused) {
    remote_image_transfer_request_proceed(request);
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_transfer_request_proceed: the request is answered already*");
    remote_image_transfer_request_proceed(request);
    g_test_assert_expected_messages();
}

static void test_a_second_answer_is_ignored(void) {
    g_autoptr(RemoteImagePipeline) pipeline = new_pipeline();
    remote_image_pipeline_set_request_filter(pipeline, "twice", NULL, answer_twice, NULL, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = load(pipeline, "/1.png?twice", &error);
    g_assert_no_error(error);
}

static void set_invalid_headers(RemoteImageTransferRequest *request, gpointer unused) {
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_transfer_request_set_header: name is not the name of a header*");
    remote_image_transfer_request_set_header(request, "X Key", "open");
    g_test_assert_expected_messages();
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_transfer_request_set_header: name is not the name of a header*");
    remote_image_transfer_request_set_header(request, NULL, "open");
    g_test_assert_expected_messages();
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_transfer_request_set_header: value has characters*");
    remote_image_transfer_request_set_header(request, "X-Other", "1\r\nX-Key: open");
    g_test_assert_expected_messages();
    g_assert_null(remote_image_transfer_request_get_header(request, "X-Other"));
    remote_image_transfer_request_set_uri(request, NULL);
    remote_image_transfer_request_proceed(request);
}

static void test_invalid_changes_fail(void) {
    g_autoptr(RemoteImagePipeline) pipeline = new_pipeline();
    remote_image_pipeline_set_request_filter(pipeline, "invalid", NULL, set_invalid_headers, NULL, NULL);
    g_autoptr(GError) error = NULL;
    g_assert_null(load(pipeline, "/1.png?invalid", &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_INVALID_URL);
}

static gboolean check(RemoteImageResponse *response, gpointer count, GError **error) {
    *(int *)count += 1;
    g_assert_cmpint(remote_image_response_get_status(response), ==, 200);
    g_assert_cmpint(remote_image_response_get_attempt(response), ==, 1);
    g_assert_cmpstr(remote_image_response_get_header(response, "Content-Type"), ==, "image/png");
    g_assert_null(remote_image_response_get_header(response, "X-Missing"));
    g_autoptr(GBytes) bytes = remote_image_response_get_bytes(response);
    if (memcmp(g_bytes_get_data(bytes, NULL), "\x89PNG", 4) == 0) return TRUE;
    g_set_error_literal(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_NOT_AN_IMAGE, "no PNG file");
    return FALSE;
}

static void test_responses_are_checked(void) {
    RemoteImagePipeline *pipeline = new_pipeline();
    int count = 0;
    remote_image_pipeline_set_response_filter(pipeline, "check", check, &count, clear_count);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = load(pipeline, "/1.png?checked", &error);
    g_assert_no_error(error);
    g_assert_null(load(pipeline, "/text?checked", &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_NOT_AN_IMAGE);
    g_assert_cmpint(count, ==, 2);
    g_object_unref(pipeline);
    turn_until(is_cleared, &count);
}

static gboolean refuse(RemoteImageResponse *response, gpointer unused, GError **error) { return FALSE; }

static void test_a_refusal_without_an_error_fails(void) {
    g_autoptr(RemoteImagePipeline) pipeline = new_pipeline();
    remote_image_pipeline_set_response_filter(pipeline, "refusal", refuse, NULL, NULL);
    g_autoptr(GError) error = NULL;
    g_assert_null(load(pipeline, "/1.png?refused", &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_SOURCE);
}

static void test_filters_without_a_name_are_not_set(void) {
    g_autoptr(RemoteImagePipeline) pipeline = new_pipeline();
    int count = 0;
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_pipeline_set_request_filter: name is NULL*");
    remote_image_pipeline_set_request_filter(pipeline, NULL, NULL, sign, &count, clear_count);
    g_test_assert_expected_messages();
    turn_until(is_cleared, &count);
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_pipeline_set_response_filter: name is NULL*");
    remote_image_pipeline_set_response_filter(pipeline, NULL, check, NULL, NULL);
    g_test_assert_expected_messages();
}

static void test_a_removed_filter_is_not_called(void) {
    g_autoptr(RemoteImagePipeline) pipeline = new_pipeline();
    int count = 0;
    remote_image_pipeline_set_request_filter(pipeline, "signature", NULL, sign, &count, clear_count);
    remote_image_pipeline_set_request_filter(pipeline, "signature", NULL, NULL, NULL, NULL);
    remote_image_pipeline_set_response_filter(pipeline, "refusal", refuse, NULL, NULL);
    remote_image_pipeline_set_response_filter(pipeline, "refusal", NULL, NULL, NULL);
    turn_until(is_cleared, &count);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = load(pipeline, "/1.png?removed", &error);
    g_assert_no_error(error);
}

typedef struct {
    RemoteImagePipeline *pipeline;
    gboolean *is_released;
} Keeper;

static void keep(RemoteImageTransferRequest *request, gpointer keeper) { g_assert_not_reached(); }

static void release_keeper(gpointer data) {
    Keeper *keeper = data;
    *keeper->is_released = TRUE;
    g_object_unref(keeper->pipeline);
    g_free(keeper);
}

// The data of both filters keeps the pipeline, which ends when the program disposes of it.
static void test_disposal_releases_filters(void) {
    RemoteImagePipeline *pipeline = new_pipeline();
    gboolean is_released[2] = {FALSE, FALSE};
    Keeper *keepers[2];
    for (int index = 0; index < 2; index++) {
        keepers[index] = g_new(Keeper, 1);
        *keepers[index] = (Keeper){g_object_ref(pipeline), &is_released[index]};
    }
    remote_image_pipeline_set_request_filter(pipeline, "keeper", NULL, keep, keepers[0], release_keeper);
    remote_image_pipeline_set_response_filter(pipeline, "keeper", refuse, keepers[1], release_keeper);
    // It also clears weak pointers.
    g_object_run_dispose(G_OBJECT(pipeline));
    g_object_add_weak_pointer(G_OBJECT(pipeline), (gpointer *)&pipeline);
    g_autoptr(GError) error = NULL;
    g_assert_null(load(pipeline, "/1.png?disposed", &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_CANCELLED);
    g_object_unref(pipeline);
    turn_until(is_set, &is_released[0]);
    turn_until(is_set, &is_released[1]);
    turn_until(is_null, &pipeline);
}

static void test_disposal_refuses_responses(void) {
    RemoteImagePipeline *pipeline = new_pipeline();
    int count = 0;
    remote_image_pipeline_set_response_filter(pipeline, "check", check, &count, clear_count);
    g_object_run_dispose(G_OBJECT(pipeline));
    turn_until(is_cleared, &count);
    g_autoptr(GError) error = NULL;
    g_assert_null(load(pipeline, "/1.png?unchecked", &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_CANCELLED);
    g_object_unref(pipeline);
}

static void test_objects_of_the_program_are_empty(void) {
    g_autoptr(RemoteImageTransferRequest) request = g_object_new(REMOTE_IMAGE_TYPE_TRANSFER_REQUEST, NULL);
    g_assert_cmpstr(remote_image_transfer_request_get_uri(request), ==, "");
    g_assert_null(remote_image_transfer_request_get_cancellable(request));
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_transfer_request_proceed: the request was not made by RemoteImage*");
    remote_image_transfer_request_proceed(request);
    g_test_assert_expected_messages();
    g_autoptr(RemoteImageResponse) response = g_object_new(REMOTE_IMAGE_TYPE_RESPONSE, NULL);
    g_assert_cmpstr(remote_image_response_get_uri(response), ==, "");
    g_autoptr(GBytes) bytes = remote_image_response_get_bytes(response);
    g_assert_cmpint(g_bytes_get_size(bytes), ==, 0);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/filters/signature", test_a_filter_signs_addresses);
    g_test_add_func("/filters/second-answer", test_a_second_answer_is_ignored);
    g_test_add_func("/filters/invalid", test_invalid_changes_fail);
    g_test_add_func("/filters/responses", test_responses_are_checked);
    g_test_add_func("/filters/refusal", test_a_refusal_without_an_error_fails);
    g_test_add_func("/filters/no-name", test_filters_without_a_name_are_not_set);
    g_test_add_func("/filters/removed", test_a_removed_filter_is_not_called);
    g_test_add_func("/filters/disposal", test_disposal_releases_filters);
    g_test_add_func("/filters/disposal-response", test_disposal_refuses_responses);
    g_test_add_func("/filters/own-objects", test_objects_of_the_program_are_empty);
    return g_test_run();
}
