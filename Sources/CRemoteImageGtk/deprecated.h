// Functions that newer GTK versions deprecate but that have no replacement in GTK 4.8. They work in
// every GTK 4.
#pragma once
#include <gtk/gtk.h>

G_GNUC_BEGIN_IGNORE_DEPRECATIONS

// Replaced by gtk_css_provider_load_from_string in GTK 4.12.
static inline void shim_css_provider_load(GtkCssProvider *provider, const char *text) {
    gtk_css_provider_load_from_data(provider, text, -1);
}

// Replaced by GtkUriLauncher in GTK 4.10.
static inline void shim_show_uri(GtkWindow *parent, const char *uri) {
    gtk_show_uri(parent, uri, GDK_CURRENT_TIME);
}

// Replaced by GtkFileDialog in GTK 4.10.
static inline GtkFileChooserNative *shim_save_dialog_new(const char *title, GtkWindow *parent) {
    return gtk_file_chooser_native_new(title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
}
static inline void shim_file_chooser_set_current_name(GtkFileChooser *chooser, const char *name) {
    gtk_file_chooser_set_current_name(chooser, name);
}
// The caller frees the name.
static inline char *shim_file_chooser_get_current_name(GtkFileChooser *chooser) {
    return gtk_file_chooser_get_current_name(chooser);
}
// Returns a new reference, or NULL if no file is chosen.
static inline GFile *shim_file_chooser_get_file(GtkFileChooser *chooser) {
    return gtk_file_chooser_get_file(chooser);
}

// Replaced by GtkAlertDialog in GTK 4.10, whose window is also a message dialog.
static inline GtkWidget *shim_message_dialog_get_message_area(GtkMessageDialog *dialog) {
    return gtk_message_dialog_get_message_area(dialog);
}
static inline void shim_dialog_response(GtkDialog *dialog, int response) {
    gtk_dialog_response(dialog, response);
}

G_GNUC_END_IGNORE_DEPRECATIONS
