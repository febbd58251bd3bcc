// The declarations of GdkPixbuf 2.42 and GLib 2.74, which have not changed since 2.0 and may only
// be added to.
#include "CRemoteImageGdkPixbuf.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// GError, GSList.
typedef struct {
    uint32_t domain;
    int code;
    char *message;
} Error;

typedef struct List {
    void *data;
    struct List *next;
} List;

enum { ERROR_UNKNOWN_TYPE = 3, ERROR_UNSUPPORTED_OPERATION = 4 };

// Every function that is used, with its type: X(result, name, parameters).
#define FUNCTIONS(X)                                                                                   \
    X(List *, gdk_pixbuf_get_formats, (void))                                                          \
    X(int, gdk_pixbuf_format_is_disabled, (void *format))                                              \
    X(char **, gdk_pixbuf_format_get_mime_types, (void *format))                                       \
    X(uint32_t, gdk_pixbuf_error_quark, (void))                                                        \
    X(pixbuf_loader *, gdk_pixbuf_loader_new_with_mime_type, (const char *type, Error **error))        \
    X(int, gdk_pixbuf_loader_write, (pixbuf_loader *, const void *bytes, size_t count, Error **error)) \
    X(int, gdk_pixbuf_loader_close, (pixbuf_loader *, Error **error))                                  \
    X(void, gdk_pixbuf_loader_set_size, (pixbuf_loader *, int width, int height))                      \
    X(pixbuf_image *, gdk_pixbuf_loader_get_pixbuf, (pixbuf_loader *))                                 \
    X(int, gdk_pixbuf_get_width, (const pixbuf_image *))                                               \
    X(int, gdk_pixbuf_get_height, (const pixbuf_image *))                                              \
    X(int, gdk_pixbuf_get_n_channels, (const pixbuf_image *))                                          \
    X(int, gdk_pixbuf_get_rowstride, (const pixbuf_image *))                                           \
    X(uint8_t *, gdk_pixbuf_get_pixels, (const pixbuf_image *))                                        \
    X(const uint8_t *, gdk_pixbuf_read_pixels, (const pixbuf_image *))                                 \
    X(const char *, gdk_pixbuf_get_option, (pixbuf_image *, const char *key))                          \
    X(unsigned long, g_signal_connect_data,                                                            \
        (void *object, const char *signal, void (*function)(void), void *data, void *destroy, int flags)) \
    X(void *, g_object_ref, (void *object))                                                            \
    X(void, g_object_unref, (void *object))                                                            \
    X(uint8_t *, g_base64_decode, (const char *text, size_t *count))                                   \
    X(void, g_error_free, (Error *))                                                                   \
    X(void, g_slist_free, (List *))                                                                    \
    X(void, g_strfreev, (char **))                                                                     \
    X(void, g_free, (void *))

#define DECLARE(result, name, parameters) result(*name) parameters;
// Set once by `load`.
static struct { FUNCTIONS(DECLARE) } glib;
static uint32_t version;
static bool is_loaded;

static void load(void) {
    // Never closed: GLib cannot be unloaded.
    void *library = dlopen("libgdk_pixbuf-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    bool is_complete = true;
    // The libraries that it depends on are searched too.
#define LOOK_UP(result, name, parameters)             \
    *(void **)&glib.name = dlsym(library, #name);     \
    is_complete = is_complete && glib.name;
    FUNCTIONS(LOOK_UP)
    const unsigned *major = dlsym(library, "gdk_pixbuf_major_version");
    const unsigned *minor = dlsym(library, "gdk_pixbuf_minor_version");
    const unsigned *micro = dlsym(library, "gdk_pixbuf_micro_version");
    if (!is_complete || !major || !minor || !micro) return;
    version = (*major & 255) << 16 | (*minor & 255) << 8 | (*micro & 255);
    is_loaded = true;
}

bool pixbuf_is_installed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

uint32_t pixbuf_version(void) {
    return version;
}

// Copies the error into `failure` and frees it.
static void tell(Error *error, pixbuf_failure *failure) {
    *failure = (pixbuf_failure){0};
    if (!error) return;
    failure->is_unsupported = error->domain == glib.gdk_pixbuf_error_quark()
        && (error->code == ERROR_UNKNOWN_TYPE || error->code == ERROR_UNSUPPORTED_OPERATION);
    if (error->message) strncpy(failure->message, error->message, sizeof failure->message - 1);
    glib.g_error_free(error);
}

void pixbuf_list_types(void (*found)(const char *type, void *data), void *data) {
    List *formats = glib.gdk_pixbuf_get_formats();
    for (List *format = formats; format; format = format->next) {
        if (!format->data || glib.gdk_pixbuf_format_is_disabled(format->data)) continue;
        char **types = glib.gdk_pixbuf_format_get_mime_types(format->data);
        for (char **type = types; type && *type; type++) found(*type, data);
        glib.g_strfreev(types);
    }
    glib.g_slist_free(formats);
}

pixbuf_loader *pixbuf_loader_open(const char *type, pixbuf_failure *failure) {
    Error *error = NULL;
    pixbuf_loader *loader = glib.gdk_pixbuf_loader_new_with_mime_type(type, &error);
    if (!loader) tell(error, failure);
    return loader;
}

void pixbuf_loader_observe(
    pixbuf_loader *loader, void (*size)(pixbuf_loader *loader, int width, int height, void *data), void *data) {
    glib.g_signal_connect_data(loader, "size-prepared", (void (*)(void))size, data, NULL, 0);
}

bool pixbuf_loader_write(pixbuf_loader *loader, const void *bytes, size_t count, pixbuf_failure *failure) {
    Error *error = NULL;
    if (glib.gdk_pixbuf_loader_write(loader, bytes, count, failure ? &error : NULL)) return true;
    if (failure) tell(error, failure);
    return false;
}

bool pixbuf_loader_close(pixbuf_loader *loader, pixbuf_failure *failure) {
    Error *error = NULL;
    if (glib.gdk_pixbuf_loader_close(loader, failure ? &error : NULL)) return true;
    if (failure) tell(error, failure);
    return false;
}

void pixbuf_loader_release(pixbuf_loader *loader) {
    glib.g_object_unref(loader);
}

void pixbuf_loader_set_size(pixbuf_loader *loader, int width, int height) {
    glib.gdk_pixbuf_loader_set_size(loader, width, height);
}

pixbuf_image *pixbuf_loader_image(pixbuf_loader *loader) {
    return glib.gdk_pixbuf_loader_get_pixbuf(loader);
}

void pixbuf_image_retain(pixbuf_image *image) {
    glib.g_object_ref(image);
}

void pixbuf_image_release(pixbuf_image *image) {
    glib.g_object_unref(image);
}

int pixbuf_image_width(const pixbuf_image *image) {
    return glib.gdk_pixbuf_get_width(image);
}

int pixbuf_image_height(const pixbuf_image *image) {
    return glib.gdk_pixbuf_get_height(image);
}

int pixbuf_image_channels(const pixbuf_image *image) {
    return glib.gdk_pixbuf_get_n_channels(image);
}

int pixbuf_image_stride(const pixbuf_image *image) {
    return glib.gdk_pixbuf_get_rowstride(image);
}

const uint8_t *pixbuf_image_pixels(const pixbuf_image *image) {
    return glib.gdk_pixbuf_read_pixels(image);
}

uint8_t *pixbuf_image_mutable_pixels(pixbuf_image *image) {
    return glib.gdk_pixbuf_get_pixels(image);
}

uint8_t *pixbuf_image_profile(pixbuf_image *image, size_t *count) {
    const char *text = glib.gdk_pixbuf_get_option(image, "icc-profile");
    return text ? glib.g_base64_decode(text, count) : NULL;
}

void pixbuf_free(void *memory) {
    glib.g_free(memory);
}

// A function of a library that the program has loaded already, NULL otherwise.
static void *loaded_function(const char *library_name, const char *name) {
    void *library = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    if (!library) return NULL;
    void *function = dlsym(library, name);
    // Only gives back the reference that dlopen took.
    dlclose(library);
    return function;
}

const char *pixbuf_application_name(void) {
    void *(*application)(void);
    const char *(*application_id)(void *);
    const char *(*program_name)(void);
    *(void **)&application = loaded_function("libgio-2.0.so.0", "g_application_get_default");
    *(void **)&application_id = loaded_function("libgio-2.0.so.0", "g_application_get_application_id");
    *(void **)&program_name = loaded_function("libglib-2.0.so.0", "g_get_prgname");
    void *running = application && application_id ? application() : NULL;
    const char *id = running ? application_id(running) : NULL;
    if (id) return id;
    return program_name ? program_name() : NULL;
}
