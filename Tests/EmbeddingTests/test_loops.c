// Unusual main loops, threads and processes, from C: supported uses work, unsupported ones cause a
// message.
//
//   test_loops ADDRESS    the address of the test server (images.py)
#include "fixture.h"
#include <sys/wait.h>
#include <unistd.h>

// Nested main loops.

/// Runs the main loop until the image is loaded, as seemingly synchronous functions do.
static void load_and_wait(const char *path) {
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *uri = address(path);
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, take_result, &result);
    turn_until(is_there, &result);
    g_autoptr(GdkTexture) texture = remote_image_pipeline_load_texture_finish(pipeline, result, &error);
    g_assert_no_error(error);
    g_assert_cmpint(gdk_texture_get_width(texture), ==, 320);
}

static void load_another(GObject *view, gpointer error_or_done, gpointer done) {
    load_and_wait("/1.png?nested");
    *(gboolean *)done = TRUE;
}

static void test_in_a_signal(void) {
    static const char *const signals[] = {"loaded", "failed", "notify::phase"};
    static const char *const paths[] = {"/2.png?signal", "/missing?signal", "/3.png?signal"};
    for (gsize index = 0; index < G_N_ELEMENTS(signals); index++) {
        g_test_message("%s", signals[index]);
        remote_image_pipeline_clear_memory(remote_image_pipeline_get_default());
        g_autofree char *uri = address(paths[index]);
        GtkWidget *view = remote_image_view_new(uri);
        gboolean done = FALSE;
        // `loaded` has no arguments besides the view.
        if (index == 0) {
            g_signal_connect_swapped(view, "loaded", G_CALLBACK(load_and_wait), "/1.png?nested");
            g_signal_connect(view, "loaded", G_CALLBACK(set_flag), &done);
        } else {
            g_signal_connect(view, signals[index], G_CALLBACK(load_another), &done);
        }
        GtkWidget *window = show(view);
        turn_until(is_set, &done);
        gtk_window_destroy(GTK_WINDOW(window));
    }
}

static void load_in_callback(GObject *source, GAsyncResult *result, gpointer done) {
    remote_image_pipeline_clear_memory(remote_image_pipeline_get_default());
    load_and_wait("/5.png?nested");
    *(gboolean *)done = TRUE;
}

static void test_in_a_callback(void) {
    gboolean done = FALSE;
    g_autofree char *uri = address("/4.png?callback");
    remote_image_pipeline_load_bytes_async(
        remote_image_pipeline_get_default(), uri, NULL, load_in_callback, &done);
    turn_until(is_set, &done);
}

typedef struct {
    GAsyncResult *second;
    gboolean done;
} Pair;

static void wait_for_second(GObject *source, GAsyncResult *result, gpointer data) {
    Pair *pair = data;
    turn_until(is_there, &pair->second);
    pair->done = TRUE;
}

/// Both results are available at the same time, and the first callback waits for the second.
static void test_for_a_call_that_is_done(void) {
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    load_and_wait("/8.png?pair");
    g_autofree char *uri = address("/8.png?pair");
    for (int turn = 0; turn < 10; turn++) {
        Pair pair = {0};
        remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, wait_for_second, &pair);
        remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, take_result, &pair.second);
        turn_until(is_set, &pair.done);
        g_object_unref(pair.second);
    }
}

// Another main context.

static void test_waiting_in_another_context(void) {
    g_autoptr(GMainContext) context = g_main_context_new();
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *uri = address("/6.png?context");
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    g_main_context_push_thread_default(context);
    remote_image_pipeline_load_texture_async(pipeline, uri, 0, NULL, take_result, &result);
    // The default context does not run.
    turn_context_until(context, is_there, &result);
    g_main_context_pop_thread_default(context);
    g_autoptr(GdkTexture) texture = remote_image_pipeline_load_texture_finish(pipeline, result, &error);
    g_assert_no_error(error);
    // The call leaves no source in the context.
    g_assert_false(g_main_context_pending(context));
}

static void test_a_view_made_in_another_context(void) {
    g_autoptr(GMainContext) context = g_main_context_new();
    g_autofree char *uri = address("/7.png?context");
    gboolean is_loaded = FALSE;
    g_main_context_push_thread_default(context);
    GtkWidget *view = remote_image_view_new(uri);
    g_signal_connect(view, "loaded", G_CALLBACK(set_flag), &is_loaded);
    GtkWidget *window = show(view);
    g_main_context_pop_thread_default(context);
    turn_until(is_set, &is_loaded);
    gtk_window_destroy(GTK_WINDOW(window));
}

// Other threads.

static gpointer ask_for_phase(gpointer view) {
    remote_image_view_get_phase(view);
    remote_image_view_set_uri(view, "https://example.org/");
    return NULL;
}

static void test_calls_on_another_thread(void) {
    g_autoptr(RemoteImageView) view = new_view();
    for (int call = 0; call < 2; call++) {
        g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*must be used on the thread that the process began with*");
    }
    g_thread_join(g_thread_new("caller", ask_for_phase, view));
    g_test_assert_expected_messages();
    g_assert_null(remote_image_view_get_uri(view));
}

static gpointer ask_for_texts(gpointer data) {
    gpointer *owners = data;
    g_assert_null(remote_image_view_get_uri(owners[0]));
    g_assert_null(remote_image_view_get_headers(owners[0]));
    g_assert_null(remote_image_paintable_get_uri(owners[1]));
    return NULL;
}

/// Strings that an object returned on the main thread stay valid if another thread reads them.
static void test_texts_on_another_thread(void) {
    static const char *const lines[] = {"Accept-Language: de", NULL};
    g_autoptr(RemoteImageView) view = new_view();
    g_autoptr(RemoteImagePaintable) paintable = remote_image_paintable_new("data:image/png;base64,AAAA");
    remote_image_view_set_uri(view, "https://example.org/");
    remote_image_view_set_headers(view, lines);
    const char *uri = remote_image_view_get_uri(view), *data = remote_image_paintable_get_uri(paintable);
    const char *const *headers = remote_image_view_get_headers(view);
    for (int call = 0; call < 3; call++) {
        g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*must be used on the thread that the process began with*");
    }
    gpointer owners[] = {view, paintable};
    g_thread_join(g_thread_new("reader", ask_for_texts, owners));
    g_test_assert_expected_messages();
    g_assert_cmpstr(uri, ==, "https://example.org/");
    g_assert_cmpstrv(headers, lines);
    g_assert_cmpstr(data, ==, "data:image/png;base64,AAAA");
    g_assert_true(remote_image_view_get_uri(view) == uri);
    g_assert_true(remote_image_view_get_headers(view) == headers);
    g_assert_true(remote_image_paintable_get_uri(paintable) == data);
}

static gpointer set_by_name(gpointer view) {
    g_autofree char *uri = NULL;
    g_object_set(view, "uri", "https://example.org/", NULL);
    g_object_get(view, "uri", &uri, NULL);
    return NULL;
}

static void test_properties_on_another_thread(void) {
    g_autoptr(RemoteImageView) view = new_view();
    for (int call = 0; call < 2; call++) {
        g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*“uri”: *must be used on the thread*");
    }
    g_thread_join(g_thread_new("setter", set_by_name, view));
    g_test_assert_expected_messages();
    g_assert_null(remote_image_view_get_uri(view));
}

static gpointer save_and_let_go(gpointer texture) {
    g_autoptr(GBytes) bytes = gdk_texture_save_to_png_bytes(texture);
    g_assert_cmpint(g_bytes_get_size(bytes), >, 0);
    g_object_unref(texture);
    return NULL;
}

static gpointer let_go(gpointer object) {
    g_object_unref(object);
    return NULL;
}

/// Textures, like all of GDK's, are the only objects that may be used on any thread.
static void test_a_texture_on_another_thread(void) {
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    load_and_wait("/8.png?texture");
    g_autofree char *uri = address("/8.png?texture");
    for (int turn = 0; turn < 100; turn++) {
        GdkTexture *texture = remote_image_pipeline_get_cached_texture(pipeline, uri, 0);
        g_assert_nonnull(texture);
        GThread *thread = g_thread_new("saver", save_and_let_go, texture);
        if (turn % 2) {
            // The same image is requested while its texture is released.
            g_autoptr(GdkTexture) again = remote_image_pipeline_get_cached_texture(pipeline, uri, 0);
            g_assert_cmpint(gdk_texture_get_width(again), ==, 320);
        }
        // Otherwise the other thread is the last owner.
        g_thread_join(thread);
    }
}

/// Bytes that are never retrieved are freed with their result, on any thread.
static void test_a_result_on_another_thread(void) {
    g_autofree char *uri = address("/8.png?result");
    GAsyncResult *result = NULL;
    remote_image_pipeline_load_bytes_async(remote_image_pipeline_get_default(), uri, NULL, take_result, &result);
    turn_until(is_there, &result);
    settle();
    GObject *task = G_OBJECT(g_steal_pointer(&result));
    g_object_add_weak_pointer(task, (gpointer *)&result);
    result = G_ASYNC_RESULT(task);
    g_thread_join(g_thread_new("owner", let_go, task));
    g_assert_null(result);
}

static gpointer cancel(gpointer cancellable) {
    g_cancellable_cancel(cancellable);
    return NULL;
}

/// Cancellables may be used on any thread, as everywhere in GIO.
static void test_cancelled_on_another_thread(void) {
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    g_autofree char *uri = address("/never?cancelled");
    for (int turn = 0; turn < 20; turn++) {
        g_autoptr(GCancellable) cancellable = g_cancellable_new();
        g_autoptr(GAsyncResult) result = NULL;
        g_autoptr(GError) error = NULL;
        remote_image_pipeline_load_bytes_async(pipeline, uri, cancellable, take_result, &result);
        GThread *thread = g_thread_new("canceller", cancel, cancellable);
        turn_until(is_there, &result);
        g_thread_join(thread);
        g_assert_null(remote_image_pipeline_load_bytes_finish(pipeline, result, &error));
        g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

static gpointer run_default_context(gpointer result) {
    // Runs the context long enough for the library to detect it and to leave the thread.
    while (!g_main_context_acquire(NULL)) g_thread_yield();
    gint64 end = g_get_monotonic_time() + 2 * G_USEC_PER_SEC;
    while (g_get_monotonic_time() < end) {
        g_main_context_iteration(NULL, FALSE);
        g_usleep(1000);
    }
    g_main_context_release(NULL);
    return NULL;
}

static void test_another_thread_runs_the_default_context(void) {
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *uri = address("/8.png?thread");
    RemoteImagePipeline *pipeline = remote_image_pipeline_get_default();
    gboolean is_loaded = FALSE;
    g_autofree char *shown = address("/9.png?thread");
    GtkWidget *view = remote_image_view_new(shown);
    g_signal_connect(view, "loaded", G_CALLBACK(set_flag), &is_loaded);
    GtkWidget *window = show(view);
    turn_until(is_set, &is_loaded);
    // The timer that returns the memory of the image a second later.
    gtk_window_destroy(GTK_WINDOW(window));
    // GTK's pending sources must run on the main thread.
    settle();
    // The release of a view by another thread.
    RemoteImageView *last = new_view();
    g_object_add_weak_pointer(G_OBJECT(last), (gpointer *)&last);
    g_thread_join(g_thread_new("owner", let_go, last));
    g_assert_nonnull(last);
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*Another thread runs the default GLib main context*");
    remote_image_pipeline_load_bytes_async(pipeline, uri, NULL, take_result, &result);
    g_thread_join(g_thread_new("loop", run_default_context, NULL));
    g_test_assert_expected_messages();
    g_assert_null(result);
    // After the next call on the main thread, results are delivered again.
    remote_image_pipeline_get_memory_usage(pipeline);
    turn_until(is_there, &result);
    g_bytes_unref(remote_image_pipeline_load_bytes_finish(pipeline, result, &error));
    g_assert_no_error(error);
    turn_until(is_null, &last);
}

typedef struct {
    GMutex mutex;
    GCond cond;
    gboolean has_context;
    gboolean is_over;
} Holder;

static gpointer hold_default_context(gpointer data) {
    Holder *holder = data;
    while (!g_main_context_acquire(NULL)) g_thread_yield();
    g_mutex_lock(&holder->mutex);
    holder->has_context = TRUE;
    g_cond_signal(&holder->cond);
    while (!holder->is_over) g_cond_wait(&holder->cond, &holder->mutex);
    g_mutex_unlock(&holder->mutex);
    g_main_context_release(NULL);
    return NULL;
}

static void test_another_thread_has_the_default_context(void) {
    Holder holder = {0};
    GThread *thread = g_thread_new("holder", hold_default_context, &holder);
    g_mutex_lock(&holder.mutex);
    while (!holder.has_context) g_cond_wait(&holder.cond, &holder.mutex);
    g_mutex_unlock(&holder.mutex);
    g_test_expect_message("RemoteImage", G_LOG_LEVEL_CRITICAL, "*Another thread runs the default GLib main context*");
    g_assert_null(remote_image_pipeline_new());
    g_test_assert_expected_messages();
    g_mutex_lock(&holder.mutex);
    holder.is_over = TRUE;
    g_cond_signal(&holder.cond);
    g_mutex_unlock(&holder.mutex);
    g_thread_join(thread);
}

// Other processes.

/// Whether all other threads sleep. A forked child would wait forever for a lock of GLib that one
/// of them held during the fork.
static gboolean others_rest(void) {
    g_autoptr(GDir) threads = g_dir_open("/proc/self/task", 0, NULL);
    for (const char *id; (id = g_dir_read_name(threads)) != NULL;) {
        g_autofree char *path = g_strdup_printf("/proc/self/task/%s/stat", id);
        g_autofree char *stat = NULL;
        if (atoi(id) == getpid()) continue;
        if (!g_file_get_contents(path, &stat, NULL, NULL)) return FALSE;
        if (!g_str_has_prefix(strrchr(stat, ')'), ") S")) return FALSE;
    }
    return TRUE;
}

static gboolean others_rest_for_long(gpointer rests) {
    int *count = rests;
    *count = others_rest() ? *count + 1 : 0;
    return *count >= 50;
}

// The child writes its messages without GLib.
static char *said_in_a_child(void (*use)(RemoteImageView *), RemoteImageView *view, int *status) {
    int ends[2];
    g_assert_cmpint(pipe(ends), ==, 0);
    int rests = 0;
    turn_until(others_rest_for_long, &rests);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        use(view);
        _exit(0);
    }
    close(ends[1]);
    GString *said = g_string_new(NULL);
    char part[256];
    for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;) g_string_append_len(said, part, count);
    close(ends[0]);
    g_assert_cmpint(waitpid(child, status, 0), ==, child);
    return g_string_free(said, FALSE);
}

static void ask_for_the_phase(RemoteImageView *view) {
    g_assert_cmpint(remote_image_view_get_phase(view), ==, REMOTE_IMAGE_PHASE_EMPTY);
}

static void make_another(RemoteImageView *view) {
    g_object_new(REMOTE_IMAGE_TYPE_VIEW, NULL);
}

static void test_a_call_in_a_forked_child(void) {
    g_autoptr(RemoteImageView) view = new_view();
    int status = -1;
    g_autofree char *said = said_in_a_child(ask_for_the_phase, view, &status);
    g_assert_nonnull(strstr(said, "was forked after"));
    g_assert_cmpint(status, ==, 0);
}

static void test_a_view_in_a_forked_child(void) {
    g_autoptr(RemoteImageView) view = new_view();
    int status = 0;
    g_autofree char *said = said_in_a_child(make_another, view, &status);
    g_assert_nonnull(strstr(said, "was forked after"));
    g_assert_true(WIFSIGNALED(status));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/loops/nested/signal", test_in_a_signal);
    g_test_add_func("/loops/nested/callback", test_in_a_callback);
    g_test_add_func("/loops/nested/pair", test_for_a_call_that_is_done);
    g_test_add_func("/loops/context/call", test_waiting_in_another_context);
    g_test_add_func("/loops/context/view", test_a_view_made_in_another_context);
    g_test_add_func("/threads/calls", test_calls_on_another_thread);
    g_test_add_func("/threads/texts", test_texts_on_another_thread);
    g_test_add_func("/threads/properties", test_properties_on_another_thread);
    g_test_add_func("/threads/texture", test_a_texture_on_another_thread);
    g_test_add_func("/threads/result", test_a_result_on_another_thread);
    g_test_add_func("/threads/cancel", test_cancelled_on_another_thread);
    g_test_add_func("/threads/held", test_another_thread_has_the_default_context);
    g_test_add_func("/threads/run", test_another_thread_runs_the_default_context);
    g_test_add_func("/processes/fork/call", test_a_call_in_a_forked_child);
    g_test_add_func("/processes/fork/view", test_a_view_in_a_forked_child);
    return g_test_run();
}
