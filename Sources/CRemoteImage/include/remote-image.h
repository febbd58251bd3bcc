// Remote images for GTK 4: a widget, a paintable, and the pipeline behind them.
//
// Everything is called on the thread on which the process began, with the default GLib main context running there, as
// GTK wants it; the library must be loaded there too. After fork() a child must exec() before it uses the library:
// there a call says so on standard error and does nothing (one that makes an object returns NULL), and an object that is made by
// g_object_new() or of a .ui file ends the process.
#pragma once

#include "remote-image-cache.h"
#include "remote-image-paintable.h"
#include "remote-image-pipeline.h"
#include "remote-image-types.h"
#include "remote-image-view-loading.h"
#include "remote-image-view-appearance.h"
#include "remote-image-view.h"
