// What views draw, from C: alignment, and animations that play and pause.
//
//   test_drawing ADDRESS    the address of the test server (images.py)
#include "fixture.h"

// Pixels as GDK downloads them on a little-endian machine: A, R, G, B.
enum { NOTHING = 0, RED = 0xffff0000, GREEN = 0xff00ff00, BLUE = 0xff0000ff };

/// The pixel that a view draws at a position.
static guint32 drawn(RemoteImageView *view, int x, int y) {
    guint32 pixel = NOTHING;
    GtkWidget *widget = GTK_WIDGET(view);
    g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new(widget);
    GtkSnapshot *snapshot = gtk_snapshot_new();
    gdk_paintable_snapshot(paintable, snapshot, gtk_widget_get_width(widget), gtk_widget_get_height(widget));
    GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);
    if (node == NULL) return NOTHING;
    GskRenderer *renderer = gtk_native_get_renderer(gtk_widget_get_native(widget));
    g_autoptr(GdkTexture) texture = gsk_renderer_render_texture(renderer, node, &GRAPHENE_RECT_INIT(x, y, 1, 1));
    gdk_texture_download(texture, (guchar *)&pixel, 4);
    gsk_render_node_unref(node);
    return pixel;
}

static gboolean has_succeeded(gpointer view) {
    return remote_image_view_get_phase(view) == REMOTE_IMAGE_PHASE_SUCCESS;
}

/// Where a view is expected to draw its image, of 80 × 60 points, and whether with its corner.
typedef struct {
    RemoteImageView *view;
    int x, y;
    gboolean has_corner;
} Place;

static gboolean is_as_expected(gpointer data) {
    Place *place = data;
    // A view that waits for its next frame draws nothing.
    return drawn(place->view, place->x + 40, place->y + 30) != NOTHING &&
        (drawn(place->view, place->x, place->y) != NOTHING) == place->has_corner;
}

/// Runs the main loop until the view has drawn its image at a position.
static void see(RemoteImageView *view, int x, int y, gboolean has_corner) {
    turn_until(is_as_expected, &(Place){view, x, y, has_corner});
}

static GtkWidget *shown(RemoteImageView *view) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_default_size(GTK_WINDOW(window), 300, 200);
    gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(view));
    gtk_window_present(GTK_WINDOW(window));
    return window;
}

// Alignment.

static void test_alignment(void) {
    // In a view of 300 × 200 points.
    static const struct {
        double x, y;
        int left, top;
    } places[] = {{0.5, 0.5, 110, 70}, {0, 0, 0, 0}, {1, 1, 220, 140}, {1, 0, 220, 0}};
    g_autofree char *uri = address("/2.png?aligned");
    RemoteImageView *view = REMOTE_IMAGE_VIEW(remote_image_view_new(uri));
    remote_image_view_set_content_fit(view, GTK_CONTENT_FIT_SCALE_DOWN);
    remote_image_view_set_image_scale(view, 4);
    GtkWidget *window = shown(view);
    turn_until(has_succeeded, view);
    for (gsize index = 0; index < G_N_ELEMENTS(places); index++) {
        int left = places[index].left, top = places[index].top;
        remote_image_view_set_xalign(view, places[index].x);
        remote_image_view_set_yalign(view, places[index].y);
        see(view, left, top, TRUE);
        g_assert_cmphex(drawn(view, left + 79, top + 59), !=, NOTHING);
        if (left > 0) g_assert_cmphex(drawn(view, left - 1, top), ==, NOTHING);
        if (top > 0) g_assert_cmphex(drawn(view, left, top - 1), ==, NOTHING);
        // The corners are those of the image.
        remote_image_view_set_corner_radius(view, 10);
        see(view, left, top, FALSE);
        g_assert_cmphex(drawn(view, left + 40, top), !=, NOTHING);
        remote_image_view_set_corner_radius(view, 0);
        see(view, left, top, TRUE);
    }
    gtk_window_destroy(GTK_WINDOW(window));
}

// Animations.

/// The colours that a view must draw before a wait ends.
typedef struct {
    RemoteImageView *view;
    gboolean red, green, blue;
} Seen;

static gboolean sees_all(gpointer data) {
    Seen *seen = data;
    guint32 pixel = drawn(seen->view, 5, 5);
    seen->red |= pixel == RED;
    seen->green |= pixel == GREEN;
    seen->blue |= pixel == BLUE;
    return seen->red && seen->green && seen->blue;
}

/// Runs the main loop until a view has drawn all frames of an animation.
static void see_all_frames(RemoteImageView *view) { turn_until(sees_all, &(Seen){view}); }

/// A window with two views of an animation. The second one shows that time passes.
static GtkWidget *two_views(const char *path, gboolean is_playing, RemoteImageView *views[2]) {
    g_autofree char *uri = address(path);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_box_set_homogeneous(GTK_BOX(box), TRUE);
    for (int index = 0; index < 2; index++) {
        views[index] = REMOTE_IMAGE_VIEW(remote_image_view_new(uri));
        remote_image_view_set_content_fit(views[index], GTK_CONTENT_FIT_FILL);
        gtk_widget_set_hexpand(GTK_WIDGET(views[index]), TRUE);
        gtk_box_append(GTK_BOX(box), GTK_WIDGET(views[index]));
    }
    remote_image_view_set_playing(views[0], is_playing);
    GtkWidget *window = gtk_window_new();
    gtk_window_set_default_size(GTK_WINDOW(window), 300, 200);
    gtk_window_set_child(GTK_WINDOW(window), box);
    gtk_window_present(GTK_WINDOW(window));
    turn_until(has_succeeded, views[0]);
    return window;
}

static void test_an_animation_pauses_and_goes_on(void) {
    RemoteImageView *views[2];
    GtkWidget *window = two_views("/animation.gif", TRUE, views);
    g_assert_true(remote_image_view_get_animated(views[0]));
    see_all_frames(views[0]);
    remote_image_view_set_playing(views[0], FALSE);
    // A frame that is due is still drawn.
    see_all_frames(views[1]);
    guint32 paused = drawn(views[0], 5, 5);
    for (int round = 0; round < 2; round++) {
        see_all_frames(views[1]);
        g_assert_cmphex(drawn(views[0], 5, 5), ==, paused);
    }
    remote_image_view_set_playing(views[0], TRUE);
    see_all_frames(views[0]);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void test_an_animation_that_does_not_play_shows_its_first_frame(void) {
    RemoteImageView *views[2];
    GtkWidget *window = two_views("/animation.gif?still", FALSE, views);
    for (int round = 0; round < 2; round++) {
        see_all_frames(views[1]);
        g_assert_cmphex(drawn(views[0], 5, 5), ==, RED);
    }
    remote_image_view_set_playing(views[0], TRUE);
    see_all_frames(views[0]);
    gtk_window_destroy(GTK_WINDOW(window));
}

static void test_a_paused_view_is_finalized(void) {
    for (int plays_first = 0; plays_first < 2; plays_first++) {
        RemoteImageView *views[2];
        GtkWidget *window = two_views("/animation.gif?finalized", plays_first, views);
        g_object_add_weak_pointer(G_OBJECT(views[0]), (gpointer *)&views[0]);
        if (plays_first) see_all_frames(views[0]);
        remote_image_view_set_playing(views[0], FALSE);
        see_all_frames(views[1]);
        gtk_window_destroy(GTK_WINDOW(window));
        turn_until(is_null, &views[0]);
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    g_test_add_func("/drawing/alignment", test_alignment);
    g_test_add_func("/drawing/paused", test_an_animation_pauses_and_goes_on);
    g_test_add_func("/drawing/still", test_an_animation_that_does_not_play_shows_its_first_frame);
    g_test_add_func("/drawing/finalized", test_a_paused_view_is_finalized);
    return g_test_run();
}
