// Calls libjpeg, which reports errors with longjmp. Every setjmp is in `run`, and only functions of
// this file are on the stack between it and libjpeg.

#include "jpeg.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

typedef struct {
    // The first member, so that libjpeg's pointer to it also points to the decoder.
    struct jpeg_decompress_struct libjpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf failure;
    const codec_jpeg_request *request;
    uint8_t *pixels;
    // A CMYK row, in memory of libjpeg's pool, which is freed with the decoder.
    JSAMPARRAY inks;
    bool is_beginning, ends_here;
    // Whether the EOI marker was added.
    bool is_end_added;
    codec_jpeg_result *result;
} decoder;

// MARK: What libjpeg calls. All on the thread of the decode, during a call of libjpeg.

static _Noreturn void fail(decoder *self, codec_status status) {
    self->result->status = status;
    longjmp(self->failure, 1);
}

static codec_status status_of(int message) {
    switch (message) {
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
        return CODEC_UNSUPPORTED;
    case JERR_NO_BACKING_STORE:
    case JERR_OUT_OF_MEMORY:
        return CODEC_TOO_LARGE;
    default:
        return CODEC_CORRUPT;
    }
}

static _Noreturn void fail_truncated(decoder *self) {
    snprintf(self->result->message, sizeof self->result->message, "the file ends before the image");
    fail(self, CODEC_TRUNCATED);
}

static void error_exit(j_common_ptr libjpeg) {
    decoder *self = (decoder *)libjpeg;
    _Static_assert(sizeof self->result->message >= JMSG_LENGTH_MAX, "libjpeg writes so many bytes");
    self->errors.format_message(libjpeg, self->result->message);
    fail(self, status_of(self->errors.msg_code));
}

// libjpeg conceals damage after a warning. Prints nothing.
static void emit_message(j_common_ptr libjpeg, int level) {
    decoder *self = (decoder *)libjpeg;
    // With the added EOI marker, this warning is not about damage but about a missing part.
    if (level < 0 && self->is_end_added && self->errors.msg_code == JWRN_HIT_MARKER) fail_truncated(self);
}

static void output_message(j_common_ptr libjpeg) { (void)libjpeg; }

// Limits a decode by its number of scans, since a time limit would make the result depend on the
// machine. Called for each row of blocks of each scan.
static void progress_monitor(j_common_ptr libjpeg) {
    decoder *self = (decoder *)libjpeg;
    if ((uint32_t)self->libjpeg.input_scan_number <= self->request->max_scan_count) return;
    snprintf(self->result->message, sizeof self->result->message, "more than %u scans", self->request->max_scan_count);
    fail(self, CODEC_TOO_LARGE);
}

static void init_source(j_decompress_ptr libjpeg) { (void)libjpeg; }

static void add_end(decoder *self) {
    static const JOCTET end[] = {0xFF, JPEG_EOI};
    self->source.next_input_byte = end;
    self->source.bytes_in_buffer = sizeof end;
}

// The input has no further bytes. For a truncated file, libjpeg suspends, which it reports to
// `decode_beginning`, until that function ends the image here.
static boolean fill_input_buffer(j_decompress_ptr libjpeg) {
    decoder *self = (decoder *)libjpeg;
    if (self->is_beginning) {
        if (self->ends_here) add_end(self);
        return self->ends_here;
    }
    if (!self->request->may_lack_end || self->is_end_added) fail_truncated(self);
    self->is_end_added = true;
    add_end(self);
    return TRUE;
}

static void skip_input_data(j_decompress_ptr libjpeg, long count) {
    struct jpeg_source_mgr *source = libjpeg->src;
    if (count <= 0) return;
    const size_t skipped = (size_t)count < source->bytes_in_buffer ? (size_t)count : source->bytes_in_buffer;
    source->next_input_byte += skipped;
    source->bytes_in_buffer -= skipped;
}

static void term_source(j_decompress_ptr libjpeg) { (void)libjpeg; }

// MARK: Decoding

static void row_of_inks_to_rgb(decoder *self, const uint8_t *inks, uint8_t *rgb) {
    const codec_jpeg_request *request = self->request;
    const uint32_t count = self->libjpeg.output_width;
    // Programs store inks inverted, as Adobe's do, also without Adobe's marker. Browsers expect it.
    if (request->convert_inks) return request->convert_inks(request->inks_transform, inks, rgb, count);
    for (uint32_t index = 0; index < count; index++, inks += 4, rgb += 3) {
        for (int ink = 0; ink < 3; ink++) rgb[ink] = (uint8_t)((inks[ink] * inks[3] + 127u) / 255);
    }
}

// Reads the header and sets the parameters. Returns false if a truncated file has an incomplete
// header.
static bool prepare(decoder *self) {
    struct jpeg_decompress_struct *libjpeg = &self->libjpeg;
    const codec_jpeg_request *request = self->request;
    jpeg_create_decompress(libjpeg);
    libjpeg->mem->max_memory_to_use = request->max_memory > INT32_MAX ? INT32_MAX : (long)request->max_memory;
    self->source = (struct jpeg_source_mgr){
        .next_input_byte = request->bytes,
        .bytes_in_buffer = request->byte_count,
        .init_source = init_source,
        .fill_input_buffer = fill_input_buffer,
        .skip_input_data = skip_input_data,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = term_source,
    };
    libjpeg->src = &self->source;
    if (jpeg_read_header(libjpeg, TRUE) != JPEG_HEADER_OK) return false;
    self->result->width = libjpeg->image_width;
    self->result->height = libjpeg->image_height;
    if (libjpeg->image_width != request->width || libjpeg->image_height != request->height) {
        fail(self, CODEC_OTHER_SIZE);
    }
    self->progress.progress_monitor = progress_monitor;
    libjpeg->progress = &self->progress;
    const bool has_inks = libjpeg->jpeg_color_space == JCS_CMYK || libjpeg->jpeg_color_space == JCS_YCCK;
    libjpeg->out_color_space = has_inks ? JCS_CMYK : JCS_RGB;
    libjpeg->scale_num = request->eighths;
    libjpeg->scale_denom = 8;
    jpeg_calc_output_dimensions(libjpeg);
    if (libjpeg->output_width != (request->width * request->eighths + 7) / 8
        || libjpeg->output_height != (request->height * request->eighths + 7) / 8) {
        // The caller asks for the full size of a lossless JPEG: libjpeg-turbo 3 does not scale it.
        snprintf(self->result->message, sizeof self->result->message, "libjpeg does not scale this kind of JPEG");
        fail(self, CODEC_UNSUPPORTED);
    }
    if (has_inks) {
        self->inks = libjpeg->mem->alloc_sarray((j_common_ptr)libjpeg, JPOOL_IMAGE, libjpeg->output_width * 4, 1);
    }
    return true;
}

// Decodes every row, or those before the source suspends.
static void read_rows(decoder *self) {
    enum { ROW_LIMIT = 32 };
    struct jpeg_decompress_struct *libjpeg = &self->libjpeg;
    const size_t stride = (size_t)libjpeg->output_width * 3;
    while (libjpeg->output_scanline < libjpeg->output_height) {
        uint8_t *next = self->pixels + libjpeg->output_scanline * stride;
        JDIMENSION count;
        if (self->inks) {
            count = jpeg_read_scanlines(libjpeg, self->inks, 1);
            if (count == 1) row_of_inks_to_rgb(self, self->inks[0], next);
        } else {
            // libjpeg converts up to a row of blocks at a time.
            JSAMPROW rows[ROW_LIMIT];
            const JDIMENSION rest = libjpeg->output_height - libjpeg->output_scanline;
            const JDIMENSION wanted = rest < ROW_LIMIT ? rest : ROW_LIMIT;
            for (JDIMENSION row = 0; row < wanted; row++) rows[row] = next + row * stride;
            count = jpeg_read_scanlines(libjpeg, rows, wanted);
        }
        // libjpeg returns no rows only if its source suspends.
        if (count == 0) break;
        self->result->row_count = libjpeg->output_scanline;
    }
}

static void decode_all(decoder *self) {
    if (!prepare(self) || !jpeg_start_decompress(&self->libjpeg)) fail_truncated(self);
    // As in browsers, damage after the last row is ignored.
    read_rows(self);
    if (self->libjpeg.output_scanline < self->libjpeg.output_height) fail_truncated(self);
}

static void decode_beginning(decoder *self) {
    struct jpeg_decompress_struct *libjpeg = &self->libjpeg;
    if (!prepare(self)) fail_truncated(self);
    // A single scan need not be held.
    libjpeg->buffered_image = jpeg_has_multiple_scans(libjpeg);
    if (!jpeg_start_decompress(libjpeg)) fail_truncated(self);
    if (!libjpeg->buffered_image) return read_rows(self);
    bool has_complete_scan = false, is_in_scan = true;
    for (int status = JPEG_ROW_COMPLETED; status != JPEG_REACHED_EOI;) {
        status = jpeg_consume_input(libjpeg);
        // libjpeg does not report progress during jpeg_consume_input.
        progress_monitor((j_common_ptr)libjpeg);
        if (status == JPEG_REACHED_SOS) is_in_scan = true;
        if (status == JPEG_SCAN_COMPLETED) {
            has_complete_scan = true;
            is_in_scan = false;
        }
        if (status == JPEG_SUSPENDED) {
            if (!has_complete_scan) break;
            // Ends the image after the bytes of a scan or within a segment. Coefficients that the
            // scan does not reach keep the values of earlier scans.
            self->ends_here = true;
            if (!is_in_scan) libjpeg->unread_marker = JPEG_EOI;
        }
    }
    if (!jpeg_start_output(libjpeg, libjpeg->input_scan_number)) fail_truncated(self);
    read_rows(self);
}

// Calls `body` and returns when it ends or libjpeg fails. All state that changes between setjmp and
// longjmp is in `self`, so that no local variable is lost.
static void run(decoder *self, void (*body)(decoder *)) {
    if (setjmp(self->failure) == 0) {
        body(self);
        self->result->status = CODEC_OK;
    }
}

static codec_jpeg_result decode(
    const codec_jpeg_request *request, uint8_t *pixels, bool is_beginning, void (*body)(decoder *)) {
    codec_jpeg_result result = {.status = CODEC_CORRUPT};
    decoder self = {.request = request, .pixels = pixels, .is_beginning = is_beginning, .result = &result};
    self.libjpeg.err = jpeg_std_error(&self.errors);
    self.errors.error_exit = error_exit;
    self.errors.emit_message = emit_message;
    self.errors.output_message = output_message;
    if (request->eighths < 1 || request->eighths > 8) return result;
    run(&self, body);
    result.scan_count = self.libjpeg.mem ? (uint32_t)self.libjpeg.input_scan_number : 0;
    // Frees all memory of libjpeg in any state, without calling an error handler.
    jpeg_destroy_decompress(&self.libjpeg);
    return result;
}

codec_jpeg_result codec_jpeg_decode(const codec_jpeg_request *request, uint8_t *pixels) {
    return decode(request, pixels, false, decode_all);
}

codec_jpeg_result codec_jpeg_decode_beginning(const codec_jpeg_request *request, uint8_t *pixels) {
    return decode(request, pixels, true, decode_beginning);
}
