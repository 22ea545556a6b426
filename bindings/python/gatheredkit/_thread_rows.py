"""What each thread read last of a source, in memory that is kept for the next reading."""

from __future__ import annotations

import ctypes

from ._native import gkit_sample
from ._sample import Sample


class ThreadRows:
    """The values one thread read last, in memory kept for the next ones; payloads are borrowed by
    thread. What `made` holds are the samples that were asked for."""

    __slots__ = ("buffer", "capacity", "made", "place", "room", "stamp", "thread")

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self.stamp: object = None
        self.made: dict[str, Sample] = {}
        self.make_room(0)

    def make_room(self, capacity: int) -> None:
        self.buffer = (gkit_sample * capacity)()
        # Where they are and how many, as the functions of `bound` take it.
        self.place = ctypes.c_void_p.from_param(ctypes.addressof(self.buffer) if capacity else None)
        self.room = ctypes.c_size_t.from_param(capacity)
        self.capacity = capacity
