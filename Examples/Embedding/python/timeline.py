#!/usr/bin/env python3
"""A client of a social network: the home timeline of an account, from a server with the Mastodon API.

    Examples/TimelineServer/server.py    prints ADDRESS and CODE, and serves
    echo CODE | timeline.py ADDRESS

Later starts need no code, and show the stored posts and images if the server cannot be reached.
"""

import datetime
import html
import re
import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk, RemoteImage  # noqa: E402

import mastodon  # noqa: E402

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


def text_of(status):
    """The content without its HTML."""
    text = status["content"].replace("</p><p>", "\n\n")
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"<br ?/?>", "\n", text)))


def age_of(status):
    time = datetime.datetime.fromisoformat(status["created_at"].replace("Z", "+00:00"))
    minutes = int((datetime.datetime.now(datetime.timezone.utc) - time).total_seconds() / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h" if minutes < 1440 else f"{minutes // 1440} d"


def box(*children, spacing, orientation=Gtk.Orientation.HORIZONTAL, **properties):
    result = Gtk.Box(orientation=orientation, spacing=spacing, **properties)
    for child in children:
        result.append(child)
    return result


def column(*children, **properties):
    return box(*children, orientation=Gtk.Orientation.VERTICAL, **properties)


def label(text, *classes, **properties):
    return Gtk.Label(
        label=text, css_classes=classes, wrap=True, xalign=0, width_chars=1, max_width_chars=40,
        natural_wrap_mode=Gtk.NaturalWrapMode.NONE, **properties)  # fmt: skip


def button(text, action, **properties):
    result = Gtk.Button(label=text, halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER, **properties)
    result.connect("clicked", lambda _: action())
    return result


def emoji_text(text, emojis, *classes):
    """A text with custom emoji between its words. Each piece of text is a label, so only a text that
    needs no emoji may fill several lines well."""
    addresses = {emoji["shortcode"]: emoji["url"] for emoji in emojis}
    line = box(spacing=4, css_classes=classes)
    for piece in re.split(r"\s*(:\w+:)\s*", text):
        address = addresses.get(piece.strip(":")) if piece.startswith(":") else None
        if address:
            line.append(RemoteImage.View(
                uri=address, alternative_text=piece, width_request=22, height_request=22, valign=Gtk.Align.CENTER,
                placeholder=Gtk.Box()))  # fmt: skip
        elif piece:
            line.append(label(piece))
    return line


def attachment_view(attachment, ratio, hidden):
    view = RemoteImage.View(
        uri=attachment["preview_url"], alternative_text=attachment["description"] or "", css_classes=["image"],
        blur_hash=attachment["blurhash"], aspect_ratio=ratio, keep_while_loading=True,
        content_fit=RemoteImage.ContentFit.COVER, corner_radius=8, transition_duration=250, hexpand=True)  # fmt: skip
    if hidden:
        # A hidden image is blurred in few pixels, which look the same on every display.
        view.set_max_pixel_size(48)
        view.set_processor(RemoteImage.Processor.new_blur(4))
    return view


def attachment_grid(attachments, hidden):
    """The images of a status: one in its own shape, several in columns."""
    if len(attachments) == 1:
        size = attachments[0]["meta"]["original"]
        # A tall image is cropped, so that it fits into the window.
        return attachment_view(attachments[0], max(0.9, size["width"] / size["height"]), hidden)
    lines = [attachments[start : start + 2] for start in range(0, len(attachments), 2)]
    views = [[attachment_view(one, 4 / 3 if len(line) == 2 else 8 / 3, hidden) for one in line] for line in lines]
    return column(*(box(*line, spacing=4) for line in views), spacing=4)


class Timeline(Gtk.ApplicationWindow):
    def __init__(self, application, timeline):
        super().__init__(application=application, title="Timeline", default_width=480, default_height=800)
        self.timeline = timeline
        self.file = mastodon.StoredFile("timeline.json")
        self.older, self.loading, self.failure = None, False, None
        self.items = Gio.ListStore(item_type=Item)
        factory = Gtk.SignalListItemFactory()
        factory.connect("bind", lambda _, row: self.bind(row))
        factory.connect("unbind", lambda _, row: row.set_child(None))
        view = Gtk.ListView(model=Gtk.NoSelection(model=self.items), factory=factory)
        scroller = Gtk.ScrolledWindow(
            child=view, vexpand=True, hscrollbar_policy=Gtk.PolicyType.NEVER, css_classes=["timeline"])
        scroller.get_vadjustment().connect("value-changed", self.scrolled)
        self.banner = box(spacing=12, css_classes=["banner"], visible=False)
        self.banner.append(Gtk.Image(icon_name="network-offline-symbolic"))
        self.problem = label("", hexpand=True)
        self.banner.append(self.problem)
        self.banner.append(button("Try again", self.reload))
        self.set_child(column(self.banner, scroller, spacing=0))
        self.show_statuses(self.file.read() or [])
        self.reload()

    # The pages

    def show_statuses(self, statuses):
        """Inserts and removes only what differs, so that the scroll position stays."""
        shown = self.items[0].status["id"] if len(self.items) else None
        new = next((place for place, status in enumerate(statuses) if status["id"] == shown), len(statuses))
        kept, items = len(statuses) - new, [Item(status) for status in statuses[:new]]
        if kept:
            self.items.splice(kept, len(self.items) - kept, [Item()])
            self.items.splice(0, 0, items)
        else:
            self.items.remove_all()
            self.items.splice(0, 0, items + [Item()] if items else [])

    def reload(self):
        """Loads the newest statuses. Those of the last start are shown until then."""
        self.loading = True
        self.banner.hide()
        self.timeline.page(None, self.received_newest)

    def received_newest(self, page, error):
        self.loading = False
        if error:
            self.problem.set_label(mastodon.message_of(error))
            self.banner.show()
        else:
            statuses, self.older = page
            self.show_statuses(statuses)
            self.file.write(statuses)

    def scrolled(self, adjustment):
        """Loads older statuses when fewer than two windows are left."""
        left = adjustment.get_upper() - adjustment.get_value() - adjustment.get_page_size()
        if self.older and not self.loading and not self.failure and left < 2 * adjustment.get_page_size():
            self.load_older()

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

    # The rows

    def bind(self, row):
        item = row.get_item()
        row.set_activatable(False)
        row.set_child(self.status_row(item) if item.status else self.end_row())

    def end_row(self):
        row = column(spacing=6, margin_top=16, margin_bottom=16, margin_start=16, margin_end=16)
        if self.failure:
            row.append(Gtk.Label(label=mastodon.message_of(self.failure)))
            row.append(button("Try again", self.load_older))
        elif self.older:
            row.append(Gtk.Spinner(spinning=True))
        else:
            row.append(Gtk.Label(label="No more posts", css_classes=["dim-label"]))
        return row

    def status_row(self, item):
        status = item.status
        account, attachments = status["account"], status["media_attachments"]
        hidden = status["sensitive"] and not item.revealed
        avatar = RemoteImage.View(
            uri=account["avatar"], decorative=True, placeholder_icon_name="avatar-default-symbolic", corner_radius=20,
            content_fit=RemoteImage.ContentFit.COVER, width_request=40, height_request=40)  # fmt: skip
        row = column(
            box(
                avatar, emoji_text(account["display_name"], account["emojis"], "name"),
                label(f"@{account['acct']}", "dim-label", hexpand=True), label(age_of(status), "dim-label"), spacing=6),
            spacing=8, margin_start=16, margin_end=16, margin_top=12, margin_bottom=12)  # fmt: skip
        if hidden:
            row.append(label(status["spoiler_text"], "warning"))
        else:
            row.append(emoji_text(text_of(status), status["emojis"]))
        if attachments:
            overlay = Gtk.Overlay(child=attachment_grid(attachments, hidden))
            if hidden:
                overlay.add_overlay(button("Show", lambda: self.reveal(item), css_classes=["osd"]))
            row.append(overlay)
        return row

    def reveal(self, item):
        item.revealed = True
        self.items.splice(self.items.find(item)[1], 1, [item])


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
