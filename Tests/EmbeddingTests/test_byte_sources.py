"""Sources whose bytes the program provides: progress, cancellation, and wrong answers."""

import gc
import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gio, GLib, Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()
server = images.serve()
FILE = images.image(1)
PHASE, ERROR = RemoteImage.Phase, RemoteImage.Error


class Asked:
    """A source whose requests are kept until the test answers them."""

    names = 0

    def __init__(self):
        Asked.names += 1
        self.requests = []
        self.source = RemoteImage.Source.new_for_stream(
            f"asked {Asked.names}", lambda request, *_: self.requests.append(request)
        )

    def request(self):
        turn_until(lambda: self.requests)
        return self.requests[-1]


class Answers(unittest.TestCase):
    def assertFails(self, view, code):
        turn_until(lambda: view.props.phase == PHASE.FAILURE)
        self.assertTrue(view.props.error.matches(RemoteImage.error_quark(), code), view.props.error)

    def answered(self, answer, code, **properties):
        """Fails unless the load ends with this code after the answer."""
        asked = Asked()
        view = RemoteImage.View(source=asked.source, **properties)
        with Shown(view):
            answer(asked.request())
            self.assertFails(view, code)
        return asked.requests[-1]

    def test_pieces_report_their_progress(self):
        asked = Asked()
        view = RemoteImage.View(source=asked.source)
        with Shown(view):
            request = asked.request()
            self.assertTrue(request.get_identity().startswith("asked"))
            request.set_length(len(FILE))
            request.set_content_type("image/png")
            half = len(FILE) // 2
            request.append(GLib.Bytes.new(FILE[:half]))
            turn_until(lambda: view.props.progress > 0)
            self.assertAlmostEqual(view.props.progress, half / len(FILE))
            request.append(GLib.Bytes.new(b""))
            request.append(GLib.Bytes.new(FILE[half:]))
            request.finish()
            turn_until(lambda: view.props.phase == PHASE.SUCCESS)
            self.assertFalse(request.get_cancellable().is_cancelled())
        self.assertEqual(view.props.image_width, 320)

    def test_an_encrypted_attachment_is_decrypted_in_pieces(self):
        encrypted = bytes(byte ^ 0x5A for byte in FILE)

        def decrypt(request, *_):
            pieces = [encrypted[start : start + 100] for start in range(0, len(encrypted), 100)]

            def decrypt_next():
                if request.get_cancellable().is_cancelled():
                    return GLib.SOURCE_REMOVE
                if not pieces:
                    request.finish()
                    return GLib.SOURCE_REMOVE
                request.append(GLib.Bytes.new(bytes(byte ^ 0x5A for byte in pieces.pop(0))))
                return GLib.SOURCE_CONTINUE

            request.set_length(len(encrypted))
            GLib.idle_add(decrypt_next)

        view = RemoteImage.View(source=RemoteImage.Source.new_for_stream("attachment 1", decrypt))
        with Shown(view):
            turn_until(lambda: view.props.phase == PHASE.SUCCESS)

    def test_an_answer_may_be_complete_before_the_function_returns(self):
        def answer(request, *_):
            request.append(GLib.Bytes.new(FILE))
            request.finish()

        paintable = RemoteImage.Paintable(source=RemoteImage.Source.new_for_stream("at once", answer))
        turn_until(lambda: paintable.props.phase == PHASE.SUCCESS)

    def test_two_views_share_one_request(self):
        asked = Asked()
        box = Gtk.Box()
        views = [RemoteImage.View(source=asked.source, hexpand=True) for _ in range(2)]
        for view in views:
            box.append(view)
        with Shown(box):
            turn_until(lambda: all(view.props.phase == PHASE.LOADING for view in views))
            request = asked.request()
            request.append(GLib.Bytes.new(FILE))
            request.finish()
            turn_until(lambda: all(view.props.phase == PHASE.SUCCESS for view in views))
        self.assertEqual(len(asked.requests), 1)

    def test_a_view_that_disappears_cancels_its_request(self):
        for begins in (False, True):
            asked = Asked()
            with Shown(RemoteImage.View(source=asked.source)):
                request = asked.request()
                if begins:
                    request.append(GLib.Bytes.new(FILE[:50]))
                self.assertFalse(request.get_cancellable().is_cancelled())
            turn_until(request.get_cancellable().is_cancelled)
            # Late answers are ignored without a message.
            request.append(GLib.Bytes.new(FILE))
            request.finish()
            settle()

    def test_a_cancelled_load_cancels_its_request(self):
        asked, results, cancellable = Asked(), [], Gio.Cancellable()
        pipeline = RemoteImage.Pipeline.get_default()
        pipeline.load_source_texture_async(asked.source, 0, cancellable, lambda _, result: results.append(result))
        request = asked.request()
        cancellable.cancel()
        turn_until(lambda: results and request.get_cancellable().is_cancelled())
        with self.assertRaises(GLib.Error) as caught:
            pipeline.load_source_texture_finish(results[0])
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))

    def test_a_stream_is_sent_to_its_end(self):
        asked = Asked()
        view = RemoteImage.View(source=asked.source)
        with Shown(view):
            request = asked.request()
            request.set_length(len(FILE))
            request.append(GLib.Bytes.new(FILE[:100]))
            request.send_stream(Gio.MemoryInputStream.new_from_bytes(GLib.Bytes.new(FILE[100:])))
            asked.requests.clear()
            del request
            gc.collect()
            turn_until(lambda: view.props.phase == PHASE.SUCCESS)

    def test_a_stream_that_cannot_be_read_fails(self):
        def answer(request):
            stream = Gio.MemoryInputStream.new_from_bytes(GLib.Bytes.new(FILE))
            stream.close()
            request.send_stream(stream)

        self.answered(answer, ERROR.SOURCE)

    def test_another_source_may_be_the_answer(self):
        asked = Asked()
        view = RemoteImage.View(source=asked.source)
        with Shown(view):
            asked.request().use_source(RemoteImage.Source.new_for_uri(f"{server.base}/3.png?signed", None))
            turn_until(lambda: view.props.phase == PHASE.SUCCESS)
        self.assertIn("/3.png?signed", server.served)

    def test_an_error_keeps_its_code(self):
        gone = GLib.Error.new_literal(RemoteImage.error_quark(), "gone", ERROR.HTTP_STATUS)
        other = GLib.Error.new_literal(Gio.io_error_quark(), "denied", Gio.IOErrorEnum.PERMISSION_DENIED)
        self.answered(lambda request: request.fail(gone), ERROR.HTTP_STATUS)
        self.answered(lambda request: request.fail(other), ERROR.SOURCE)

        def fail_late(request):
            request.append(GLib.Bytes.new(FILE[:50]))
            request.fail(gone)

        self.answered(fail_late, ERROR.HTTP_STATUS)

    def test_a_released_request_fails(self):
        for begins in (False, True):
            def answer(request, *_):
                if begins:
                    request.append(GLib.Bytes.new(FILE[:50]))

            view = RemoteImage.View(source=RemoteImage.Source.new_for_stream(f"released {begins}", answer))
            with Shown(view):
                self.assertFails(view, ERROR.SOURCE)

    def test_a_failed_load_can_be_repeated(self):
        asked = Asked()
        view = RemoteImage.View(source=asked.source)
        with Shown(view):
            asked.request().fail(GLib.Error.new_literal(Gio.io_error_quark(), "once", Gio.IOErrorEnum.FAILED))
            self.assertFails(view, ERROR.SOURCE)
            view.reload()
            turn_until(lambda: len(asked.requests) == 2)
            asked.requests[1].append(GLib.Bytes.new(FILE))
            asked.requests[1].finish()
            turn_until(lambda: view.props.phase == PHASE.SUCCESS)

    def test_a_wrong_length_fails(self):
        def announce(length, *, more=b""):
            def answer(request):
                request.set_length(length)
                request.append(GLib.Bytes.new(FILE + more))
                request.finish()

            return answer

        self.answered(announce(len(FILE) + 1), ERROR.INCOMPLETE)
        self.answered(announce(len(FILE), more=b"!"), ERROR.SOURCE)
        self.answered(announce(1 << 60), ERROR.TOO_LARGE)
        self.answered(lambda request: request.finish(), ERROR.EMPTY_BODY)

    def test_an_answer_that_never_comes_fails_after_the_timeout(self):
        request = self.answered(lambda _: None, ERROR.SOURCE, pipeline=RemoteImage.Pipeline(timeout=1))
        turn_until(request.get_cancellable().is_cancelled)

    def test_too_many_bytes_cancel_the_request(self):
        pipeline = RemoteImage.Pipeline(max_body_size=1000)
        request = self.answered(
            lambda request: request.append(GLib.Bytes.new(b"\0" * 1001)), ERROR.TOO_LARGE, pipeline=pipeline
        )
        turn_until(request.get_cancellable().is_cancelled)


if __name__ == "__main__":
    unittest.main(verbosity=2)
