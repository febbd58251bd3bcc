// Fails to compile if a declaration in libavif.h differs from the installed headers of libavif.
// `scripts/test-distributions.sh` compiles it in each Debian release.
#include <avif/avif.h>

#include "libavif.h"

#define SAME_PLACE(own, own_field, type, field)                              \
    _Static_assert(                                                          \
        offsetof(own, own_field) == offsetof(type, field) &&                 \
            sizeof(((own *)0)->own_field) == sizeof(((type *)0)->field),     \
        #type "." #field)
#define SAME_VALUE(own, value) _Static_assert((int)own == (int)value, #value)

SAME_PLACE(AVIFData, data, avifROData, data);
SAME_PLACE(AVIFData, size, avifROData, size);
SAME_PLACE(AVIFData, data, avifRWData, data);
SAME_PLACE(AVIFData, size, avifRWData, size);

SAME_PLACE(AVIFImage, width, avifImage, width);
SAME_PLACE(AVIFImage, height, avifImage, height);
SAME_PLACE(AVIFImage, depth, avifImage, depth);
SAME_PLACE(AVIFImage, alpha_plane, avifImage, alphaPlane);
SAME_PLACE(AVIFImage, profile, avifImage, icc);
SAME_PLACE(AVIFImage, primaries, avifImage, colorPrimaries);
SAME_PLACE(AVIFImage, transfer, avifImage, transferCharacteristics);
SAME_PLACE(AVIFImage, matrix, avifImage, matrixCoefficients);

SAME_PLACE(AVIFTiming, timescale, avifImageTiming, timescale);
SAME_PLACE(AVIFTiming, duration, avifImageTiming, duration);
_Static_assert(sizeof(AVIFTiming) == sizeof(avifImageTiming), "avifImageTiming");

SAME_PLACE(AVIFDecoder, codec, avifDecoder, codecChoice);
SAME_PLACE(AVIFDecoder, max_threads, avifDecoder, maxThreads);
SAME_PLACE(AVIFDecoder, allows_progressive, avifDecoder, allowProgressive);
SAME_PLACE(AVIFDecoder, allows_incremental, avifDecoder, allowIncremental);
SAME_PLACE(AVIFDecoder, ignores_exif, avifDecoder, ignoreExif);
SAME_PLACE(AVIFDecoder, ignores_xmp, avifDecoder, ignoreXMP);
SAME_PLACE(AVIFDecoder, max_pixel_count, avifDecoder, imageSizeLimit);
SAME_PLACE(AVIFDecoder, max_side, avifDecoder, imageDimensionLimit);
SAME_PLACE(AVIFDecoder, max_image_count, avifDecoder, imageCountLimit);
SAME_PLACE(AVIFDecoder, strict_flags, avifDecoder, strictFlags);
SAME_PLACE(AVIFDecoder, image, avifDecoder, image);
SAME_PLACE(AVIFDecoder, image_count, avifDecoder, imageCount);

SAME_PLACE(AVIFInput, destroy, avifIO, destroy);
SAME_PLACE(AVIFInput, read, avifIO, read);
SAME_PLACE(AVIFInput, size_hint, avifIO, sizeHint);
SAME_PLACE(AVIFInput, is_persistent, avifIO, persistent);
SAME_PLACE(AVIFInput, data, avifIO, data);
_Static_assert(sizeof(AVIFInput) == sizeof(avifIO), "avifIO");

SAME_PLACE(RGBImage, width, avifRGBImage, width);
SAME_PLACE(RGBImage, depth, avifRGBImage, depth);
SAME_PLACE(RGBImage, format, avifRGBImage, format);
SAME_PLACE(RGBImage, avoids_libyuv, avifRGBImage, avoidLibYUV);
SAME_PLACE(RGBImage, is_premultiplied, avifRGBImage, alphaPremultiplied);
SAME_PLACE(RGBImage, is_float, avifRGBImage, isFloat);
_Static_assert(sizeof(RGBImage) >= sizeof(avifRGBImage), "avifRGBImage");
_Static_assert(offsetof(avifRGBImage, pixels) == (AVIF_VERSION_MAJOR > 0 ? PIXELS_OFFSET_16 : PIXELS_OFFSET_15), "pixels");
_Static_assert(
    offsetof(avifRGBImage, rowBytes) == offsetof(avifRGBImage, pixels) + sizeof(uint8_t *) &&
        sizeof(((avifRGBImage *)0)->rowBytes) == sizeof(uint32_t),
    "rowBytes");

SAME_VALUE(RESULT_OK, AVIF_RESULT_OK);
SAME_VALUE(RESULT_UNSUPPORTED_DEPTH, AVIF_RESULT_UNSUPPORTED_DEPTH);
SAME_VALUE(RESULT_NO_CODEC_AVAILABLE, AVIF_RESULT_NO_CODEC_AVAILABLE);
SAME_VALUE(RESULT_IO_ERROR, AVIF_RESULT_IO_ERROR);
SAME_VALUE(RESULT_NOT_IMPLEMENTED, AVIF_RESULT_NOT_IMPLEMENTED);
SAME_VALUE(RESULT_OUT_OF_MEMORY, AVIF_RESULT_OUT_OF_MEMORY);
SAME_VALUE(CODEC_AUTO, AVIF_CODEC_CHOICE_AUTO);
SAME_VALUE(CODEC_DAV1D, AVIF_CODEC_CHOICE_DAV1D);
SAME_VALUE(CODEC_CAN_DECODE, AVIF_CODEC_FLAG_CAN_DECODE);
SAME_VALUE(SOURCE_PRIMARY_ITEM, AVIF_DECODER_SOURCE_PRIMARY_ITEM);
SAME_VALUE(SOURCE_TRACKS, AVIF_DECODER_SOURCE_TRACKS);
SAME_VALUE(STRICT_DISABLED, AVIF_STRICT_DISABLED);
SAME_VALUE(FORMAT_RGBA, AVIF_RGB_FORMAT_RGBA);
SAME_VALUE(TRANSFER_PQ, AVIF_TRANSFER_CHARACTERISTICS_SMPTE2084);
SAME_VALUE(TRANSFER_HLG, AVIF_TRANSFER_CHARACTERISTICS_HLG);
SAME_VALUE(MATRIX_UNSPECIFIED, AVIF_MATRIX_COEFFICIENTS_UNSPECIFIED);
SAME_VALUE(MATRIX_BT2020, AVIF_MATRIX_COEFFICIENTS_BT2020_NCL);
SAME_VALUE(MATRIX_CONSTANT_LUMINANCE, AVIF_MATRIX_COEFFICIENTS_BT2020_CL);
SAME_VALUE(MAX_PIXEL_COUNT, AVIF_DEFAULT_IMAGE_SIZE_LIMIT);

// The types of the functions, with the library's own structures.
static void check(void) {
    const char *(*codec_name)(avifCodecChoice, avifCodecFlags) = avifCodecName;
    avifDecoder *(*create)(void) = avifDecoderCreate;
    void (*destroy)(avifDecoder *) = avifDecoderDestroy;
    avifResult (*set_source)(avifDecoder *, avifDecoderSource) = avifDecoderSetSource;
    void (*set_input)(avifDecoder *, avifIO *) = avifDecoderSetIO;
    avifResult (*parse)(avifDecoder *) = avifDecoderParse;
    avifResult (*decode)(avifDecoder *, uint32_t) = avifDecoderNthImage;
    avifResult (*read_timing)(const avifDecoder *, uint32_t, avifImageTiming *) = avifDecoderNthImageTiming;
    void (*set_defaults)(avifRGBImage *, const avifImage *) = avifRGBImageSetDefaults;
    avifResult (*convert)(const avifImage *, avifRGBImage *) = avifImageYUVToRGB;
    const char *(*describe)(avifResult) = avifResultToString;
    (void)codec_name, (void)create, (void)destroy, (void)set_source, (void)set_input, (void)parse, (void)decode;
    (void)read_timing, (void)set_defaults, (void)convert, (void)describe;
}

int main(void) {
    (void)check;
    return 0;
}
