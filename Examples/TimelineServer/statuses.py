"""The statuses of the home timeline, as the entities of the Mastodon API (docs.joinmastodon.org/entities)."""

import html
import re
from datetime import datetime, timedelta, timezone

import emoji
import painting

# Names with custom emoji, and user names.
ACCOUNTS = [
    ("Anna Lindqvist :blobheart:", "anna"), ("Marek", "marek"), ("Yuki Tanaka", "yuki"),
    ("Dora :spinstar:", "dora"), ("Elif Aydın", "elif"), ("Tom Okafor", "tom"), ("Ines", "ines"),
    ("Paulo :wavehello:", "paulo"), ("Saga", "saga"), ("Henrik Dahl", "henrik"), ("Amara", "amara"),
]  # fmt: skip

# Texts, with the number of images and the content warning that some of them have.
POSTS = [
    ("Up at five for this. Worth every minute.", 1),
    ("Coffee first, then the rest of the day. :coffeetime:", 0),
    ("The ending of the film. I have questions.", 1, "Spoilers: the last scene"),
    ("Two evenings at the lake. The second one had the better light, the first one had the better company. #sunset", 2),
    ("Has anyone else noticed how quiet the harbour is since the ferry moved?", 0),
    ("Hello from the mountains! :wavehello:", 1),
    ("New boots, old trail. @henrik you were right about the shortcut.", 1),
    ("It works! It really works! :blobsmile: :spinstar:", 0),
    ("Four seasons from the same window. #photography", 4),
    ("Rain until noon, then this.", 1),
    ("Thank you all for the kind words :blobheart:", 0),
    ("The city looks best from the ferry.", 1),
    ("Spiders, up close, but beautiful ones.", 1, "Spiders"),
    ("Anyone at the conference today? I am the one with the red umbrella.", 0),
    ("Fog over the valley, and a bus that did not come.", 1),
    ("Night shift.", 1),
    ("Reading the book that everyone read last year. Everyone was right.", 0),
    ("Three stops on the way home", 3),
    ("Desert nights are colder than I remembered.", 1),
    ("Found a bakery that opens at four. Life is good. :coffeetime: :blobsmile:", 0),
]
COUNT = 64
# The newest status was written some minutes before.
START = datetime.now(timezone.utc)
# The image of this status is no longer on the server.
LOST = 61
# This status has a sound.
SOUND = 4


def address(base, text):
    return f"{base}/{text}"


def emoji_entities(base, text):
    return [
        {
            "shortcode": code, "url": address(base, f"emoji/{code}.png"),
            "static_url": address(base, f"emoji/{code}-static.png"), "visible_in_picker": True, "category": "Server"}
        for code in emoji.SHAPES if f":{code}:" in text
    ]  # fmt: skip


def account(base, number):
    name, user = ACCOUNTS[number]
    avatar = address(base, f"avatars/{number}.png")
    return {
        "id": str(1000 + number), "username": user, "acct": user, "display_name": name, "locked": False, "bot": False,
        "url": address(base, f"@{user}"), "avatar": avatar, "avatar_static": avatar, "note": "", "fields": [],
        "followers_count": 40 + number * 7, "following_count": 30 + number, "statuses_count": COUNT,
        "emojis": emoji_entities(base, name)}  # fmt: skip


def measures(size):
    width, height = size
    return {"width": width, "height": height, "size": f"{width}x{height}", "aspect": width / height}


def attachment(base, number, place):
    folder = "lost" if number == LOST else "media"
    image = number * 4 + place
    name = f"{image}.png"
    return {
        "id": str(5000 + image), "type": "image", "url": address(base, f"{folder}/original/{name}"),
        "preview_url": address(base, f"{folder}/small/{name}"), "remote_url": None,
        "meta": {"original": measures(painting.size(image)), "small": measures(painting.small_size(image))},
        "description": "A painted landscape", "blurhash": painting.hash_of_landscape(image)}  # fmt: skip


def sound(base):
    return {
        "id": "4999", "type": "audio", "url": address(base, "media/original/0.mp3"), "preview_url": None,
        "remote_url": None, "meta": {"length": "0:00:42.00", "original": {"duration": 42.0, "bitrate": 128000}},
        "description": None, "blurhash": None}  # fmt: skip


def attachments(base, number):
    if number == SOUND:
        return [sound(base)]
    return [attachment(base, number, place) for place in range(attachment_count(number))]


def content(base, text):
    """The text as HTML, with links for tags and mentions."""
    text = html.escape(text, quote=False)
    text = re.sub(
        r"#(\w+)",
        rf'<a href="{base}/tags/\1" class="mention hashtag" rel="tag">#<span>\1</span></a>', text)  # fmt: skip
    text = re.sub(
        r"@(\w+)", rf'<span class="h-card"><a href="{base}/@\1" class="u-url mention">@<span>\1</span></a></span>', text)
    return f"<p>{text}</p>"


def author(number):
    """The number of the account that has written a status."""
    return (number * 3 + number // len(POSTS)) % len(ACCOUNTS)


def attachment_count(number):
    return 1 if number == LOST else POSTS[number % len(POSTS)][1]


def status(base, number):
    """The status with a number from 0, the newest, to `COUNT` - 1."""
    text, _, *warning = POSTS[number % len(POSTS)]
    user = ACCOUNTS[author(number)][1]
    time = START - timedelta(minutes=4 + number * 7 + number**2 // 2)
    identity = str(110_000_000 - number)
    return {
        "id": identity, "created_at": time.strftime("%Y-%m-%dT%H:%M:%S.000Z"), "in_reply_to_id": None,
        "in_reply_to_account_id": None, "sensitive": bool(warning), "spoiler_text": warning[0] if warning else "",
        "visibility": "public", "language": "en", "uri": f"{base}/users/{user}/statuses/{identity}",
        "url": f"{base}/@{user}/{identity}", "replies_count": number % 4, "reblogs_count": number * 5 % 13,
        "favourites_count": number * 11 % 37, "content": content(base, text), "reblog": None,
        "account": account(base, author(number)),
        "media_attachments": attachments(base, number),
        "mentions": [], "tags": [], "emojis": emoji_entities(base, text), "card": None, "poll": None}  # fmt: skip


def page(base, before=None, limit=20):
    """The statuses older than one, and whether there are older ones still."""
    first = 0 if before is None else 110_000_000 - int(before) + 1
    numbers = range(max(0, first), min(COUNT, first + limit))
    return [status(base, number) for number in numbers], bool(numbers) and numbers[-1] + 1 < COUNT
