// SVG with librsvg-2.so.2, version 2.52 or later, loaded at run time: it need not be installed to
// build or start a program. It draws with cairo, and text with Pango and the fonts of fontconfig.
//
// A drawing is used by one thread at a time. librsvg may start threads, and aborts the process
// where it finds an error of its own.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct codec_svg codec_svg;

enum { CODEC_SVG_MESSAGE_SIZE = 160 };

/// The size that a file gives, in CSS pixels, without lengths in percent.
typedef struct {
    bool has_width, has_height, has_ratio;
    double width, height;
    /// The width of the `viewBox` divided by its height.
    double ratio;
} codec_svg_size;

/// Whether librsvg is installed. The first call loads it; any thread may make it.
bool codec_svg_is_installed(void);

/// Calls `found` with the path of every font file that fontconfig has found. Loads the
/// configuration and the caches of fontconfig; starts no thread.
void codec_svg_list_fonts(void (*found)(const char *path, void *data), void *data);

/// Parses a file, and loads no other file. `codec_svg_close` releases the result. Returns NULL with
/// a message for a damaged file.
codec_svg *codec_svg_open(
    const uint8_t *bytes, size_t count, codec_svg_size *size, char message[CODEC_SVG_MESSAGE_SIZE]);

void codec_svg_close(codec_svg *drawing);

/// Draws on `pixels`, which are zeros: `width` × `height` native-endian numbers of 32 bits, with
/// alpha in the highest bits, then red, green and blue, multiplied by alpha. The drawing has
/// `natural_width` × `natural_height` CSS pixels and is scaled to the pixels. Returns false with a
/// message if it cannot be drawn.
bool codec_svg_draw(
    codec_svg *drawing, double natural_width, double natural_height, int width, int height, uint32_t *pixels,
    char message[CODEC_SVG_MESSAGE_SIZE]);

/// Converts these pixels to RGBA, or drops their alpha if `output` has room for RGB alone.
void codec_svg_pack(const uint32_t *pixels, size_t count, bool drops_alpha, uint8_t *output);
