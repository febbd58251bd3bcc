/* GdkPixbuf, used from a C program that decodes on its own threads. */
#include "decode.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

typedef struct {
  int size, exact;
} Wish;

static void prepared(GdkPixbufLoader *loader, int width, int height, Wish *wish) {
  int longest = MAX(width, height);
  if (longest <= wish->size) return;
  if (wish->exact) {
    gdk_pixbuf_loader_set_size(
        loader, MAX(1, width * wish->size / longest), MAX(1, height * wish->size / longest));
    return;
  }
  /* A size that JPEG's scaled DCT produces, so that GdkPixbuf does no scaling of its own. */
  int divisor = 1;
  while (divisor < 8 && (longest + divisor * 2 - 1) / (divisor * 2) >= wish->size) divisor *= 2;
  gdk_pixbuf_loader_set_size(loader, (width + divisor - 1) / divisor, (height + divisor - 1) / divisor);
}

int decode(const unsigned char *bytes, size_t count, int size, int exact, Picture *image) {
  Wish wish = {size, exact};
  GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
  g_signal_connect(loader, "size-prepared", G_CALLBACK(prepared), &wish);
  gboolean written = gdk_pixbuf_loader_write(loader, bytes, count, NULL);
  gboolean closed = gdk_pixbuf_loader_close(loader, NULL);
  GdkPixbuf *pixbuf = written && closed ? gdk_pixbuf_loader_get_pixbuf(loader) : NULL;
  if (pixbuf) *image = (Picture){gdk_pixbuf_get_width(pixbuf), gdk_pixbuf_get_height(pixbuf)};
  g_object_unref(loader);
  return pixbuf != NULL;
}
