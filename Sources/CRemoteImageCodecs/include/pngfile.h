// PNG with libpng, which is linked.
//
// A decoder is used by one thread at a time and shares nothing with other decoders. It reads its
// bytes until it is closed, so they must stay valid at the same address.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct codec_png codec_png;

enum { CODEC_PNG_MESSAGE_SIZE = 128 };

typedef struct {
    const uint8_t *bytes;
    size_t byte_count;
    /// The sides in the file, as the caller read them.
    uint32_t width, height;
    /// Bytes that an embedded profile may unpack to; a longer one is ignored.
    size_t max_profile_byte_count;
    /// Whether an invalid tRNS chunk is ignored. Otherwise it is an error.
    bool is_repaired;
} codec_png_request;

typedef struct {
    codec_status status;
    /// The sides in the file as libpng reads them; 0 before it knows.
    uint32_t width, height;
    /// Of the rows that are read: 3 for RGB, 4 for RGBA whose colors are not multiplied by alpha,
    /// 8 bits each.
    uint8_t channels;
    /// Rows come in seven passes: only `codec_png_read_image` reads them.
    bool is_interlaced;
    bool is_gray;
    /// The ICC profile, which belongs to the decoder; NULL without.
    const uint8_t *profile;
    size_t profile_byte_count;
    bool is_srgb;
    /// Gamma, and x and y of white, red, green and blue, times 100,000; 0 where the file does not
    /// say.
    int32_t gamma;
    int32_t chromaticities[8];
    /// The message of libpng about the damage; empty if there is none.
    char message[CODEC_PNG_MESSAGE_SIZE];
} codec_png_header;

/// Reads everything before the pixels. The caller closes the decoder; it is NULL unless the status
/// is `CODEC_OK`.
codec_png *codec_png_open(const codec_png_request *request, codec_png_header *header);

/// Reads the next row into memory for width × channels bytes. Returns false if the file is damaged
/// or ends before the end of the row; then the row may be unwritten, and further reads fail. Damage
/// after the last row is ignored.
bool codec_png_read_row(codec_png *decoder, uint8_t *row);

/// Reads all rows of an image, without padding between them, and returns their number. If the file
/// is damaged or ends before the last pixel, further reads fail, and it returns 0. With
/// `is_truncated`, which takes longer, it then returns the number of rows from the top whose pixels
/// are known: pixels that later passes would bring repeat a neighbor. Pixels of other rows may be
/// unwritten.
uint32_t codec_png_read_image(codec_png *decoder, uint8_t *pixels, bool is_truncated);

/// The last message of libpng about damage, valid until the next call.
const char *codec_png_message(const codec_png *decoder);

/// Frees the decoder; NULL is allowed.
void codec_png_close(codec_png *decoder);
