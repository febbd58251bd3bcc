// GdkPixbuf, loaded at run time, so that a program that uses none of its loaders loads neither it
// nor GLib. Any thread may call these functions, but only one thread at a time may use a loader or
// an image.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A GdkPixbufLoader.
typedef struct pixbuf_loader pixbuf_loader;
/// A GdkPixbuf: 8 bits a channel, RGB or RGBA.
typedef struct pixbuf_image pixbuf_image;

/// The reason why a call failed. The message is truncated to fit, and empty if there is none.
typedef struct {
    bool is_unsupported;
    char message[256];
} pixbuf_failure;

/// Whether GdkPixbuf is installed. The first call loads it, and it stays loaded. All other
/// functions may be called only if this returns true.
bool pixbuf_is_installed(void);

/// The version of the library with one byte per number: 0x022A0A for 2.42.10.
uint32_t pixbuf_version(void);

/// Calls `found` with each MIME type for which a loader is installed and not disabled. The text is
/// valid during the call.
void pixbuf_list_types(void (*found)(const char *type, void *data), void *data);

/// Opens a loader for the MIME type, which the caller closes and then releases. Returns NULL and
/// sets `failure` if that fails.
pixbuf_loader *pixbuf_loader_open(const char *type, pixbuf_failure *failure);

/// Calls `size` once the loader knows the size of the image, on the thread that writes or closes.
/// `data` must live as long as the loader is written to or closed.
void pixbuf_loader_observe(
    pixbuf_loader *loader, void (*size)(pixbuf_loader *loader, int width, int height, void *data), void *data);

/// Passes bytes to the loader, which copies them. Returns false and sets `failure`, which may be
/// NULL, if that fails.
bool pixbuf_loader_write(pixbuf_loader *loader, const void *bytes, size_t count, pixbuf_failure *failure);

/// Ends the image. Returns false and sets `failure`, which may be NULL, if the image is invalid.
bool pixbuf_loader_close(pixbuf_loader *loader, pixbuf_failure *failure);

void pixbuf_loader_release(pixbuf_loader *loader);

/// Sets the size of the decoded image; only during the `size` callback.
void pixbuf_loader_set_size(pixbuf_loader *loader, int width, int height);

/// The decoded image, which belongs to the loader; NULL before the first pixels.
pixbuf_image *pixbuf_loader_image(pixbuf_loader *loader);

void pixbuf_image_retain(pixbuf_image *image);
void pixbuf_image_release(pixbuf_image *image);

int pixbuf_image_width(const pixbuf_image *image);
int pixbuf_image_height(const pixbuf_image *image);
int pixbuf_image_channels(const pixbuf_image *image);
/// The distance between rows, in bytes. The last row has no padding.
int pixbuf_image_stride(const pixbuf_image *image);

/// The first pixel, for reading; valid while the image lives.
const uint8_t *pixbuf_image_pixels(const pixbuf_image *image);
/// The first pixel, for writing; valid while the image lives. An image of immutable bytes copies
/// them first.
uint8_t *pixbuf_image_mutable_pixels(pixbuf_image *image);

/// The embedded ICC profile, which the caller frees with `pixbuf_free`; NULL if there is none.
uint8_t *pixbuf_image_profile(pixbuf_image *image, size_t *count);

/// Frees memory that a function of this header returned to the caller.
void pixbuf_free(void *memory);

/// The id of the default GApplication, or else the program name of GLib. NULL if neither is set or
/// the program has not loaded GLib. Valid until one of the two changes; call it on the thread of
/// the application.
const char *pixbuf_application_name(void);
