// JPEG XL with libjxl 0.7 to 0.11, loaded at run time: it need not be installed to build or start a
// program.
//
// A decoder is used by one thread at a time, starts no threads and shares nothing with other
// decoders. It keeps no pointer to the bytes of the file: the caller passes them to each call.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct codec_jxl codec_jxl;

typedef struct {
    const uint8_t *bytes;
    size_t byte_count;
    /// The sides as shown, after the orientation is applied, as the caller read them.
    uint32_t width, height;
    /// Bytes that libjxl may hold at a time. Before version 0.11, libjxl allocates pixels without
    /// asking.
    size_t max_memory;
    /// The pixels of one layer, and those of all layers of the first frame together.
    uint64_t max_layer_pixel_count, max_pixel_count;
    /// Frames are counted up to this number.
    uint32_t max_frame_count;
    /// Frames can be played up to this number, and up to this sum of the pixels of their layers.
    uint32_t max_played_count;
    uint64_t max_played_pixel_count;
    /// Bytes of a profile; a longer one is ignored.
    size_t max_profile_byte_count;
    /// Whether the bytes may end before the image does.
    bool is_beginning;
} codec_jxl_request;

typedef struct {
    codec_status status;
    /// The sides as shown, as libjxl reads them; 0 before it knows.
    uint32_t width, height;
    /// 3 for RGB, 4 for RGBA whose colors are not multiplied by alpha, 8 bits each.
    uint8_t channels;
    /// The ICC profile of the pixels, which belongs to the decoder; NULL where they are sRGB or
    /// where it is not known.
    const uint8_t *profile;
    size_t profile_byte_count;
    /// The frames that have arrived, at least 1.
    uint32_t frame_count;
    /// The delays of the playable frames in milliseconds. The array belongs to the decoder.
    const uint32_t *delays;
    uint32_t played_count;
    /// 0 for ever.
    uint32_t play_count;
} codec_jxl_header;

/// Whether libjxl is installed in a version that is known. The first call loads it; any thread may
/// make it.
bool codec_jxl_is_installed(void);

/// Reads everything before the pixels. The caller closes the decoder; it is NULL unless the status
/// is `CODEC_OK`.
codec_jxl *codec_jxl_open(const codec_jxl_request *request, codec_jxl_header *header);

/// Skips `skip_count` frames, then decodes the next frame, with all layers and its orientation
/// applied. If later frames depend on skipped ones, skipping takes as long as decoding.
///
/// `bytes` are those of the request. Clears `pixels`, which the caller owns and which has
/// `capacity` bytes, then writes rows without padding, in the colors of the profile. For the first
/// bytes of an image, it writes the available detail once that covers the whole image, and fails
/// with `CODEC_TRUNCATED` before. A decoder that failed cannot be used again.
codec_status codec_jxl_decode(
    codec_jxl *decoder, const uint8_t *bytes, uint32_t skip_count, uint8_t *pixels, size_t capacity);

/// Bytes that libjxl holds now. Before version 0.11, those of pixels are not counted.
size_t codec_jxl_held_byte_count(const codec_jxl *decoder);

/// Frees the decoder; NULL is allowed.
void codec_jxl_close(codec_jxl *decoder);
