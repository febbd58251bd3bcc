// The shared helpers of the tests in C: addresses of the server, running the main loop, windows,
// and handlers that record their arguments.
#pragma once
#include <remote-image.h>

/// The address of the test server (images.py).
static const char *base;

static inline char *address(const char *path) { return g_strconcat(base, path, NULL); }

/// Runs the main loop until `condition` holds; fails after a minute.
static inline void turn_context_until(GMainContext *context, gboolean (*condition)(gpointer), gpointer data) {
    gint64 end = g_get_monotonic_time() + 60 * G_USEC_PER_SEC;
    while (!condition(data)) {
        g_assert_cmpint(g_get_monotonic_time(), <, end);
        if (!g_main_context_iteration(context, FALSE)) g_usleep(1000);
    }
}

static inline void turn_until(gboolean (*condition)(gpointer), gpointer data) {
    turn_context_until(NULL, condition, data);
}

static inline void settle(void) {
    while (g_main_context_iteration(NULL, FALSE)) continue;
}

static inline gboolean is_set(gpointer flag) { return *(gboolean *)flag; }
static inline gboolean is_there(gpointer pointer) { return *(gpointer *)pointer != NULL; }
static inline gboolean is_null(gpointer pointer) { return *(gpointer *)pointer == NULL; }

static inline RemoteImageView *new_view(void) {
    return REMOTE_IMAGE_VIEW(g_object_ref_sink(remote_image_view_new(NULL)));
}

static inline GtkWidget *show(GtkWidget *view) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_child(GTK_WINDOW(window), view);
    gtk_window_present(GTK_WINDOW(window));
    return window;
}

// Handlers.

static inline void set_flag(GObject *object, gboolean *flag) { *flag = TRUE; }

static inline void take_error(GObject *view, GError *error, GError **taken) {
    g_clear_error(taken);
    *taken = g_error_copy(error);
}

static inline void count(GObject *object, GParamSpec *spec, int *number) { *number += 1; }

static inline void count_swapped(int *number) { *number += 1; }

static inline void take_result(GObject *source, GAsyncResult *result, gpointer place) {
    *(GAsyncResult **)place = g_object_ref(result);
}

/// Starts a test program, whose argument is the address of the test server.
static inline void begin(int *argc, char ***argv) {
    g_test_init(argc, argv, NULL);
    gtk_init();
    g_assert_cmpint(*argc, ==, 2);
    base = (*argv)[1];
}
