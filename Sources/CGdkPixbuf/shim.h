// GdkPixbuf for Swift: the header and typed inline functions for its macros and variadic calls.
#pragma once
#include <gdk-pixbuf/gdk-pixbuf.h>
