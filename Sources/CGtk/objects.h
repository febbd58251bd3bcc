// What a GObject class written in Swift needs of GObject's macros and variadic calls.
#pragma once
#include <gtk/gtk.h>

// An instance of a class of this library that is no widget: an object and the Swift object that is its state.
typedef struct {
    GObject parent;
    void *state;
} RemoteImageObjectInstance;

static const GType shim_type_boolean = G_TYPE_BOOLEAN;
static const GType shim_type_none = G_TYPE_NONE;

// Swift does not see the constants of GLib 2.90's enumerations.
static const GFileCreateFlags shim_replace_destination = G_FILE_CREATE_REPLACE_DESTINATION;

static inline GType shim_type_error(void) { return G_TYPE_ERROR; }
static inline GType shim_type_strv(void) { return G_TYPE_STRV; }
static inline GType shim_type_of(gpointer instance) { return G_TYPE_FROM_INSTANCE(instance); }

static inline void shim_emit(gpointer instance, guint signal) { g_signal_emit(instance, signal, 0); }
static inline void shim_emit_error(gpointer instance, guint signal, const GError *error) {
    g_signal_emit(instance, signal, 0, error);
}

// Sets a property as g_object_set() does, which warns of what its type and its range do not allow. The first takes texts,
// lists of texts and objects, the second numbers, truth values, enumerations and flags.
static inline void shim_set_pointer(gpointer object, const char *property, gconstpointer value) {
    g_object_set(object, property, value, NULL);
}
static inline void shim_set_number(gpointer object, const char *property, int value) {
    g_object_set(object, property, value, NULL);
}

// Ends the process with a message.
static inline void shim_abort(const char *message) { g_error("%s", message); }

static inline void shim_update_hidden(gpointer accessible, gboolean is_hidden) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_STATE_HIDDEN, is_hidden, -1);
}

// For tests: NULL where screen readers get this text, or else what they get. The caller's to free.
static inline char *shim_check_label(gpointer accessible, const char *label) {
    return gtk_test_accessible_check_property(GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_PROPERTY_LABEL, label, NULL);
}
static inline char *shim_check_description(gpointer accessible, const char *description) {
    return gtk_test_accessible_check_property(
        GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, NULL);
}
static inline char *shim_check_busy(gpointer accessible, gboolean is_busy) {
    return gtk_test_accessible_check_state(GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_STATE_BUSY, is_busy, NULL);
}
static inline char *shim_check_hidden(gpointer accessible, gboolean is_hidden) {
    return gtk_test_accessible_check_state(GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_STATE_HIDDEN, is_hidden, NULL);
}

static inline void shim_warning(const char *message) { g_warning("%s", message); }

// How a property of ours is accessed: its setter tells of changes, and only of changes.
static inline GParamFlags shim_property_flags(gboolean is_writable) {
    return (GParamFlags)((is_writable ? G_PARAM_READWRITE : G_PARAM_READABLE) | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
}

// The new signal of a class without arguments, or with an error, which the emission copies: a handler may do what ends the
// one that it was given.
static inline guint shim_signal_new(const char *name, GType type, gboolean has_error) {
    return g_signal_new(
        name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, has_error ? 1 : 0, G_TYPE_ERROR);
}
