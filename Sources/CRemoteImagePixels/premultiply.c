#include "CRemoteImagePixels.h"
#include <string.h>

static bool drop_alpha(const uint8_t *restrict rgba, uint8_t *restrict rgb, size_t count) {
    if (count == 0) return true;
    uint32_t all = UINT32_MAX;
    size_t i = 0;
    // Copies four bytes at a time; the next pixel overwrites the last one.
    for (; i + 1 < count; i++) {
        uint32_t pixel;
        memcpy(&pixel, rgba + 4 * i, 4);
        memcpy(rgb + 3 * i, &pixel, 4);
        all &= pixel;
    }
    memcpy(rgb + 3 * i, rgba + 4 * i, 3);
    uint8_t alpha[4];
    memcpy(alpha, &all, 4);
    return (alpha[3] & rgba[4 * i + 3]) == 255;
}

// Vectors for which compilers have instructions on all processors, such as SSE2 and NEON.
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint16_t channels __attribute__((vector_size(32)));

static inline bytes premultiplied(bytes pixels) {
    channels all = __builtin_convertvector(pixels, channels);
    channels alpha = __builtin_shufflevector(all, all, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    const channels color = {-1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 0};
    // Alpha itself is multiplied by 255, which leaves it as it is.
    channels product = all * ((alpha & color) | (~color & 255)) + 128;
    // Divided by 255 and rounded, for all products of two bytes.
    return __builtin_convertvector((product + (product >> 8)) >> 8, bytes);
}

static void premultiply(const uint8_t *rgba, uint8_t *output, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        bytes pixels;
        memcpy(&pixels, rgba + 4 * i, 16);
        pixels = premultiplied(pixels);
        memcpy(output + 4 * i, &pixels, 16);
    }
    if (i == count) return;
    bytes rest = {0};
    memcpy(&rest, rgba + 4 * i, 4 * (count - i));
    rest = premultiplied(rest);
    memcpy(output + 4 * i, &rest, 4 * (count - i));
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static bool drop_alpha_avx2(const uint8_t *restrict rgba, uint8_t *restrict rgb, size_t count) {
    // Within each half of a register: twelve bytes of color, then nothing.
    const __m256i colors = _mm256_setr_epi8(
        0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    const __m256i joined = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
    __m256i all = _mm256_set1_epi8(-1);
    // Eight pixels at a time; writes 32 bytes, and the next eight pixels overwrite the last 8.
    size_t i = 0;
    for (; i + 11 <= count; i += 8) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *)(rgba + 4 * i));
        all = _mm256_and_si256(all, pixels);
        __m256i packed = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(pixels, colors), joined);
        _mm256_storeu_si256((__m256i *)(rgb + 3 * i), packed);
    }
    bool is_rest_opaque = drop_alpha(rgba + 4 * i, rgb + 3 * i, count - i);
    unsigned opaque = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(all, _mm256_set1_epi8(-1)));
    // Checks the fourth byte of each pixel.
    return is_rest_opaque && (opaque & 0x88888888u) == 0x88888888u;
}

// Multiplies bytes, each in 16 bits, and divides the products by 255.
__attribute__((target("avx2"))) static inline __m256i products_avx2(__m256i channels, __m256i factors) {
    __m256i product = _mm256_add_epi16(_mm256_mullo_epi16(channels, factors), _mm256_set1_epi16(128));
    return _mm256_mulhi_epu16(product, _mm256_set1_epi16(257));
}

__attribute__((target("avx2"))) static void premultiply_avx2(const uint8_t *rgba, uint8_t *output, size_t count) {
    // The alpha of each pixel twice, in 16 bits.
    const __m256i alphas = _mm256_setr_epi8(
        3, -1, 3, -1, 7, -1, 7, -1, 11, -1, 11, -1, 15, -1, 15, -1, 3, -1, 3, -1, 7, -1, 7, -1, 11, -1, 11, -1, 15, -1, 15,
        -1);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *)(rgba + 4 * i));
        __m256i alpha = _mm256_shuffle_epi8(pixels, alphas);
        __m256i red_and_blue = products_avx2(_mm256_and_si256(pixels, _mm256_set1_epi16(255)), alpha);
        // Alpha itself is multiplied by 255, which leaves it as it is.
        __m256i factors = _mm256_blend_epi16(alpha, _mm256_set1_epi16(255), 0xaa);
        __m256i green_and_alpha = products_avx2(_mm256_srli_epi16(pixels, 8), factors);
        __m256i both = _mm256_or_si256(red_and_blue, _mm256_slli_epi16(green_and_alpha, 8));
        _mm256_storeu_si256((__m256i *)(output + 4 * i), both);
    }
    premultiply(rgba + 4 * i, output + 4 * i, count - i);
}

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}
#endif

bool pixels_drop_alpha(const uint8_t *rgba, uint8_t *rgb, size_t count) {
#if defined(__x86_64__)
    if (has_avx2()) return drop_alpha_avx2(rgba, rgb, count);
#endif
    return drop_alpha(rgba, rgb, count);
}

void pixels_premultiply(const uint8_t *rgba, uint8_t *output, size_t count) {
#if defined(__x86_64__)
    if (has_avx2()) return premultiply_avx2(rgba, output, count);
#endif
    premultiply(rgba, output, count);
}
