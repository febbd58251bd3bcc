// GTK 4 for Swift: the headers and typed inline functions for their macros and variadic calls.
#pragma once
#include <gtk/gtk.h>
#include <glib-unix.h>
