#!/usr/bin/env python3
"""Reads the gallery's page on accessibility as a screen reader does: through AT-SPI, over a message bus.

Usage: read_tree.py PROGRAM [ARGUMENT…], with a display and a session bus of one's own
(scripts/test-accessibility.sh brings both).
"""

import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

SECONDS = 60


def application(process_id):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child is not None and child.get_process_id() == process_id:
            return child
    return None


def descendants(node):
    """The node and all below it that say that they are shown."""
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield from descendants(child)


def has(node, state):
    return node.get_state_set().contains(state)


def snapshot(root):
    """What is there: role, name, description and states of each."""
    found = []
    for node in descendants(root):
        found.append(
            {
                "role": node.get_role(),
                "name": node.get_name(),
                "description": node.get_description(),
                "busy": has(node, Atspi.StateType.BUSY),
                "focusable": has(node, Atspi.StateType.FOCUSABLE),
                "node": node,
                "role name": node.get_role_name(),
            }
        )
    return found


def problems(tree):
    """What is not as it should be; empty when all is."""
    images = {item["name"]: item for item in tree if item["role"] == Atspi.Role.IMAGE and item["name"]}
    found = []

    def check(condition, sentence):
        if not condition:
            found.append(sentence)

    for number in (80, 82, 83):
        check(f"The number {number}" in images, f"no image is called by the alternative text of {number}")
    check("The number 81" not in images, "the decorative image is shown as an image")
    if found:
        return found
    check(not images["The number 80"]["busy"], "the image that is there says that it is busy")
    check(images["The number 82"]["busy"], "the image that loads does not say that it is busy")
    check(not images["The number 83"]["busy"], "the image that failed says that it is busy")
    check("404" in images["The number 83"]["description"], "the image that failed does not say why")
    below = list(descendants(images["The number 83"]["node"]))
    buttons = [node for node in below if node.get_role() == Atspi.Role.PUSH_BUTTON]
    check(len(buttons) == 1, f"{len(buttons)} buttons below the image that failed, not 1")
    for button in buttons:
        check(button.get_name() == "Try again", f"the button is called “{button.get_name()}”")
        check(has(button, Atspi.StateType.FOCUSABLE), "the button cannot be focused")
    alerts = [node for node in below if node.get_role() in (Atspi.Role.ALERT, Atspi.Role.NOTIFICATION)]
    check(len(alerts) == 1, f"{len(alerts)} alerts below the image that failed, not 1")
    # What is within a view is part of it, and says nothing of its own.
    within = [node.get_name() for node in descendants(images["The number 80"]["node"])]
    # GTK gives a widget without a name that of its class.
    said = [name for name in within if name]
    check(said == ["The number 80"], f"the view that is there says more: {within}")
    # The icon of the failure says nothing that its sentence does not.
    icons = [node for node in below if node.get_role() == Atspi.Role.IMAGE]
    check(len(icons) == 1, f"{len(icons)} images in the view that failed, not 1")
    return found


def report(tree):
    for item in tree:
        flags = " ".join(flag for flag in ("busy", "focusable") if item[flag])
        print(f"  {item['role name']}: “{item['name']}” {flags} {item['description']}")


def main():
    program = subprocess.Popen(sys.argv[1:])
    tree, found = [], ["the program is not on the bus"]
    try:
        deadline = time.monotonic() + SECONDS
        while found and time.monotonic() < deadline and program.poll() is None:
            # What others say comes in between.
            context = GLib.MainContext.default()
            while context.pending():
                context.iteration(False)
            time.sleep(0.2)
            try:
                root = application(program.pid)
                if root is not None:
                    # Nothing remembered: what is there now counts.
                    root.set_cache_mask(Atspi.Cache.NONE)
                    root.clear_cache()
                    tree = snapshot(root)
                    found = problems(tree)
            except GLib.Error as error:
                # A node went while it was read.
                found = [str(error)]
    finally:
        program.terminate()
        program.wait()
    if not found:
        print("The tree that screen readers see is as it should be.")
        return 0
    for sentence in found:
        print(f"Accessibility: {sentence}.")
    report(tree)
    return 1


if __name__ == "__main__":
    sys.exit(main())
