"""What is known of sources besides their values: availability, intervals, explanations."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ._errors import GatheredKitError
from ._html import html_table
from ._library import native, other_libraries, taken, text
from ._native import (
    Availability,
    EventType,
    Reason,
    SampleStatus,
    SourceState,
    ValueType,
    gkit_source_info,
    gkit_value,
)
from ._records import ExplanationMembers, InstanceReport, KindReport, MechanismReport, ReportMembers


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """One instance of a kind. `label` is the instance's name, for people; `detail` one clause with
    the path, name or host concerned; `remedy` says what to do about it, or "".

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context:
    ...     found = context.sources("memory")[0]
    >>> found.id, found.availability.name, found.reason.name
    ('memory|machine', 'AVAILABLE', 'AVAILABLE')
    """

    id: str
    kind: str
    name: str
    label: str
    availability: Availability
    reason: Reason
    detail: str
    remedy: str

    def __repr__(self) -> str:
        return f"<SourceInfo {self.id} {self.availability.name.lower()}>"


@dataclass(frozen=True, slots=True)
class SessionInfo(SourceInfo):
    """A source at one moment. Intervals are nanoseconds; `errno` is the number behind the reason,
    or 0; `number` is what this session's samples carry as `source`.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, context.open("memory") as memory:
    ...     info = memory.info
    >>> info.state.name, info.default_interval_ns
    ('IDLE', 1000000000)
    """

    backend: str
    state: SourceState
    errno: int
    number: int
    property_count: int
    min_interval_ns: int
    default_interval_ns: int

    def __repr__(self) -> str:
        return f"<SessionInfo {self.id} {self.availability.name.lower()} {self.state.name.lower()}>"


@dataclass(frozen=True, slots=True)
class Rates:
    """The intervals of a session in nanoseconds, 0 where there is none yet: asked for, granted
    (`reason` says why it differs), and measured over the last 20 updates. `skipped` counts ticks
    that were due while a late one was delivered, `dropped` what was lost to a slow host.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, context.open("memory") as memory:
    ...     memory.start(every=2)
    ...     rates = memory.rates
    >>> rates.asked_ns, rates.granted
    (2000000000, 2.0)
    """

    asked_ns: int
    granted_ns: int
    measured_ns: int
    skipped: int
    dropped: int
    reason: str

    @property
    def granted(self) -> float:
        """What is being done, in seconds."""
        return self.granted_ns / 1e9

    @property
    def measured(self) -> float:
        """Mean spacing of the last 20 updates, in seconds."""
        return self.measured_ns / 1e9


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a value is what it is. `place` is where it came from, `raw` what the backend gave, None
    when it is withheld; `clock` is hardware, kernel or library.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context, context.open("memory") as memory:
    ...     memory.update().explain("total").status.name
    'OK'
    """

    status: SampleStatus
    reason: str
    remedy: str
    place: str
    clock: str
    errno: int
    raw: str | bytes | None


@dataclass(frozen=True, slots=True)
class Event:
    """What happened to a source or an instance; `error` says why, for FAILED and for a STOPPED
    that was not asked for.

    >>> import gatheredkit as gk
    >>> gk.Event(gk.EventType.ADDED, "battery|BAT1")
    <Event added battery|BAT1>
    """

    type: EventType
    source_id: str
    error: GatheredKitError | None = None

    def __repr__(self) -> str:
        why = f": {self.error}" if self.error else ""
        return f"<Event {self.type.name.lower()} {self.source_id}{why}>"


class Report:
    """The doctor's findings: every kind, its instances, reasons, remedies and mechanisms.

    `kinds` and `mechanisms` are lists of dicts: kind, name, backend, availability, reason, detail,
    errno, remedy, instances; and name, version, reason, remedy.

    >>> import gatheredkit as gk
    >>> with gk.Context("sim:laptop") as context:
    ...     report = context.doctor()
    >>> "battery" in [kind["kind"] for kind in report.kinds]
    True
    """

    def __init__(self, found: ReportMembers) -> None:
        self.version = found.get("version", "")
        self.kinds: list[KindReport] = list(found.get("kinds") or [])
        self.mechanisms: list[MechanismReport] = list(found.get("mechanisms") or [])
        self.mechanisms += other_libraries()

    def to_dict(self) -> ReportMembers:
        """Everything as plain dicts and lists."""
        return {"version": self.version, "kinds": self.kinds, "mechanisms": self.mechanisms}

    def __str__(self) -> str:
        lines = [f"gatheredkit {self.version}"]
        for kind in self.kinds:
            lines.append(_line(kind, "kind"))
            lines += ["  " + _line(each, "id") for each in kind.get("instances") or []]
        return "\n".join(lines + [_line(mechanism, "name") for mechanism in self.mechanisms])

    def __repr__(self) -> str:
        return f"<Report {len(self.kinds)} kinds, {len(self.mechanisms)} mechanisms>"

    def _repr_html_(self) -> str:
        return report_html(self)


def _line(entry: Mapping[str, object], name: str) -> str:
    parts = [str(entry.get(name, "")), str(entry.get("reason") or entry.get("version") or "")]
    parts += [f"({entry['detail']})"] if entry.get("detail") else []
    parts += [f"-> {entry['remedy']}"] if entry.get("remedy") else []
    return " ".join(filter(None, parts))


def take_json(handle: int | None) -> str:
    """A list the library gave away: as JSON, then released.

    Raises as `check` where the library has no memory for it.
    """
    library, made = native(), gkit_value()
    made.type, made.as_.dict = ValueType.LIST, handle
    try:
        return taken(library.gkit_value_to_json(ctypes.byref(made)))
    finally:
        library.gkit_release(handle)


@lru_cache(maxsize=64)
def source_infos(listed: str) -> tuple[SourceInfo, ...]:
    """Instances from the JSON that lists them. It is seldom another than before."""
    entries: list[InstanceReport] = json.loads(listed)
    return tuple(map(_source_info, entries))


def _source_info(entry: InstanceReport) -> SourceInfo:
    return SourceInfo(
        id=entry["id"],
        kind=entry["kind"],
        name=entry["name"],
        label=entry.get("label", ""),
        availability=_availability(entry.get("availability", "")),
        reason=_reasons.get(entry.get("reason", ""), _UNKNOWN_REASON),
        detail=entry.get("detail", ""),
        remedy=entry.get("remedy", ""),
    )


def make_session_info(info: gkit_source_info) -> SessionInfo:
    """A source's present state, copied."""
    return SessionInfo(
        id=text(info.id),
        kind=text(info.kind),
        name=text(info.name),
        label=text(info.label),
        availability=Availability(info.availability),
        reason=Reason(info.reason),
        detail=text(info.reason_text),
        remedy=text(info.remedy),
        backend=text(info.backend),
        state=SourceState(info.state),
        errno=info.sys_errno,
        number=info.number,
        property_count=info.property_count,
        min_interval_ns=info.min_interval_ns,
        default_interval_ns=info.default_interval_ns,
    )


def make_explanation(found: ExplanationMembers) -> Explanation:
    """An explanation from its dictionary."""
    return Explanation(
        status=_statuses.get(found.get("status", ""), SampleStatus(-1)),
        reason=found.get("reason", ""),
        remedy=found.get("remedy", ""),
        place=found.get("place", ""),
        clock=found.get("clock", ""),
        errno=found.get("errno", 0),
        raw=found.get("raw"),
    )


def _camel(name: str) -> str:
    first, *others = name.lower().split("_")
    return first + "".join(word.capitalize() for word in others)


_reasons = {_camel(reason.name): reason for reason in Reason}
_statuses = {_camel(status.name): status for status in SampleStatus}
_statuses["error"] = SampleStatus.FAILED
_availabilities = {_camel(availability.name): availability for availability in Availability}
_availabilities["requiresPermissionsPrompt"] = Availability.REQUIRES_PERMISSION


_UNKNOWN_REASON = Reason(-1)
_UNKNOWN_AVAILABILITY = Availability(-1)


def _availability(word: str) -> Availability:
    """The group a word stands for; it is written in camel case or with underscores."""
    known = _availabilities.get(word)
    return _availabilities.get(_camel(word), _UNKNOWN_AVAILABILITY) if known is None else known


def report_html(report: Report) -> str:
    """The kinds of a report as a table."""
    columns = ("kind", "availability", "reason", "detail", "remedy")
    rows = [[kind.get(column, "") for column in columns] for kind in report.kinds]
    return html_table(f"gatheredkit {report.version}", columns, rows)
