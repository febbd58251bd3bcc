// GTK 4 for Swift: the headers, and typed inline functions for their macros and variadic functions.
#pragma once
#include <gtk/gtk.h>
// Later versions of gsk.h include it, and warn of a direct inclusion.
#ifndef GSK_TYPE_GL_RENDERER
#include <gsk/gl/gskglrenderer.h>
#endif
#include <glib-unix.h>
// GIO declares the backends of settings only for programs that define this.
#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>
#include "constants.h"
#include "deprecated.h"
#include "signals.h"
#include "objects.h"

// Integrate libdispatch's main queue into another main loop; CoreFoundation uses the same
// functions. The first returns an eventfd that is readable when the queue has work. The second runs
// the work: call it on the main thread of the process; it does not read the eventfd.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

// An instance of the paintable that draws an image.
typedef struct {
    GObject parent;
    GdkTexture *texture;
    // The natural size in points.
    double width;
    double height;
    // The content fit. If has_fit is FALSE, the image fills the area.
    gboolean has_fit;
    GtkContentFit fit;
    // The alignment in the area, from 0 to 1.
    double x;
    double y;
    // The corner radius in points.
    double radius;
    // The paintable over which the image fades in, and the progress from 0 to 1.
    GdkPaintable *outgoing;
    double progress;
    // Whether the natural size is the largest square in the middle of the image.
    gboolean is_square;
    // Whether the paintable has shown more than one texture.
    gboolean changes;
    // The Swift object that adapts the texture to the drawn size; NULL for icons.
    void *drawn;
} RemoteImageDrawnPaintable;

// Pushes a clip to a rectangle with round corners.
static inline void shim_push_round_clip(
    GtkSnapshot *snapshot, double x, double y, double width, double height, double radius) {
    GskRoundedRect outline;
    graphene_rect_t bounds;
    graphene_rect_init(&bounds, (float)x, (float)y, (float)width, (float)height);
    gsk_rounded_rect_init_from_rect(&outline, &bounds, (float)radius);
    gsk_rounded_rect_normalize(&outline);
    gtk_snapshot_push_rounded_clip(snapshot, &outline);
}

// Connects a handler without arguments. `destroy` is called with `data` exactly once, when the
// handler is disconnected or the instance is finalized.
static inline gulong shim_connect(
    gpointer instance, const char *signal, void (*handler)(gpointer instance, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(instance, signal, G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// Like shim_connect(), for `notify::…`.
static inline gulong shim_connect_notify(
    gpointer instance, const char *signal, void (*handler)(gpointer instance, GParamSpec *spec, gpointer data),
    gpointer data, ShimDestroy destroy) {
    return g_signal_connect_data(instance, signal, G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// Like shim_connect(), for signals with an object: of a list item factory, and `window-removed`.
static inline gulong shim_connect_object(
    gpointer instance, const char *signal, void (*handler)(gpointer instance, gpointer object, gpointer data),
    gpointer data, ShimDestroy destroy) {
    return g_signal_connect_data(instance, signal, G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// Makes the default backend of settings and the default file system, as GTK would do later.
static inline void shim_load_gio_defaults(void) {
    g_object_unref(g_settings_backend_get_default());
    g_vfs_get_default();
}

// Connect to signals of GIO's monitors without a destroy notify: `data` must outlive the instance.
static inline gulong shim_connect_network_changed(
    gpointer monitor, void (*handler)(gpointer monitor, gboolean is_available, gpointer data), gpointer data) {
    return g_signal_connect(monitor, "network-changed", G_CALLBACK(handler), data);
}
static inline gulong shim_connect_low_memory(
    gpointer monitor, void (*handler)(gpointer monitor, GMemoryMonitorWarningLevel level, gpointer data),
    gpointer data) {
    return g_signal_connect(monitor, "low-memory-warning", G_CALLBACK(handler), data);
}

// Makes a source that calls `ready` when a descriptor is readable, also in a loop that runs within
// `ready`. The caller releases the source.
static inline GSource *shim_descriptor_source(
    int descriptor, int priority, gboolean (*ready)(int descriptor, GIOCondition condition, gpointer data)) {
    GSource *source = g_unix_fd_source_new(descriptor, G_IO_IN);
    g_source_set_priority(source, priority);
    g_source_set_can_recurse(source, TRUE);
    g_source_set_callback(source, G_SOURCE_FUNC(ready), NULL, NULL);
    return source;
}

static inline gboolean shim_get_boolean(gpointer object, const char *property) {
    gboolean value = FALSE;
    g_object_get(object, property, &value, NULL);
    return value;
}

static inline int shim_get_int(gpointer object, const char *property) {
    int value = 0;
    g_object_get(object, property, &value, NULL);
    return value;
}

static inline double shim_get_double(gpointer object, const char *property) {
    double value = 0;
    g_object_get(object, property, &value, NULL);
    return value;
}

// The surface of a widget if it has a fractional scale property (GTK 4.12); else NULL.
static inline gpointer shim_scaled_surface(GtkWidget *widget) {
    GtkNative *native = gtk_widget_get_native(widget);
    GdkSurface *surface = native == NULL ? NULL : gtk_native_get_surface(native);
    if (surface == NULL || g_object_class_find_property(G_OBJECT_GET_CLASS(surface), "scale") == NULL) return NULL;
    return surface;
}

// The reference count of an object. Other threads may change it at any time.
static inline guint shim_reference_count(gpointer object) {
    return (guint)g_atomic_int_get(&((GObject *)object)->ref_count);
}

// Whether a part of a widget is within all scrollable widgets around it.
static inline gboolean shim_is_within_viewports(GtkWidget *widget) {
    for (GtkWidget *around = gtk_widget_get_parent(widget); around != NULL; around = gtk_widget_get_parent(around)) {
        graphene_rect_t place, shown;
        // A popover has its own surface.
        if (GTK_IS_NATIVE(around)) break;
        if (!GTK_IS_SCROLLABLE(around)) continue;
        if (!gtk_widget_compute_bounds(widget, around, &place)) return FALSE;
        graphene_rect_init(&shown, 0, 0, gtk_widget_get_width(around), gtk_widget_get_height(around));
        if (!graphene_rect_intersection(&place, &shown, NULL)) return FALSE;
    }
    return TRUE;
}

// Whether a widget may be visible on a screen: it is mapped and not scrolled away, and its window
// is neither minimised nor suspended (known from GTK 4.12 on).
static inline gboolean shim_is_visible(GtkWidget *widget) {
    GtkNative *native = gtk_widget_get_native(widget);
    if (native == NULL || !gtk_widget_get_mapped(widget) || !shim_is_within_viewports(widget)) return FALSE;
    GdkSurface *surface = gtk_native_get_surface(native);
    if (GDK_IS_TOPLEVEL(surface)
        && (gdk_toplevel_get_state(GDK_TOPLEVEL(surface)) & GDK_TOPLEVEL_STATE_MINIMIZED) != 0) {
        return FALSE;
    }
    if (g_object_class_find_property(G_OBJECT_GET_CLASS(native), "suspended") == NULL) return TRUE;
    return !shim_get_boolean(native, "suspended");
}

static inline gboolean shim_has_property(gpointer object, const char *property) {
    return g_object_class_find_property(G_OBJECT_GET_CLASS(object), property) != NULL;
}

// Whether the object has a writable property of type GdkPaintable with this name.
static inline gboolean shim_has_paintable_property(gpointer object, const char *property) {
    GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(object), property);
    return spec != NULL && (spec->flags & G_PARAM_WRITABLE) != 0 && spec->value_type == GDK_TYPE_PAINTABLE;
}

static inline gboolean shim_is_readable(gpointer object, const char *property) {
    GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(object), property);
    return spec != NULL && (spec->flags & G_PARAM_READABLE) != 0;
}

// The object of a property, which the caller releases; NULL for none.
static inline gpointer shim_get_object(gpointer object, const char *property) {
    gpointer value = NULL;
    g_object_get(object, property, &value, NULL);
    return value;
}

static inline gpointer shim_object_new(GType type) { return g_object_new(type, NULL); }

static inline gboolean shim_is_a(gpointer instance, GType type) {
    return instance != NULL && G_TYPE_CHECK_INSTANCE_TYPE(instance, type);
}

static inline GtkWidget *shim_widget(gpointer instance) { return GTK_WIDGET(instance); }
static inline GtkWidgetClass *shim_widget_class(gpointer class_pointer) { return GTK_WIDGET_CLASS(class_pointer); }
static inline GObjectClass *shim_object_class(gpointer class_pointer) { return G_OBJECT_CLASS(class_pointer); }

static inline void shim_critical(const char *message) { g_log("RemoteImage", G_LOG_LEVEL_CRITICAL, "%s", message); }

static inline void shim_update_label(gpointer accessible, const char *label) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static inline void shim_update_description(gpointer accessible, const char *description) {
    gtk_accessible_update_property(
        GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

// Makes a vertical box with the accessible role of an alert.
static inline GtkWidget *shim_alert_box_new(int spacing) {
    return GTK_WIDGET(g_object_new(
        GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", spacing, "accessible-role",
        GTK_ACCESSIBLE_ROLE_ALERT, NULL));
}

static inline void shim_update_busy(gpointer accessible, gboolean is_busy) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_STATE_BUSY, is_busy, -1);
}

// Shows a modal dialog with an error and its reason. It closes with its button, with Escape, and
// when the window is hidden or closed. GTK owns the dialog.
static inline void shim_show_failure(GtkWindow *window, const char *text, const char *reason) {
    GtkWidget *dialog = GTK_WIDGET(g_object_new(
        GTK_TYPE_MESSAGE_DIALOG, "transient-for", window, "modal", TRUE, "use-header-bar", 0, "message-type",
        GTK_MESSAGE_ERROR, "buttons", GTK_BUTTONS_CLOSE, "text", text, "secondary-text", reason, NULL));
    g_signal_connect(dialog, "response", G_CALLBACK(gtk_window_destroy), NULL);
    // The connection ends with the window or the dialog.
    g_signal_connect_object(window, "unmap", G_CALLBACK(gtk_window_destroy), dialog, G_CONNECT_SWAPPED);
    gtk_window_present(GTK_WINDOW(dialog));
}
