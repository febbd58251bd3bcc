"""Builds and runs all code blocks of the pages for GTK programmers.

    test_guide.py FOLDER PREFIX [TEST…]    PREFIX is that of the installed library
"""

import gzip
import os
import re
import subprocess
import sys
import tempfile
import unittest

import images
import screenshot

IMAGE = "https://www.gtk.org/assets/img/logo-gtk.png"
PAGES = ("ForGTKProgrammers", "GTKInC", "GTKInPython", "GTKInVala")
folder, prefix = (os.path.abspath(path) for path in sys.argv[1:3])


class Guide(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.server = images.serve()
        text = ""
        for page in PAGES:
            with open(f"{folder}/{page}.md", encoding="utf-8") as file:
                text += file.read()
        text = text.replace(IMAGE, f"{self.server.base}/1.png").replace("/usr/local", prefix)
        text = text.replace('"https://example.org"', f'"{self.server.base}"')
        text = text.replace("https://example.org/me.jpg", f"{self.server.base}/account/task.png")
        self.blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)

    def block(self, language, part):
        """The only block of a language that contains a text."""
        found = [text for name, text in self.blocks if name == language and part in text]
        self.assertEqual(len(found), 1, f"{language}: {part}")
        return found[0]

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def run_command(self, command, display=False):
        before = ["xvfb-run", "--auto-servernum"] if display else []
        done = subprocess.run(
            [*before, "bash", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=300,
            env=dict(
                os.environ, GDK_BACKEND="x11", GSK_RENDERER="cairo", XDG_CACHE_HOME=f"{self.folder}/cache",
                # Mesa warns about displays without a graphics card, GTK about the lack of D-Bus.
                EGL_LOG_LEVEL="fatal", GTK_A11Y="none", XDG_DATA_DIRS=f"{prefix}/share:/usr/local/share:/usr/share",
            ),
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    def shown(self, *command):
        return screenshot.show(command, self.server, 1, self.folder)

    def built(self, source):
        """Runs the build part of the page's command for a source file."""
        self.run_command(self.block("", source).split("&&")[0])

    def test_the_programs_show_the_same_window(self):
        self.write("logo.c", self.block("c", "int main"))
        self.built("logo.c")
        wanted = self.shown("./logo")
        self.assertTrue(any(b"\xff" * 9 in row for row in wanted[2]), "The white bar of the image is not visible.")

        self.write("logo.py", self.block("python", "lambda _, error"))
        self.assertTrue(wanted == self.shown(*self.block("", "logo.py").split()))

        self.write("logo.vala", self.block("vala", "new RemoteImage.View(\"http"))
        self.built("logo.vala")
        self.assertTrue(wanted == self.shown("./logo"))

        # The same window from a UI file.
        self.write("logo.ui", self.block("xml", "<interface>"))
        self.write("logo.py", self.block("python", "type_ensure"))
        self.assertTrue(wanted == self.shown("python3", "logo.py"))
        self.write("logo.vala", self.block("vala", "ensure()"))
        self.built("logo.vala")
        self.assertTrue(wanted == self.shown("./logo"))

    def both(self, language, part):
        """The list of a language and the function that prefetches its images."""
        return self.block(language, part) + self.block(language, "list_prefetch(")

    def test_the_rows_of_lists_are_recycled(self):
        self.write("list.c", "#include <remote-image.h>\n" + self.both("c", "bind_row") + LIST_C)
        self.run_command("cc -Wall -Werror list.c $(pkg-config --cflags --libs remote-image-1) -o list-c")
        self.write("list.py", PYTHON + self.both("python", "def new_list") + LIST_PYTHON)
        self.write("list.vala", self.both("vala", "new_list") + LIST_VALA)
        self.run_command(VALAC + "list.vala -o list-vala")
        for command in ("./list-c", "python3 list.py", "./list-vala"):
            self.server.served.clear()
            self.run_command(f"{command} {self.server.base}", display=True)
            self.assertIn("/1.png?1", self.server.served)
            self.assertIn("/1.png?1000", self.server.served)
            # The rows between them were not shown.
            self.assertLess(len(self.server.served), 500)

    def test_images_are_saved_without_a_widget(self):
        parts = [self.block("c", "take_texture"), self.block("c", "configure(void)")]
        self.write("save.c", "".join(["#include <remote-image.h>\n", *parts, C]))
        self.run_command("cc -Wall -Werror save.c $(pkg-config --cflags --libs remote-image-1) -o save")
        self.run_command(f"./save {self.server.base}/1.png c.png", display=True)
        self.write("save.vala", self.block("vala", "async void save") + VALA)
        self.run_command(VALAC + "save.vala -o save")
        self.run_command(f"./save {self.server.base}/1.png vala.png", display=True)
        self.write("save.py", PYTHON + self.block("python", "def done") + SAVE_PYTHON)
        self.run_command(f"python3 save.py {self.server.base}/1.png python.png", display=True)
        for name in ("c.png", "vala.png", "python.png"):
            with open(f"{self.folder}/{name}", "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_an_image_is_awaited(self):
        self.write("save.py", PYTHON + self.block("python", "async def save") + AWAIT)
        said = self.run_command(f"python3 save.py {self.server.base} awaited.png", display=True)
        if "older" in said:
            compile(self.block("python", "async def save"), "save.py", "exec")
            self.skipTest("PyGObject is older than 3.50")
        self.assertTrue(os.path.exists(f"{self.folder}/awaited.png"))
        self.assertIn("404", said)

    def test_a_failed_load_tells_its_reason(self):
        self.write("errors.c", "#include <remote-image.h>\n" + self.block("c", "load_failed") + ERRORS_C)
        self.run_command("cc -Wall -Werror errors.c $(pkg-config --cflags --libs remote-image-1) -o errors-c")
        self.write("errors.py", PYTHON + self.block("python", "load_failed") + ERRORS_PYTHON)
        self.write("errors.vala", self.block("vala", "new_cover") + ERRORS_VALA)
        self.run_command(VALAC + "errors.vala -o errors-vala")
        for command in ("./errors-c", "python3 errors.py", "./errors-vala"):
            said = self.run_command(f"{command} {self.server.base}/gone", display=True)
            self.assertEqual(said, "The server refused: The image was not found (404)\n")

    def test_failures_are_reported_in_one_place(self):
        def reporting(main, begin, call, end, wait):
            return main.replace(begin, begin + call).replace(end, wait + end)

        self.write(
            "report.c", "#include <remote-image.h>\n" + self.block("c", "load_failed") + self.block("c", "report_failures")
            + reporting(ERRORS_C, "gtk_init();", " report_failures();", "return 0;", WAIT_C),
        )  # fmt: skip
        self.run_command("cc -Wall -Werror report.c $(pkg-config --cflags --libs remote-image-1) -o report-c")
        self.write(
            "report.py", PYTHON + self.block("python", "load_failed") + self.block("python", "def report")
            + ERRORS_PYTHON + WAIT_PYTHON,
        )  # fmt: skip
        self.write(
            "report.vala", self.block("vala", "new_cover") + self.block("vala", "report_failures")
            + reporting(ERRORS_VALA, "Gtk.init();", " report_failures();", "return 0;", WAIT_VALA),
        )  # fmt: skip
        self.run_command(VALAC + "report.vala -o report-vala")
        address = f"{self.server.base}/gone"
        for command in ("./report-c", "python3 report.py", "./report-vala"):
            said = self.run_command(f"{command} {address} 2>&1", display=True)
            self.assertIn("visible: " + address, said, command)

    def test_sources_are_made_and_loaded(self):
        parts = [self.block("c", "show_avatar"), self.block("c", "open_attachment")]
        self.write("sources.c", "".join(["#include <remote-image.h>\n", *parts, SOURCES_C]))
        self.run_command("cc -Wall -Werror sources.c $(pkg-config --cflags --libs remote-image-1) -o sources")
        with gzip.open(f"{self.folder}/attachment", "wb") as file:
            file.write(images.image(1))
        said = self.run_command("./sources attachment", display=True)
        self.assertEqual(said, "https://thumbor.example.org/ratio 1.0/smart/cat.jpg\n320\n")
        self.write("sources.vala", SOURCES_VALA % self.block("vala", "poster"))
        self.run_command(VALAC + "sources.vala -o sources-vala")
        self.assertIn("maxWidth={width}", self.run_command("./sources-vala", display=True))
        self.write("sources.py", PYTHON + self.block("python", "show_photo") + SOURCES_PYTHON)
        self.assertEqual(self.run_command("python3 sources.py", display=True), "photo 7\n")

    def test_an_attachment_is_decrypted_by_a_task(self):
        self.write("attachment.py", PYTHON + self.block("python", "async for piece") + ATTACHMENT)
        with open(f"{self.folder}/image.png", "wb") as file:
            file.write(images.image(1))
        said = self.run_command("python3 attachment.py image.png", display=True)
        if "older" in said:
            self.skipTest("PyGObject is older than 3.50")
        self.assertEqual(said, "320\nfailed\n")

    def test_images_are_processed_and_previewed(self):
        self.write("attachment.c", "#include <remote-image.h>\n" + self.block("c", "GtkWidget *new_attachment") + PROCESSED)
        self.run_command("cc -Wall -Werror attachment.c $(pkg-config --cflags --libs remote-image-1) -o attachment")
        self.run_command(f"./attachment {self.server.base}/1.png", display=True)
        self.write("avatar.py", PYTHON + self.block("python", "new_avatar") + AVATAR)
        self.run_command(f"python3 avatar.py {self.server.base}/1.png", display=True)
        self.write("emoji.vala", self.block("vala", "new_emoji") + EMOJI)
        self.run_command(VALAC + "emoji.vala -o emoji")
        self.run_command(f"./emoji {self.server.base}/animation.gif", display=True)

    def test_an_expired_token_is_replaced(self):
        parts = [self.block("c", part) for part in ("take_texture", "configure(void)", "send_token")]
        main = C.replace("configure();", 'configure();\n    sign_in("anna");')
        self.write("sign_in.c", "".join(["#include <remote-image.h>\n", *parts, main]))
        self.run_command("cc -Wall -Werror sign_in.c $(pkg-config --cflags --libs remote-image-1) -o sign_in")
        self.run_command(f"./sign_in {self.server.base}/account/c.png c.png", display=True)
        self.write("sign_in.vala", self.block("vala", "credential_needed") + SIGN_IN_VALA)
        self.run_command(VALAC + "sign_in.vala -o sign_in_vala")
        self.run_command(f"./sign_in_vala {self.server.base}/account/vala.png vala.png", display=True)
        self.write("sign_in.py", PYTHON + self.block("python", "def sign_in") + SIGN_IN_PYTHON)
        self.run_command(f"python3 sign_in.py {self.server.base}/account/python.png python.png", display=True)
        names = ("c.png", "vala.png", "python.png")
        self.assertEqual(self.server.refused, [f"/account/{name}" for name in names])
        for name in names:
            self.assertTrue(os.path.exists(f"{self.folder}/{name}"))

    def test_an_expired_token_is_replaced_by_a_task(self):
        program = self.block("python", "async def main")
        self.write("task.py", program)
        if "older" in self.run_command(f'python3 -c "{OLDER}"'):
            compile(program, "task.py", "exec")
            self.skipTest("PyGObject is older than 3.50")
        self.shown("python3", "task.py")
        self.assertEqual((self.server.refused, self.server.served), (["/account/task.png"],) * 2)

    def test_the_event_loop_of_asyncio_shows_an_image(self):
        program = self.block("python", "async def show")
        self.write("show.py", program)
        if "older" in self.run_command(f'python3 -c "{OLDER}"'):
            compile(program, "show.py", "exec")
            self.skipTest("PyGObject is older than 3.50")
        self.shown("python3", "show.py")
        self.assertEqual(self.server.served, ["/1.png"])

    def test_an_application_runs_tasks(self):
        if "older" in self.run_command(f'python3 -c "{OLDER}"'):
            self.skipTest("PyGObject is older than 3.50")
        self.write("application.py", PYTHON + APPLICATION)
        self.assertEqual(self.run_command("python3 application.py", display=True), "run\n")

    def test_other_widgets_and_the_viewer_show_images_without_a_proxy(self):
        def parts(language):
            return "".join(self.block(language, part) for part in ("new_sender(", "new_page(", "use_proxy("))

        self.write("widgets.c", "#include <remote-image.h>\n" + parts("c") + WIDGETS_C)
        self.run_command("cc -Wall -Werror widgets.c $(pkg-config --cflags --libs remote-image-1) -o widgets-c")
        self.write("widgets.py", PYTHON + parts("python") + WIDGETS_PYTHON)
        self.write("widgets.vala", parts("vala") + WIDGETS_VALA)
        self.run_command(VALAC + "widgets.vala -o widgets-vala")
        for command in ("./widgets-c", "python3 widgets.py", "./widgets-vala"):
            self.server.served.clear()
            self.run_command(f"{command} {self.server.base}", display=True)
            self.assertEqual(sorted(set(self.server.served)), ["/1.png", "/2.png"])

    def test_the_style_sheet_is_valid(self):
        self.write("style.css", self.block("css", "remoteimage"))
        self.write("style.py", PYTHON + STYLE)
        self.run_command("python3 style.py", display=True)

    def test_every_code_block_is_tested(self):
        tried = {"c": 14, "python": 17, "vala": 13, "xml": 1, "css": 1}
        languages = [name for name, _ in self.blocks if name]
        self.assertEqual({name: languages.count(name) for name in languages}, tried)


VALAC = "valac --quiet -X -w --pkg remote-image-1 "

PYTHON = """import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import GLib, GObject, Gtk, RemoteImage

"""

# Runs the main loop until the file exists.
C = """
int main(int argc, char **argv) {
    gtk_init();
    configure();
    save(argv[1], argv[2]);
    while (!g_file_test(argv[2], G_FILE_TEST_EXISTS)) g_main_context_iteration(NULL, TRUE);
    return 0;
}
"""

VALA = """
int main(string[] args) {
    Gtk.init();
    var loop = new MainLoop();
    save.begin(args[1], args[2], () => loop.quit());
    loop.run();
    return 0;
}
"""

SAVE_PYTHON = """
import os
import sys

Gtk.init()
save(*sys.argv[1:])
while not os.path.exists(sys.argv[2]):
    GLib.MainContext.default().iteration(True)
"""

# Each shows its widget until the load has failed.
ERRORS_C = """
int main(int argc, char **argv) {
    gtk_init();
    GtkWidget *window = gtk_window_new();
    GtkWidget *view = new_cover(argv[1]);
    gtk_window_set_child(GTK_WINDOW(window), view);
    gtk_window_present(GTK_WINDOW(window));
    RemoteImageView *image = REMOTE_IMAGE_VIEW(view);
    while (remote_image_view_get_phase(image) != REMOTE_IMAGE_PHASE_FAILURE) g_main_context_iteration(NULL, TRUE);
    return 0;
}
"""

ERRORS_PYTHON = """
import sys

cover = new_cover(sys.argv[1])
window = Gtk.Window(child=cover)
window.present()
while cover.props.phase != RemoteImage.Phase.FAILURE:
    GLib.MainContext.default().iteration(True)
"""

ERRORS_VALA = """
int main(string[] args) {
    Gtk.init();
    var cover = new_cover(args[1]) as RemoteImage.View;
    var window = new Gtk.Window() { child = cover };
    window.present();
    while (cover.phase != RemoteImage.Phase.FAILURE) MainContext.@default().iteration(true);
    return 0;
}
"""

# The report follows the phase.
WAIT_C = "for (int n = 0; n < 100; n++) { g_main_context_iteration(NULL, FALSE); g_usleep(2000); } "
WAIT_PYTHON = "GLib.timeout_add(200, sys.exit)\nwhile True:\n    GLib.MainContext.default().iteration(True)\n"
WAIT_VALA = "for (int n = 0; n < 100; n++) { MainContext.@default().iteration(false); Thread.usleep(2000); } "

# A compressed file stands for an encrypted one.
SOURCES_C = """
static void take_width(GObject *pipeline, GAsyncResult *result, gpointer width) {
    g_autoptr(GdkTexture) texture =
        remote_image_pipeline_load_source_texture_finish(REMOTE_IMAGE_PIPELINE(pipeline), result, NULL);
    *(int *)width = texture == NULL ? -1 : gdk_texture_get_width(texture);
}

int main(int argc, char **argv) {
    gtk_init();
    GtkWidget *avatar = g_object_ref_sink(gtk_image_new());
    g_autoptr(RemoteImageSource) source = NULL;
    g_object_get(show_avatar(avatar, "cat.jpg"), "source", &source, NULL);
    g_print("%s\\n", remote_image_source_get_identity(source));
    g_object_unref(avatar);
    g_autoptr(GConverter) cipher = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    g_autoptr(RemoteImageSource) attachment = new_encrypted_attachment(argv[1], cipher);
    int width = 0;
    remote_image_pipeline_load_source_texture_async(
        remote_image_pipeline_get_default(), attachment, 0, NULL, take_width, &width);
    while (width == 0) g_main_context_iteration(NULL, TRUE);
    g_print("%d\\n", width);
    return 0;
}
"""

SOURCES_VALA = """
int main() {
    Gtk.init();
    %s
    print("%%s\\n", image.source.get_identity());
    return 0;
}
"""

SOURCES_PYTHON = """
Gtk.init()
picture = Gtk.Picture()
print(show_photo(picture, 7).props.source.get_identity())
"""

ATTACHMENT = """
import sys

try:
    from gi.events import GLibEventLoopPolicy
except ImportError:
    print("older")
    sys.exit()

class Attachment:
    def __init__(self, name):
        self.name, self.size = name, 0

    async def decrypted(self):
        with open(self.name, "rb") as file:
            yield file.read()

async def load(name):
    attachment = Attachment(name)
    attachment.size = 0 if name == "missing" else len(open(name, "rb").read())
    pipeline = RemoteImage.Pipeline.get_default()
    return await pipeline.load_source_texture_async(new_attachment(attachment), 0)

async def main():
    print((await load(sys.argv[1])).get_width())
    try:
        await load("missing")
    except GLib.Error:
        print("failed")

Gtk.init()
policy = GLibEventLoopPolicy()
policy.get_event_loop().run_until_complete(main())
"""

AWAIT = """
import asyncio
import sys

try:
    from gi.events import GLibEventLoopPolicy
except ImportError:
    sys.exit(print("older"))
policy = GLibEventLoopPolicy()
policy.get_event_loop().run_until_complete(save(sys.argv[1] + "/1.png", sys.argv[2]))
policy.get_event_loop().run_until_complete(save(sys.argv[1] + "/gone", sys.argv[2]))
"""

# Each shows its widget until the image is loaded.
PROCESSED = """
int main(int argc, char **argv) {
    gtk_init();
    GtkWidget *window = gtk_window_new();
    GtkWidget *view = new_attachment(argv[1], 320, 240, "LEHV6nWB2yk8pyo0adR*.7kCMdnj", TRUE);
    gtk_window_set_child(GTK_WINDOW(window), view);
    gtk_window_present(GTK_WINDOW(window));
    RemoteImageView *image = REMOTE_IMAGE_VIEW(view);
    while (remote_image_view_get_phase(image) != REMOTE_IMAGE_PHASE_SUCCESS) g_main_context_iteration(NULL, TRUE);
    return 0;
}
"""

AVATAR = """
import sys

for is_online in (True, False):
    avatar = new_avatar(sys.argv[1], is_online)
    window = Gtk.Window(child=avatar)
    window.present()
    while avatar.props.phase != RemoteImage.Phase.SUCCESS:
        GLib.MainContext.default().iteration(True)
    texture = avatar.props.texture
    assert texture.get_width() == texture.get_height()
    window.destroy()
"""

EMOJI = """
int main(string[] args) {
    Gtk.init();
    var emoji = new_emoji(args[1]) as RemoteImage.View;
    var window = new Gtk.Window() { child = emoji };
    window.present();
    while (emoji.phase != RemoteImage.Phase.SUCCESS) MainContext.@default().iteration(true);
    return emoji.animated ? 0 : 1;
}
"""

SIGN_IN_VALA = """
int main(string[] args) {
    Gtk.init();
    var loop = new MainLoop();
    var session = new Session();
    var pipeline = session.sign_in("anna");
    pipeline.load_texture_async.begin(args[1], 0, null, (object, result) => {
        try {
            pipeline.load_texture_async.end(result).save_to_png(args[2]);
        } catch (Error error) {
            printerr("%s\\n", error.message);
        }
        loop.quit();
    });
    loop.run();
    return 0;
}
"""

SIGN_IN_PYTHON = """
import sys

def take(pipeline, result):
    pipeline.load_texture_finish(result).save_to_png(sys.argv[2])
    loop.quit()

loop = GLib.MainLoop()
pipeline = sign_in(Session(), "anna")
pipeline.load_texture_async(sys.argv[1], 0, None, take)
loop.run()
"""

OLDER = """
try:
    import gi.events
except ImportError:
    print('older')
"""

# What the page says of Gtk.Application.
APPLICATION = """
import asyncio
import contextlib

from gi.events import GLibEventLoopPolicy

async def answer(application):
    await asyncio.sleep(0.1)
    print("run")
    application.release()

def activate(application):
    application.hold()
    application.task = asyncio.create_task(answer(application))

application = Gtk.Application(application_id="org.example.Tasks")
application.connect("activate", activate)
with contextlib.ExitStack() as stack:
    if gi.version_info < (3, 52):
        asyncio.set_event_loop_policy(GLibEventLoopPolicy())
    else:
        stack.enter_context(GLibEventLoopPolicy())
    application.run()
"""

# Each shows the first rows of a list, scrolls to its end, and waits for the image of the last row.
LIST_C = """
// Whether a widget or one below it shows the image of an address.
static gboolean shows(GtkWidget *widget, const char *address) {
    if (REMOTE_IMAGE_IS_VIEW(widget)) {
        RemoteImageView *view = REMOTE_IMAGE_VIEW(widget);
        return g_strcmp0(remote_image_view_get_uri(view), address) == 0 &&
               remote_image_view_get_phase(view) == REMOTE_IMAGE_PHASE_SUCCESS;
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
        if (shows(child, address)) return TRUE;
    return FALSE;
}

int main(int argc, char **argv) {
    gtk_init();
    g_autoptr(GPtrArray) addresses = g_ptr_array_new();
    for (int number = 1; number <= 1000; number++)
        g_ptr_array_add(addresses, g_strdup_printf("%s/1.png?%d", argv[1], number));
    g_ptr_array_add(addresses, NULL);
    GtkWidget *list = new_list((const char *const *)addresses->pdata);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
    prefetch(list);
    GtkWidget *window = gtk_window_new();
    gtk_window_set_default_size(GTK_WINDOW(window), 200, 400);
    gtk_window_set_child(GTK_WINDOW(window), scrolled);
    gtk_window_present(GTK_WINDOW(window));
    while (!shows(list, addresses->pdata[0])) g_main_context_iteration(NULL, TRUE);
    gtk_widget_activate_action(list, "list.scroll-to-item", "u", 999);
    while (!shows(list, addresses->pdata[999])) g_main_context_iteration(NULL, TRUE);
    return 0;
}
"""

LIST_PYTHON = """
import sys

def shows(widget, address):
    if isinstance(widget, RemoteImage.View):
        return widget.props.uri == address and widget.props.phase == RemoteImage.Phase.SUCCESS
    child = widget.get_first_child()
    while child and not shows(child, address):
        child = child.get_next_sibling()
    return child is not None

addresses = [f"{sys.argv[1]}/1.png?{number}" for number in range(1, 1001)]
rows = new_list(addresses)
scrolled = Gtk.ScrolledWindow(child=rows)
prefetch(rows)
window = Gtk.Window(child=scrolled, default_width=200, default_height=400)
window.present()
while not shows(rows, addresses[0]):
    GLib.MainContext.default().iteration(True)
rows.activate_action("list.scroll-to-item", GLib.Variant("u", 999))
while not shows(rows, addresses[999]):
    GLib.MainContext.default().iteration(True)
"""

LIST_VALA = """
bool shows(Gtk.Widget widget, string address) {
    var view = widget as RemoteImage.View;
    if (view != null) return view.uri == address && view.phase == RemoteImage.Phase.SUCCESS;
    for (var child = widget.get_first_child(); child != null; child = child.get_next_sibling())
        if (shows(child, address)) return true;
    return false;
}

int main(string[] args) {
    Gtk.init();
    string[] addresses = {};
    for (var number = 1; number <= 1000; number++) addresses += "%s/1.png?%d".printf(args[1], number);
    var list = new_list(addresses);
    var scrolled = new Gtk.ScrolledWindow() { child = list };
    prefetch(list);
    var window = new Gtk.Window() { child = scrolled, default_width = 200, default_height = 400 };
    window.present();
    while (!shows(list, addresses[0])) MainContext.@default().iteration(true);
    list.activate_action("list.scroll-to-item", "u", 999);
    while (!shows(list, addresses[999])) MainContext.@default().iteration(true);
    return 0;
}
"""

# Each shows a sender and a page until both are loaded. The first proxy does not exist.
WIDGETS_C = """
int main(int argc, char **argv) {
    gtk_init();
    use_proxy("http://127.0.0.1:9");
    use_proxy("none");
    g_autofree char *first = g_strconcat(argv[1], "/1.png", NULL), *second = g_strconcat(argv[1], "/2.png", NULL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *sender = new_sender(first), *page = new_page(second);
    gtk_box_append(GTK_BOX(box), sender);
    gtk_box_append(GTK_BOX(box), page);
    GtkWidget *window = gtk_window_new();
    gtk_window_set_child(GTK_WINDOW(window), box);
    gtk_window_present(GTK_WINDOW(window));
    RemoteImageView *view = remote_image_viewer_get_view(REMOTE_IMAGE_VIEWER(page));
    while (gtk_image_get_paintable(GTK_IMAGE(sender)) == NULL ||
           remote_image_view_get_phase(view) != REMOTE_IMAGE_PHASE_SUCCESS)
        g_main_context_iteration(NULL, TRUE);
    return 0;
}
"""

WIDGETS_PYTHON = """
import sys

Gtk.init()
use_proxy("http://127.0.0.1:9")
use_proxy("none")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
sender, page = new_sender(sys.argv[1] + "/1.png"), new_page(sys.argv[1] + "/2.png")
box.append(sender)
box.append(page)
window = Gtk.Window(child=box)
window.present()
while not sender.get_paintable() or page.get_view().props.phase != RemoteImage.Phase.SUCCESS:
    GLib.MainContext.default().iteration(True)
"""

WIDGETS_VALA = """
int main(string[] args) {
    Gtk.init();
    use_proxy("http://127.0.0.1:9");
    use_proxy("none");
    var box = new Gtk.Box(Gtk.Orientation.VERTICAL, 0);
    var sender = (Gtk.Image) new_sender(args[1] + "/1.png");
    var page = (RemoteImage.Viewer) new_page(args[1] + "/2.png");
    box.append(sender);
    box.append(page);
    var window = new Gtk.Window() { child = box };
    window.present();
    while (sender.paintable == null || page.view.phase != RemoteImage.Phase.SUCCESS)
        MainContext.default().iteration(true);
    return 0;
}
"""

STYLE = """
import sys

provider = Gtk.CssProvider()
provider.connect("parsing-error", lambda _, section, error: sys.exit(error.message))
provider.load_from_path("style.css")
"""

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
