// AVIF and HEIC with libheif.so.1, version 1.15 or later, loaded at run time: it need not be
// installed to build or start a program.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef enum { CODEC_HEIF_HEVC = 1, CODEC_HEIF_AV1 = 4 } codec_heif_coding;

typedef struct {
    codec_status status;
    // The message of libheif, truncated to fit.
    char message[160];
    bool has_alpha;
    // The length of the ICC profile; 0 if there is none.
    size_t profile_byte_count;
    // ITU-T H.273: color primaries and transfer characteristics; 0 where the file does not name
    // them.
    int primaries, transfer;
} codec_heif_header;

// Rows of RGB, or of RGBA where the image has alpha; colors are not premultiplied.
typedef struct {
    uint8_t *pixels;
    int width, height;
    size_t stride;
    bool has_alpha;
} codec_heif_pixels;

typedef struct codec_heif_file codec_heif_file;

// Whether libheif is installed with a decoder of this coding. The first call loads libheif and its
// plug-ins, which are files; any thread may make it.
bool codec_heif_decodes(codec_heif_coding coding);

// Opens the primary image of a file, after `codec_heif_decodes`. `bytes` are read until the file is
// closed. Up to 1.18 libheif refuses images with a side above `max_side`, from 1.19 on those of
// more than `max_pixel_count` pixels, and from 1.20 on it takes at most `max_byte_count` bytes of
// memory. Returns `NULL` where the file cannot be read, and says why in `header`.
//
// The caller owns the file and closes it. It is used by one thread at a time, which decodes; AV1
// and HEVC decoders may have threads of their own.
codec_heif_file *codec_heif_open(
    const uint8_t *bytes, size_t byte_count, int max_side, uint64_t max_pixel_count, uint64_t max_byte_count,
    codec_heif_header *header);

// Copies the ICC profile to `profile`, which has room for `profile_byte_count` of the header.
// Returns whether that succeeded.
bool codec_heif_read_profile(const codec_heif_file *file, uint8_t *profile);

// Decodes the image; samples of more than 8 bits are reduced to 8. The pixels belong to the file,
// live as long as it and may be changed. Only the status and the message of `header` are set.
bool codec_heif_decode(codec_heif_file *file, codec_heif_pixels *pixels, codec_heif_header *header);

// Frees the file and its pixels.
void codec_heif_close(codec_heif_file *file);
