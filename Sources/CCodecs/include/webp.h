// What libwebp's decoder takes and gives (webp/decode.h, version 2.9 of its interface), for a library that is looked up by
// name at run time: nothing has to be installed to build this. The library is told the version and refuses another major one.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { WEBP_INTERFACE_VERSION = 0x0209, WEBP_STATUS_OK = 0, WEBP_MODE_RGB = 0, WEBP_MODE_RGBA = 1 };

typedef struct {
    int width, height;
    int has_alpha, has_animation;
    int format;
    uint32_t reserved[5];
} WebPFeatures;

typedef struct {
    uint8_t *pixels;
    int stride;
    size_t size;
} WebPPackedPixels;

// Not used here; as large as the union that it is a part of.
typedef struct {
    uint8_t *planes[4];
    int strides[4];
    size_t sizes[4];
} WebPPlanes;

typedef struct {
    int mode;
    int width, height;
    int is_external_memory;
    union {
        WebPPackedPixels packed;
        WebPPlanes planes;
    } pixels;
    uint32_t reserved[4];
    uint8_t *private_memory;
} WebPOutput;

typedef struct {
    int bypass_filtering, no_fancy_upsampling;
    int use_cropping, crop_left, crop_top, crop_width, crop_height;
    int use_scaling, scaled_width, scaled_height;
    int use_threads, dithering_strength, flip, alpha_dithering_strength;
    uint32_t reserved[5];
} WebPOptions;

typedef struct {
    WebPFeatures input;
    WebPOutput output;
    WebPOptions options;
} WebPConfiguration;

// `WebPInitDecoderConfigInternal`, `WebPGetFeaturesInternal` and `WebPDecode`.
typedef int (*WebPConfigure)(WebPConfiguration *configuration, int version);
typedef int (*WebPReadFeatures)(const uint8_t *bytes, size_t count, WebPFeatures *features, int version);
typedef int (*WebPDecodeFunction)(const uint8_t *bytes, size_t count, WebPConfiguration *configuration);
