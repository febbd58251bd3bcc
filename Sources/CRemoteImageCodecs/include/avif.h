// AVIF with libavif.so.16 or libavif.so.15, loaded at run time: it need not be installed to build
// or start a program.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct {
    // Whether the tracks are decoded, the frames of an image sequence, and not the primary item.
    bool is_sequence;
    // Larger images and coded frames are refused.
    uint32_t max_pixel_count;
    // The maximum number of frames that a file may claim.
    uint32_t max_frame_count;
} codec_avif_request;

typedef struct {
    codec_status status;
    // The message of libavif, a constant; NULL without an error.
    const char *message;
    // The size before rotation, mirroring and cropping.
    uint32_t width, height;
    bool has_alpha;
    // The ICC profile, which belongs to the file and lives until the next call; NULL if there is
    // none.
    const uint8_t *profile;
    size_t profile_byte_count;
    // ITU-T H.273: color primaries and transfer characteristics.
    int primaries, transfer;
    uint32_t frame_count;
} codec_avif_header;

typedef struct codec_avif_file codec_avif_file;

// Whether libavif is installed with a decoder of AV1. The first call loads libavif; any thread may
// make it.
bool codec_avif_is_installed(void);

// Reads everything before the pixels, after `codec_avif_is_installed`. Returns `NULL` where the
// file cannot be read, and says why in `header`.
//
// The caller owns the file and closes it. It is used by one thread at a time and starts no
// threads. It keeps no pointer to the bytes between two calls; each call gets the same bytes.
codec_avif_file *codec_avif_open(
    const uint8_t *bytes, size_t byte_count, const codec_avif_request *request, codec_avif_header *header);

// The durations of the first `count` frames in milliseconds. Returns whether all are known.
bool codec_avif_read_delays(const codec_avif_file *file, uint32_t *milliseconds, uint32_t count);

// Decodes a frame, and the frames on which it depends, and sets all of `header`.
bool codec_avif_decode(
    codec_avif_file *file, const uint8_t *bytes, size_t byte_count, uint32_t index, codec_avif_header *header);

// Converts the decoded frame to `width` × `height` pixels of RGBA without padding, with 8 bits per
// channel. The colors are not premultiplied.
bool codec_avif_convert(codec_avif_file *file, uint8_t *pixels, codec_avif_header *header);

void codec_avif_close(codec_avif_file *file);
