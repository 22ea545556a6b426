"""The message Imu, with the fields and types that sensor_msgs/msg/Imu has."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class Time:
    sec: int = 0
    nanosec: int = 0


@dataclass
class Header:
    stamp: Time = field(default_factory=Time)
    frame_id: str = ""


@dataclass
class Vector3:
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    def length(self) -> float:
        return math.hypot(self.x, self.y, self.z)


@dataclass
class Quaternion:
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 1.0


@dataclass
class Imu:
    header: Header = field(default_factory=Header)
    orientation: Quaternion = field(default_factory=Quaternion)
    angular_velocity: Vector3 = field(default_factory=Vector3)
    linear_acceleration: Vector3 = field(default_factory=Vector3)

    def check(self) -> None:
        """That a subscriber could use it."""
        turn = self.orientation
        assert abs(math.hypot(turn.x, turn.y, turn.z, turn.w) - 1) < 1e-6, turn
        assert 5 < self.linear_acceleration.length() < 15, self.linear_acceleration
        assert self.angular_velocity.length() < 10, self.angular_velocity
        assert self.header.frame_id, self.header
        assert isinstance(self.header.stamp.sec, int), self.header
        assert 0 <= self.header.stamp.nanosec < 10**9, self.header
