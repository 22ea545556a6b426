"""Energy: what the machine takes while a block of a program runs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from types import TracebackType

from ._context import Context, Source
from ._default import default_context
from ._errors import GatheredKitError, NoDataError, PermissionDeniedError, UnavailableError
from ._native import SampleStatus
from ._sample import Sample

# Counters that wrap are read more often by themselves.
_INTERVAL = 60.0


class EnergyUsed(Mapping[str, float]):
    """Joules that were used since a block began, by id of the sources of the kind `power` that
    count them: those of the whole machine, whatever else it did meanwhile. `total` is the sum that
    the aggregate makes, `missing` tells why a source has no number, `duration` is in seconds.

    Made by `energy`. While the block runs all of them say what it took so far.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._open = contextlib.ExitStack()
        self._sources: dict[str, Source] = {}
        self._first: dict[str, Sample] = {}
        self._last: dict[str, Sample] = {}
        self._errors: dict[str, GatheredKitError] = {}

    def __enter__(self) -> EnergyUsed:
        with contextlib.ExitStack() as stack:
            self._total = self._begin(stack.enter_context(self._context.open("power")))
            for info in self._context.sources("power"):
                if info.id != self._total:
                    self._begin(stack.enter_context(self._context.open(info.id)))
            self._open = stack.pop_all()
        self._look()
        self._first = dict(self._last)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._open:
            self._look()
        self._sources = {}

    def _begin(self, source: Source) -> str:
        """Starts a source, so that its counter is followed; its id."""
        with contextlib.suppress(UnavailableError):
            source.start(_INTERVAL)
        self._sources[source.id] = source
        return source.id

    def _look(self) -> None:
        """Reads all counters while the block runs; later they are as they were at its end."""
        for name, source in self._sources.items():
            sample = source.update()["energy"]
            self._last[name] = sample
            self._errors.pop(name, None)
            if sample.number is None:
                denied = sample.status is SampleStatus.PERMISSION
                error = PermissionDeniedError if denied else NoDataError
                self._errors[name] = error(f"{name}: {sample.reason}", remedy=sample.remedy)

    def _joules(self, name: str) -> float:
        """Raises the error of a source that has no number now, or had none at the beginning."""
        if name in self._errors:
            raise self._errors[name]
        first, last = self._first[name].number, self._last[name].number
        if first is None or last is None:
            raise NoDataError(f"{name}: nothing was known of it when the block began")
        return last - first

    @property
    def total(self) -> float:
        """Joules of packages, their memory and discrete graphics cards together. Nothing is
        subtracted for what the machine would have taken anyway.

        Raises `PermissionDeniedError` where a counter may not be read, with the remedy, and
        `NoDataError` where there is none.
        """
        self._look()
        return self._joules(self._total)

    @property
    def missing(self) -> dict[str, str]:
        """The sources without a number, and why."""
        self._look()
        found: dict[str, str] = {}
        for name in self._first:
            try:
                self._joules(name)
            except GatheredKitError as error:
                found[name] = str(error)
        return found

    @property
    def duration(self) -> float:
        """Seconds between the first and the last look at the counters."""
        self._look()
        return (self._last[self._total].boot_ns - self._first[self._total].boot_ns) / 1e9

    def __getitem__(self, name: str) -> float:
        self._look()
        try:
            return self._joules(name)
        except (NoDataError, PermissionDeniedError) as error:
            raise KeyError(name) from error

    def __iter__(self) -> Iterator[str]:
        gone = self.missing
        return (name for name in self._first if name not in gone and name != self._total)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        if not self._first:
            return "<EnergyUsed not begun>"
        parts = [f"{name} {joules:.3g} J" for name, joules in self.items()]
        return f"<EnergyUsed {', '.join(parts) or 'nothing counts'}>"


def energy(context: Context | None = None) -> EnergyUsed:
    """What the machine takes while a block runs: `with energy() as used`, then `used.total` in
    joules, or `used["power|package-0"]` of one source of the kind `power`.

    Raises nothing for want of counters: `total` does, when it is asked for.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, gk.energy(context) as used:
    ...     squares = [number * number for number in range(1000)]
    >>> used["power|package-0"] >= 0
    True
    """
    return EnergyUsed(context or default_context())
