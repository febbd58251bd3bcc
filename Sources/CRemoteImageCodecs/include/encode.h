// Encoding with libpng, libjpeg, and libwebp if it is installed.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Rows of 8-bit sRGB, `stride` bytes apart: R, G, B, and A where `has_alpha`, not premultiplied.
typedef struct {
    const uint8_t *pixels;
    uint32_t width, height;
    size_t stride;
    bool has_alpha;
} codec_encode_source;

enum { CODEC_ENCODE_MESSAGE_SIZE = 200 };

/// A PNG file with the pixels, of `*count` bytes, which the caller frees with `free`; NULL with a
/// message where the library fails. With `is_fast`, the file is larger, but is encoded and decoded
/// faster. May run on any thread; keeps nothing.
uint8_t *codec_png_encode(
    const codec_encode_source *source, bool is_fast, size_t *count, char message[CODEC_ENCODE_MESSAGE_SIZE]);

/// As `codec_png_encode`, a baseline JPEG of a quality from 1 to 100. Alpha is dropped. With
/// `halves_chroma`, the colors have half the resolution of the lightness in both directions.
uint8_t *codec_jpeg_encode(
    const codec_encode_source *source, int quality, bool halves_chroma, size_t *count,
    char message[CODEC_ENCODE_MESSAGE_SIZE]);

/// As `codec_png_encode`, a lossy WebP of a quality from 1 to 100.
uint8_t *codec_webp_encode(
    const codec_encode_source *source, int quality, size_t *count, char message[CODEC_ENCODE_MESSAGE_SIZE]);
