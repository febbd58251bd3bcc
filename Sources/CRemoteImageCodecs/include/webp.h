// WebP with libwebp.so.7, loaded at run time: it need not be installed to build or start a program.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int width, height;
    bool has_alpha;
} WebPStill;

// Whether libwebp is installed. The first call loads it; any thread may make it.
bool webp_is_installed(void);

// Reads the header of a still image. Returns false for an animation, a damaged header, and without
// libwebp. Any thread; keeps nothing.
bool webp_read(const uint8_t *bytes, size_t count, WebPStill *still);

// Decodes a still image into `pixels`, which the caller owns: `capacity` bytes, cleared first, in
// rows of `stride` bytes of RGBA or RGB. With `scaled_width` and `scaled_height` the image is
// scaled to that size while it is decoded; 0 keeps its own. Returns libwebp's status, 0 for
// success; an animation is refused. Any thread; keeps nothing.
int webp_decode(
    const uint8_t *bytes, size_t count, bool is_rgba, int scaled_width, int scaled_height, uint8_t *pixels, size_t capacity,
    int stride);
