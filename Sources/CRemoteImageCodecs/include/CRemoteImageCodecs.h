// All calls of codec libraries and all uses of setjmp, so that no longjmp crosses a Swift frame.
// libjpeg and libpng are linked, as in GTK; the other libraries are loaded at run time. Each header
// states ownership and threads.
#pragma once
#include "avif.h"
#include "encode.h"
#include "jpeg.h"
#include "heif.h"
#include "jxl.h"
#include "pngfile.h"
#include "svg.h"
#include "webp.h"
