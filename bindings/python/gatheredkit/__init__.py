"""GatheredKit: everything a Linux device can tell about itself, in one consistent API.

>>> import gatheredkit as gk
>>> with gk.Context("sim:laptop") as context:
...     memory = context.read("memory")
>>> memory["total"].unit
'By'
"""

from ._abi import Value, convert, format_value, from_json, to_json
from ._arithmetic import combine, merge
from ._arrow import Recorded
from ._async_values import AsyncValues
from ._connections import Connection, Connector
from ._context import Context
from ._data_source import DataSource
from ._decorators import assemble
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
    FailedError,
    ForkedError,
    GatheredKitError,
    GraphError,
    HostError,
    InputOutputError,
    InvalidArgumentError,
    LibraryNotFoundError,
    LibraryVersionError,
    LimitError,
    NoDataError,
    NotFoundError,
    NotImplementedVerbError,
    NotSupportedError,
    OutOfMemoryError,
    PackageNotFoundError,
    ParseError,
    PermissionDeniedError,
    TimedOutError,
    TypeMismatchError,
    UnavailableError,
    UnknownKeyError,
    ValidationError,
    WrongThreadError,
)
from ._export import export
from ._frame import Frame
from ._futures import Future
from ._graph import Graph, graph_problems
from ._info import Event, Explanation, Rates, Report, SessionInfo, SourceInfo
from ._iterators import Events
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
from ._observable import Observable, Updatable
from ._patch import Patch
from ._patch_types import PatchFunction, patch_type, patch_types
from ._ports import Input, Output, Port
from ._promise import Promise
from ._query import Condition, Id, Query
from ._reader import Reader, ReaderStats
from ._recording import Recorder, Recording, record
from ._records import Change, PatchError, PatchType, Problem, ValueUpdate
from ._repository import Repository
from ._sample import Property, Sample
from ._source import Source
from ._stream import Stream
from ._texts import SourceIdentifier, build_id, parse_id
from ._update import Update
from ._updates import Updates
from ._values import Time, Vector
from ._variables import Publink, Signal, Timer, Variable

__all__ = [
    "AsyncValues",
    "Availability",
    "BusyError",
    "CancelledError",
    "Change",
    "ClosedError",
    "Condition",
    "Connection",
    "Connector",
    "Context",
    "DataSource",
    "Event",
    "EventType",
    "Events",
    "ExistsError",
    "Explanation",
    "FailedError",
    "ForkedError",
    "Frame",
    "Future",
    "GatheredKitError",
    "Graph",
    "GraphError",
    "HostError",
    "Id",
    "Input",
    "InputOutputError",
    "InvalidArgumentError",
    "LibraryNotFoundError",
    "LibraryVersionError",
    "LimitError",
    "LogLevel",
    "NoDataError",
    "NotFoundError",
    "NotImplementedVerbError",
    "NotSupportedError",
    "Observable",
    "OutOfMemoryError",
    "Output",
    "Overflow",
    "PackageNotFoundError",
    "ParseError",
    "Patch",
    "PatchError",
    "PatchFunction",
    "PatchType",
    "PermissionDeniedError",
    "Port",
    "Problem",
    "Promise",
    "Property",
    "PropertyFlag",
    "Publink",
    "Query",
    "Rates",
    "Reader",
    "ReaderStats",
    "Reason",
    "Recorded",
    "Recorder",
    "Recording",
    "Report",
    "Reporting",
    "Repository",
    "Sample",
    "SampleFlag",
    "SampleStatus",
    "SessionInfo",
    "Signal",
    "Source",
    "SourceIdentifier",
    "SourceInfo",
    "SourceState",
    "Status",
    "Stream",
    "Time",
    "TimedOutError",
    "Timer",
    "TypeMismatchError",
    "UnavailableError",
    "UnknownKeyError",
    "Updatable",
    "Update",
    "Updates",
    "ValidationError",
    "Value",
    "ValueType",
    "ValueUpdate",
    "Variable",
    "Vector",
    "WrongThreadError",
    "__version__",
    "assemble",
    "build_id",
    "combine",
    "convert",
    "default_context",
    "default_interval",
    "disable_logging",
    "doctor",
    "enable_logging",
    "export",
    "format_value",
    "from_json",
    "graph_problems",
    "has_feature",
    "library_path",
    "library_version",
    "live_count",
    "merge",
    "open",
    "parse_id",
    "patch_type",
    "patch_types",
    "read",
    "record",
    "set_default_interval",
    "sleep",
    "sources",
    "to_json",
    "watch",
]

# What prints a class, a traceback above all, names it as its user does.
for _name in __all__:
    _found = globals()[_name]
    if isinstance(_found, type) and _found.__module__.startswith(__name__ + "."):
        _found.__module__ = __name__
del _name, _found
