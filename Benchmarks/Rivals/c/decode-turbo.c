/* libjpeg-turbo used directly, with scaling in the DCT: the lower bound for decoding a JPEG. */
#include "decode.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

typedef struct {
  struct jpeg_error_mgr manager;
  jmp_buf exit;
} Errors;

static void fail(j_common_ptr info) { longjmp(((Errors *)info->err)->exit, 1); }

int decode(const unsigned char *bytes, size_t count, int size, int exact, Picture *image) {
  struct jpeg_decompress_struct info;
  Errors errors;
  unsigned char *volatile pixels = NULL;
  (void)exact;
  info.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = fail;
  if (setjmp(errors.exit)) {
    jpeg_destroy_decompress(&info);
    free(pixels);
    return 0;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, count);
  jpeg_read_header(&info, TRUE);
  unsigned longest = info.image_width > info.image_height ? info.image_width : info.image_height;
  info.scale_num = 1;
  for (info.scale_denom = 1; info.scale_denom < 8; info.scale_denom *= 2)
    if ((longest + info.scale_denom * 2 - 1) / (info.scale_denom * 2) < (unsigned)size) break;
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  size_t stride = (size_t)info.output_width * 3;
  pixels = malloc(stride * info.output_height);
  if (!pixels) longjmp(errors.exit, 1);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels + info.output_scanline * stride;
    jpeg_read_scanlines(&info, &row, 1);
  }
  *image = (Picture){(int)info.output_width, (int)info.output_height};
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  free(pixels);
  return 1;
}
