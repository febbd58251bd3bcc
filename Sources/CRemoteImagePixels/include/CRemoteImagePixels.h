// Converts rows of decoded pixels to packed ones. In C, since Swift cannot choose processor
// instructions at run time: these functions use AVX2 if the processor has it, with the same results
// on all processors.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Drops alpha: converts `count` pixels from RGBA to RGB. `rgb` has room for 3 × `count` bytes and
/// does not overlap `rgba`.
///
/// - Returns: Whether every pixel was opaque.
bool pixels_drop_alpha(const uint8_t *rgba, uint8_t *rgb, size_t count);

/// Multiplies the colors of `count` RGBA pixels by alpha / 255, rounded exactly to the nearest
/// value. `output` has room for 4 × `count` bytes; it is either `rgba` or does not overlap it.
void pixels_premultiply(const uint8_t *rgba, uint8_t *output, size_t count);
