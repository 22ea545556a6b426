"""GatheredKit: everything a Linux device can tell about itself, in one consistent API.

>>> import gatheredkit as gk
>>> with gk.Context("sim:laptop") as context:
...     memory = context.read("memory")
>>> memory["total"].unit
'By'
"""

from ._connections import Connection, Connector
from ._context import Context
from ._default import (
    default_context,
    default_interval,
    doctor,
    has_feature,
    library_version,
    live_count,
    open,
    read,
    set_default_interval,
    sleep,
    sources,
    watch,
)
from ._errors import (
    BusyError,
    CancelledError,
    ClosedError,
    ExistsError,
    ForkedError,
    GatheredKitError,
    HostError,
    InputOutputError,
    InvalidArgumentError,
    LibraryNotFoundError,
    LibraryVersionError,
    LimitError,
    NoDataError,
    NotFoundError,
    NotSupportedError,
    OutOfMemoryError,
    ParseError,
    PermissionDeniedError,
    ReservedError,
    TimedOutError,
    TypeMismatchError,
    UnavailableError,
    UnknownKeyError,
    ValidationError,
    WrongThreadError,
)
from ._events import Events
from ._frame import Frame
from ._ids import SourceIdentifier, build_id, parse_id
from ._info import Event, Explanation, Rates, Report, SessionInfo, SourceInfo
from ._library import library_path
from ._logging import disable_logging, enable_logging
from ._native import VERSION as __version__
from ._native import (
    Availability,
    EventType,
    LogLevel,
    Overflow,
    PropertyFlag,
    Reason,
    Reporting,
    SampleFlag,
    SampleStatus,
    SourceState,
    Status,
    ValueType,
)
from ._reader import Reader, ReaderStats
from ._samples import Property, Sample
from ._source import Source
from ._update import Update
from ._updates import Updates
from ._values import Value, convert, format_value, from_json, to_json
from ._vectors import Time, Vector

__all__ = [
    "Availability",
    "BusyError",
    "CancelledError",
    "ClosedError",
    "Connection",
    "Connector",
    "Context",
    "Event",
    "EventType",
    "Events",
    "ExistsError",
    "Explanation",
    "ForkedError",
    "Frame",
    "GatheredKitError",
    "HostError",
    "InputOutputError",
    "InvalidArgumentError",
    "LibraryNotFoundError",
    "LibraryVersionError",
    "LimitError",
    "LogLevel",
    "NoDataError",
    "NotFoundError",
    "NotSupportedError",
    "OutOfMemoryError",
    "Overflow",
    "ParseError",
    "PermissionDeniedError",
    "Property",
    "PropertyFlag",
    "Rates",
    "Reader",
    "ReaderStats",
    "Reason",
    "Report",
    "Reporting",
    "ReservedError",
    "Sample",
    "SampleFlag",
    "SampleStatus",
    "SessionInfo",
    "Source",
    "SourceIdentifier",
    "SourceInfo",
    "SourceState",
    "Status",
    "Time",
    "TimedOutError",
    "TypeMismatchError",
    "UnavailableError",
    "UnknownKeyError",
    "Update",
    "Updates",
    "ValidationError",
    "Value",
    "ValueType",
    "Vector",
    "WrongThreadError",
    "__version__",
    "build_id",
    "convert",
    "default_context",
    "default_interval",
    "disable_logging",
    "doctor",
    "enable_logging",
    "format_value",
    "from_json",
    "has_feature",
    "library_path",
    "library_version",
    "live_count",
    "open",
    "parse_id",
    "read",
    "set_default_interval",
    "sleep",
    "sources",
    "to_json",
    "watch",
]
