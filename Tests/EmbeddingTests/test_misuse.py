"""Misuse from Python. Each case runs in a separate process, which prints a message to standard
error and continues or exits."""

import os
import subprocess
import sys
import unittest


# A forked child would wait forever for a lock of GLib that another thread held during the fork, so
# the tests fork only while all other threads sleep.
UNTIL_OTHERS_REST = """
def others_rest():
    stats = [open(f"/proc/self/task/{id}/stat").read() for id in os.listdir("/proc/self/task") if int(id) != os.getpid()]
    return all(stat.rpartition(")")[2].split()[0] == "S" for stat in stats)

rests = 0
while rests < 50:
    GLib.MainContext.default().iteration(False)
    try:
        rests = rests + 1 if others_rest() else 0
    except (FileNotFoundError, ProcessLookupError):  # A thread that has just ended.
        rests = 0
"""


class Misuse(unittest.TestCase):
    def run_code(self, code, has_display=True):
        prologue = (
            "import gi, threading, os\ngi.require_version('Gtk','4.0')\ngi.require_version('RemoteImage','1')\n"
            "from gi.repository import GLib, Gtk, RemoteImage\n"
        )
        environment = dict(os.environ)
        if has_display:
            prologue += "Gtk.init()\n"
        else:
            environment.pop("DISPLAY", None)
        return subprocess.run(
            [sys.executable, "-c", prologue + code], capture_output=True, text=True, timeout=60, env=environment
        )

    def test_bad_headers_are_warned_about_without_their_text(self):
        done = self.run_code("RemoteImage.View(uri='https://a.example/', headers=['no header, secret'])")
        self.assertEqual(done.returncode, 0)
        self.assertIn("header 1 is not of the form", done.stderr)
        self.assertNotIn("secret", done.stderr)

    def test_a_refused_setting_of_a_pipeline_is_not_notified(self):
        done = self.run_code(
            "pipeline = RemoteImage.Pipeline()\n"
            "pipeline.connect('notify::timeout', lambda *_: print('notified', pipeline.props.timeout))\n"
            "paintable = RemoteImage.Paintable(max_pixel_size=9, pipeline=pipeline)\n"
            "pipeline.props.timeout = 5\n"
            "paintable.set_uri('https://a.example/')\n"
            "pipeline.props.timeout = 6\n"
        )
        self.assertEqual(done.stdout, "notified 5\n", done.stderr)
        self.assertIn("CRITICAL", done.stderr)

    def test_a_call_on_another_thread_is_refused_with_a_message(self):
        done = self.run_code(
            "pipeline = RemoteImage.Pipeline.get_default()\n"
            "t = threading.Thread(target=lambda: pipeline.get_memory_usage()); t.start(); t.join()"
        )
        self.assertIn("must be used on the thread that the process began with", done.stderr)

    def test_a_processor_made_on_another_thread_is_refused_with_a_message(self):
        done = self.run_code(
            "RemoteImage.Processor.new_circle()\n"
            "t = threading.Thread(target=lambda: RemoteImage.Processor.new_circle()); t.start(); t.join()"
        )
        self.assertIn("must be used on the thread that the process began with", done.stderr)
        self.assertIn("TypeError", done.stderr)

    def test_loading_the_library_on_another_thread_is_refused_with_a_message(self):
        # PyGObject opens the library with the first call into it.
        done = self.run_code(
            "t = threading.Thread(target=lambda: RemoteImage.Pipeline.get_default()); t.start(); t.join()"
        )
        self.assertIn("was loaded on another thread than the main one", done.stderr)

    def test_a_view_on_another_thread_ends_the_process_with_a_message(self):
        done = self.run_code(
            "RemoteImage.View()\nt = threading.Thread(target=lambda: RemoteImage.View()); t.start(); t.join()"
        )
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("must be used on the thread that the process began with", done.stderr)

    def test_widgets_changed_on_another_thread_load_their_images_and_a_message_is_logged(self):
        done = self.run_code(
            "image = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='\n"
            "view, picture, box = RemoteImage.View(uri=image), Gtk.Picture(), Gtk.Box()\n"
            "RemoteImage.set_image(picture, image)\n"
            "for child in view, picture: box.append(child)\n"
            "box.set_visible(False)\n"
            "outer = Gtk.Box()\n"
            "outer.append(box)\n"
            "window = Gtk.Window(child=outer, default_width=200, default_height=200)\n"
            "window.present()\n"
            "turn = lambda: GLib.MainContext.default().iteration(True)\n"
            "while not outer.get_mapped(): turn()\n"
            "def elsewhere(call, *arguments):\n"
            "    thread = threading.Thread(target=call, args=arguments)\n"
            "    thread.start()\n"
            "    thread.join()\n"
            "def is_loaded(view): return view.props.phase == RemoteImage.Phase.SUCCESS\n"
            "elsewhere(box.set_visible, True)\n"
            "while not is_loaded(view) or picture.get_paintable() is None: turn()\n"
            "other = RemoteImage.View(uri=image)\n"
            "elsewhere(box.append, other)\n"
            "while not is_loaded(other): turn()\n"
            "elsewhere(box.remove, view)\n"
            "elsewhere(box.set_visible, False)\n"
            "while box.get_mapped(): turn()\n"
            "elsewhere(box.set_visible, True)\n"
            "while not other.get_mapped(): turn()\n"
            "print('loaded')\n"
        )
        self.assertEqual((done.stdout, done.returncode), ("loaded\n", 0), done.stderr)
        self.assertEqual(done.stderr.count("GTK emitted a signal on another thread"), 1)

    def test_a_call_in_a_forked_child_is_refused_with_a_message(self):
        done = self.run_code(
            "RemoteImage.Pipeline.get_default()\n" + UNTIL_OTHERS_REST + "pid = os.fork()\n"
            "if pid == 0:\n    RemoteImage.Pipeline.get_default(); os._exit(0)\nos.waitpid(pid, 0)"
        )
        self.assertIn("was forked after", done.stderr)

    def test_a_property_on_another_thread_is_refused_with_a_message(self):
        done = self.run_code(
            "view = RemoteImage.View()\n"
            "t = threading.Thread(target=lambda: view.set_property('uri', 'https://a.example/')); t.start(); t.join()\n"
            "print(view.props.uri)"
        )
        self.assertIn("must be used on the thread that the process began with", done.stderr)
        self.assertEqual(done.stdout.strip(), "None")

    def test_a_forked_child_consumes_no_wake_ups_of_its_parent(self):
        # The child runs the main loop that it inherited. There is no display, since parent and
        # child would share its connection.
        done = self.run_code(
            "context, pipeline = GLib.MainContext.default(), RemoteImage.Pipeline.get_default()\n"
            + UNTIL_OTHERS_REST
            + """
reader, writer = os.pipe()
child = os.fork()
if child == 0:
    os.dup2(writer, 2)
    while True:
        context.iteration(False)
answers = []
pipeline.load_bytes_async("data:image/png;base64,AAAA", None, lambda _, result: answers.append(result))
said = b""
while b"was forked after" not in said:
    said += os.read(reader, 1000)
while not answers:
    context.iteration(True)
os.kill(child, 9)
os.waitpid(child, 0)
print("answered")
""",
            has_display=False,
        )
        self.assertEqual(done.stdout.strip(), "answered", done.stderr)

    def test_the_default_pipeline_cannot_be_configured_after_the_first_view_has_a_parent(self):
        done = self.run_code(
            "p = RemoteImage.Pipeline.get_default(); view = RemoteImage.View(uri='data:,')\n"
            "p.props.timeout = 5\nprint(p.props.timeout)\n"
            "Gtk.Window(child=view)\np.props.timeout = 6\nprint(p.props.timeout)"
        )
        self.assertEqual(done.stderr.count("in use already"), 1, done.stderr)
        self.assertEqual(done.stdout.split(), ["5", "5"])

    def test_a_pipeline_in_use_cannot_be_configured(self):
        done = self.run_code(
            "p = RemoteImage.Pipeline.new(); p.get_memory_usage(); p.props.max_transfers = 3\n"
            "print(p.props.max_transfers)"
        )
        self.assertIn("in use already", done.stderr)
        self.assertEqual(done.stdout.strip(), "16")


if __name__ == "__main__":
    unittest.main(verbosity=2)
