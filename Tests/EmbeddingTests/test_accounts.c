// Accounts from C: credentials that expire, and answers that come late, twice or never.
//
//   test_accounts ADDRESS    the address of the test server (images.py)
#include "fixture.h"
#include <glib/gstdio.h>

enum { image_count = 100 };

/// What the handler of a test answers, and what it was asked.
typedef struct {
    const char *credential;
    const char *replacement;
    int first_count;
    int refusal_count;
    RemoteImageCredentialRequest *kept;
} Session;

static gboolean respond_late(gpointer request) {
    remote_image_credential_request_respond(request, "Bearer new");
    g_object_unref(request);
    return G_SOURCE_REMOVE;
}

static void answer(RemoteImageAuthorization *authorization, RemoteImageCredentialRequest *request, Session *session) {
    g_assert_true(g_str_has_prefix(remote_image_credential_request_get_uri(request), base));
    if (remote_image_credential_request_get_status(request) == 0) {
        g_assert_null(remote_image_credential_request_get_refused_credential(request));
        g_assert_null(remote_image_credential_request_get_challenges(request));
        session->first_count += 1;
        remote_image_credential_request_respond(request, session->credential);
        return;
    }
    g_assert_cmpint(remote_image_credential_request_get_status(request), ==, 401);
    g_assert_cmpstr(remote_image_credential_request_get_refused_credential(request), ==, session->credential);
    const char *const *challenges = remote_image_credential_request_get_challenges(request);
    g_assert_cmpstr(challenges[0], ==, "Bearer error=\"invalid_token\"");
    g_assert_null(challenges[1]);
    session->refusal_count += 1;
    // The answer comes later, as that of a server.
    g_timeout_add(50, respond_late, g_object_ref(request));
}

static RemoteImageAuthorization *new_authorization(const char *account) {
    const char *const origins[] = {base, NULL};
    RemoteImageAuthorization *authorization = remote_image_authorization_new(account);
    remote_image_authorization_set_origins(authorization, origins);
    return authorization;
}

/// A pipeline with the store of a folder and an authorization with a handler.
static RemoteImagePipeline *new_pipeline(const char *folder, const char *account, GCallback handler, gpointer data) {
    g_autoptr(RemoteImageAuthorization) authorization = new_authorization(account);
    g_signal_connect(authorization, "credential-needed", handler, data);
    RemoteImagePipeline *pipeline = g_object_new(REMOTE_IMAGE_TYPE_PIPELINE, "cache-directory", folder, NULL);
    remote_image_pipeline_set_authorization(pipeline, authorization);
    g_assert_true(remote_image_pipeline_get_authorization(pipeline) == authorization);
    return pipeline;
}

static void count_texture(GObject *pipeline, GAsyncResult *result, gpointer left) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GdkTexture) texture =
        remote_image_pipeline_load_texture_finish(REMOTE_IMAGE_PIPELINE(pipeline), result, &error);
    g_assert_no_error(error);
    g_assert_cmpint(gdk_texture_get_width(texture), ==, 8);
    *(int *)left -= 1;
}

static gboolean is_zero(gpointer number) { return *(int *)number == 0; }

static void load_all(RemoteImagePipeline *pipeline) {
    int left = image_count;
    for (int number = 0; number < image_count; number++) {
        g_autofree char *uri = g_strdup_printf("%s/account/c-%d.png", base, number);
        remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, count_texture, &left);
    }
    turn_until(is_zero, &left);
    g_autoptr(GAsyncResult) result = NULL;
    // Waits for the writes.
    remote_image_pipeline_get_disk_usage_async(pipeline, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_assert_cmpint(remote_image_pipeline_get_disk_usage_finish(pipeline, result, NULL), >, 0);
}

static void test_an_expired_token_of_100_images(void) {
    g_autofree char *folder = g_dir_make_tmp("remote-image-XXXXXX", NULL);
    Session session = {.credential = "Bearer expired"};
    g_autoptr(RemoteImagePipeline) pipeline = new_pipeline(folder, "anna", G_CALLBACK(answer), &session);
    load_all(pipeline);
    g_assert_cmpint(session.first_count, >, 0);
    g_assert_cmpint(session.refusal_count, ==, 1);

    // The next start, with another token, needs no credential, since it downloads nothing.
    Session next = {.credential = "Bearer other"};
    g_autoptr(RemoteImagePipeline) again = new_pipeline(folder, "anna", G_CALLBACK(answer), &next);
    load_all(again);
    g_assert_cmpint(next.first_count, ==, 0);

    // Another account has no images.
    Session other = {.credential = "Bearer good"};
    g_autoptr(RemoteImagePipeline) others = new_pipeline(folder, "berta", G_CALLBACK(answer), &other);
    load_all(others);
    g_assert_cmpint(other.first_count, ==, image_count);

    // Only the images of the removed account are gone.
    g_autoptr(GAsyncResult) result = NULL;
    remote_image_pipeline_remove_account_async(again, "anna", NULL, take_result, &result);
    turn_until(is_there, &result);
    g_assert_true(remote_image_pipeline_remove_account_finish(again, result, NULL));
    g_assert_cmpint(remote_image_pipeline_get_memory_usage(again), ==, 0);
    load_all(again);
    g_assert_cmpint(next.first_count, ==, image_count);
    g_autoptr(RemoteImagePipeline) others_again = new_pipeline(folder, "berta", G_CALLBACK(answer), &other);
    load_all(others_again);
    g_assert_cmpint(other.first_count, ==, image_count);
}

/// The error of a load of one image with a handler.
static GError *failure(GCallback handler, gpointer data) {
    g_autofree char *folder = g_dir_make_tmp("remote-image-XXXXXX", NULL);
    g_autoptr(RemoteImagePipeline) pipeline = new_pipeline(folder, "anna", handler, data);
    g_autofree char *uri = address("/account/failing.png");
    g_autoptr(GAsyncResult) result = NULL;
    remote_image_pipeline_load_bytes_async(pipeline, uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    GError *error = NULL;
    g_assert_null(remote_image_pipeline_load_bytes_finish(pipeline, result, &error));
    return error;
}

static void expect(GLogLevelFlags level, const char *pattern) { g_test_expect_message("RemoteImage", level, pattern); }

static void answer_twice(
    RemoteImageAuthorization *authorization, RemoteImageCredentialRequest *request, gpointer unused) {
    remote_image_credential_request_respond(request, "Bearer expired");
    if (remote_image_credential_request_get_status(request) != 0) return;
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_credential_request_respond: the request is answered already*");
    remote_image_credential_request_respond(request, "Bearer good");
    g_test_assert_expected_messages();
    g_autoptr(GError) error = g_error_new_literal(G_IO_ERROR, G_IO_ERROR_FAILED, "late");
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_credential_request_fail: the request is answered already*");
    remote_image_credential_request_fail(request, error);
    g_test_assert_expected_messages();
}

static void test_a_second_answer_is_ignored(void) {
    g_autoptr(GError) error = failure(G_CALLBACK(answer_twice), NULL);
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_HTTP_STATUS);
    g_assert_null(strstr(error->message, "expired"));
}

static void answer_never(
    RemoteImageAuthorization *authorization, RemoteImageCredentialRequest *request, gpointer unused) {}

static void test_a_request_without_an_answer_fails(void) {
    expect(G_LOG_LEVEL_WARNING, "*RemoteImageCredentialRequest: it was released without an answer*");
    g_autoptr(GError) error = failure(G_CALLBACK(answer_never), NULL);
    g_test_assert_expected_messages();
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_SOURCE);
}

static void answer_with_lines(
    RemoteImageAuthorization *authorization, RemoteImageCredentialRequest *request, gpointer unused) {
    expect(G_LOG_LEVEL_CRITICAL, "*value has characters that a header cannot contain*");
    remote_image_credential_request_respond(request, "Bearer good\r\nX-Key: open");
    g_test_assert_expected_messages();
}

static void test_a_credential_with_a_line_break_fails(void) {
    g_autoptr(GError) error = failure(G_CALLBACK(answer_with_lines), NULL);
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_SOURCE);
    g_assert_null(strstr(error->message, "good"));
}

static void fail_request(
    RemoteImageAuthorization *authorization, RemoteImageCredentialRequest *request, GError *error) {
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_credential_request_fail: error is NULL*");
    remote_image_credential_request_fail(request, NULL);
    g_test_assert_expected_messages();
    remote_image_credential_request_fail(request, error);
}

static void test_an_error_of_the_program_is_the_failure(void) {
    static const struct {
        int code;
        RemoteImageError expected;
    } network[] = {
        {G_IO_ERROR_HOST_NOT_FOUND, REMOTE_IMAGE_ERROR_CONNECTION},
        {G_IO_ERROR_CONNECTION_REFUSED, REMOTE_IMAGE_ERROR_CONNECTION},
        {G_IO_ERROR_TIMED_OUT, REMOTE_IMAGE_ERROR_TIMEOUT},
        {G_IO_ERROR_CANCELLED, REMOTE_IMAGE_ERROR_SOURCE},
        {G_IO_ERROR_FAILED, REMOTE_IMAGE_ERROR_SOURCE},
    };
    for (gsize index = 0; index < G_N_ELEMENTS(network); index++) {
        g_autoptr(GError) reason = g_error_new_literal(G_IO_ERROR, network[index].code, "token 1234");
        g_autoptr(GError) error = failure(G_CALLBACK(fail_request), reason);
        g_assert_error(error, REMOTE_IMAGE_ERROR, (int)network[index].expected);
        g_assert_null(strstr(error->message, "1234"));
    }
    g_autoptr(GError) reason = g_error_new_literal(REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_TLS, "");
    g_autoptr(GError) error = failure(G_CALLBACK(fail_request), reason);
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_TLS);
}

static void keep(RemoteImageAuthorization *authorization, RemoteImageCredentialRequest *request, Session *session) {
    session->kept = g_object_ref(request);
}

static void test_a_timeout_cancels_the_request_and_ignores_a_late_answer(void) {
    g_autofree char *folder = g_dir_make_tmp("remote-image-XXXXXX", NULL);
    Session session = {0};
    g_autoptr(RemoteImagePipeline) pipeline = new_pipeline(folder, "anna", G_CALLBACK(keep), &session);
    g_object_set(pipeline, "timeout", 1, NULL);
    g_autofree char *uri = address("/account/late.png");
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    remote_image_pipeline_load_bytes_async(pipeline, uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_assert_null(remote_image_pipeline_load_bytes_finish(pipeline, result, &error));
    g_assert_error(error, REMOTE_IMAGE_ERROR, REMOTE_IMAGE_ERROR_TIMEOUT);
    GCancellable *cancellable = remote_image_credential_request_get_cancellable(session.kept);
    turn_until((gboolean(*)(gpointer))g_cancellable_is_cancelled, cancellable);
    remote_image_credential_request_respond(session.kept, "Bearer good");
    g_object_unref(session.kept);
}

/// Loads another image, whose request calls this handler again, before it answers.
static void answer_in_a_loop(
    RemoteImageAuthorization *authorization, RemoteImageCredentialRequest *request, RemoteImagePipeline **pipeline) {
    RemoteImagePipeline *other = g_steal_pointer(pipeline);
    if (other != NULL) {
        g_autofree char *uri = address("/account/inner.png");
        g_autoptr(GAsyncResult) result = NULL;
        g_autoptr(GError) error = NULL;
        remote_image_pipeline_load_bytes_async(other, uri, NULL, take_result, &result);
        turn_until(is_there, &result);
        g_autoptr(GBytes) bytes = remote_image_pipeline_load_bytes_finish(other, result, &error);
        g_assert_no_error(error);
    }
    remote_image_credential_request_respond(request, "Bearer good");
}

static void test_a_handler_may_run_the_main_loop(void) {
    g_autofree char *folder = g_dir_make_tmp("remote-image-XXXXXX", NULL);
    RemoteImagePipeline *inner = NULL;
    g_autoptr(RemoteImagePipeline) pipeline =
        new_pipeline(folder, "anna", G_CALLBACK(answer_in_a_loop), &inner);
    inner = pipeline;
    g_autofree char *uri = address("/account/outer.png");
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    remote_image_pipeline_load_bytes_async(pipeline, uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_autoptr(GBytes) bytes = remote_image_pipeline_load_bytes_finish(pipeline, result, &error);
    g_assert_no_error(error);
    g_assert_null(inner);
}

static void test_invalid_authorizations(void) {
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_authorization_new: account is NULL or empty*");
    g_assert_null(remote_image_authorization_new(NULL));
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_authorization_new: account is NULL or empty*");
    g_assert_null(remote_image_authorization_new(""));
    g_test_assert_expected_messages();

    g_autoptr(RemoteImageAuthorization) authorization = new_authorization("anna");
    g_assert_cmpstr(remote_image_authorization_get_account(authorization), ==, "anna");
    g_assert_cmpstr(remote_image_authorization_get_header_name(authorization), ==, "Authorization");
    g_assert_cmpstr(remote_image_authorization_get_origins(authorization)[0], ==, base);
    static const char *const names[] = {NULL, "", "X Key", "X-Key\r\nY"};
    for (gsize index = 0; index < G_N_ELEMENTS(names); index++) {
        expect(G_LOG_LEVEL_CRITICAL, "*the header-name is not the name of a header*");
        remote_image_authorization_set_header_name(authorization, names[index]);
        g_test_assert_expected_messages();
        g_assert_cmpstr(remote_image_authorization_get_header_name(authorization), ==, "Authorization");
    }

    static const char *const origins[] = {"https://example.org", "example.org/path", NULL};
    g_autoptr(RemoteImageAuthorization) wrong = new_authorization("bert");
    expect(G_LOG_LEVEL_CRITICAL, "*“example.org/path” is not an origin*so its requests fail*");
    remote_image_authorization_set_origins(wrong, origins);
    g_test_assert_expected_messages();

    // After the first use the properties do not change.
    g_autoptr(RemoteImageView) view = new_view();
    remote_image_view_set_uri(view, base);
    remote_image_view_set_authorization(view, authorization);
    g_assert_true(remote_image_view_get_authorization(view) == authorization);
    expect(G_LOG_LEVEL_CRITICAL, "*it is in use already*");
    remote_image_authorization_set_origins(authorization, NULL);
    g_test_assert_expected_messages();
    g_assert_cmpstr(remote_image_authorization_get_origins(authorization)[0], ==, base);
    remote_image_view_set_authorization(view, NULL);
    g_assert_null(remote_image_view_get_authorization(view));
}

static void test_a_request_of_the_program_is_empty(void) {
    g_autoptr(RemoteImageCredentialRequest) request = g_object_new(REMOTE_IMAGE_TYPE_CREDENTIAL_REQUEST, NULL);
    g_assert_cmpstr(remote_image_credential_request_get_uri(request), ==, "");
    expect(G_LOG_LEVEL_CRITICAL, "*remote_image_credential_request_respond: the request was not made by RemoteImage*");
    remote_image_credential_request_respond(request, NULL);
    g_test_assert_expected_messages();
}

static void test_an_authorization_is_released(void) {
    RemoteImageAuthorization *authorization = new_authorization("anna");
    g_object_add_weak_pointer(G_OBJECT(authorization), (gpointer *)&authorization);
    RemoteImageView *view = new_view();
    remote_image_view_set_authorization(view, authorization);
    remote_image_view_set_uri(view, base);
    g_object_unref(authorization);
    g_assert_nonnull(authorization);
    g_object_unref(view);
    turn_until(is_null, &authorization);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/accounts/expired-token", test_an_expired_token_of_100_images);
    g_test_add_func("/accounts/second-answer", test_a_second_answer_is_ignored);
    g_test_add_func("/accounts/no-answer", test_a_request_without_an_answer_fails);
    g_test_add_func("/accounts/line-break", test_a_credential_with_a_line_break_fails);
    g_test_add_func("/accounts/error", test_an_error_of_the_program_is_the_failure);
    g_test_add_func("/accounts/timeout", test_a_timeout_cancels_the_request_and_ignores_a_late_answer);
    g_test_add_func("/accounts/loop", test_a_handler_may_run_the_main_loop);
    g_test_add_func("/accounts/invalid", test_invalid_authorizations);
    g_test_add_func("/accounts/own-request", test_a_request_of_the_program_is_empty);
    g_test_add_func("/accounts/released", test_an_authorization_is_released);
    return g_test_run();
}
