"""Accounts from Python: credentials that expire, and answers that come late, twice or never."""

import gc
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gio, GLib, Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()


class Accounts(unittest.TestCase):
    def setUp(self):
        self.server = images.serve()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def authorization(self, account, handler=None):
        authorization = RemoteImage.Authorization(account=account, origins=[self.server.base])
        if handler:
            authorization.connect("credential-needed", handler)
        return authorization

    def pipeline(self, authorization=None):
        return RemoteImage.Pipeline(cache_directory=self.folder, authorization=authorization)

    def load(self, pipeline, uris):
        """Loads images at the same time. Returns the results: a texture or an error for each."""
        results = {}

        def done(pipeline, result, uri):
            try:
                results[uri] = pipeline.load_texture_finish(result)
            except GLib.Error as error:
                results[uri] = error

        for uri in uris:
            pipeline.load_texture_async(uri, 0, None, done, uri)
        turn_until(lambda: len(results) == len(uris))
        return [results[uri] for uri in uris]

    def finish_writing(self, pipeline):
        sizes = []
        pipeline.get_disk_usage_async(None, lambda p, result: sizes.append(p.get_disk_usage_finish(result)))
        turn_until(lambda: sizes)
        return sizes[0]

    def remove(self, pipeline, kind, name):
        ends = []
        start = getattr(pipeline, f"remove_{kind}_async")
        finish = getattr(pipeline, f"remove_{kind}_finish")
        start(name, None, lambda _, result: ends.append(finish(result)))
        turn_until(lambda: ends)
        self.assertTrue(ends[0])

    def addresses(self, count):
        return [f"{self.server.base}/account/{number}.png" for number in range(count)]

    def failure(self, handler, uri=None):
        """The error of a load with a handler."""
        pipeline = self.pipeline(self.authorization("anna", handler))
        [error] = self.load(pipeline, [uri or self.addresses(1)[0]])
        self.assertIsInstance(error, GLib.Error)
        return error

    def assert_code(self, error, code):
        self.assertTrue(error.matches(RemoteImage.error_quark(), code), error)

    def test_an_expired_token_of_100_images_is_replaced_once(self):
        refusals = []

        def needed(_, request):
            if request.get_status() == 0:
                self.assertIsNone(request.get_refused_credential())
                request.respond("Bearer expired")
                return
            refusals.append(request.get_refused_credential())
            self.assertEqual(request.get_status(), 401)
            self.assertEqual(request.get_challenges(), ['Bearer error="invalid_token"'])
            self.assertTrue(request.get_uri().startswith(self.server.base))
            # The answer comes later, as that of a server.
            GLib.timeout_add(50, lambda: request.respond("Bearer new"))

        pipeline = self.pipeline(self.authorization("anna", needed))
        textures = self.load(pipeline, self.addresses(100))
        self.assertEqual([texture.get_width() for texture in textures], [8] * 100)
        self.assertEqual(refusals, ["Bearer expired"])
        self.assertEqual(len(self.server.served), 100)

        # The next start, with another token of the account, downloads nothing.
        self.finish_writing(pipeline)
        again = self.pipeline(self.authorization("anna", lambda _, request: request.respond("Bearer other")))
        self.assertEqual(len(self.load(again, self.addresses(100))), 100)
        self.assertEqual(len(self.server.served), 100)

    def test_neither_credentials_nor_accounts_are_stored_or_logged(self):
        """Runs the tests of failures again with all messages, and looks into the store of a load."""

        def needed(_, request):
            request.respond("Bearer expired-hunter2" if request.get_status() == 0 else "Bearer hunter2")

        pipeline = self.pipeline(self.authorization("anna", needed))
        self.load(pipeline, self.addresses(3))
        self.assertGreater(self.finish_writing(pipeline), 0)
        files = [path for path in pathlib.Path(self.folder).rglob("*") if path.is_file()]
        self.assertGreater(len(files), 0)
        for path in files:
            for secret in (b"hunter2", b"anna"):
                self.assertNotIn(secret, path.read_bytes())

        names = ["a_credential_with_a_line_break_is_not_sent", "an_expired_token_of_100_images_is_replaced_once"]
        names += ["an_error_of_the_program_is_the_failure_without_its_message"]
        done = subprocess.run(
            [sys.executable, __file__, *(f"Accounts.test_{name}" for name in names)],
            env=dict(os.environ, REMOTE_IMAGE_DEBUG="1"), capture_output=True, text=True, timeout=100,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("/account/1.png", done.stderr)
        for secret in ("Bearer", "hunter2", "X-Key"):
            self.assertNotIn(secret, done.stdout + done.stderr)

    def test_accounts_share_no_images_and_are_removed_separately(self):
        def answer(_, request):
            request.respond("Bearer good")

        uris = self.addresses(3)
        anna = self.pipeline(self.authorization("anna", answer))
        berta = self.pipeline(self.authorization("berta", answer))
        self.load(anna, uris)
        self.load(berta, uris)
        self.assertEqual(len(self.server.served), 6)
        self.finish_writing(anna)
        self.finish_writing(berta)
        self.remove(anna, "account", "anna")
        self.assertEqual(anna.get_memory_usage(), 0)
        self.load(anna, uris)
        self.load(self.pipeline(self.authorization("berta", answer)), uris)
        self.assertEqual(len(self.server.served), 9)

    def test_an_identity_is_removed_for_all_accounts(self):
        uri = f"{self.server.base}/account/signed.png?signature=1"
        pipeline = self.pipeline(self.authorization("anna", lambda _, request: request.respond("Bearer good")))
        view = RemoteImage.View(
            identity="signed", pipeline=pipeline, load_options=RemoteImage.LoadOptions.IMMEDIATELY
        )
        with Shown(view):
            view.set_uri(uri)
            turn_until(lambda: view.get_phase() == RemoteImage.Phase.SUCCESS)
            self.assertGreater(self.finish_writing(pipeline), 0)
            self.remove(pipeline, "identity", "signed")
            self.assertEqual(self.finish_writing(pipeline), 0)
            self.assertEqual(pipeline.get_memory_usage(), 0)

    def test_an_address_is_removed_as_an_identity(self):
        pipeline = self.pipeline(self.authorization("anna", lambda _, request: request.respond("Bearer good")))
        uri = self.addresses(1)[0]
        self.load(pipeline, [uri])
        self.finish_writing(pipeline)
        self.remove(pipeline, "identity", uri.replace("http:", "HTTP:"))
        self.assertEqual((pipeline.get_memory_usage(), self.finish_writing(pipeline)), (0, 0))

    def test_a_view_shows_the_image_of_its_own_account(self):
        view = RemoteImage.View(uri=self.addresses(1)[0], pipeline=self.pipeline())
        with Shown(view):
            turn_until(lambda: view.get_phase() == RemoteImage.Phase.FAILURE)
            self.assert_code(view.get_error(), RemoteImage.Error.HTTP_STATUS)
            authorization = self.authorization("anna", lambda _, request: request.respond("Bearer good"))
            view.set_authorization(authorization)
            turn_until(lambda: view.get_phase() == RemoteImage.Phase.SUCCESS)
            self.assertEqual(view.get_authorization(), authorization)
            self.assertEqual(authorization.get_account(), "anna")

    def test_a_paintable_is_authorized_with_a_header_of_another_name(self):
        authorization = RemoteImage.Authorization(
            account="anna", origins=[self.server.base], header_name="X-Key"
        )
        authorization.connect("credential-needed", lambda _, request: request.respond("open"))
        paintable = RemoteImage.Paintable(
            uri=f"{self.server.base}/secret", authorization=authorization, pipeline=self.pipeline()
        )
        turn_until(lambda: paintable.get_phase() == RemoteImage.Phase.SUCCESS)

    def test_a_new_credential_that_is_refused_too_is_the_failure(self):
        error = self.failure(lambda _, request: request.respond("Bearer expired"))
        self.assert_code(error, RemoteImage.Error.HTTP_STATUS)
        self.assertNotIn("expired", error.message)

    def test_an_error_of_the_program_is_the_failure_without_its_message(self):
        def fail(_, request):
            request.fail(
                GLib.Error.new_literal(Gio.io_error_quark(), "token hunter2", Gio.IOErrorEnum.HOST_NOT_FOUND)
            )

        error = self.failure(fail)
        self.assert_code(error, RemoteImage.Error.CONNECTION)
        self.assertNotIn("hunter2", error.message)

    def test_a_request_that_is_released_without_an_answer_fails(self):
        self.assert_code(self.failure(lambda _, request: None), RemoteImage.Error.SOURCE)

    def test_a_request_that_is_released_later_without_an_answer_fails(self):
        kept = []

        def keep(_, request):
            kept.append(request)
            GLib.timeout_add(20, release)

        def release():
            kept.clear()
            gc.collect()

        self.assert_code(self.failure(keep), RemoteImage.Error.SOURCE)

    def test_an_authorization_without_a_handler_fails(self):
        self.assert_code(self.failure(None), RemoteImage.Error.SOURCE)

    def test_an_authorization_without_an_account_fails(self):
        pipeline = self.pipeline(RemoteImage.Authorization(origins=[self.server.base]))
        [error] = self.load(pipeline, self.addresses(1))
        self.assert_code(error, RemoteImage.Error.SOURCE)

    def test_a_credential_with_a_line_break_is_not_sent(self):
        self.assert_code(
            self.failure(lambda _, request: request.respond("Bearer good\r\nX-Key: open")), RemoteImage.Error.SOURCE
        )
        self.assertEqual(self.server.served + self.server.refused, [])

    def test_an_origin_that_is_none_fails_all_requests(self):
        authorization = RemoteImage.Authorization(account="anna", origins=["example.org/path"])
        [error] = self.load(self.pipeline(authorization), self.addresses(1))
        self.assert_code(error, RemoteImage.Error.INVALID_URL)

    def test_a_credential_is_not_sent_to_other_origins(self):
        other = images.serve()
        asked = []
        pipeline = self.pipeline(self.authorization("anna", lambda _, request: asked.append(request)))
        [error] = self.load(pipeline, [f"{other.base}/account/1.png"])
        self.assert_code(error, RemoteImage.Error.HTTP_STATUS)
        self.assertEqual((asked, len(other.refused)), ([], 1))

    def test_a_cancelled_load_cancels_its_request_and_ignores_a_late_answer(self):
        requests = []
        view = RemoteImage.View(
            uri=self.addresses(1)[0],
            pipeline=self.pipeline(self.authorization("anna", lambda _, request: requests.append(request))),
        )
        with Shown(view):
            turn_until(lambda: requests)
            cancellable = requests[0].get_cancellable()
            self.assertFalse(cancellable.is_cancelled())
            view.cancel()
            turn_until(cancellable.is_cancelled)
            requests[0].respond("Bearer good")
            settle()
            self.assertEqual(self.server.served, [])

    def test_a_view_that_is_cancelled_does_not_cancel_the_replacement_of_others(self):
        # A view that is refused later would wait for the replacement without asking the server.
        self.server.together = threading.Barrier(2)
        replacements = []

        def needed(_, request):
            if request.get_status() == 0:
                request.respond("Bearer expired")
            else:
                replacements.append(request)

        authorization = self.authorization("anna", needed)
        pipeline = self.pipeline(authorization)
        views = [RemoteImage.View(uri=uri, pipeline=pipeline) for uri in self.addresses(2)]
        box = Gtk.Box()
        for view in views:
            view.set_size_request(20, 20)
            box.append(view)
        with Shown(box):
            turn_until(lambda: replacements and len(self.server.refused) == 2)
            views[0].cancel()
            settle()
            self.assertFalse(replacements[0].get_cancellable().is_cancelled())
            replacements[0].respond("Bearer good")
            turn_until(lambda: views[1].get_phase() == RemoteImage.Phase.SUCCESS)
            self.assertEqual(len(replacements), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
