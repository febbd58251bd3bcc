// A photo browser: the images of the command line in a grid.
//
//   cc browser.c $(pkg-config --cflags --libs remote-image-1) -o browser
#include <remote-image.h>

static void add_image(GtkFlowBox *box, const char *uri) {
    GtkWidget *view = remote_image_view_new(uri);
    remote_image_view_set_content_fit(REMOTE_IMAGE_VIEW(view), GTK_CONTENT_FIT_COVER);
    remote_image_view_set_corner_radius(REMOTE_IMAGE_VIEW(view), 12);
    remote_image_view_set_placeholder_icon_name(REMOTE_IMAGE_VIEW(view), "image-loading-symbolic");
    gtk_widget_set_size_request(view, 160, 120);
    gtk_flow_box_append(box, view);
}

static void open_window(GtkApplication *application, char **uris) {
    GtkWidget *window = gtk_application_window_new(application);
    gtk_window_set_title(GTK_WINDOW(window), "Photos");
    gtk_window_set_default_size(GTK_WINDOW(window), 560, 420);

    GtkWidget *box = gtk_flow_box_new();
    gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(box), GTK_SELECTION_NONE);
    gtk_flow_box_set_min_children_per_line(GTK_FLOW_BOX(box), 3);
    gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(box), 3);
    gtk_widget_set_valign(box, GTK_ALIGN_START);
    for (; *uris != NULL; uris++) add_image(GTK_FLOW_BOX(box), *uris);

    GtkWidget *scroller = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), box);
    gtk_window_set_child(GTK_WINDOW(window), scroller);
    gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
    if (argc < 2) {
        g_printerr("usage: %s URI…\n", argv[0]);
        return 64;
    }
    g_autoptr(GtkApplication) application =
        gtk_application_new("org.example.Photos", G_APPLICATION_NON_UNIQUE);
    g_signal_connect(application, "activate", G_CALLBACK(open_window), argv + 1);
    return g_application_run(G_APPLICATION(application), 1, argv);
}
