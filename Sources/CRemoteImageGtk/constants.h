// Constants of GLib's enumerations. Since GLib 2.90 its headers mark flag types, and Swift then
// imports no global constants for them; these names work with every version.
#pragma once
#include <gtk/gtk.h>

static const GFileCreateFlags shim_file_create_replace_destination = G_FILE_CREATE_REPLACE_DESTINATION;
static const GApplicationFlags shim_application_non_unique = G_APPLICATION_NON_UNIQUE;
static const GApplicationFlags shim_application_handles_open = G_APPLICATION_HANDLES_OPEN;
static const GApplicationFlags shim_application_handles_command_line = G_APPLICATION_HANDLES_COMMAND_LINE;
static const GParamFlags shim_param_readable = G_PARAM_READABLE;
static const GLogLevelFlags shim_log_warning = G_LOG_LEVEL_WARNING;
static const GLogLevelFlags shim_log_fatal =
    (GLogLevelFlags)(G_LOG_FLAG_RECURSION | G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
static const GFileTest shim_file_test_exists = G_FILE_TEST_EXISTS;
