"""GatheredKit: everything a Linux device can tell about itself, in one consistent API.

>>> import gatheredkit as gk
>>> with gk.Context("sim:laptop") as context:
...     memory = context.read("memory")
>>> memory["total"].unit
'By'
"""

from ._arrow import Recorded
from ._changes import ListChange, ListModification, SetChange
from ._collections import InstanceList, ListVariable, ObservableList
from ._connector import Connector
from ._context import Context, Source
from ._data_source import DataSource, assemble
from ._default import (
    default_context,
    default_interval,
    disable_logging,
    doctor,
    enable_logging,
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
from ._energy import EnergyUsed, energy
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
from ._frame import Frame, Numbers
from ._futures import Future, Promise
from ._graph import Graph, graph_problems
from ._handles import Connection
from ._info import Event, Explanation, Rates, Report, SessionInfo, SourceInfo
from ._iterators import AsyncValues, Events
from ._kinds import Kind, KindProperty, kinds
from ._library import library_path
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
    Style,
    ValueType,
)
from ._operators import Operator, operators
from ._patch import Input, Output, Patch, PatchFunction, Port, patch_type
from ._patch_types import patch_types
from ._property import Property
from ._publishing import publish
from ._query import Condition, Id, Query
from ._reader import Frames, Reader, ReaderStats
from ._reading import Reading
from ._recording import Recorder, Recording, SinkInfo, record
from ._records import Change, PatchError, PatchType, Problem, ValueUpdate
from ._repository import Repository
from ._sample import Sample
from ._sets import ObservableSet, SetVariable
from ._stream import Observable, Stream, Updatable
from ._texts import SourceIdentifier, build_id, convert, format_value, from_json, parse_id, to_json
from ._update import Update
from ._updates import Updates
from ._values import GivenValue, Time, Value, Vector
from ._variables import Publink, Signal, Timer, Variable, combine, merge
from ._warnings import PermissionWarning

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
    "EnergyUsed",
    "Event",
    "EventType",
    "Events",
    "ExistsError",
    "Explanation",
    "FailedError",
    "ForkedError",
    "Frame",
    "Frames",
    "Future",
    "GatheredKitError",
    "GivenValue",
    "Graph",
    "GraphError",
    "HostError",
    "Id",
    "Input",
    "InputOutputError",
    "InstanceList",
    "InvalidArgumentError",
    "Kind",
    "KindProperty",
    "LibraryNotFoundError",
    "LibraryVersionError",
    "LimitError",
    "ListChange",
    "ListModification",
    "ListVariable",
    "LogLevel",
    "NoDataError",
    "NotFoundError",
    "NotImplementedVerbError",
    "NotSupportedError",
    "Numbers",
    "Observable",
    "ObservableList",
    "ObservableSet",
    "Operator",
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
    "PermissionWarning",
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
    "Reading",
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
    "SetChange",
    "SetVariable",
    "Signal",
    "SinkInfo",
    "Source",
    "SourceIdentifier",
    "SourceInfo",
    "SourceState",
    "Status",
    "Stream",
    "Style",
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
    "energy",
    "export",
    "format_value",
    "from_json",
    "graph_problems",
    "has_feature",
    "kinds",
    "library_path",
    "library_version",
    "live_count",
    "merge",
    "open",
    "operators",
    "parse_id",
    "patch_type",
    "patch_types",
    "publish",
    "read",
    "record",
    "set_default_interval",
    "sleep",
    "sources",
    "to_json",
    "watch",
]


def _name_as_used() -> None:
    """What prints a class, a traceback above all, names it as its user does."""
    for name in __all__:
        found = globals()[name]
        if isinstance(found, type) and found.__module__.startswith(__name__ + "."):
            found.__module__ = __name__


_name_as_used()
del _name_as_used
