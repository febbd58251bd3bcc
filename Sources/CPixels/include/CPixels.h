// Rows of pixels as decoders make them, on their way to packed ones. In C, since the processor's
// wider instructions are chosen when the program runs, for which Swift has no means: with AVX2
// where there is one, the same result everywhere.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Leaves alpha out: `count` pixels of RGBA become RGB. `rgb` has room for 3 × `count` bytes, and
/// overlaps nothing.
///
/// - Returns: Whether every pixel was opaque.
bool pixels_drop_alpha(const uint8_t *rgba, uint8_t *rgb, size_t count);

/// Multiplies the colours of `count` pixels of RGBA by alpha, divided by 255 and rounded to the
/// nearest: exact for all values. `output` has room for 4 × `count` bytes; it may be `rgba`, and
/// overlaps it nowhere else.
void pixels_premultiply(const uint8_t *rgba, uint8_t *output, size_t count);
