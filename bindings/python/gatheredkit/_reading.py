"""What one read of a source gave."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from ._errors import InvalidArgumentError, unknown_key, with_remedy
from ._info import SessionInfo
from ._native import Availability, SampleStatus
from ._sample import Sample
from ._shown import aligned, samples_html
from ._texts import to_json
from ._values import Value, Vector


class Reading(Mapping[str, Sample]):
    """One reading of a source: a mapping of its samples by key, in catalogue order, that prints as
    lines. Made by `Context.read`; it keeps neither the source nor its context.

    `info` is the source as it was, `remedy` what to do about a source that is not there, or "".

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context:
    ...     reading = context.read("memory")
    >>> reading.id, len(reading) > 10, reading["total"].unit
    ('memory|machine', True, 'By')
    """

    __slots__ = ("_samples", "info", "remedy")

    def __init__(self, info: SessionInfo, samples: Mapping[str, Sample], remedy: str = "") -> None:
        self.info = info
        self.remedy = remedy
        self._samples = dict(samples)

    @property
    def id(self) -> str:
        """The id of the source."""
        return self.info.id

    @property
    def is_missing(self) -> bool:
        """Whether the source is not there: it is unavailable, and no value is known."""
        is_silent = all(
            sample.value is None and sample.stale_value is None for sample in self.values()
        )
        return is_silent and self.info.availability is Availability.UNAVAILABLE

    @property
    def reason(self) -> str:
        """Why the source is not available, in a few words; "" where it is."""
        if self.info.availability is Availability.AVAILABLE:
            return ""
        return self.info.detail or self.info.reason.name.lower().replace("_", " ")

    @property
    def sample(self) -> Sample:
        """The sample of a reading of one property: `context.read("memory/available").sample`.

        Raises `InvalidArgumentError` where there are several.
        """
        if len(self._samples) != 1:
            raise InvalidArgumentError(
                f"a reading of {self.id} has {len(self)} samples",
                remedy="choose one by its key, or read SOURCE/KEY",
            )
        return next(iter(self._samples.values()))

    @property
    def value(self) -> Value:
        """The value of a reading of one property, None while there is none. Raises as `sample`.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:laptop") as context:
        ...     context.read("battery/level").value <= 1
        True
        """
        return self.sample.value

    def __getitem__(self, key: str) -> Sample:
        found = self._samples.get(key)
        if found is None:
            raise unknown_key("property", key, self._samples)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._samples)

    def __len__(self) -> int:
        return len(self._samples)

    def to_json(self) -> str:
        """The reading on one line, as `gathered read --json` writes it: exact values in the units
        of the properties; what is missing is null, with the reason.

        >>> import gatheredkit as gk
        >>> with gk.Context("sim:laptop") as context:
        ...     text = context.read("device_metadata/hostname").to_json()
        >>> text[text.index("values"):]
        'values":{"hostname":{"value":null,"unit":null,"status":"permission","reason":"withheld",\
"remedy":"open the context with allow=hostname"}}}'
        """
        newest = max((sample.time_ns for sample in self.values()), default=0)
        values = {key: _members(sample) for key, sample in self.items()}
        return to_json({"id": self.id, "time_ns": newest, "values": values})

    def __repr__(self) -> str:
        reason = self.reason
        if not reason:
            return "\n".join([self.id, *aligned(self)])
        reasons = {sample.reason for sample in self.values()}
        # What one reason explains is explained by the source's.
        known = reasons if self.is_missing and len(reasons) == 1 else {reason}
        head = f"{self.id}: {with_remedy(reason, self.remedy)}"
        return "\n".join([head, *aligned(self, without=known)])

    def _repr_html_(self) -> str:
        reason = self.reason
        told = f": {with_remedy(reason, self.remedy)}" if reason else ""
        return samples_html(self.id + told, self)


def _members(sample: Sample) -> dict[str, Value]:
    """A sample as JSON lines have it."""
    payload = sample.stale_value if sample.value is None else sample.value
    found: dict[str, Value] = {"value": _finite(payload), "unit": sample.unit}
    status = sample.status
    found["status"] = _STATUS_WORDS.get(status, str(int(status)))
    for name, text in (("reason", sample.reason), ("remedy", sample.remedy)):
        if text:
            found[name] = text
    return found


_STATUS_WORDS = {
    SampleStatus.OK: "ok",
    SampleStatus.NO_DATA: "noData",
    SampleStatus.STALE: "stale",
    SampleStatus.PERMISSION: "permission",
    SampleStatus.UNSUPPORTED: "unsupported",
    SampleStatus.FAILED: "error",
}


def _finite(value: Value) -> Value:
    """A value without the numbers that JSON has no words for."""
    if isinstance(value, Vector):
        if all(map(math.isfinite, value)):
            return value
        return {"vector": [number if math.isfinite(number) else None for number in value]}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
