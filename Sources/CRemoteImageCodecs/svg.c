// The declarations of librsvg 2.54, cairo 1.16 and fontconfig 2.14, which may only be added to.
#include "svg.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// GError, RsvgLength, RsvgRectangle, FcFontSet.
typedef struct {
    uint32_t domain;
    int code;
    char *message;
} Error;

typedef struct {
    double length;
    int unit;
} Length;

typedef struct {
    double x, y, width, height;
} Rectangle;

typedef struct {
    int count, capacity;
    void **patterns;
} FontSet;

enum { UNIT_PERCENT, UNIT_PX, UNIT_EM, UNIT_EX, UNIT_IN, UNIT_CM, UNIT_MM, UNIT_PT, UNIT_PC };
enum { CAIRO_ARGB32 = 0, FONTCONFIG_SYSTEM = 0 };

// Every function that is used, with its type: X(result, name, parameters).
#define FUNCTIONS(X)                                                                                            \
    X(void *, rsvg_handle_new_from_data, (const uint8_t *bytes, size_t count, Error **error))                   \
    X(void, rsvg_handle_set_dpi, (void *, double dpi))                                                          \
    X(int, rsvg_handle_set_stylesheet, (void *, const char *css, size_t count, Error **error))                  \
    X(void, rsvg_handle_get_intrinsic_dimensions,                                                               \
        (void *, int *has_width, Length *, int *has_height, Length *, int *has_box, Rectangle *))               \
    X(int, rsvg_handle_get_intrinsic_size_in_pixels, (void *, double *width, double *height))                   \
    X(int, rsvg_handle_render_document, (void *, void *cairo, const Rectangle *viewport, Error **error))        \
    X(void *, cairo_image_surface_create_for_data, (void *, int format, int width, int height, int stride))     \
    X(void *, cairo_create, (void *surface))                                                                    \
    X(void, cairo_scale, (void *, double x, double y))                                                          \
    X(int, cairo_status, (void *))                                                                              \
    X(const char *, cairo_status_to_string, (int status))                                                       \
    X(void, cairo_destroy, (void *))                                                                            \
    X(void, cairo_surface_flush, (void *))                                                                      \
    X(void, cairo_surface_destroy, (void *))                                                                    \
    X(void *, FcConfigGetCurrent, (void))                                                                       \
    X(FontSet *, FcConfigGetFonts, (void *, int set))                                                           \
    X(int, FcPatternGetString, (void *, const char *object, int index, unsigned char **value))                  \
    X(void, g_object_unref, (void *object))                                                                     \
    X(void, g_error_free, (Error *))

#define DECLARE(result, name, parameters) result(*name) parameters;
// Set once by `load`.
static struct { FUNCTIONS(DECLARE) } svg;
static bool is_installed;

static void load(void) {
    // Never closed: GLib cannot be unloaded.
    void *library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    bool is_complete = true;
    // The libraries that it depends on are searched too.
#define LOOK_UP(result, name, parameters)        \
    *(void **)&svg.name = dlsym(library, #name); \
    is_complete = is_complete && svg.name;
    FUNCTIONS(LOOK_UP)
    is_installed = is_complete;
}

bool codec_svg_is_installed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_installed;
}

void codec_svg_list_fonts(void (*found)(const char *path, void *data), void *data) {
    void *configuration = svg.FcConfigGetCurrent();
    FontSet *fonts = configuration ? svg.FcConfigGetFonts(configuration, FONTCONFIG_SYSTEM) : NULL;
    for (int index = 0; fonts && index < fonts->count; index++) {
        unsigned char *path;
        if (svg.FcPatternGetString(fonts->patterns[index], "file", 0, &path) == 0) found((const char *)path, data);
    }
}

static void tell(const char *text, char message[CODEC_SVG_MESSAGE_SIZE]) {
    memset(message, 0, CODEC_SVG_MESSAGE_SIZE);
    if (text) strncpy(message, text, CODEC_SVG_MESSAGE_SIZE - 1);
}

// Stores the length in CSS pixels. Returns false for a percentage or another relative unit.
static bool convert(bool is_given, Length length, double *pixels) {
    // The default font size, and half of it. librsvg tells that of the file only if both lengths
    // are absolute.
    static const double sizes[] = {
        [UNIT_PX] = 1, [UNIT_EM] = 16, [UNIT_EX] = 8, [UNIT_IN] = 96, [UNIT_CM] = 96 / 2.54, [UNIT_MM] = 96 / 25.4,
        [UNIT_PT] = 96.0 / 72, [UNIT_PC] = 16};
    if (!is_given || length.unit <= UNIT_PERCENT || length.unit > UNIT_PC) return false;
    *pixels = length.length * sizes[length.unit];
    return true;
}

codec_svg *codec_svg_open(
    const uint8_t *bytes, size_t count, codec_svg_size *size, char message[CODEC_SVG_MESSAGE_SIZE]) {
    Error *error = NULL;
    void *drawing = svg.rsvg_handle_new_from_data(bytes, count, &error);
    if (!drawing) {
        tell(error ? error->message : NULL, message);
        if (error) svg.g_error_free(error);
        return NULL;
    }
    svg.rsvg_handle_set_dpi(drawing, 96);
    // The default font size of browsers; that of librsvg is 12. The style of the file has
    // precedence.
    static const char style[] = ":root:not([font-size]) { font-size: 16px }";
    svg.rsvg_handle_set_stylesheet(drawing, style, sizeof style - 1, NULL);
    int has_width = 0, has_height = 0, has_box = 0;
    Length width = {0}, height = {0};
    Rectangle box = {0};
    svg.rsvg_handle_get_intrinsic_dimensions(drawing, &has_width, &width, &has_height, &height, &has_box, &box);
    *size = (codec_svg_size){0};
    size->has_width = convert(has_width, width, &size->width);
    size->has_height = convert(has_height, height, &size->height);
    double both[2];
    if (size->has_width && size->has_height
        && svg.rsvg_handle_get_intrinsic_size_in_pixels(drawing, &both[0], &both[1])) {
        size->width = both[0];
        size->height = both[1];
    }
    size->has_ratio = has_box && box.width > 0 && box.height > 0;
    if (size->has_ratio) size->ratio = box.width / box.height;
    return drawing;
}

void codec_svg_close(codec_svg *drawing) {
    svg.g_object_unref(drawing);
}

bool codec_svg_draw(
    codec_svg *drawing, double natural_width, double natural_height, int width, int height, uint32_t *pixels,
    char message[CODEC_SVG_MESSAGE_SIZE]) {
    // Without memory, cairo returns objects that carry the error.
    void *surface = svg.cairo_image_surface_create_for_data(pixels, CAIRO_ARGB32, width, height, width * 4);
    void *context = svg.cairo_create(surface);
    svg.cairo_scale(context, width / natural_width, height / natural_height);
    Rectangle viewport = {0, 0, natural_width, natural_height};
    Error *error = NULL;
    bool is_drawn = svg.rsvg_handle_render_document(drawing, context, &viewport, &error);
    int status = svg.cairo_status(context);
    if (!is_drawn) {
        tell(error ? error->message : NULL, message);
    } else if (status != 0) {
        tell(svg.cairo_status_to_string(status), message);
    }
    if (error) svg.g_error_free(error);
    svg.cairo_destroy(context);
    svg.cairo_surface_flush(surface);
    svg.cairo_surface_destroy(surface);
    return is_drawn && status == 0;
}

void codec_svg_pack(const uint32_t *pixels, size_t count, bool drops_alpha, uint8_t *output) {
    size_t step = drops_alpha ? 3 : 4;
    for (size_t index = 0; index < count; index++, output += step) {
        uint32_t pixel = pixels[index];
        output[0] = (uint8_t)(pixel >> 16);
        output[1] = (uint8_t)(pixel >> 8);
        output[2] = (uint8_t)pixel;
        if (!drops_alpha) output[3] = (uint8_t)(pixel >> 24);
    }
}
