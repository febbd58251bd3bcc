// Every call into a codec library, and every setjmp: none crosses a Swift frame. libjpeg and libpng
// are linked, as GTK itself does; the others are looked up at run time. Each function says who owns
// what and on which thread it may run.
#pragma once
#include "encode.h"
#include "jpeg.h"
#include "heif.h"
#include "jxl.h"
#include "pngfile.h"
#include "webp.h"
