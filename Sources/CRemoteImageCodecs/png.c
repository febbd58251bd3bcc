// Calls libpng, which reports errors with longjmp. Every function that calls it has its own setjmp,
// and only functions of this file are on the stack between it and libpng.

#include "pngfile.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct codec_png {
    png_structp libpng;
    png_infop info;
    jmp_buf failure;
    const uint8_t *next;
    size_t rest;
    // The bytes that are left of the content of the chunk that is being read.
    size_t chunk_rest;
    uint32_t height;
    // The row that is being read.
    uint32_t row;
    size_t stride;
    int pass_count;
    bool is_repaired;
    bool has_failed;
    char message[CODEC_PNG_MESSAGE_SIZE];
};

// MARK: What libpng calls. All on the thread of the caller, during a call of libpng.

static _Noreturn void fail(png_structp libpng, png_const_charp message) {
    codec_png *self = png_get_error_ptr(libpng);
    self->has_failed = true;
    snprintf(self->message, sizeof self->message, "%s", message);
    longjmp(self->failure, 1);
}

// libpng continues after a warning, such as that it ignores all transparency of a palette because
// the last entries have no color. The message begins with the name of the chunk. Prints nothing.
static void warn(png_structp libpng, png_const_charp message) {
    const codec_png *self = png_get_error_ptr(libpng);
    if (!self->is_repaired && !strncmp(message, "tRNS", 4)) fail(libpng, message);
}

// Lets libpng read the last four bytes of each IDAT chunk, where the checksum of the compressed
// data is, one by one. With all of a wrong checksum in one read, zlib fails while it returns the
// last row, and libpng drops that row. With less, zlib returns the row first.
static void limit_next_read(codec_png *self, png_structp libpng, const png_byte *bytes, size_t count) {
    enum { CHECKSUM_SIZE = 4, MAX_READ_SIZE = 8192 };
    switch (png_get_io_state(libpng) & PNG_IO_MASK_LOC) {
    case PNG_IO_CHUNK_HDR: self->chunk_rest = png_get_uint_32(bytes); break;
    case PNG_IO_CHUNK_DATA: self->chunk_rest -= count; break;
    default: return;
    }
    size_t size = self->chunk_rest > CHECKSUM_SIZE ? self->chunk_rest - CHECKSUM_SIZE : 1;
    png_set_compression_buffer_size(libpng, size < MAX_READ_SIZE ? size : MAX_READ_SIZE);
}

static void read_bytes(png_structp libpng, png_bytep bytes, size_t count) {
    codec_png *self = png_get_io_ptr(libpng);
    if (count > self->rest) png_error(libpng, "the file ends before the image");
    memcpy(bytes, self->next, count);
    self->next += count;
    self->rest -= count;
    limit_next_read(self, libpng, bytes, count);
}

// MARK: Before the pixels

static void set_limits(png_structp libpng, const codec_png_request *request) {
    // The size is compared with that of the request before any allocation depends on it.
    png_set_user_limits(libpng, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(libpng, request->max_profile_byte_count);
    // libpng decompresses and keeps any number of text chunks, so all chunks are skipped that the
    // pixels do not need.
    png_set_keep_unknown_chunks(libpng, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    static const png_byte needed[] = "gAMA\0cHRM\0sRGB\0iCCP";
    png_set_keep_unknown_chunks(libpng, PNG_HANDLE_CHUNK_AS_DEFAULT, needed, 4);
    png_set_crc_action(libpng, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    // Browsers ignore the window size and the checksum of the compressed data, which some programs
    // write wrong. The libpng of Debian 13 lacks the second option: see `limit_next_read`.
    png_set_option(libpng, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
#ifdef PNG_IGNORE_ADLER32
    png_set_option(libpng, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#endif
}

static void read_colors(codec_png *self, codec_png_header *header) {
    png_charp name;
    png_bytep profile;
    png_uint_32 byte_count;
    int compression, intent;
    if (png_get_iCCP(self->libpng, self->info, &name, &compression, &profile, &byte_count)) {
        header->profile = profile;
        header->profile_byte_count = byte_count;
    }
    header->is_srgb = png_get_sRGB(self->libpng, self->info, &intent) != 0;
    png_fixed_point gamma, c[8];
    if (png_get_gAMA_fixed(self->libpng, self->info, &gamma)) header->gamma = gamma;
    if (png_get_cHRM_fixed(self->libpng, self->info, c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7)) {
        for (int index = 0; index < 8; index++) header->chromaticities[index] = c[index];
    }
}

// As in browsers, indices without a color have the last color. In libpng they are black.
static void pad_palette(codec_png *self) {
    png_color padded[PNG_MAX_PALETTE_LENGTH];
    png_colorp colors;
    int count = 0;
    if (!png_get_PLTE(self->libpng, self->info, &colors, &count) || count < 1) return;
    const int padded_count = 1 << png_get_bit_depth(self->libpng, self->info);
    for (int index = 0; index < padded_count; index++) padded[index] = colors[index < count ? index : count - 1];
    png_set_PLTE(self->libpng, self->info, padded, padded_count);
}

// Every kind of pixels becomes RGB or RGBA of 8 bits.
static void set_format(codec_png *self, codec_png_header *header) {
    png_structp libpng = self->libpng;
    const int color = png_get_color_type(libpng, self->info);
    if (color == PNG_COLOR_TYPE_PALETTE) {
        pad_palette(self);
        png_set_palette_to_rgb(libpng);
    }
    if (png_get_valid(libpng, self->info, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(libpng);
    header->is_gray = !(color & PNG_COLOR_MASK_COLOR);
    if (header->is_gray) {
        png_set_expand_gray_1_2_4_to_8(libpng);
        png_set_gray_to_rgb(libpng);
    }
    png_set_scale_16(libpng);
    header->is_interlaced = png_get_interlace_type(libpng, self->info) != PNG_INTERLACE_NONE;
    self->pass_count = png_set_interlace_handling(libpng);
    png_read_update_info(libpng, self->info);
    header->channels = png_get_channels(libpng, self->info);
    self->stride = png_get_rowbytes(libpng, self->info);
}

static void open_file(codec_png *self, const codec_png_request *request, codec_png_header *header) {
    if (setjmp(self->failure)) return;
    set_limits(self->libpng, request);
    png_set_read_fn(self->libpng, self, read_bytes);
    png_read_info(self->libpng, self->info);
    header->width = png_get_image_width(self->libpng, self->info);
    header->height = png_get_image_height(self->libpng, self->info);
    if (header->width != request->width || header->height != request->height) {
        header->status = CODEC_OTHER_SIZE;
        return;
    }
    read_colors(self, header);
    set_format(self, header);
    const bool is_packed = header->channels == 3 || header->channels == 4;
    if (!is_packed || self->stride != (size_t)request->width * header->channels) {
        png_error(self->libpng, "rows of an unexpected length");
    }
    self->height = request->height;
    header->status = CODEC_OK;
}

codec_png *codec_png_open(const codec_png_request *request, codec_png_header *header) {
    *header = (codec_png_header){.status = CODEC_NO_MEMORY};
    codec_png *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->next = request->bytes;
    self->rest = request->byte_count;
    self->is_repaired = request->is_repaired;
    // Before the first setjmp: on an error, libpng does not call `fail` but returns NULL.
    self->libpng = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, fail, warn);
    if (self->libpng) self->info = png_create_info_struct(self->libpng);
    if (self->info) {
        header->status = CODEC_CORRUPT;
        open_file(self, request, header);
        memcpy(header->message, self->message, sizeof header->message);
    }
    if (header->status == CODEC_OK) return self;
    codec_png_close(self);
    return NULL;
}

// MARK: Pixels

bool codec_png_read_row(codec_png *self, uint8_t *row) {
    if (self->has_failed) return false;
    // libpng counts a row before it reads what follows the last one, such as a checksum.
    self->row = png_get_current_row_number(self->libpng);
    if (setjmp(self->failure)) return png_get_current_row_number(self->libpng) > self->row;
    png_read_row(self->libpng, row, NULL);
    return true;
}

// The number of rows with pixels after a failure.
static uint32_t readable_rows(const codec_png *self, bool is_truncated) {
    const int pass = png_get_current_pass_number(self->libpng);
    if (pass >= self->pass_count) return self->height;
    if (!is_truncated) return 0;
    // The first pass has pixels for each column and each row.
    return pass > 0 ? self->height : png_get_current_row_number(self->libpng);
}

uint32_t codec_png_read_image(codec_png *self, uint8_t *pixels, bool is_truncated) {
    if (self->has_failed) return 0;
    if (setjmp(self->failure)) return readable_rows(self, is_truncated);
    for (int pass = 0; pass < self->pass_count; pass++) {
        for (uint32_t y = 0; y < self->height; y++) {
            uint8_t *row = pixels + y * self->stride;
            png_read_row(self->libpng, is_truncated ? NULL : row, is_truncated ? row : NULL);
        }
    }
    return self->height;
}

const char *codec_png_message(const codec_png *self) { return self->message; }

// It calls no error handler.
void codec_png_close(codec_png *self) {
    if (!self) return;
    png_destroy_read_struct(&self->libpng, &self->info, NULL);
    free(self);
}
