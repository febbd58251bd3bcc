/* The decoder of the C rivals. Each program is linked with one file that defines it. */
#pragma once
#include <stddef.h>

typedef struct {
  int width, height;
} Picture;

/* Decodes `bytes` for a longest side of `size` pixels on the calling thread and discards the pixels.
 * Returns false on failure. With `exact`, the longest side is exactly `size`; otherwise it is the
 * smallest size of the scaled DCT that is not below `size`. */
int decode(const unsigned char *bytes, size_t count, int size, int exact, Picture *image);
