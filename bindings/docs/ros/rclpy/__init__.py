"""Stands in for what the node on the page `robot` uses of ROS 2's rclpy, where that is not there.

`spin` runs the timers of a node until it has published some messages, prints the last one, and
checks that each is one.
"""

from __future__ import annotations

import sys
import time

from .node import Node

ENOUGH = 10
LIMIT_S = 60.0


def init() -> None:
    """Would connect to the other nodes."""


def spin(node: Node) -> None:
    end = time.monotonic() + LIMIT_S
    while len(node.published) < ENOUGH:
        if time.monotonic() > end:
            sys.exit(f"{node.name} published {len(node.published)} messages in {LIMIT_S:.0f} s")
        time.sleep(min(node.periods))
        for call in node.calls:
            call()
    for message in node.published:
        message.check()
    print(node.name, node.topic, node.published[-1])
