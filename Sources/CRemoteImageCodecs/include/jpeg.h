// JPEG with libjpeg, which is linked: libjpeg-turbo with the interface of libjpeg 6.2 or 8,
// according to the installed headers.
//
// Each call has its own decoder and shares nothing, so any number of threads may call at the same
// time. The arguments are accessed only during the call.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

/// Converts `count` CMYK pixels to RGB, as `cmsDoTransform` does.
typedef void (*codec_convert_inks)(void *transform, const void *inks, void *rgb, uint32_t count);

typedef struct {
    const uint8_t *bytes;
    size_t byte_count;
    /// The sides in the file, as the caller read them.
    uint32_t width, height;
    /// How many eighths of each side are decoded, 1 to 8; sides are rounded up.
    uint32_t eighths;
    /// Bytes that libjpeg may keep of the coefficients of an image in several scans.
    size_t max_memory;
    /// Scans that may be begun.
    uint32_t max_scan_count;
    /// Whether a file without an EOI marker is decoded if libjpeg finds all pixels, which it can
    /// tell only for one Huffman-coded scan.
    bool may_lack_end;
    /// The conversion of a CMYK profile, with its transform for inverted inks. If it is NULL, the
    /// inks are multiplied.
    codec_convert_inks convert_inks;
    void *inks_transform;
} codec_jpeg_request;

typedef struct {
    codec_status status;
    /// The sides in the file as libjpeg reads them; 0 before it knows.
    uint32_t width, height;
    /// Scans that were begun.
    uint32_t scan_count;
    /// Rows that were written, from the top.
    uint32_t row_count;
    /// Why the decode failed, in the words of libjpeg or of this library; empty if not known.
    char message[256];
} codec_jpeg_result;

/// Decodes the whole image to tightly packed RGB. `pixels` has room for the reduced width × the
/// reduced height × 3 bytes, which are all written where the result is `CODEC_OK` and may
/// be unwritten otherwise.
codec_jpeg_result codec_jpeg_decode(const codec_jpeg_request *request, uint8_t *pixels);

/// The same for a file whose end is missing. All available scan data is read, and the pixels are
/// made once: every row if a scan is complete, else the rows that the first scan reaches, which may
/// be none.
codec_jpeg_result codec_jpeg_decode_beginning(const codec_jpeg_request *request, uint8_t *pixels);
