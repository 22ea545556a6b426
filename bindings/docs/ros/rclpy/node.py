"""A node, as far as the page `robot` uses one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from sensor_msgs.msg import Imu


@dataclass
class Parameter:
    value: str


@dataclass
class Publisher:
    published: list[Imu]

    def publish(self, message: Imu) -> None:
        self.published.append(message)


class Node:
    """Collects what is published and which calls its timers make."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.topic = ""
        self.published: list[Imu] = []
        self.periods: list[float] = []
        self.calls: list[Callable[[], object]] = []

    def declare_parameter(self, name: str, value: str) -> Parameter:
        """What `--ros-args -p NAME:=VALUE` says, or the value given."""
        for word in sys.argv:
            if word.startswith(f"{name}:="):
                value = word.removeprefix(f"{name}:=")
        return Parameter(value)

    def create_publisher(self, kind: type[Imu], topic: str, depth: int) -> Publisher:
        self.topic = topic
        return Publisher(self.published)

    def create_timer(self, period: float, call: Callable[[], object]) -> None:
        self.periods.append(period)
        self.calls.append(call)
