"""What the proofs share: named tests, patience, and the line that says what came out."""

from __future__ import annotations

import signal
import time
import traceback
from collections import deque
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

import gatheredkit as gk

Found = TypeVar("Found")
Test = Callable[[], None]

# The machine is emulated, some fifteen times slower than the computer it runs on.
PATIENCE = 300.0
LONGEST_TEST = 1200


class Failed(Exception):
    """What was expected did not hold; the text is the evidence."""


class Skipped(Exception):
    """The test does not apply here; the text says why."""


_tests: list[tuple[str, Test, int]] = []


def proves(name: str, *, seconds: int = LONGEST_TEST) -> Callable[[Test], Test]:
    """Makes a function a test; its name is a sentence."""

    def add(function: Test) -> Test:
        _tests.append((name, function, seconds))
        return function

    return add


def expect(holds: object, evidence: object) -> None:
    """Raises `Failed` with the evidence unless something holds."""
    if not holds:
        raise Failed(str(evidence))


def expect_equal(found: object, wanted: object, what: object = "") -> None:
    """Raises `Failed` unless two things are equal."""
    expect(found == wanted, f"{what} {found!r}, expected {wanted!r}".strip())


def expect_near(found: float | None, wanted: float, tolerance: float, what: str = "") -> None:
    """Raises `Failed` unless a number is there and within the tolerance."""
    near = found is not None and abs(found - wanted) <= tolerance
    expect(near, f"{what} {found!r}, expected {wanted!r} within {tolerance:g}".strip())


def eventually(
    what: str, look: Callable[[], Found | None], *, within: float = PATIENCE, every: float = 0.1
) -> Found:
    """Looks until there is something, and returns it."""
    end = time.monotonic() + within
    while True:
        found = look()
        if found:
            return found
        expect(time.monotonic() < end, f"{what}: not within {within:g} s")
        time.sleep(every)


def reads(source: gk.Source, key: str, wanted: object) -> None:
    """Reads until a value is what is wanted, for drivers keep what they know for a while."""

    def look() -> bool:
        return bool(source.update()[key].value == wanted)

    try:
        eventually(f"{source.id}/{key}", look)
    except Failed:
        sample = source[key]
        raise Failed(
            f"{source.id}/{key} {sample.status.name} {sample.value!r}, expected {wanted!r}: "
            f"{source.explain(key)}"
        ) from None


def arrives(source: gk.Source, key: str, wanted: object, *, within: float = PATIENCE) -> None:
    """Waits until a value of an updating source is what is wanted, without reading."""
    try:
        eventually(key, lambda: source[key].value == wanted, within=within)
    except Failed:
        sample = source[key]
        raise Failed(
            f"{source.id}/{key} still {sample.status.name} {sample.value!r} after {within:g} s, "
            f"expected {wanted!r}"
        ) from None


class Seen:
    """Events as they come, of a source or of a context's instances."""

    def __init__(self, listen: Callable[[Callable[[gk.Event], object]], gk.Connection]) -> None:
        self._events: deque[gk.Event] = deque()
        self._connection = listen(self._events.append)

    def next(self, *wanted: gk.EventType, within: float = PATIENCE) -> gk.Event:
        """The next event, which must be of one of the types given, if any."""
        eventually(f"an event {wanted}", lambda: bool(self._events), within=within)
        event = self._events.popleft()
        expect(not wanted or event.type in wanted, f"{event}, expected {wanted}")
        return event

    def __enter__(self) -> Seen:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.disconnect()


def watching(context: gk.Context, kind: str) -> Seen:
    """The instances of a kind that come and go."""
    return Seen(lambda take: context.listen_events(take, kind))


def needs_kinds(*kinds: str) -> None:
    """Skips the test if the library does not have these kinds."""
    with gk.Context("sim:empty") as context:
        known = {entry["kind"] for entry in context.doctor().kinds}
    missing = [kind for kind in kinds if kind not in known]
    if missing:
        raise Skipped(f"this library has no {', '.join(missing)}")


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise Failed("took too long")


def _run(name: str, function: Test, seconds: int) -> str:
    signal.alarm(seconds)
    try:
        function()
    except Skipped as reason:
        print(f"skipped {name}: {reason}", flush=True)
        return "skipped"
    except Failed as failure:
        place = traceback.extract_tb(failure.__traceback__)
        lines = [str(frame.lineno) for frame in place if frame.filename != __file__]
        print(f"FAILED  {name}: {failure} (line {', '.join(lines)})", flush=True)
        return "failed"
    except Exception:
        print(f"FAILED  {name}: {traceback.format_exc()}", flush=True)
        return "failed"
    finally:
        signal.alarm(0)
    print(f"ok      {name}", flush=True)
    return "passed"


def run() -> int:
    """Runs the tests in the order written; prints the closing line; returns how many failed."""
    signal.signal(signal.SIGALRM, _too_long)
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, function, seconds in _tests:
        counts[_run(name, function, seconds)] += 1
    print(", ".join(f"{count} {word}" for word, count in counts.items()), flush=True)
    return counts["failed"]
