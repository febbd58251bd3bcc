// GdkPixbuf, looked up at run time: a program that uses none of its loaders does not load it and
// GLib. Objects of GdkPixbuf are only passed through. Each function may be called on any thread,
// and a loader or an image by one thread at a time.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A GdkPixbufLoader.
typedef struct pixbuf_loader pixbuf_loader;
/// A GdkPixbuf: 8 bits a channel, RGB or RGBA.
typedef struct pixbuf_image pixbuf_image;

/// Why a call failed. The message is cut to fit, and empty where there is none.
typedef struct {
    bool is_unsupported;
    char message[256];
} pixbuf_failure;

/// Whether GdkPixbuf is installed. The first call loads it, and it stays loaded. All other
/// functions may be called only where this is true.
bool pixbuf_is_installed(void);

/// The version of the library, one number of it in each byte: 0x022A0A for 2.42.10.
uint32_t pixbuf_version(void);

/// Calls `found` with each MIME type for which a loader is installed and not disabled. The text is
/// valid during the call.
void pixbuf_list_types(void (*found)(const char *type, void *data), void *data);

/// A loader for the MIME type, which the caller closes and then releases; NULL with `failure` set.
pixbuf_loader *pixbuf_loader_open(const char *type, pixbuf_failure *failure);

/// Calls `size` once the loader knows the size of the image, and `area` for each part of it that
/// has been decoded, both on the thread that writes or closes. `data` must live as long as the
/// loader is written to or closed.
void pixbuf_loader_observe(
    pixbuf_loader *loader, void (*size)(pixbuf_loader *loader, int width, int height, void *data),
    void (*area)(pixbuf_loader *loader, int x, int y, int width, int height, void *data), void *data);

/// Gives bytes to the loader, which copies them. False with `failure` set, which may be NULL.
bool pixbuf_loader_write(pixbuf_loader *loader, const void *bytes, size_t count, pixbuf_failure *failure);

/// Ends the image. False with `failure` set, which may be NULL.
bool pixbuf_loader_close(pixbuf_loader *loader, pixbuf_failure *failure);

void pixbuf_loader_release(pixbuf_loader *loader);

/// The size that the image is to be made in; during `size` only.
void pixbuf_loader_set_size(pixbuf_loader *loader, int width, int height);

/// What has been decoded, which belongs to the loader; NULL before there is anything.
pixbuf_image *pixbuf_loader_image(pixbuf_loader *loader);

void pixbuf_image_retain(pixbuf_image *image);
void pixbuf_image_release(pixbuf_image *image);

int pixbuf_image_width(const pixbuf_image *image);
int pixbuf_image_height(const pixbuf_image *image);
int pixbuf_image_channels(const pixbuf_image *image);
/// Bytes from one row to the next. The last row has no padding.
int pixbuf_image_stride(const pixbuf_image *image);

/// The first pixel, to read. Valid while the image lives.
const uint8_t *pixbuf_image_pixels(const pixbuf_image *image);
/// The first pixel, to change. Valid while the image lives; makes an image of bytes that may not
/// change copy them.
uint8_t *pixbuf_image_mutable_pixels(pixbuf_image *image);

/// The embedded ICC profile, which the caller gives to `pixbuf_free`; NULL where there is none.
uint8_t *pixbuf_image_profile(pixbuf_image *image, size_t *count);

/// Frees what a function of this header gave away.
void pixbuf_free(void *memory);

/// The id of the default GApplication, or else the name that GLib has for the program. NULL where
/// neither is known, and where the program has not loaded GLib. Valid until one of the two changes;
/// on the thread of the application.
const char *pixbuf_application_name(void);
