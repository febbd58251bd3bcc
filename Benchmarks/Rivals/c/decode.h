/* What the C rivals decode with: one file is linked of those that define this. */
#pragma once
#include <stddef.h>

typedef struct {
  int width, height;
} Picture;

/* Decodes `bytes` for a longest side of `size` pixels on the calling thread and throws the pixels
 * away; false if that fails. With `exact`, the longest side is exactly that; otherwise the smallest
 * size that is cheap and not below. */
int decode(const unsigned char *bytes, size_t count, int size, int exact, Picture *image);
