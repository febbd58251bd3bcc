// A photo browser: the images of the command line in a grid.
//
//   valac --pkg remote-image-1 browser.vala
class Browser : Gtk.Application {
    private string[] uris;

    public Browser(string[] uris) {
        Object(application_id: "org.example.Photos", flags: ApplicationFlags.NON_UNIQUE);
        this.uris = uris;
    }

    protected override void activate() {
        var box = new Gtk.FlowBox() {
            selection_mode = Gtk.SelectionMode.NONE,
            min_children_per_line = 3,
            max_children_per_line = 3,
            valign = Gtk.Align.START
        };
        foreach (unowned var uri in uris) {
            box.append(image(uri));
        }
        var window = new Gtk.ApplicationWindow(this) {
            title = "Photos",
            default_width = 560,
            default_height = 420,
            child = new Gtk.ScrolledWindow() { child = box }
        };
        window.present();
    }

    private Gtk.Widget image(string uri) {
        return new RemoteImage.View(uri) {
            content_fit = RemoteImage.ContentFit.COVER,
            corner_radius = 12,
            placeholder_icon_name = "image-loading-symbolic",
            width_request = 160,
            height_request = 120
        };
    }

    static int main(string[] args) {
        if (args.length < 2) {
            printerr("usage: %s URI…\n", args[0]);
            return 64;
        }
        return new Browser(args[1:]).run({ args[0] });
    }
}
