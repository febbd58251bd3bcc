// GdkPixbuf for Swift: the header and typed inline functions for its macros and variadic calls.
#pragma once
#include <gdk-pixbuf/gdk-pixbuf.h>

// Connects to `size-prepared`. The data must live as long as the loader.
static inline void pixbuf_connect_size_prepared(
    GdkPixbufLoader *loader, void (*callback)(GdkPixbufLoader *, int, int, gpointer), gpointer data) {
    g_signal_connect_data(loader, "size-prepared", G_CALLBACK(callback), data, NULL, (GConnectFlags)0);
}

// Connects to `area-updated`. The data must live as long as the loader.
static inline void pixbuf_connect_area_updated(
    GdkPixbufLoader *loader, void (*callback)(GdkPixbufLoader *, int, int, int, int, gpointer), gpointer data) {
    g_signal_connect_data(loader, "area-updated", G_CALLBACK(callback), data, NULL, (GConnectFlags)0);
}

static inline gboolean pixbuf_error_is_unsupported(const GError *error) {
    return g_error_matches(error, GDK_PIXBUF_ERROR, GDK_PIXBUF_ERROR_UNKNOWN_TYPE)
        || g_error_matches(error, GDK_PIXBUF_ERROR, GDK_PIXBUF_ERROR_UNSUPPORTED_OPERATION);
}
