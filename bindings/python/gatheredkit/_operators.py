"""The operators the library has, as methods; durations are seconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._abi import encoded
from ._delivery import Read, change, payload, value_update
from ._durations import duration_ns
from ._errors import InvalidArgumentError
from ._library import encode, native

if TYPE_CHECKING:
    from ._observable import Observable
    from ._stream import Stream

T = TypeVar("T")

# What pass on the values they are given.
_PASSING = {
    "distinct",
    "buffered",
    "bracketed",
    "throttle",
    "debounce",
    "sample",
    "min_change",
    "timeout",
}
_READS: dict[str, Read[Any]] = {"changes": change, "updates": value_update}
_DURATIONS = ("duration", "time_constant")


class Absent:
    """Stands for an argument that was not given, where None is a value."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()


class Operators(Generic[T]):
    """The operators of the library."""

    if TYPE_CHECKING:
        _read: Read[Any]
        _derived: Callable[..., Any]

    def apply(self, op: str, **arguments: Any) -> Stream[Any]:
        """Makes a stream by the name of an operator: `apply("moving_average", window=10)`.

        Durations are `duration=` and `time_constant=` in seconds, or `duration_ns=` and
        `time_constant_ns=` exactly.
        Raises `NotFoundError` (no such operator; the message offers the nearest),
        `NotSupportedError` (needs an observable), `InvalidArgumentError`.
        """
        name = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", op).lower()
        read = self._read if name in _PASSING else _READS.get(name, payload)
        with encoded(_in_nanoseconds(arguments)) as made:
            given = made.as_.dict if arguments else None
            function = native().gkit_stream_apply
            derived: Stream[Any] = self._derived(
                self._kind_of(name), function, (encode(op), given), None, read
            )
        return derived

    def _kind_of(self, op: str) -> type[Stream[Any]]:
        """The kind of stream an operator makes of this one."""
        from ._observable import Observable
        from ._stream import Stream

        return Observable if op == "counted" else Stream

    def distinct(self) -> Stream[T]:
        """Leaves out what equals the value before: an int never equals a float, NaN equals NaN.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty", loop="manual") as context:
        ...     numbers = gk.Signal(context=context)
        ...     _ = numbers.distinct().subscribe(print)
        ...     for n in (1, 1, 2):
        ...         numbers.send(n)
        1
        2
        """
        return self.apply("distinct")

    def buffered(self) -> Stream[T]:
        """Shares one subscription among all its subscribers."""
        return self.apply("buffered")

    def counted(self) -> Observable[int]:
        """How many values came, from now on, observed or not."""
        counted: Any = self.apply("counted")
        kept: Observable[int] = counted
        return kept

    def flatten(self) -> Stream[Any]:
        """The items of each list, in order."""
        return self.apply("flatten")

    def bracketed(self, hello: Any = ABSENT, goodbye: Any = ABSENT) -> Stream[T]:
        """Gives each subscriber `hello` first and `goodbye` when it leaves."""
        return self.apply("bracketed", **_given(hello=hello, goodbye=goodbye))

    def throttle(self, duration: float, latest: bool = True) -> Stream[T]:
        """A value passes at once and closes the gate for `duration`; the newest of those that came
        meanwhile follows, unless `latest` is false."""
        return self.apply("throttle", duration=duration, latest=latest)

    def debounce(self, duration: float) -> Stream[T]:
        """The newest value, once none has come for `duration`."""
        return self.apply("debounce", duration=duration)

    def sample(self, duration: float) -> Stream[T]:
        """At each multiple of `duration`, the newest value if one came since the last."""
        return self.apply("sample", duration=duration)

    def batch(self, count: int | None = None, duration: float | None = None) -> Stream[list[T]]:
        """Lists without overlap: full at `count`, or `duration` after their first value."""
        return self.apply("batch", **_wanted(count=count, duration=duration))

    def window(self, count: int | None = None, duration: float | None = None) -> Stream[list[T]]:
        """On each value, a list of the last `count`, or of those not older than `duration`."""
        return self.apply("window", **_wanted(count=count, duration=duration))

    def moving_average(
        self, window: int | None = None, duration: float | None = None
    ) -> Stream[Any]:
        """The mean of the last `window` values, or of those not older than `duration`.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:empty", loop="manual") as context:
        ...     numbers = gk.Signal(context=context)
        ...     _ = numbers.moving_average(2).subscribe(print)
        ...     for n in (1.0, 3.0, 5.0):
        ...         numbers.send(n)
        1.0
        2.0
        4.0
        """
        return self.apply("moving_average", **_wanted(window=window, duration=duration))

    def low_pass(
        self, time_constant: float | None = None, *, alpha: float | None = None
    ) -> Stream[Any]:
        """Smoothed exponentially: by `time_constant` seconds, or by `alpha` a value."""
        return self.apply("low_pass", **_wanted(time_constant=time_constant, alpha=alpha))

    def min_change(self, delta: float) -> Stream[T]:
        """The first value, then each that differs from the last one sent by `delta` or more."""
        return self.apply("min_change", delta=delta)

    def timeout(self, duration: float, substitute: Any) -> Stream[T]:
        """Everything, and `substitute` after each silence of `duration`."""
        return self.apply("timeout", duration=duration, substitute=substitute)


def _wanted(**arguments: Any) -> dict[str, Any]:
    """The arguments that are not None."""
    return {key: value for key, value in arguments.items() if value is not None}


def _given(**arguments: Any) -> dict[str, Any]:
    """The arguments that are not ABSENT."""
    return {key: value for key, value in arguments.items() if value is not ABSENT}


def _in_nanoseconds(arguments: dict[str, Any]) -> dict[str, Any]:
    """Seconds as the nanoseconds the library takes."""
    made = dict(arguments)
    for name in _DURATIONS:
        if name in made:
            if f"{name}_ns" in made:
                raise InvalidArgumentError(f"give `{name}` or `{name}_ns`, not both")
            made[f"{name}_ns"] = duration_ns(made.pop(name))
    return made
