#!/usr/bin/env python3
"""A client of a social network: the home timeline of an account, from a server with the Mastodon API.

    Examples/TimelineServer/server.py    prints ADDRESS and CODE, and serves
    echo CODE | timeline.py ADDRESS

Later starts need no code, and show the stored posts and images if the server cannot be reached.
"""

import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk, RemoteImage  # noqa: E402

import mastodon  # noqa: E402
import timeline_widgets as widgets  # noqa: E402

STYLE = """
    .name { font-weight: bold; }
    .warning { font-style: italic; }
    .banner { background: alpha(@theme_selected_bg_color, 0.2); padding: 6px 16px; }
    .timeline row { border-bottom: 1px solid alpha(currentColor, 0.12); background: none; }
    .image { background: alpha(currentColor, 0.07); border-radius: 8px; }
"""


class Item(GObject.Object):
    """A row of the list: a status, or without one the end."""

    def __init__(self, status=None):
        super().__init__()
        self.status = status
        self.revealed = False
        # The row of the list that shows it, if there is one.
        self.row = None


class Timeline(Gtk.ApplicationWindow):
    def __init__(self, application, timeline):
        super().__init__(application=application, title="Timeline", default_width=480, default_height=800)
        self.timeline = timeline
        self.file = mastodon.StoredFile("timeline", timeline.first)
        self.older, self.loading, self.failure = None, False, None
        self.items = Gio.ListStore(item_type=Item)
        factory = Gtk.SignalListItemFactory()
        factory.connect("bind", lambda _, row: self.bind(row))
        factory.connect("unbind", lambda _, row: self.unbind(row))
        view = Gtk.ListView(model=Gtk.NoSelection(model=self.items), factory=factory)
        scroller = Gtk.ScrolledWindow(
            child=view, vexpand=True, hscrollbar_policy=Gtk.PolicyType.NEVER, css_classes=["timeline"])
        self.adjustment = scroller.get_vadjustment()
        self.adjustment.connect("value-changed", lambda _: self.load_near_end())
        self.banner = widgets.box(spacing=12, css_classes=["banner"], visible=False)
        self.banner.append(Gtk.Image(icon_name="network-offline-symbolic"))
        self.problem = widgets.label("", hexpand=True)
        self.banner.append(self.problem)
        self.banner.append(widgets.button("Try again", self.reload))
        self.set_child(widgets.column(self.banner, scroller, spacing=0))
        self.show_statuses(self.file.read() or [])
        self.reload()

    # The pages

    def show_statuses(self, statuses):
        """Inserts and removes only what differs, so that the scroll position stays."""
        shown = self.items[0].status["id"] if len(self.items) else None
        new = next((place for place, status in enumerate(statuses) if status["id"] == shown), len(statuses))
        items = [Item(status) for status in statuses]
        kept = min(len(statuses) - new, len(self.items) - 1)
        if kept > 0:
            self.items.splice(kept, len(self.items) - kept, items[new + kept :] + [Item()])
            for item, status in zip(self.items, statuses[new:]):
                if item.status != status:
                    if item.status["id"] != status["id"]:
                        item.revealed = False
                    item.status = status
                    self.show_item(item)
            self.items.splice(0, 0, items[:new])
        else:
            self.items.remove_all()
            self.items.splice(0, 0, items + [Item()] if items else [])

    def reload(self):
        """Loads the newest statuses. Those of the last start are shown until then."""
        self.loading = True
        self.banner.set_visible(False)
        self.timeline.page(None, self.received_newest)

    def received_newest(self, page, error):
        self.loading = False
        if error:
            self.problem.set_label(mastodon.message_of(error))
            self.banner.set_visible(True)
        else:
            statuses, self.older = page
            self.show_statuses(statuses)
            self.file.write(statuses)
            self.load_near_end_soon()

    def load_near_end(self):
        """Loads older statuses when fewer than two windows are left."""
        page = self.adjustment.get_page_size()
        left = self.adjustment.get_upper() - self.adjustment.get_value() - page
        if self.older and not self.loading and not self.failure and left < 2 * page:
            self.load_older()

    def load_near_end_soon(self):
        """The same once new rows are laid out, which is in the next frame. They may not fill the window."""
        frames = iter([GLib.SOURCE_CONTINUE])

        def tick(*_):
            waits = next(frames, GLib.SOURCE_REMOVE)
            if not waits:
                self.load_near_end()
            return waits

        self.add_tick_callback(tick)

    def load_older(self):
        self.loading, self.failure = True, None
        self.timeline.page(self.older, self.received_older)

    def received_older(self, page, error):
        self.loading, self.failure = False, error
        end = len(self.items) - 1
        if error:
            self.items.splice(end, 1, [Item()])
        else:
            statuses, self.older = page
            self.items.splice(end, 1, [Item(status) for status in statuses] + [Item()])
            self.file.write([item.status for item in self.items if item.status])
            self.load_near_end_soon()

    # The rows

    def bind(self, row):
        row.set_activatable(False)
        row.get_item().row = row
        self.show_item(row.get_item())

    def unbind(self, row):
        row.get_item().row = None
        row.set_child(None)

    def show_item(self, item):
        """Shows an item, or its changes."""
        if item.row:
            item.row.set_child(self.row_of(item))

    def row_of(self, item):
        if item.status:
            return widgets.status_row(item.status, item.revealed, lambda: self.reveal(item))
        return self.end_row()

    def end_row(self):
        row = widgets.column(spacing=6, margin_top=16, margin_bottom=16, margin_start=16, margin_end=16)
        if self.failure:
            row.append(Gtk.Label(label=mastodon.message_of(self.failure)))
            row.append(widgets.button("Try again", self.load_older))
        elif self.older:
            row.append(Gtk.Spinner(spinning=True))
        else:
            row.append(Gtk.Label(label="No more posts", css_classes=["dim-label"]))
        return row

    def reveal(self, item):
        item.revealed = True
        self.show_item(item)


def answer(session, request):
    """Answers a request of an image for a credential, at once or after a refresh."""

    def done(credential, error):
        if credential:
            request.respond(credential)
        else:
            # Stored images are shown if the server could not be reached.
            code = Gio.IOErrorEnum.PERMISSION_DENIED if mastodon.is_refusal(error) else Gio.IOErrorEnum.HOST_UNREACHABLE
            request.fail(GLib.Error.new_literal(Gio.io_error_quark(), str(error), code))

    session.credential(request.get_refused_credential(), done)


def start(application, server):
    provider = Gtk.CssProvider()
    provider.load_from_data(STYLE.encode())
    Gtk.StyleContext.add_provider_for_display(
        Gdk.Display.get_default(), provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
    session = mastodon.Session(server, lambda: sys.stdin.readline().strip())
    authorization = RemoteImage.Authorization(account=f"me@{server}", origins=[server])
    authorization.connect("credential-needed", lambda _, request: answer(session, request))
    RemoteImage.Pipeline.get_default().set_authorization(authorization)
    Timeline(application, mastodon.HomeTimeline(server, session)).present()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ADDRESS")
    program = Gtk.Application(application_id="org.example.Timeline", flags=Gio.ApplicationFlags.NON_UNIQUE)
    program.connect("activate", start, sys.argv[1])
    program.run()
