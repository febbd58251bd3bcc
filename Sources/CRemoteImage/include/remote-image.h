// Remote images for GTK 4: a widget, a paintable, and the pipeline behind them.
//
// Load the library and call all its functions on the main thread of the process, which must run the
// default GLib main context, as in GTK. After fork() a child must call exec() before it uses the
// library: otherwise each call prints an error to standard error and does nothing (constructors
// return NULL), and creating an object with g_object_new() or from a .ui file ends the process.
#pragma once

#include "remote-image-accounts.h"
#include "remote-image-authorization.h"
#include "remote-image-byte-request.h"
#include "remote-image-cache.h"
#include "remote-image-credential-request.h"
#include "remote-image-filters.h"
#include "remote-image-metrics.h"
#include "remote-image-paintable-loading.h"
#include "remote-image-desktop.h"
#include "remote-image-file.h"
#include "remote-image-list.h"
#include "remote-image-paintable.h"
#include "remote-image-pipeline-sources.h"
#include "remote-image-pipeline.h"
#include "remote-image-response.h"
#include "remote-image-transfer-request.h"
#include "remote-image-size-options.h"
#include "remote-image-source-sizes.h"
#include "remote-image-source.h"
#include "remote-image-preview.h"
#include "remote-image-processor.h"
#include "remote-image-types.h"
#include "remote-image-version.h"
#include "remote-image-view-limits.h"
#include "remote-image-view-preview.h"
#include "remote-image-view-processing.h"
#include "remote-image-view-loading.h"
#include "remote-image-view-appearance.h"
#include "remote-image-view.h"
#include "remote-image-viewer.h"
#include "remote-image-widget-image.h"
