#!/usr/bin/env python3
"""Reads the gallery's accessibility page as screen readers do: through AT-SPI on a message bus.

Usage: read_tree.py PROGRAM [ARGUMENT…], on a private display and a private session bus, which
scripts/test-accessibility.sh starts.
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
    """The node and all its descendants."""
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield from descendants(child)


def has(node, state):
    return node.get_state_set().contains(state)


def snapshot(root):
    """The role, name, description and states of all nodes."""
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
    """The deviations from the expected tree; empty if there are none."""
    images = {item["name"]: item for item in tree if item["role"] == Atspi.Role.IMAGE and item["name"]}
    found = []

    def check(condition, sentence):
        if not condition:
            found.append(sentence)

    for number in (80, 82, 83):
        check(f"The number {number}" in images, f"no image is named by the alternative text of {number}")
    check("The number 81" not in images, "the decorative image is exposed as an image")
    if found:
        return found
    check(not images["The number 80"]["busy"], "the loaded image is marked as busy")
    check(images["The number 82"]["busy"], "the loading image is not marked as busy")
    check(not images["The number 83"]["busy"], "the failed image is marked as busy")
    check("404" in images["The number 83"]["description"], "the failed image has no description of the error")
    below = list(descendants(images["The number 83"]["node"]))
    buttons = [node for node in below if node.get_role() == Atspi.Role.PUSH_BUTTON]
    check(len(buttons) == 1, f"the failed image has {len(buttons)} buttons, not 1")
    for button in buttons:
        check(button.get_name() == "Try again", f"the button is named “{button.get_name()}”")
        check(has(button, Atspi.StateType.FOCUSABLE), "the button cannot be focused")
    alerts = [node for node in below if node.get_role() in (Atspi.Role.ALERT, Atspi.Role.NOTIFICATION)]
    check(len(alerts) == 1, f"the failed image has {len(alerts)} alerts, not 1")
    # The widgets within a view are presentational and have no names of their own.
    within = [node.get_name() for node in descendants(images["The number 80"]["node"])]
    # Only the view itself has a name.
    said = [name for name in within if name]
    check(said == ["The number 80"], f"the loaded view exposes more names: {within}")
    # The failure's icon is not exposed, since it repeats the message.
    icons = [node for node in below if node.get_role() == Atspi.Role.IMAGE]
    check(len(icons) == 1, f"the failed view has {len(icons)} images, not 1")
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
            # Processes the pending events of AT-SPI.
            context = GLib.MainContext.default()
            while context.pending():
                context.iteration(False)
            time.sleep(0.2)
            try:
                root = application(program.pid)
                if root is not None:
                    # Without a cache, the snapshot contains the current state.
                    root.set_cache_mask(Atspi.Cache.NONE)
                    root.clear_cache()
                    tree = snapshot(root)
                    found = problems(tree)
            except GLib.Error as error:
                # A node was removed while it was read.
                found = [str(error)]
    finally:
        program.terminate()
        program.wait()
    if not found:
        print("The accessibility tree is as expected.")
        return 0
    for sentence in found:
        print(f"Accessibility: {sentence}.")
    report(tree)
    return 1


if __name__ == "__main__":
    sys.exit(main())
