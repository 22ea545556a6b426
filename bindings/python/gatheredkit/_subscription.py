"""Sinks: what a connection keeps, and C calls by number."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ._callbacks import Entry
from ._delivery import Read, memory
from ._sample import SAMPLE_SIZE

T = TypeVar("T")


class Subscription(Generic[T]):
    """A function that is called with each value of a stream.

    C knows its entry only, which does not hold it: a sink that holds its own stream is no circle
    that Python cannot see, and goes with the stream.
    """

    __slots__ = ("__weakref__", "_read", "_sink", "entry", "error")

    def __init__(self, sink: Callable[[T], object], read: Read[T]) -> None:
        self._sink = sink
        self._read = read
        self.error: BaseException | None = None
        self.entry = Entry(_deliverer(weakref.ref(self)), self)

    def floating(self) -> Entry:
        """An entry that holds the sink itself, for subscriptions without a connection."""
        self.entry.call = self.deliver
        return self.entry

    def deliver(self, samples: int, count: int) -> None:
        """Calls the sink with each value; one that fails does not keep the next ones from it."""
        data, entry = memory(samples, count), self.entry
        for index in range(count):
            if index and entry.cut:
                break
            try:
                self._sink(self._read(data, index * SAMPLE_SIZE))
            except BaseException as error:
                entry.report(error)


def _deliverer(subscription: weakref.ref[Subscription[Any]]) -> Callable[[int, int], None]:
    def deliver(samples: int, count: int) -> None:
        found = subscription()
        if found is not None:
            found.deliver(samples, count)

    return deliver
