// Connect to signals. `destroy` is called with `data` exactly once, when the handler is
// disconnected or the instance is finalized. All handlers run on the main thread.
#pragma once
#include <gtk/gtk.h>

typedef void (*ShimDestroy)(gpointer data, GClosure *closure);

typedef void (*ShimValuesHandler)(gpointer data, const GValue *arguments, guint count, GValue *result);

static inline void shim_marshal_values(
    GClosure *closure, GValue *result, guint count, const GValue *values, gpointer hint, gpointer handler) {
    // The first value is the instance.
    ((ShimValuesHandler)handler)(closure->data, values + 1, count - 1, result);
}

// Connects a handler that receives the arguments of any signal as values. `result` is NULL for a
// signal without a result.
static inline gulong shim_connect_values(
    gpointer instance, const char *signal, ShimValuesHandler handler, gpointer data, ShimDestroy destroy) {
    GClosure *closure = g_closure_new_simple(sizeof(GClosure), data);
    g_closure_add_finalize_notifier(closure, data, destroy);
    g_closure_set_meta_marshal(closure, (gpointer)handler, shim_marshal_values);
    return g_signal_connect_closure(instance, signal, closure, FALSE);
}

// Whether a handler with this data is connected. The names of GSignalMatchType reach Swift
// differently in different versions of GLib.
static inline gboolean shim_has_handler(gpointer instance, gpointer data) {
    return g_signal_handler_find(instance, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, data) != 0;
}

// `prepare` of GtkDragSource: `handler` returns a new reference, or NULL to start no drag.
static inline gulong shim_connect_prepare(
    gpointer source, GdkContentProvider *(*handler)(gpointer source, double x, double y, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(source, "prepare", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}
