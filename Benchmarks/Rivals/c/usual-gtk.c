/* The usual GTK way: libsoup provides a stream, gdk_pixbuf_new_from_stream_at_scale_async() decodes
 * it, a GtkPicture shows the image.
 *
 *   usual-gtk URLS [SIZE] [CONNECTIONS]
 *
 * Ends when all images are loaded and a frame with them was drawn; prints the measurements. */
#include <gtk/gtk.h>
#include <libsoup/soup.h>
#include <stdlib.h>

static int size = 320, wanted, succeeded, failed;
static gint64 origin, first_image, awake;
static GArray *gaps;
static SoupSession *session;
static GtkWidget *window;
static GMainLoop *loop;

/* Records the time from one poll of the main loop to the next. */
static int timed_poll(GPollFD *descriptors, guint count, int timeout) {
  gint64 now = g_get_monotonic_time();
  gint64 gap = now - awake;
  if (awake) g_array_append_val(gaps, gap);
  int result = g_poll(descriptors, count, timeout);
  awake = g_get_monotonic_time();
  return result;
}

static int by_length(gconstpointer a, gconstpointer b) {
  gint64 left = *(const gint64 *)a, right = *(const gint64 *)b;
  return (left > right) - (left < right);
}

/* The quantile `share` of the durations of all iterations of the main loop, in seconds. */
static double gap_at(double share) {
  return gaps->len ? g_array_index(gaps, gint64, (guint)((gaps->len - 1) * share)) / 1e6 : 0;
}

static gboolean frame(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  (void)widget, (void)clock, (void)data;
  if (succeeded && !first_image) first_image = g_get_monotonic_time();
  static int last_frames;
  if (succeeded + failed == wanted && ++last_frames > 1) g_main_loop_quit(loop);
  return G_SOURCE_CONTINUE;
}

static void decoded(GObject *object, GAsyncResult *result, gpointer image) {
  (void)object;
  GdkPixbuf *pixbuf = gdk_pixbuf_new_from_stream_finish(result, NULL);
  if (pixbuf) {
    GdkTexture *texture = gdk_texture_new_for_pixbuf(pixbuf);
    gtk_picture_set_paintable(image, GDK_PAINTABLE(texture));
    g_object_unref(texture);
    g_object_unref(pixbuf);
  }
  if (pixbuf) succeeded++;
  else failed++;
}

static void answered(GObject *object, GAsyncResult *result, gpointer image) {
  GInputStream *stream = soup_session_send_finish(SOUP_SESSION(object), result, NULL);
  if (!stream) {
    failed++;
    return;
  }
  gdk_pixbuf_new_from_stream_at_scale_async(stream, size, size, TRUE, NULL, decoded, image);
  g_object_unref(stream);
}

static void add(GtkGrid *grid, const char *address, int index) {
  GtkWidget *image = gtk_picture_new();
  gtk_widget_set_size_request(image, size, size * 3 / 4);
  gtk_grid_attach(grid, image, index % 4, index / 4, 1, 1);
  SoupMessage *message = soup_message_new("GET", address);
  soup_session_send_async(session, message, G_PRIORITY_DEFAULT, NULL, answered, image);
  g_object_unref(message);
}

int main(int count, char **arguments) {
  char *text = NULL;
  if (count < 2 || !g_file_get_contents(arguments[1], &text, NULL, NULL)) return 64;
  if (count > 2) size = atoi(arguments[2]);
  int connections = count > 3 ? atoi(arguments[3]) : 8;
  const char *start = g_getenv("BENCHMARK_START");
  origin = start ? g_ascii_strtoll(start, NULL, 10) / 1000 : g_get_monotonic_time();
  gtk_init();
  gaps = g_array_sized_new(FALSE, FALSE, sizeof(gint64), 1 << 16);
  g_main_context_set_poll_func(NULL, timed_poll);
  session = soup_session_new_with_options("max-conns", connections, "max-conns-per-host", connections, NULL);
  window = gtk_window_new();
  gtk_window_set_default_size(GTK_WINDOW(window), 1280, 1000);
  GtkWidget *scrolled = gtk_scrolled_window_new(), *grid = gtk_grid_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), grid);
  gtk_window_set_child(GTK_WINDOW(window), scrolled);
  char **addresses = g_strsplit(g_strstrip(text), "\n", -1);
  for (; addresses[wanted]; wanted++) add(GTK_GRID(grid), addresses[wanted], wanted);
  gtk_widget_add_tick_callback(grid, frame, NULL, NULL);
  loop = g_main_loop_new(NULL, FALSE);
  gtk_window_present(GTK_WINDOW(window));
  g_main_loop_run(loop);
  g_array_sort(gaps, by_length);
  printf(
      "{\"succeeded\":%d,\"failed\":%d,\"firstImage\":%.4f,\"longestGap\":%.4f,\"longGap\":%.4f}\n", succeeded,
      failed, (first_image - origin) / 1e6, gap_at(1), gap_at(0.99));
  return failed > 0;
}
