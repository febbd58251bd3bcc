// Connect to signals of event controllers. `destroy` is called with `data` exactly once, when the
// handler is disconnected or the controller is finalized. All handlers run on the main thread.
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

// `scale-changed` of GtkGestureZoom.
static inline gulong shim_connect_scale(
    gpointer gesture, void (*handler)(gpointer gesture, double scale, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(gesture, "scale-changed", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// `drag-begin` and `drag-update` of GtkGestureDrag, `scroll` of GtkEventControllerScroll.
static inline gulong shim_connect_point(
    gpointer controller, const char *signal, gboolean (*handler)(gpointer controller, double x, double y, gpointer data),
    gpointer data, ShimDestroy destroy) {
    return g_signal_connect_data(controller, signal, G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// `begin` of GtkGesture.
static inline gulong shim_connect_begin(
    gpointer gesture, void (*handler)(gpointer gesture, gpointer sequence, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(gesture, "begin", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// `pressed` of GtkGestureClick.
static inline gulong shim_connect_press(
    gpointer gesture, void (*handler)(gpointer gesture, int count, double x, double y, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(gesture, "pressed", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// `key-pressed` of GtkEventControllerKey.
static inline gulong shim_connect_key(
    gpointer controller,
    gboolean (*handler)(gpointer controller, guint key, guint code, GdkModifierType state, gpointer data),
    gpointer data, ShimDestroy destroy) {
    return g_signal_connect_data(controller, "key-pressed", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// `activate` of GSimpleAction.
static inline gulong shim_connect_action(
    gpointer action, void (*handler)(gpointer action, GVariant *parameter, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(action, "activate", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// `response` of GtkNativeDialog.
static inline gulong shim_connect_response(
    gpointer dialog, void (*handler)(gpointer dialog, int response, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(dialog, "response", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// `prepare` of GtkDragSource: `handler` returns a new reference, or NULL to start no drag.
static inline gulong shim_connect_prepare(
    gpointer source, GdkContentProvider *(*handler)(gpointer source, double x, double y, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(source, "prepare", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}
