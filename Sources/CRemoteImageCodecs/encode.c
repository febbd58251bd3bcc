// Calls the encoders of libpng and libjpeg. The simplified interface of libpng catches its own
// errors; libjpeg reports errors with longjmp, and the only setjmp is in `codec_jpeg_encode`.

#include "encode.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

uint8_t *codec_png_encode(
    const codec_encode_source *source, bool is_fast, size_t *count, char message[CODEC_ENCODE_MESSAGE_SIZE]) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = source->width;
    image.height = source->height;
    image.format = source->has_alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    if (is_fast) image.flags |= PNG_IMAGE_FLAG_FAST;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *file = malloc(size);
    if (!file) {
        snprintf(message, CODEC_ENCODE_MESSAGE_SIZE, "out of memory");
        return NULL;
    }
    if (!png_image_write_to_memory(&image, file, &size, 0, source->pixels, (png_int_32)source->stride, NULL)) {
        snprintf(message, CODEC_ENCODE_MESSAGE_SIZE, "%s", image.message);
        png_image_free(&image);
        free(file);
        return NULL;
    }
    *count = size;
    uint8_t *shorter = realloc(file, size);
    return shorter ? shorter : file;
}

// MARK: JPEG

typedef struct {
    // The first member, so that libjpeg's pointer to it also points to the encoder.
    struct jpeg_compress_struct libjpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf failure;
    char *message;
    // Owned until the end of `codec_jpeg_encode`. libjpeg's own memory destination loses its buffer
    // at an error.
    uint8_t *file;
    size_t size;
} encoder;

static _Noreturn void fail(j_common_ptr libjpeg) {
    encoder *self = (encoder *)libjpeg;
    char text[JMSG_LENGTH_MAX];
    self->errors.format_message(libjpeg, text);
    snprintf(self->message, CODEC_ENCODE_MESSAGE_SIZE, "%.*s", CODEC_ENCODE_MESSAGE_SIZE - 1, text);
    longjmp(self->failure, 1);
}

// Warnings and traces are not printed.
static void be_silent(j_common_ptr libjpeg) { (void)libjpeg; }

// Doubles the size of the file after libjpeg has filled it.
static boolean grow(j_compress_ptr libjpeg) {
    encoder *self = (encoder *)libjpeg;
    size_t old = self->size, size = old ? 2 * old : 64 << 10;
    uint8_t *file = realloc(self->file, size);
    if (!file) {
        snprintf(self->message, CODEC_ENCODE_MESSAGE_SIZE, "out of memory");
        longjmp(self->failure, 1);
    }
    self->file = file;
    self->size = size;
    self->destination.next_output_byte = file + old;
    self->destination.free_in_buffer = size - old;
    return TRUE;
}

static void begin_file(j_compress_ptr libjpeg) { grow(libjpeg); }

static void end_file(j_compress_ptr libjpeg) { (void)libjpeg; }

static void write_rows(encoder *self, const codec_encode_source *source) {
    struct jpeg_compress_struct *libjpeg = &self->libjpeg;
    // Memory of libjpeg's pool, which is freed with the encoder.
    JSAMPARRAY row = libjpeg->mem->alloc_sarray((j_common_ptr)libjpeg, JPOOL_IMAGE, source->width * 3, 1);
    while (libjpeg->next_scanline < libjpeg->image_height) {
        const uint8_t *pixels = source->pixels + (size_t)libjpeg->next_scanline * source->stride;
        if (source->has_alpha) {
            for (uint32_t x = 0; x < source->width; x++) memcpy(row[0] + 3 * (size_t)x, pixels + 4 * (size_t)x, 3);
        } else {
            memcpy(row[0], pixels, (size_t)source->width * 3);
        }
        jpeg_write_scanlines(libjpeg, row, 1);
    }
}

uint8_t *codec_jpeg_encode(
    const codec_encode_source *source, int quality, bool halves_chroma, size_t *count,
    char message[CODEC_ENCODE_MESSAGE_SIZE]) {
    // On the heap: locals of a function with setjmp are undefined after longjmp.
    encoder *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(message, CODEC_ENCODE_MESSAGE_SIZE, "out of memory");
        return NULL;
    }
    self->message = message;
    struct jpeg_compress_struct *libjpeg = &self->libjpeg;
    libjpeg->err = jpeg_std_error(&self->errors);
    self->errors.error_exit = fail;
    self->errors.output_message = be_silent;
    volatile bool succeeded = false;
    if (setjmp(self->failure) == 0) {
        jpeg_create_compress(libjpeg);
        self->destination.init_destination = begin_file;
        self->destination.empty_output_buffer = grow;
        self->destination.term_destination = end_file;
        libjpeg->dest = &self->destination;
        libjpeg->image_width = source->width;
        libjpeg->image_height = source->height;
        libjpeg->input_components = 3;
        libjpeg->in_color_space = JCS_RGB;
        jpeg_set_defaults(libjpeg);
        jpeg_set_quality(libjpeg, quality, TRUE);
        // By default libjpeg halves the resolution of the colors.
        if (!halves_chroma) libjpeg->comp_info[0].h_samp_factor = libjpeg->comp_info[0].v_samp_factor = 1;
        jpeg_start_compress(libjpeg, TRUE);
        write_rows(self, source);
        jpeg_finish_compress(libjpeg);
        *count = self->size - self->destination.free_in_buffer;
        succeeded = true;
    }
    jpeg_destroy_compress(libjpeg);
    uint8_t *file = self->file;
    free(self);
    if (succeeded) return file;
    free(file);
    return NULL;
}
