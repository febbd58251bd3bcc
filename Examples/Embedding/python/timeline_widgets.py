"""The widgets of the timeline: a row for each status, with its emoji and images."""

import datetime
import html
import re

from gi.repository import Gtk, RemoteImage


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
                uri=address, alternative_text=piece, reserved_width=22, reserved_height=22, valign=Gtk.Align.CENTER,
                placeholder=Gtk.Box()))  # fmt: skip
        elif piece:
            line.append(label(piece))
    return line


def is_image(attachment):
    """Whether an attachment is an image whose sizes are known, and not a sound, for example."""
    meta = attachment["meta"] or {}
    return attachment["type"] == "image" and attachment["preview_url"] and "small" in meta and "original" in meta


def source_of(attachment):
    """The smaller image, or the original where that has too few pixels."""
    meta = attachment["meta"]
    return RemoteImage.Source.new_candidates(
        [attachment["preview_url"], attachment["url"]], [meta["small"]["width"], meta["original"]["width"]],
        meta["original"]["width"] / meta["original"]["height"])  # fmt: skip


def attachment_view(attachment, ratio, hidden):
    view = RemoteImage.View(
        source=source_of(attachment), alternative_text=attachment["description"] or "", css_classes=["image"],
        blur_hash=attachment["blurhash"], aspect_ratio=ratio, keep_while_loading=True,
        content_fit=Gtk.ContentFit.COVER, corner_radius=8, transition_duration=250, hexpand=True)  # fmt: skip
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
    return column(*(box(*line, spacing=4, homogeneous=True) for line in views), spacing=4)


def status_row(status, revealed, reveal):
    """A status with its author, its text and its images."""
    account, attachments = status["account"], [one for one in status["media_attachments"] if is_image(one)]
    hidden = status["sensitive"] and not revealed
    avatar = RemoteImage.View(
        uri=account["avatar"], decorative=True, placeholder_icon_name="avatar-default-symbolic", corner_radius=20,
        content_fit=Gtk.ContentFit.COVER, reserved_width=40, reserved_height=40)  # fmt: skip
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
            overlay.add_overlay(button("Show", reveal, css_classes=["osd"]))
        row.append(overlay)
    return row
