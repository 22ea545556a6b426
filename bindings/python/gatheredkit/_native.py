"""The C interface as ctypes sees it.

Generated from include/gatheredkit.h by tools/generate_native.py. Do not edit: change the header.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from enum import IntEnum, IntFlag
from typing import Any


class OpenIntEnum(IntEnum):
    """An `IntEnum` for which a newer library's number is a member too, named `UNKNOWN_<number>`."""

    @classmethod
    def _missing_(cls, value: object) -> OpenIntEnum | None:
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        found = cls._value2member_map_.setdefault(value, member)
        return found if isinstance(found, OpenIntEnum) else member


VERSION = "0.2.0"
VERSION_PARTS = (0, 2, 0)
COLUMN_TIME = 0xFFFFFFFF
COLUMN_BOOT = 0xFFFFFFFE


class Status(OpenIntEnum):
    """GKIT_ERROR_* of the C interface."""

    OK = 0
    ERROR = -1
    INVALID_ARGUMENT = -2
    NOT_FOUND = -3
    EXISTS = -4
    NOT_SUPPORTED = -5
    UNAVAILABLE = -6
    PERMISSION = -7
    BUSY = -8
    TIMEOUT = -9
    CANCELLED = -10
    CLOSED = -11
    NO_DATA = -12
    IO = -13
    PARSE = -14
    VALIDATION = -15
    TYPE = -16
    NO_MEMORY = -17
    WRONG_THREAD = -18
    FORKED = -19
    LIMIT = -20
    NOT_IMPLEMENTED = -21
    USER = -100


class ValueType(OpenIntEnum):
    """GKIT_TYPE_* of the C interface."""

    NONE = 0
    BOOL = 1
    INT = 2
    DOUBLE = 3
    VECTOR = 4
    STRING = 5
    BYTES = 6
    TIME = 7
    DICT = 8
    LIST = 9


class Mode(OpenIntEnum):
    """GKIT_MODE_* of the C interface."""

    THREAD = 0
    HOST = 1


class SampleStatus(OpenIntEnum):
    """GKIT_SAMPLE_* of the C interface."""

    OK = 0
    NO_DATA = 1
    STALE = 2
    PERMISSION = 3
    UNSUPPORTED = 4
    FAILED = 5


class SampleFlag(IntFlag):
    """GKIT_FLAG_* of the C interface."""

    IS_NEW = 1
    GAP_BEFORE = 2
    REPLAYED = 4
    LOW_ACCURACY = 8


class Availability(OpenIntEnum):
    """GKIT_AVAILABILITY_* of the C interface."""

    AVAILABLE = 0
    REQUIRES_PERMISSION = 1
    PERMISSION_DENIED = 2
    RESTRICTED = 3
    UNAVAILABLE = 4


class Reason(OpenIntEnum):
    """GKIT_REASON_* of the C interface."""

    AVAILABLE = 0
    SEARCHING = 1
    REQUIRES_PERMISSION = 2
    PERMISSION_DENIED = 3
    RESTRICTED_BY_POLICY = 4
    POWERED_OFF = 5
    SERVICE_NOT_RUNNING = 6
    UNSUPPORTED_BY_KERNEL = 7
    NO_HARDWARE = 8
    BUSY = 9
    DISCONNECTED = 10
    FAILED = 11


class SourceState(OpenIntEnum):
    """GKIT_STATE_* of the C interface."""

    IDLE = 0
    WAITING = 1
    UPDATING = 2


class EventType(OpenIntEnum):
    """GKIT_EVENT_* of the C interface."""

    ADDED = 0
    REMOVED = 1
    STARTED = 2
    STOPPED = 3
    FAILED = 4
    AVAILABILITY_CHANGED = 5
    PERMISSION_REQUESTED = 6
    LOST = 7


class Reporting(OpenIntEnum):
    """GKIT_REPORTING_* of the C interface."""

    CONTINUOUS = 0
    ON_CHANGE = 1
    ONE_SHOT = 2
    STATIC = 3


class PropertyFlag(IntFlag):
    """GKIT_PROPERTY_* of the C interface."""

    WRITABLE = 1
    CONFIG = 2
    PERSONAL = 4
    COUNTER = 8
    DERIVED = 16


class Style(OpenIntEnum):
    """GKIT_STYLE_* of the C interface."""

    PEOPLE = 0
    MACHINE = 1


class Overflow(OpenIntEnum):
    """GKIT_OVERFLOW_* of the C interface."""

    DROP_OLDEST = 0
    DROP_NEWEST = 1
    BLOCK = 2


class LogLevel(OpenIntEnum):
    """GKIT_LOG_* of the C interface."""

    TRACE = 0
    DEBUG = 1
    INFO = 2
    NOTICE = 3
    WARNING = 4
    ERROR = 5


class Operation(OpenIntEnum):
    """GKIT_OPERATION_* of the C interface."""

    GET = 1
    GET_ALL = 2
    PUT = 3
    PUT_ALL = 4
    DELETE = 5
    DELETE_ALL = 6


class FutureFlag(IntFlag):
    """GKIT_FUTURE_* of the C interface."""

    ONLY = 1


class gkit_value_as(ctypes.Union):
    """`gkit_value` of the C interface."""

    _fields_ = (
        ("boolean", ctypes.c_bool),
        ("integer", ctypes.c_int64),
        ("number", ctypes.c_double),
        ("vector", ctypes.c_double * 4),
        ("string", ctypes.c_char_p),
        ("bytes", ctypes.c_void_p),
        ("dict", ctypes.c_void_p),
    )


class gkit_value(ctypes.Structure):
    """`gkit_value` of the C interface."""

    _fields_ = (
        ("type", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("as_", gkit_value_as),
    )


class gkit_sample(ctypes.Structure):
    """`gkit_sample` of the C interface."""

    _fields_ = (
        ("time_ns", ctypes.c_int64),
        ("boot_ns", ctypes.c_int64),
        ("sequence", ctypes.c_uint64),
        ("source", ctypes.c_uint32),
        ("property", ctypes.c_uint32),
        ("status", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("value", gkit_value),
    )


class gkit_error(ctypes.Structure):
    """`gkit_error` of the C interface."""

    _fields_ = (
        ("code", ctypes.c_int32),
        ("sys_errno", ctypes.c_int32),
        ("message", ctypes.c_char_p),
    )


class gkit_column(ctypes.Structure):
    """`gkit_column` of the C interface."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("stride", ctypes.c_size_t),
        ("rows", ctypes.c_size_t),
        ("type", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
    )


class gkit_context_options(ctypes.Structure):
    """`gkit_context_options` of the C interface."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("mode", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("allow", ctypes.c_char_p),
    )


class gkit_source_info(ctypes.Structure):
    """`gkit_source_info` of the C interface."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("id", ctypes.c_char_p),
        ("kind", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("availability", ctypes.c_int32),
        ("number", ctypes.c_uint32),
        ("property_count", ctypes.c_uint32),
        ("reason", ctypes.c_uint32),
        ("reason_text", ctypes.c_char_p),
        ("remedy", ctypes.c_char_p),
        ("min_interval_ns", ctypes.c_int64),
        ("default_interval_ns", ctypes.c_int64),
        ("label", ctypes.c_char_p),
        ("backend", ctypes.c_char_p),
        ("state", ctypes.c_uint32),
        ("sys_errno", ctypes.c_int32),
    )


class gkit_property_info(ctypes.Structure):
    """`gkit_property_info` of the C interface."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("key", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("unit", ctypes.c_char_p),
        ("components", ctypes.c_char_p),
        ("type", ctypes.c_uint32),
        ("reporting_mode", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
        ("minimum", ctypes.c_double),
        ("maximum", ctypes.c_double),
        ("resolution", ctypes.c_double),
    )


class gkit_rates(ctypes.Structure):
    """`gkit_rates` of the C interface."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("asked_ns", ctypes.c_int64),
        ("granted_ns", ctypes.c_int64),
        ("measured_ns", ctypes.c_int64),
        ("skipped", ctypes.c_uint64),
        ("dropped", ctypes.c_uint64),
        ("reason", ctypes.c_char_p),
    )


class gkit_reader_options(ctypes.Structure):
    """`gkit_reader_options` of the C interface."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("capacity", ctypes.c_size_t),
        ("overflow", ctypes.c_uint32),
    )


class gkit_reader_stats(ctypes.Structure):
    """`gkit_reader_stats` of the C interface."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("queued", ctypes.c_uint64),
        ("delivered", ctypes.c_uint64),
        ("dropped", ctypes.c_uint64),
    )


# Struct -> the size the header asserts
SIZES: dict[type[ctypes.Structure], int] = {
    gkit_value: 40,
    gkit_sample: 80,
    gkit_column: 3 * ctypes.sizeof(ctypes.c_void_p) + 8,
    gkit_error: ctypes.sizeof(ctypes.c_void_p) + 8,
}

gkit_update_fn = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
)
gkit_batch_fn = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
)
gkit_event_fn = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.c_int32,
    ctypes.POINTER(gkit_error),
    ctypes.c_void_p,
)
gkit_sample_fn = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
gkit_transform_fn = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
    ctypes.POINTER(gkit_value),
    ctypes.c_void_p,
)
gkit_map_fn = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.POINTER(gkit_value),
    ctypes.POINTER(gkit_value),
    ctypes.c_void_p,
)
gkit_input_fn = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
)
gkit_patch_make_fn = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
)
gkit_perform_fn = ctypes.CFUNCTYPE(
    None,
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.POINTER(gkit_value),
    ctypes.c_void_p,
    ctypes.c_void_p,
)
gkit_retry_fn = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.POINTER(gkit_error),
    ctypes.c_uint32,
    ctypes.c_void_p,
)
gkit_fallback_fn = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.POINTER(gkit_error),
    ctypes.POINTER(gkit_error),
    ctypes.c_void_p,
)
gkit_future_fn = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
gkit_log_fn = ctypes.CFUNCTYPE(
    None,
    ctypes.c_int32,
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_void_p,
)
gkit_progress_fn = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_void_p,
)
gkit_invoke_fn = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
gkit_destroy_fn = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

# Name -> (result, *parameters)
PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "gkit_version": (ctypes.c_uint32,),
    "gkit_version_string": (ctypes.c_char_p,),
    "gkit_has_feature": (ctypes.c_bool, ctypes.c_char_p),
    "gkit_last_error": (ctypes.POINTER(gkit_error),),
    "gkit_status_name": (ctypes.c_char_p, ctypes.c_int32),
    "gkit_value_type_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_mode_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_sample_status_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_sample_flag_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_availability_name": (ctypes.c_char_p, ctypes.c_int32),
    "gkit_reason_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_source_state_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_event_type_name": (ctypes.c_char_p, ctypes.c_int32),
    "gkit_reporting_name": (ctypes.c_char_p, ctypes.c_int32),
    "gkit_property_flag_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_style_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_overflow_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_log_level_name": (ctypes.c_char_p, ctypes.c_int32),
    "gkit_operation_name": (ctypes.c_char_p, ctypes.c_int32),
    "gkit_future_flag_name": (ctypes.c_char_p, ctypes.c_uint32),
    "gkit_set_log_handler": (None, ctypes.c_int32, gkit_log_fn, ctypes.c_void_p, gkit_destroy_fn),
    "gkit_retain": (ctypes.c_void_p, ctypes.c_void_p),
    "gkit_release": (None, ctypes.c_void_p),
    "gkit_describe": (ctypes.c_void_p, ctypes.c_void_p),
    "gkit_free": (None, ctypes.c_void_p),
    "gkit_live_count": (ctypes.c_int64, ctypes.c_char_p),
    "gkit_value_copy": (ctypes.c_int32, ctypes.POINTER(gkit_value), ctypes.POINTER(gkit_value)),
    "gkit_value_clear": (None, ctypes.POINTER(gkit_value)),
    "gkit_value_format": (
        ctypes.c_size_t,
        ctypes.POINTER(gkit_value),
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
    ),
    "gkit_property_format": (
        ctypes.c_size_t,
        ctypes.POINTER(gkit_property_info),
        ctypes.POINTER(gkit_value),
        ctypes.c_uint32,
        ctypes.c_char_p,
        ctypes.c_size_t,
    ),
    "gkit_value_from_json": (
        ctypes.c_int32,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.POINTER(gkit_value),
    ),
    "gkit_value_to_json": (ctypes.c_void_p, ctypes.POINTER(gkit_value)),
    "gkit_unit_convert": (
        ctypes.c_int32,
        ctypes.c_double,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_double),
    ),
    "gkit_dict_new": (ctypes.c_void_p,),
    "gkit_list_new": (ctypes.c_void_p,),
    "gkit_dict_set": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(gkit_value)),
    "gkit_dict_get": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(gkit_value)),
    "gkit_dict_count": (ctypes.c_size_t, ctypes.c_void_p),
    "gkit_dict_at": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.POINTER(gkit_value),
    ),
    "gkit_value_set_none": (ctypes.c_int32, ctypes.POINTER(gkit_value)),
    "gkit_value_set_bool": (ctypes.c_int32, ctypes.POINTER(gkit_value), ctypes.c_bool),
    "gkit_value_set_int": (ctypes.c_int32, ctypes.POINTER(gkit_value), ctypes.c_int64),
    "gkit_value_set_double": (ctypes.c_int32, ctypes.POINTER(gkit_value), ctypes.c_double),
    "gkit_value_set_vector": (
        ctypes.c_int32,
        ctypes.POINTER(gkit_value),
        ctypes.POINTER(ctypes.c_double),
        ctypes.c_uint32,
    ),
    "gkit_value_set_string": (ctypes.c_int32, ctypes.POINTER(gkit_value), ctypes.c_char_p),
    "gkit_value_set_bytes": (
        ctypes.c_int32,
        ctypes.POINTER(gkit_value),
        ctypes.c_void_p,
        ctypes.c_uint32,
    ),
    "gkit_value_set_time": (ctypes.c_int32, ctypes.POINTER(gkit_value), ctypes.c_int64),
    "gkit_value_set_dict": (ctypes.c_int32, ctypes.POINTER(gkit_value), ctypes.c_void_p),
    "gkit_value_set_list": (ctypes.c_int32, ctypes.POINTER(gkit_value), ctypes.c_void_p),
    "gkit_context_open": (
        ctypes.c_int32,
        ctypes.c_char_p,
        ctypes.POINTER(gkit_context_options),
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_context_close": (ctypes.c_int32, ctypes.c_void_p),
    "gkit_context_fd": (ctypes.c_int, ctypes.c_void_p),
    "gkit_context_dispatch": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64),
    "gkit_context_flush": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64),
    "gkit_context_invoke": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_invoke_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
    ),
    "gkit_context_now": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_int64),
    ),
    "gkit_context_is_current": (ctypes.c_bool, ctypes.c_void_p),
    "gkit_context_set_allow": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p),
    "gkit_context_rescan": (ctypes.c_int32, ctypes.c_void_p),
    "gkit_context_report": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_source_list": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_source_open": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_source_watch": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        gkit_event_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_id_parse": (ctypes.c_int32, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_id_build": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_kind_list": (ctypes.c_int32, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_kind_get_default_interval": (
        ctypes.c_int32,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_int64),
    ),
    "gkit_kind_set_default_interval": (ctypes.c_int32, ctypes.c_char_p, ctypes.c_int64),
    "gkit_source_get_info": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(gkit_source_info)),
    "gkit_source_get_metadata": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_source_start": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64),
    "gkit_source_stop": (ctypes.c_int32, ctypes.c_void_p),
    "gkit_source_is_updating": (ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64)),
    "gkit_source_get_rates": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(gkit_rates)),
    "gkit_source_update_values": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64),
    "gkit_source_get_property_info": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.POINTER(gkit_property_info),
    ),
    "gkit_source_find_property": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p),
    "gkit_source_get_value": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.POINTER(gkit_sample),
    ),
    "gkit_source_get_values": (
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.POINTER(gkit_sample),
        ctypes.c_size_t,
    ),
    "gkit_source_read_values": (
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.c_int64,
        ctypes.POINTER(gkit_sample),
        ctypes.c_size_t,
    ),
    "gkit_source_explain": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_source_set_value": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.POINTER(gkit_value),
    ),
    "gkit_source_listen": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_update_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_source_listen_batches": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_batch_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_batch_read": (
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.POINTER(gkit_sample),
        ctypes.c_size_t,
    ),
    "gkit_source_listen_events": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_event_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_connection_disconnect": (None, ctypes.c_void_p),
    "gkit_connector_new": (ctypes.c_void_p,),
    "gkit_connector_add": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p),
    "gkit_connector_disconnect": (None, ctypes.c_void_p),
    "gkit_reader_new": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.POINTER(gkit_reader_options),
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_reader_add": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p),
    "gkit_reader_fd": (ctypes.c_int, ctypes.c_void_p),
    "gkit_reader_read": (
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.POINTER(gkit_sample),
        ctypes.c_size_t,
        ctypes.c_int64,
    ),
    "gkit_reader_next_frame": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_int64,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_reader_get_stats": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(gkit_reader_stats)),
    "gkit_frame_status": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.POINTER(gkit_column),
    ),
    "gkit_frame_column": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.POINTER(gkit_column),
    ),
    "gkit_source_stream": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_stream_new": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_stream_set_option": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(gkit_value),
    ),
    "gkit_stream_send": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(gkit_value)),
    "gkit_stream_get": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(gkit_sample)),
    "gkit_stream_subscriber_count": (ctypes.c_int64, ctypes.c_void_p),
    "gkit_stream_subscribe": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_uint32,
        gkit_sample_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_stream_unsubscribe": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p),
    "gkit_stream_apply": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_stream_combine": (
        ctypes.c_int32,
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.c_size_t,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_stream_list_operators": (ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_stream_transform": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_transform_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_stream_map_both": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_map_fn,
        gkit_map_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_stream_modify": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p),
    "gkit_stream_begin": (ctypes.c_int32, ctypes.c_void_p),
    "gkit_stream_end": (ctypes.c_int32, ctypes.c_void_p),
    "gkit_stream_bind": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_patch_new": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_patch_register": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        gkit_patch_make_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
    ),
    "gkit_patch_list_types": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_patch_get_info": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_patch_add_input": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        gkit_input_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
    ),
    "gkit_patch_add_output": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p),
    "gkit_patch_remove_port": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_bool),
    "gkit_patch_port": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_bool,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_patch_set_value": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(gkit_value),
    ),
    "gkit_patch_publish": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(gkit_value),
    ),
    "gkit_patch_set_input": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
    "gkit_patch_errors": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_patch_add": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
    "gkit_patch_find": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_patch_remove": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p),
    "gkit_patch_offer": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_bool,
    ),
    "gkit_patch_export": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_patch_from_json": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_datasource_open": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_datasource_new_custom": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_perform_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_datasource_perform": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.POINTER(gkit_value),
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_datasource_wrap": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_datasource_map": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_map_fn,
        gkit_map_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_datasource_validate": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        gkit_map_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_datasource_retry": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        gkit_retry_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_datasource_assemble": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_repository_new": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_void_p,
        gkit_map_fn,
        gkit_fallback_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_future_new": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_future_resolve": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_int32,
        ctypes.POINTER(gkit_value),
        ctypes.c_char_p,
    ),
    "gkit_future_wait": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_int64,
        ctypes.POINTER(gkit_value),
    ),
    "gkit_future_then": (
        ctypes.c_int32,
        ctypes.c_void_p,
        gkit_future_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
    ),
    "gkit_future_get_error": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_future_cancel": (None, ctypes.c_void_p),
    "gkit_sink_open": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
    ),
    "gkit_sink_add_source": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p),
    "gkit_sink_add_all": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64),
    "gkit_sink_add_stream": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p),
    "gkit_sink_get_info": (ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    "gkit_sink_flush": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64),
    "gkit_sink_close": (ctypes.c_int32, ctypes.c_void_p),
    "gkit_context_set_rate": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_double),
    "gkit_context_seek": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64),
    "gkit_context_position": (ctypes.c_int64, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64)),
    "gkit_context_export_text": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
        gkit_progress_fn,
        ctypes.c_void_p,
        gkit_destroy_fn,
    ),
    "gkit_context_export_arrow": (
        ctypes.c_int32,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
    ),
    "gkit_frame_export_arrow": (ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
}


class Native:
    """The functions of a loaded library."""

    gkit_version: Callable[[], int]
    gkit_version_string: Callable[[], bytes | None]
    gkit_has_feature: Callable[[bytes | None], bool]
    gkit_last_error: Callable[[], Any]
    gkit_status_name: Callable[[int], bytes | None]
    gkit_value_type_name: Callable[[int], bytes | None]
    gkit_mode_name: Callable[[int], bytes | None]
    gkit_sample_status_name: Callable[[int], bytes | None]
    gkit_sample_flag_name: Callable[[int], bytes | None]
    gkit_availability_name: Callable[[int], bytes | None]
    gkit_reason_name: Callable[[int], bytes | None]
    gkit_source_state_name: Callable[[int], bytes | None]
    gkit_event_type_name: Callable[[int], bytes | None]
    gkit_reporting_name: Callable[[int], bytes | None]
    gkit_property_flag_name: Callable[[int], bytes | None]
    gkit_style_name: Callable[[int], bytes | None]
    gkit_overflow_name: Callable[[int], bytes | None]
    gkit_log_level_name: Callable[[int], bytes | None]
    gkit_operation_name: Callable[[int], bytes | None]
    gkit_future_flag_name: Callable[[int], bytes | None]
    gkit_set_log_handler: Callable[[int, Any, int | None, Any], None]
    gkit_retain: Callable[[int | None], int | None]
    gkit_release: Callable[[int | None], None]
    gkit_describe: Callable[[int | None], int | None]
    gkit_free: Callable[[int | None], None]
    gkit_live_count: Callable[[bytes | None], int]
    gkit_value_copy: Callable[[Any, Any], int]
    gkit_value_clear: Callable[[Any], None]
    gkit_value_format: Callable[[Any, bytes | None, Any, int], int]
    gkit_property_format: Callable[[Any, Any, int, Any, int], int]
    gkit_value_from_json: Callable[[bytes | None, int, Any], int]
    gkit_value_to_json: Callable[[Any], int | None]
    gkit_unit_convert: Callable[[float, bytes | None, bytes | None, Any], int]
    gkit_dict_new: Callable[[], int | None]
    gkit_list_new: Callable[[], int | None]
    gkit_dict_set: Callable[[int | None, bytes | None, Any], int]
    gkit_dict_get: Callable[[int | None, bytes | None, Any], int]
    gkit_dict_count: Callable[[int | None], int]
    gkit_dict_at: Callable[[int | None, int, Any, Any], int]
    gkit_value_set_none: Callable[[Any], int]
    gkit_value_set_bool: Callable[[Any, bool], int]
    gkit_value_set_int: Callable[[Any, int], int]
    gkit_value_set_double: Callable[[Any, float], int]
    gkit_value_set_vector: Callable[[Any, Any, int], int]
    gkit_value_set_string: Callable[[Any, bytes | None], int]
    gkit_value_set_bytes: Callable[[Any, int | None, int], int]
    gkit_value_set_time: Callable[[Any, int], int]
    gkit_value_set_dict: Callable[[Any, int | None], int]
    gkit_value_set_list: Callable[[Any, int | None], int]
    gkit_context_open: Callable[[bytes | None, Any, Any], int]
    gkit_context_close: Callable[[int | None], int]
    gkit_context_fd: Callable[[int | None], int]
    gkit_context_dispatch: Callable[[int | None, int], int]
    gkit_context_flush: Callable[[int | None, int], int]
    gkit_context_invoke: Callable[[int | None, Any, int | None, Any], int]
    gkit_context_now: Callable[[int | None, Any, Any], int]
    gkit_context_is_current: Callable[[int | None], bool]
    gkit_context_set_allow: Callable[[int | None, bytes | None], int]
    gkit_context_rescan: Callable[[int | None], int]
    gkit_context_report: Callable[[int | None, Any], int]
    gkit_source_list: Callable[[int | None, bytes | None, Any], int]
    gkit_source_open: Callable[[int | None, bytes | None, Any], int]
    gkit_source_watch: Callable[[int | None, bytes | None, Any, int | None, Any, Any], int]
    gkit_id_parse: Callable[[bytes | None, Any], int]
    gkit_id_build: Callable[[int | None, Any], int]
    gkit_kind_list: Callable[[bytes | None, Any], int]
    gkit_kind_get_default_interval: Callable[[bytes | None, Any], int]
    gkit_kind_set_default_interval: Callable[[bytes | None, int], int]
    gkit_source_get_info: Callable[[int | None, Any], int]
    gkit_source_get_metadata: Callable[[int | None, Any], int]
    gkit_source_start: Callable[[int | None, int], int]
    gkit_source_stop: Callable[[int | None], int]
    gkit_source_is_updating: Callable[[int | None, Any], bool]
    gkit_source_get_rates: Callable[[int | None, Any], int]
    gkit_source_update_values: Callable[[int | None, int], int]
    gkit_source_get_property_info: Callable[[int | None, int, Any], int]
    gkit_source_find_property: Callable[[int | None, bytes | None], int]
    gkit_source_get_value: Callable[[int | None, int, Any], int]
    gkit_source_get_values: Callable[[int | None, Any, int], int]
    gkit_source_read_values: Callable[[int | None, int, Any, int], int]
    gkit_source_explain: Callable[[int | None, int, Any], int]
    gkit_source_set_value: Callable[[int | None, int, Any], int]
    gkit_source_listen: Callable[[int | None, Any, int | None, Any, Any], int]
    gkit_source_listen_batches: Callable[[int | None, Any, int | None, Any, Any], int]
    gkit_batch_read: Callable[[int | None, int, Any, int], int]
    gkit_source_listen_events: Callable[[int | None, Any, int | None, Any, Any], int]
    gkit_connection_disconnect: Callable[[int | None], None]
    gkit_connector_new: Callable[[], int | None]
    gkit_connector_add: Callable[[int | None, int | None], int]
    gkit_connector_disconnect: Callable[[int | None], None]
    gkit_reader_new: Callable[[int | None, Any, Any], int]
    gkit_reader_add: Callable[[int | None, int | None], int]
    gkit_reader_fd: Callable[[int | None], int]
    gkit_reader_read: Callable[[int | None, Any, int, int], int]
    gkit_reader_next_frame: Callable[[int | None, int | None, int, Any], int]
    gkit_reader_get_stats: Callable[[int | None, Any], int]
    gkit_frame_status: Callable[[int | None, int, Any], int]
    gkit_frame_column: Callable[[int | None, int, Any], int]
    gkit_source_stream: Callable[[int | None, bytes | None, Any], int]
    gkit_stream_new: Callable[[int | None, bytes | None, int | None, Any], int]
    gkit_stream_set_option: Callable[[int | None, bytes | None, Any], int]
    gkit_stream_send: Callable[[int | None, Any], int]
    gkit_stream_get: Callable[[int | None, Any], int]
    gkit_stream_subscriber_count: Callable[[int | None], int]
    gkit_stream_subscribe: Callable[[int | None, bytes | None, int, Any, int | None, Any, Any], int]
    gkit_stream_unsubscribe: Callable[[int | None, bytes | None], int]
    gkit_stream_apply: Callable[[int | None, bytes | None, int | None, Any], int]
    gkit_stream_combine: Callable[[Any, int, bytes | None, Any], int]
    gkit_stream_list_operators: Callable[[Any], int]
    gkit_stream_transform: Callable[[int | None, Any, int | None, Any, Any], int]
    gkit_stream_map_both: Callable[[int | None, Any, Any, int | None, Any, Any], int]
    gkit_stream_modify: Callable[[int | None, int | None], int]
    gkit_stream_begin: Callable[[int | None], int]
    gkit_stream_end: Callable[[int | None], int]
    gkit_stream_bind: Callable[[int | None, int | None, Any], int]
    gkit_patch_new: Callable[[int | None, bytes | None, int | None, Any], int]
    gkit_patch_register: Callable[[int | None, bytes | None, Any, int | None, Any], int]
    gkit_patch_list_types: Callable[[int | None, Any], int]
    gkit_patch_get_info: Callable[[int | None, Any], int]
    gkit_patch_add_input: Callable[
        [int | None, bytes | None, bytes | None, Any, int | None, Any],
        int,
    ]
    gkit_patch_add_output: Callable[[int | None, bytes | None, bytes | None], int]
    gkit_patch_remove_port: Callable[[int | None, bytes | None, bool], int]
    gkit_patch_port: Callable[[int | None, bytes | None, bool, Any], int]
    gkit_patch_set_value: Callable[[int | None, bytes | None, Any], int]
    gkit_patch_publish: Callable[[int | None, bytes | None, Any], int]
    gkit_patch_set_input: Callable[[int | None, bytes | None, int | None], int]
    gkit_patch_errors: Callable[[int | None, Any], int]
    gkit_patch_add: Callable[[int | None, bytes | None, int | None], int]
    gkit_patch_find: Callable[[int | None, bytes | None, Any], int]
    gkit_patch_remove: Callable[[int | None, bytes | None], int]
    gkit_patch_offer: Callable[[int | None, bytes | None, bytes | None, bool], int]
    gkit_patch_export: Callable[[int | None, bytes | None, Any], int]
    gkit_patch_from_json: Callable[[int | None, bytes | None, int, Any, Any], int]
    gkit_datasource_open: Callable[[int | None, bytes | None, int | None, Any], int]
    gkit_datasource_new_custom: Callable[[int | None, Any, int | None, Any, Any], int]
    gkit_datasource_perform: Callable[[int | None, int, int | None, Any, Any], int]
    gkit_datasource_wrap: Callable[[int | None, bytes | None, int | None, Any], int]
    gkit_datasource_map: Callable[[int | None, Any, Any, int | None, Any, Any], int]
    gkit_datasource_validate: Callable[[int | None, int | None, Any, int | None, Any, Any], int]
    gkit_datasource_retry: Callable[[int | None, int | None, Any, int | None, Any, Any], int]
    gkit_datasource_assemble: Callable[[int | None, int | None, int | None, Any], int]
    gkit_repository_new: Callable[
        [int | None, int | None, int | None, Any, Any, int | None, Any, Any],
        int,
    ]
    gkit_future_new: Callable[[int | None, Any], int]
    gkit_future_resolve: Callable[[int | None, int, Any, bytes | None], int]
    gkit_future_wait: Callable[[int | None, int, Any], int]
    gkit_future_then: Callable[[int | None, Any, int | None, Any], int]
    gkit_future_get_error: Callable[[int | None, Any], int]
    gkit_future_cancel: Callable[[int | None], None]
    gkit_sink_open: Callable[[int | None, bytes | None, bytes | None, int | None, Any], int]
    gkit_sink_add_source: Callable[[int | None, int | None], int]
    gkit_sink_add_all: Callable[[int | None, int], int]
    gkit_sink_add_stream: Callable[[int | None, int | None, bytes | None], int]
    gkit_sink_get_info: Callable[[int | None, Any], int]
    gkit_sink_flush: Callable[[int | None, int], int]
    gkit_sink_close: Callable[[int | None], int]
    gkit_context_set_rate: Callable[[int | None, float], int]
    gkit_context_seek: Callable[[int | None, int], int]
    gkit_context_position: Callable[[int | None, Any], int]
    gkit_context_export_text: Callable[
        [int | None, bytes | None, bytes | None, int | None, Any, int | None, Any],
        int,
    ]
    gkit_context_export_arrow: Callable[[int | None, bytes | None, int | None], int]
    gkit_frame_export_arrow: Callable[[int | None, int | None, int | None], int]
