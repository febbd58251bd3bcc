// GObject macros and variadic functions for GObject classes written in Swift.
#pragma once
#include <gtk/gtk.h>
#include "signals.h"

static const GType shim_type_boolean = G_TYPE_BOOLEAN;
static const GType shim_type_none = G_TYPE_NONE;
static const GType shim_type_int64 = G_TYPE_INT64;
static const GType shim_type_double = G_TYPE_DOUBLE;
static const GType shim_type_string = G_TYPE_STRING;

static inline GType shim_type_error(void) { return G_TYPE_ERROR; }
static inline GType shim_type_strv(void) { return G_TYPE_STRV; }
static inline GType shim_type_of(gpointer instance) { return G_TYPE_FROM_INSTANCE(instance); }

static inline void shim_emit(gpointer instance, guint signal) { g_signal_emit(instance, signal, 0); }
static inline void shim_emit_error(gpointer instance, guint signal, const GError *error) {
    g_signal_emit(instance, signal, 0, error);
}

// Set a property with g_object_set(), which warns about values of an invalid type or range.
// shim_set_pointer() takes texts, string lists and objects; shim_set_number() takes numbers,
// booleans, enumerations and flags.
static inline void shim_set_pointer(gpointer object, const char *property, gconstpointer value) {
    g_object_set(object, property, value, NULL);
}
static inline void shim_set_number(gpointer object, const char *property, int value) {
    g_object_set(object, property, value, NULL);
}
// Sets an address or a source, and the other one to NULL.
static inline void shim_set_image(gpointer object, const char *uri, gpointer source) {
    g_object_set(object, "uri", uri, "source", source, NULL);
}

// Gives an object the value of a property of another one, now and after each change. Returns the
// GBinding, which the two objects keep. Swift names the flag differently in newer releases of GLib.
static inline gpointer shim_bind(gpointer source, const char *property, gpointer target) {
    return g_object_bind_property(source, property, target, property, G_BINDING_SYNC_CREATE);
}

// Texts that callers read without owning them. They take the new text, and return the one that the
// object owns until another text is kept under the name.
static inline const char *shim_keep_text(gpointer object, const char *name, char *text) {
    GQuark quark = g_quark_from_string(name);
    char *kept = g_object_get_qdata(object, quark);
    if (g_strcmp0(kept, text) != 0) {
        g_object_set_qdata_full(object, quark, text, g_free);
        return text;
    }
    g_free(text);
    return kept;
}
static inline const char *const *shim_keep_texts(gpointer object, const char *name, char **texts) {
    GQuark quark = g_quark_from_string(name);
    char **kept = g_object_get_qdata(object, quark);
    gboolean is_empty = texts == NULL || *texts == NULL;
    if (!is_empty && (kept == NULL || !g_strv_equal((const char *const *)kept, (const char *const *)texts))) {
        g_object_set_qdata_full(object, quark, texts, (GDestroyNotify)g_strfreev);
        return (const char *const *)texts;
    }
    g_strfreev(texts);
    return is_empty ? NULL : (const char *const *)kept;
}

// Makes an object with one text property, which may be set only at construction.
static inline gpointer shim_object_new_with_text(GType type, const char *property, const char *text) {
    return g_object_new(type, property, text, NULL);
}

// Makes the image of a widget. The widget owns it; the caller releases the result.
static inline gpointer shim_widget_image_new(GType type, gpointer widget, const char *property) {
    return g_object_new(type, "widget", widget, "property-name", property, NULL);
}

// Ends the process with a message.
static inline void shim_abort(const char *message) { g_log("RemoteImage", G_LOG_LEVEL_ERROR, "%s", message); }

static inline void shim_update_hidden(gpointer accessible, gboolean is_hidden) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(accessible), GTK_ACCESSIBLE_STATE_HIDDEN, is_hidden, -1);
}

// For tests: return NULL if assistive technologies receive the expected value, else the received
// value, which the caller frees.
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

static inline void shim_warning(const char *message) { g_log("RemoteImage", G_LOG_LEVEL_WARNING, "%s", message); }

// The flags of the properties of this library, whose setters notify only if the value has changed.
static inline GParamFlags shim_property_flags(gboolean is_writable, gboolean is_construct_only) {
    return (GParamFlags)((is_writable ? G_PARAM_READWRITE : G_PARAM_READABLE) |
                         (is_construct_only ? G_PARAM_CONSTRUCT_ONLY : 0) | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
}

// Registers a signal without arguments or with an error. The emission copies the error, so that it
// stays valid whatever a handler does.
static inline guint shim_signal_new(const char *name, GType type, gboolean has_error) {
    return g_signal_new(
        name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, has_error ? 1 : 0, G_TYPE_ERROR);
}

// Registers a signal whose argument is an object, and emits it.
static inline guint shim_signal_new_object(const char *name, GType type, GType argument) {
    return g_signal_new(name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, argument);
}
static inline void shim_emit_object(gpointer instance, guint signal, gpointer object) {
    g_signal_emit(instance, signal, 0, object);
}

// Registers a signal whose arguments are an address or NULL, a boolean and an error, and emits it.
// The emission copies the address and the error.
static inline guint shim_signal_new_failure(const char *name, GType type) {
    return g_signal_new(
        name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_BOOLEAN,
        G_TYPE_ERROR);
}
static inline void shim_emit_failure(
    gpointer instance, guint signal, const char *uri, gboolean is_visible, const GError *error) {
    g_signal_emit(instance, signal, 0, uri, is_visible, error);
}

// A new application; NULL if the id is invalid.
static inline GApplication *shim_application_new(
    const char *id, gboolean is_unique, gboolean opens, gboolean has_command_line) {
    int flags = (is_unique ? 0 : G_APPLICATION_NON_UNIQUE) | (opens ? G_APPLICATION_HANDLES_OPEN : 0) | (has_command_line ? G_APPLICATION_HANDLES_COMMAND_LINE : 0);
    return G_APPLICATION(gtk_application_new(id, (GApplicationFlags)flags));
}

static inline gulong shim_connect_open(
    gpointer application,
    void (*handler)(gpointer application, GFile **files, int count, const char *hint, gpointer data), gpointer data,
    ShimDestroy destroy) {
    return g_signal_connect_data(application, "open", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

static inline gulong shim_connect_command_line(
    gpointer application, int (*handler)(gpointer application, GApplicationCommandLine *line, gpointer data),
    gpointer data, ShimDestroy destroy) {
    return g_signal_connect_data(application, "command-line", G_CALLBACK(handler), data, destroy, (GConnectFlags)0);
}

// The address of a file, to be freed with g_free().
static inline char *shim_file_uri(GFile *file) { return g_file_get_uri(file); }
