/*
 * GatheredKit 0.1: everything a Linux device can tell about itself, in one consistent C API.
 *
 * This header is the manual. Link with `pkg-config --cflags --libs gatheredkit`.
 *
 * A WORKED EXAMPLE
 *
 *   #include <gatheredkit.h>
 *   #include <stdio.h>
 *
 *   static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
 *                         void *user_data) {
 *     (void)user_data;
 *     for (size_t i = 0; i < count; i++) {
 *       gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
 *       char text[64];
 *       if (gkit_source_get_property_info(source, samples[i].property, &property) < 0)
 *         continue;
 *       gkit_value_format(&samples[i].value, property.unit, text, sizeof text);
 *       printf("%-20s %s\n", property.name, text);
 *     }
 *   }
 *
 *   int main(void) {
 *     gkit_context *context = NULL;
 *     gkit_source *memory = NULL;
 *     gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
 *     options.mode = GKIT_MODE_HOST;
 *     if (gkit_context_open(NULL, &options, &context) < 0 ||
 *         gkit_source_open(context, "memory", &memory) < 0 ||
 *         gkit_source_listen(memory, on_update, NULL, NULL, NULL) < 0 ||
 *         gkit_source_start(memory, 0) < 0)
 *       fprintf(stderr, "memory: %s\n", gkit_last_error()->message);
 *     else
 *       while (gkit_context_dispatch(context, INT64_C(5000000000)) > 0) {
 *       }
 *     gkit_release(memory);
 *     gkit_context_close(context);
 *     gkit_release(context);
 *   }
 *
 * THE WORDS
 *
 *   Context     a machine and an event loop; opened by a URI; all sources belong to one.
 *   Kind        what can be measured: "battery", "accelerometer", "memory". Kinds are strings.
 *   Instance    one concrete thing of a kind, named by an id: "battery|BAT0".
 *   Source      one live, private session on one instance, with its own interval and listeners.
 *   Property    what can be known of it: key, unit, type, range. Named by its index, or by its key.
 *   Sample      one value of one property: payload or the reason for its absence, and its times.
 *   Reading     one sample per property, in catalogue order.
 *   Update      one call of a listener with the samples of one or more readings in time order.
 *
 * Kinds, units and keys are strings, so that a new one never changes this interface. Units are UCUM
 * codes: "m/s2", "Cel", "uT", "%", "By"; "1" for ratios and counts.
 *
 * OWNERSHIP
 *
 *   A handle (gkit_source * and so on) is opaque and its value is not an address: a stale, doubly
 *   released, foreign or wild one gives GKIT_ERROR_INVALID_ARGUMENT, never undefined behaviour.
 *   - A handle received through `T **out` or returned by a `_new` function is yours: release it
 *     once with gkit_release(). The order in which you release things never matters.
 *   - A handle passed to a callback, or found in what a getter fills in, is borrowed; keep it with
 *     gkit_retain().
 *   - Text, bytes and dictionaries a getter fills in are borrowed: valid until the same thread
 *     calls the same function on that handle again, or the handle goes; out of a dictionary, until
 *     it changes or goes. The samples of a callback are valid until it returns, those of
 *     gkit_reader_read() until the next read on that reader. gkit_value_copy() keeps a value.
 *   - Only gkit_describe(), gkit_value_to_json(), gkit_id_build() and gkit_patch_export() return
 *     text you gkit_free().
 *   - A source keeps its context, a reader its sources; a connection does not keep its source.
 *     When the host and all readers have let a source go, its session ends silently. The last
 *     reference of all on a context closes it.
 *
 * ERRORS
 *
 *   A gkit_status is 0 or a negative GKIT_ERROR_*; functions that count return a number >= 0 or a
 *   negative status; functions returning bool cannot fail. Every failure sets the calling thread's
 *   gkit_last_error(): code, errno and one plain sentence. Success never clears it. Later failures
 *   arrive as `const gkit_error *` in event callbacks. Out-parameters are written on success only;
 *   an out handle becomes NULL on failure. Every argument is checked on every call, and nothing in
 *   the library aborts, exits or traps on what a host passes, memory apart: see below. Where this
 *   header names the statuses of a function, these four can come besides, from every function that
 *   takes a handle: INVALID_ARGUMENT (a bad handle, a NULL that is not marked GKIT_NULLABLE, text
 *   that is not UTF-8, objects of different contexts in one call), CLOSED (its context was closed),
 *   FORKED (it was opened before a fork) and NO_MEMORY.
 *   Any function that takes a text, a value, a size or a count can answer LIMIT besides.
 *   After a close only release, retain, describe, close, disconnect and is_updating still answer.
 *
 *   Memory: every size you hand over or ask for (a length, a count, a capacity, a depth) is checked
 *   before anything is allocated for it. Beyond a bound it is LIMIT: a name, path, id or message of
 *   1 MiB; a value or document of 1 GiB, 2^24 parts (each counted as often as it would be written)
 *   or 128 levels; 2^24 samples or values kept; 65 536 streams in one; 256 data sources inside each
 *   other. Where the memory cannot be had it is NO_MEMORY. In both cases nothing has changed, and a
 *   smaller one will do. What stores read back is checked likewise, and a callback is given NONE in
 *   the place of a text there is no memory for. That is all that is promised: where memory runs out
 *   in small allocations of the library (64 KiB at most), or where another thread takes it between
 *   check and allocation, the process may end.
 *
 *   Absence is not an error. A value that cannot be read is a sample whose status says so; a thing
 *   that is not there is an availability with a reason and a remedy.
 *
 * STRINGS AND TIME
 *
 *   Text is UTF-8 and NUL-terminated in both directions; STRING and BYTES values carry a length
 *   too. Times and durations are int64_t nanoseconds and end in _ns. A sample carries wall time
 *   (since 1970) and boot time (CLOCK_BOOTTIME) of the measurement. Timeouts: 0 does not wait,
 *   negative waits for ever.
 *
 * CALLBACKS, THREADS, LOOPS
 *
 *   Every function may be called from any thread, and inside callbacks too, unless its comment says
 *   otherwise. The callbacks of one context never overlap; contexts run in parallel. A context has
 *   a gathering thread that samples and queues and never runs your code, so a slow host never
 *   disturbs sampling. Callbacks run where the context is dispatched:
 *   - GKIT_MODE_THREAD (the default): on a delivery thread of the library;
 *   - GKIT_MODE_HOST: in gkit_context_dispatch(), called when gkit_context_fd() is readable.
 *   Queues are bounded; what is dropped is counted (gkit_rates, gkit_reader_stats) and flagged
 *   (GKIT_FLAG_GAP_BEFORE), never hidden. One exception: what a call causes itself - the events of
 *   a start or stop, the update of an update_values - is delivered before that call returns, on its
 *   thread, in turn with other callbacks; inside a callback, right after that callback returns.
 *
 *   The last parameters of a registration are always `fn, user_data, destroy`, then `out`.
 *   `destroy` runs exactly once, after the last call of `fn`, also when the registration itself
 *   fails; it takes no turn and may run beside other callbacks of the context. With `out` NULL the
 *   registration is floating: it lives as long as its parent. With one it lives until the
 *   connection is disconnected or its last reference released. Once gkit_connection_disconnect()
 *   has returned no further call begins; from a thread that runs no callback it also waits for one
 *   that is running, so hold no lock such a callback takes. No callback runs under a library lock.
 *   A callback must not unwind through the library (longjmp, C++ exceptions, pthread_exit) nor
 *   fork, and a thread must not be cancelled inside a call.
 *
 *   After a fork all handles are dead in the child: calls answer FORKED, releasing is a silent
 *   no-op, and a new context may be opened. The library installs no signal handler and reads no
 *   environment variable once a context is open.
 *
 * BINARY INTERFACE
 *
 *   Structs you fill start with struct_size and have an _INIT macro; 0 in a field is its default.
 *   Structs the library fills that may grow are filled up to the struct_size you give (at least
 *   16). gkit_value, gkit_sample, gkit_column and gkit_error are frozen. Accept numbers you do not
 *   know in every enumerated field: lists grow at their end.
 */
#ifndef GKIT_H
#define GKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The version of this header; gkit_version() tells the library's. @since 0.1 */
#define GKIT_VERSION_MAJOR 0
#define GKIT_VERSION_MINOR 1
#define GKIT_VERSION_PATCH 0
#define GKIT_VERSION_STRING "0.1.0"

/** Marks what the library exports. */
#if defined(__GNUC__)
#define GKIT_API __attribute__((visibility("default")))
#else
#define GKIT_API
#endif

/** Marks functions whose result you own and would leak. */
#if defined(__GNUC__)
#define GKIT_NODISCARD __attribute__((warn_unused_result))
#else
#define GKIT_NODISCARD
#endif

/** Marks the pointers that may be NULL; every other one must not be. For people and for binding
    generators: it expands to nothing, since the library checks each pointer anyway. */
#define GKIT_NULLABLE

#if defined(__cplusplus)
#define GKIT_BEGIN_DECLS extern "C" {
#define GKIT_END_DECLS }
#else
#define GKIT_BEGIN_DECLS
#define GKIT_END_DECLS
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif

GKIT_BEGIN_DECLS

/* ---- Handles ------------------------------------------------------------------------------- */

/** A machine and an event loop. @since 0.1 */
typedef struct gkit_context gkit_context;
/** One live, private session on one instance. @since 0.1 */
typedef struct gkit_source gkit_source;
/** One registration of a callback; releasing the last reference of the host ends it. @since 0.1 */
typedef struct gkit_connection gkit_connection;
/** A bag of connections that are ended together. @since 0.1 */
typedef struct gkit_connector gkit_connector;
/** A bounded queue of samples, read in batches. @since 0.1 */
typedef struct gkit_reader gkit_reader;
/** Rows of one source as immutable columns. @since 0.1 */
typedef struct gkit_frame gkit_frame;
/** Values that arrive over time: anything to subscribe to. @since 0.1 */
typedef struct gkit_stream gkit_stream;
/** A box with named inputs and outputs, wired into a flow of data; or a graph of such boxes.
    @since 0.1 */
typedef struct gkit_patch gkit_patch;
/** A store, a decorator around one, or a repository of two: values put and got by query.
    @since 0.1 */
typedef struct gkit_datasource gkit_datasource;
/** A result that is there or will be. @since 0.1 */
typedef struct gkit_future gkit_future;
/** What takes samples in: a recording, or a text, being written. @since 0.1 */
typedef struct gkit_sink gkit_sink;
/** A dictionary or a list of values. @since 0.1 */
typedef struct gkit_dict gkit_dict;

/* ---- Constants ----------------------------------------------------------------------------- */

/** 0, or a negative GKIT_ERROR_*. @since 0.1 */
typedef int32_t gkit_status;

/** What a function answers. @since 0.1 */
enum {
  GKIT_OK = 0,
  /** A failure without a better name. */
  GKIT_ERROR = -1,
  /** The caller's mistake; nothing changed. */
  GKIT_ERROR_INVALID_ARGUMENT = -2,
  /** No such kind, instance, property, key, file. */
  GKIT_ERROR_NOT_FOUND = -3,
  /** It is there already. */
  GKIT_ERROR_EXISTS = -4,
  /** This object cannot do that, whatever the arguments. */
  GKIT_ERROR_NOT_SUPPORTED = -5,
  /** The instance cannot be used now; the message names reason and remedy. */
  GKIT_ERROR_UNAVAILABLE = -6,
  /** Permission was not given, or was refused. */
  GKIT_ERROR_PERMISSION = -7,
  /** Used exclusively elsewhere. */
  GKIT_ERROR_BUSY = -8,
  /** The time is up. */
  GKIT_ERROR_TIMEOUT = -9,
  /** Given up on request. */
  GKIT_ERROR_CANCELLED = -10,
  /** The context was closed. */
  GKIT_ERROR_CLOSED = -11,
  /** Nothing to say at the moment. */
  GKIT_ERROR_NO_DATA = -12,
  /** The machine answered with an error; sys_errno has its number. */
  GKIT_ERROR_IO = -13,
  /** Text that is not well-formed; the message begins with "byte N: " or "line N: ". */
  GKIT_ERROR_PARSE = -14,
  /** Well-formed, and refused by a check. */
  GKIT_ERROR_VALIDATION = -15,
  /** A value of the wrong type. */
  GKIT_ERROR_TYPE = -16,
  GKIT_ERROR_NO_MEMORY = -17,
  /** Not allowed on this thread: usually inside a callback. */
  GKIT_ERROR_WRONG_THREAD = -18,
  /** The handle was made before a fork. */
  GKIT_ERROR_FORKED = -19,
  /** More than the library is willing to do in one call. */
  GKIT_ERROR_LIMIT = -20,
  /** Reserved for a later release. */
  GKIT_ERROR_NOT_IMPLEMENTED = -21,
  /** Free for hosts: the library never makes -100 and below. */
  GKIT_ERROR_USER = -100
};

/** The types of a value. @since 0.1 */
enum {
  GKIT_TYPE_NONE = 0,
  GKIT_TYPE_BOOL = 1,
  GKIT_TYPE_INT = 2,
  GKIT_TYPE_DOUBLE = 3,
  /** 2 to 4 doubles. */
  GKIT_TYPE_VECTOR = 4,
  /** UTF-8; enumerated properties too, their words being in gkit_property_info.components. */
  GKIT_TYPE_STRING = 5,
  GKIT_TYPE_BYTES = 6,
  /** Nanoseconds since 1970, UTC. */
  GKIT_TYPE_TIME = 7,
  GKIT_TYPE_DICT = 8,
  GKIT_TYPE_LIST = 9
};

/** Where the callbacks of a context run. @since 0.1 */
enum {
  /** On a delivery thread of the library. */
  GKIT_MODE_THREAD = 0,
  /** In gkit_context_dispatch(). */
  GKIT_MODE_HOST = 1
};

/** What became of one value: gkit_sample.status. @since 0.1 */
enum {
  /** Read and plausible; the payload is there. */
  GKIT_SAMPLE_OK = 0,
  /** Nothing to say at the moment; no payload. */
  GKIT_SAMPLE_NO_DATA = 1,
  /** Known to be old; the last payload is there. */
  GKIT_SAMPLE_STALE = 2,
  /** We may not; gkit_source_explain() has the remedy. */
  GKIT_SAMPLE_PERMISSION = 3,
  /** This instance never has it. */
  GKIT_SAMPLE_UNSUPPORTED = 4,
  /** Asked and failed. */
  GKIT_SAMPLE_FAILED = 5
};

/** More about one value: gkit_sample.flags. @since 0.1 */
enum {
  /** Measured anew: sequence or status differ from this session's previous update. */
  GKIT_FLAG_IS_NEW = 1,
  /** Something before it was dropped. */
  GKIT_FLAG_GAP_BEFORE = 2,
  /** From a recording; the times are the original ones. */
  GKIT_FLAG_REPLAYED = 4,
  /** Estimated, or put together from values of different moments. */
  GKIT_FLAG_LOW_ACCURACY = 8
};

/** Whether an instance can be used, in five groups; gkit_source_info.reason is finer. In
    dictionaries these are the words in brackets. @since 0.1 */
enum {
  /** Can be started [available]. */
  GKIT_AVAILABILITY_AVAILABLE = 0,
  /** Permission can still be given: starting waits for it [requiresPermissionsPrompt]. */
  GKIT_AVAILABILITY_REQUIRES_PERMISSION = 1,
  /** Permission was refused [permissionDenied]. */
  GKIT_AVAILABILITY_PERMISSION_DENIED = 2,
  /** An administrator or a sandbox refuses, and the user cannot change it [restricted]. */
  GKIT_AVAILABILITY_RESTRICTED = 3,
  /** Anything else [unavailable]. */
  GKIT_AVAILABILITY_UNAVAILABLE = 4
};

/** Why an instance can or cannot be used. In dictionaries these are the words in brackets.
    @since 0.1 */
enum {
  /** Can start now [available]. */
  GKIT_REASON_AVAILABLE = 0,
  /** Works, no first value yet: no fix, warming up [searching]. */
  GKIT_REASON_SEARCHING = 1,
  /** Permission can still be given: by `allow`, an agent, a dialogue [requiresPermission]. */
  GKIT_REASON_REQUIRES_PERMISSION = 2,
  /** File mode or bus policy refuses, or the user said no [permissionDenied]. */
  GKIT_REASON_PERMISSION_DENIED = 3,
  /** An administrator or sandbox refuses [restrictedByPolicy]. */
  GKIT_REASON_RESTRICTED_BY_POLICY = 4,
  /** rfkill, adapter unpowered, modem disabled [poweredOff]. */
  GKIT_REASON_POWERED_OFF = 5,
  /** The daemon, or the bus itself, is absent [serviceNotRunning]. */
  GKIT_REASON_SERVICE_NOT_RUNNING = 6,
  /** A kernel interface is missing [unsupportedByKernel]. */
  GKIT_REASON_UNSUPPORTED_BY_KERNEL = 7,
  /** Nothing of the kind is there [noHardware]. */
  GKIT_REASON_NO_HARDWARE = 8,
  /** Exclusively used elsewhere [busy]. */
  GKIT_REASON_BUSY = 9,
  /** Was there in this context's life, is gone [disconnected]. */
  GKIT_REASON_DISCONNECTED = 10,
  /** Anything else, a missing run-time library included [failed]. */
  GKIT_REASON_FAILED = 11
};

/** What a session is doing: gkit_source_info.state. @since 0.1 */
enum {
  GKIT_STATE_IDLE = 0,
  /** Waits for a permission that can still be granted. */
  GKIT_STATE_WAITING = 1,
  GKIT_STATE_UPDATING = 2
};

/** What happened to a source or an instance. @since 0.1 */
enum {
  /** An instance appeared (gkit_source_watch() only). */
  GKIT_EVENT_ADDED = 0,
  /** An instance went (gkit_source_watch() only). */
  GKIT_EVENT_REMOVED = 1,
  /** Idle or waiting became updating. */
  GKIT_EVENT_STARTED = 2,
  /** Updating became idle; without an error it was asked for, or a one-shot source is done. */
  GKIT_EVENT_STOPPED = 3,
  /** A start was refused; the state is idle. Carries an error. */
  GKIT_EVENT_FAILED = 4,
  /** State, detail or remedy changed; always before the event it causes. */
  GKIT_EVENT_AVAILABILITY_CHANGED = 5,
  /** A start now waits for a permission. */
  GKIT_EVENT_PERMISSION_REQUESTED = 6,
  /** Rows of a recording that is played are damaged, or were not recorded: the next one has the
      flag GKIT_FLAG_GAP_BEFORE. Carries an error that says where and why. */
  GKIT_EVENT_LOST = 7
};

/** When a value is news: gkit_property_info.reporting_mode. @since 0.1 */
enum {
  /** Each reading is. */
  GKIT_REPORTING_CONTINUOUS = 0,
  /** When payload or status differ. */
  GKIT_REPORTING_ON_CHANGE = 1,
  /** Once; then the source stops itself. */
  GKIT_REPORTING_ONE_SHOT = 2,
  /** Read at a start and by gkit_source_update_values() only. */
  GKIT_REPORTING_STATIC = 3
};

/** What a property is: gkit_property_info.flags. @since 0.1 */
enum {
  /** gkit_source_set_value() writes the device. */
  GKIT_PROPERTY_WRITABLE = 1,
  /** gkit_source_set_value() makes a setting that belongs to this session. */
  GKIT_PROPERTY_CONFIG = 2,
  /** Withheld unless the context's `allow` has its category. */
  GKIT_PROPERTY_PERSONAL = 4,
  /** Only counts up, until it starts again. */
  GKIT_PROPERTY_COUNTER = 8,
  /** Computed by the library. */
  GKIT_PROPERTY_DERIVED = 16
};

/** What a full reader does: gkit_reader_options.overflow. @since 0.1 */
enum {
  GKIT_OVERFLOW_DROP_OLDEST = 0,
  GKIT_OVERFLOW_DROP_NEWEST = 1,
  /** Keeps what it holds and takes no more until there is room. Behind it waits, of each source,
      what a session holds back: the newest update, or the last 4096 samples of a stream; what is
      lost of that is counted by gkit_reader_stats.dropped. Nothing else is held up: not sampling,
      nor listeners and other readers. */
  GKIT_OVERFLOW_BLOCK = 2
};

/** How much a log line matters. @since 0.1 */
enum {
  GKIT_LOG_TRACE = 0,
  GKIT_LOG_DEBUG = 1,
  GKIT_LOG_INFO = 2,
  GKIT_LOG_NOTICE = 3,
  GKIT_LOG_WARNING = 4,
  GKIT_LOG_ERROR = 5
};

/** The verbs of a data source. @since 0.1 */
enum {
  GKIT_OPERATION_GET = 1,
  GKIT_OPERATION_GET_ALL = 2,
  GKIT_OPERATION_PUT = 3,
  GKIT_OPERATION_PUT_ALL = 4,
  GKIT_OPERATION_DELETE = 5,
  /** The same as GKIT_OPERATION_DELETE. */
  GKIT_OPERATION_DELETE_ALL = 6
};

/** In place of a property in gkit_frame_column(): the rows' wall times. @since 0.1 */
#define GKIT_COLUMN_TIME 0xFFFFFFFFu
/** In place of a property in gkit_frame_column(): the rows' boot times. @since 0.1 */
#define GKIT_COLUMN_BOOT 0xFFFFFFFEu

/* ---- Structs ------------------------------------------------------------------------------- */

/** One value: a number, a text, a vector, a container. Frozen, 40 bytes. Make one with the
    gkit_value_...() constructors of section 3. @since 0.1 */
typedef struct gkit_value {
  /** GKIT_TYPE_*: which member of `as` holds. */
  uint32_t type;
  /** VECTOR: 2 to 4 components. STRING, BYTES: length in bytes, without the NUL. Otherwise 0. */
  uint32_t count;
  union {
    bool boolean;
    /** INT, and TIME (nanoseconds since 1970). */
    int64_t integer;
    double number;
    double vector[4];
    const char *string;
    const void *bytes;
    /** DICT and LIST. */
    gkit_dict *dict;
  } as;
} gkit_value;

/** One value of one property with its times. Frozen, 80 bytes. @since 0.1 */
typedef struct gkit_sample {
  /** When it was so: nanoseconds since 1970. */
  int64_t time_ns;
  /** The same instant on CLOCK_BOOTTIME. */
  int64_t boot_ns;
  /** Counts the new values of this property of this instance, from 1; equal = the same again. */
  uint64_t sequence;
  /** The number gkit_source_get_info() reports: unique in its context. */
  uint32_t source;
  /** Index of the property. */
  uint32_t property;
  /** GKIT_SAMPLE_*. */
  uint32_t status;
  /** GKIT_FLAG_*. */
  uint32_t flags;
  /** NONE unless the status is OK or STALE. */
  gkit_value value;
} gkit_sample;

/** A failure. Frozen. @since 0.1 */
typedef struct gkit_error {
  /** GKIT_ERROR_*, or 0 where nothing failed yet. */
  gkit_status code;
  /** The system's error number, or 0. */
  int32_t sys_errno;
  /** One plain sentence, with the remedy where there is one; never NULL. */
  const char *message;
} gkit_error;

/** One column of a frame. Frozen. Row i is at `(const char *)data + i * stride`. @since 0.1 */
typedef struct gkit_column {
  const void *data;
  /** Bytes from one row to the next. */
  size_t stride;
  size_t rows;
  /** GKIT_TYPE_*, which tells the elements: BOOL uint8_t, INT and TIME int64_t, DOUBLE double,
      VECTOR `count` doubles, STRING const char *, BYTES gkit_value. */
  uint32_t type;
  /** VECTOR: components a row. Otherwise 1. */
  uint32_t count;
} gkit_column;

/** How to open a context. Start from GKIT_CONTEXT_OPTIONS_INIT. @since 0.1 */
typedef struct gkit_context_options {
  size_t struct_size;
  /** GKIT_MODE_THREAD or GKIT_MODE_HOST. */
  uint32_t mode;
  /** None yet: 0. */
  uint32_t flags;
  /** Categories of personal values to open, separated by commas, or "all"; NULL = none. location,
      microphone, ssid, mac, serial, hostname, cell_id, bluetooth_discovery. */
  const char *GKIT_NULLABLE allow;
} gkit_context_options;
/** @since 0.1 */
#define GKIT_CONTEXT_OPTIONS_INIT                                                                  \
  { sizeof(gkit_context_options), GKIT_MODE_THREAD, 0, NULL }

/** A source at this moment. Texts are borrowed, see OWNERSHIP. @since 0.1 */
typedef struct gkit_source_info {
  size_t struct_size;
  /** Canonical id; the bare kind as long as no instance is bound. */
  const char *id;
  const char *kind;
  /** The kind's name, for people: "Battery". */
  const char *name;
  /** GKIT_AVAILABILITY_*. */
  int32_t availability;
  /** Of this session, unique in its context: gkit_sample.source. */
  uint32_t number;
  uint32_t property_count;
  /** GKIT_REASON_*. */
  uint32_t reason;
  /** One clause with the path, name or host concerned; "" if there is none. */
  const char *reason_text;
  /** One line that says what to do about it; "" if there is nothing. */
  const char *remedy;
  /** Smallest interval that will be granted. */
  int64_t min_interval_ns;
  /** What a start with interval 0 asks for. */
  int64_t default_interval_ns;
  /** The instance's name, for people; may change. */
  const char *label;
  /** The mechanism that speaks: "sysfs", "UPower" ... */
  const char *backend;
  /** GKIT_STATE_*. */
  uint32_t state;
  /** The error number behind the reason, or 0. */
  int32_t sys_errno;
} gkit_source_info;
/** @since 0.1 */
#define GKIT_SOURCE_INFO_INIT                                                                      \
  { sizeof(gkit_source_info), NULL, NULL, NULL, 0, 0, 0, 0, NULL, NULL, 0, 0, NULL, NULL, 0, 0 }

/** A property: constant as long as its instance exists. Texts are borrowed. @since 0.1 */
typedef struct gkit_property_info {
  size_t struct_size;
  /** Unique in its kind and for ever: "level". */
  const char *key;
  /** For people. */
  const char *name;
  /** UCUM code; NULL for text, bool and time. */
  const char *GKIT_NULLABLE unit;
  /** "x,y,z" for vectors, the words of an enumerated property, otherwise NULL. */
  const char *GKIT_NULLABLE components;
  /** GKIT_TYPE_*. */
  uint32_t type;
  /** GKIT_REPORTING_*. */
  int32_t reporting_mode;
  /** GKIT_PROPERTY_*. */
  uint32_t flags;
  /** Range, where known; otherwise -INFINITY and INFINITY. */
  double minimum, maximum;
  /** Step of the hardware, where known; otherwise 0. */
  double resolution;
} gkit_property_info;
/** @since 0.1 */
#define GKIT_PROPERTY_INFO_INIT                                                                    \
  { sizeof(gkit_property_info), NULL, NULL, NULL, NULL, 0, 0, 0, 0.0, 0.0, 0.0 }

/** The intervals of a session: three numbers that are kept apart; 0 where there is none yet.
    @since 0.1 */
typedef struct gkit_rates {
  size_t struct_size;
  /** What the last start asked for, while updating. */
  int64_t asked_ns;
  /** What is being done. It follows from the instance and what was asked, not from others. */
  int64_t granted_ns;
  /** Mean spacing of the last 20 updates. */
  int64_t measured_ns;
  /** Ticks that were due while a late one was delivered. */
  uint64_t skipped;
  /** What was lost because the host was slow. */
  uint64_t dropped;
  /** Why granted differs from asked; NULL if it does not. */
  const char *GKIT_NULLABLE reason;
} gkit_rates;
/** @since 0.1 */
#define GKIT_RATES_INIT                                                                            \
  { sizeof(gkit_rates), 0, 0, 0, 0, 0, NULL }

/** How to make a reader. Start from GKIT_READER_OPTIONS_INIT. @since 0.1 */
typedef struct gkit_reader_options {
  size_t struct_size;
  /** Samples it holds; 0 = 4096. */
  size_t capacity;
  /** GKIT_OVERFLOW_*. */
  uint32_t overflow;
} gkit_reader_options;
/** @since 0.1 */
#define GKIT_READER_OPTIONS_INIT                                                                   \
  { sizeof(gkit_reader_options), 0, GKIT_OVERFLOW_DROP_OLDEST }

/** What went through a reader, in samples. @since 0.1 */
typedef struct gkit_reader_stats {
  size_t struct_size;
  /** Waiting to be read; not what waits behind a full reader (GKIT_OVERFLOW_BLOCK). */
  uint64_t queued;
  /** Handed out so far. */
  uint64_t delivered;
  /** Lost so far because it was full. */
  uint64_t dropped;
} gkit_reader_stats;
/** @since 0.1 */
#define GKIT_READER_STATS_INIT                                                                     \
  { sizeof(gkit_reader_stats), 0, 0, 0 }

/* ---- Callbacks ----------------------------------------------------------------------------- */

/** Takes an update: the samples of one or more readings, in time order.
    @param source borrowed
    @param samples valid until it returns
    @since 0.1 */
typedef void (*gkit_update_fn)(gkit_source *source, const gkit_sample *samples, size_t count,
                               void *user_data);

/** Takes an event.
    @param source the session it concerns, borrowed; NULL for watchers
    @param source_id the instance it concerns; valid until it returns
    @param event GKIT_EVENT_*
    @param error for FAILED, LOST, and STOPPED when it was not asked for; otherwise NULL
    @since 0.1 */
typedef void (*gkit_event_fn)(gkit_source *GKIT_NULLABLE source, const char *source_id,
                              int32_t event, const gkit_error *GKIT_NULLABLE error,
                              void *user_data);

/** Takes values of a stream, in order. Signals and variables bring one at a time, device streams
   may bring consecutive ones as a batch.
    @param samples valid until it returns
    @since 0.1 */
typedef void (*gkit_sample_fn)(const gkit_sample *samples, size_t count, void *user_data);

/** Makes one value of another, or drops it.
    @param in valid until it returns
    @param out arrives as NONE; what it refers to stays yours, and must live until the next call
    @return false drops the value
    @since 0.1 */
typedef bool (*gkit_transform_fn)(const gkit_sample *in, gkit_value *out, void *user_data);

/** Makes one payload of another, or checks one.
    @param in valid until it returns
    @param out arrives as NONE; what it refers to stays yours, and must live until the next call.
           NULL where the function is a check
    @return negative rejects the value
    @since 0.1 */
typedef gkit_status (*gkit_map_fn)(const gkit_value *in, gkit_value *out, void *user_data);

/** Takes a value that reached an input of a patch.
    @param patch borrowed, the handle you know it by, if you hold one; publish on it
    @param in valid until it returns
    @return negative: the value failed, which is counted and told on gkit_patch_errors(), with this
            number
    @since 0.1 */
typedef gkit_status (*gkit_input_fn)(gkit_patch *patch, const gkit_sample *in, void *user_data);

/** Makes a patch of a registered type by adding its ports.
    @param patch an empty patch, borrowed
    @param options what was given, each a member
    @return negative: the options are bad, and no patch is made
    @since 0.1 */
typedef gkit_status (*gkit_patch_make_fn)(gkit_patch *patch, const gkit_dict *options,
                                          void *user_data);

/** Does what a custom data source is asked for: resolves `reply`, now or later.
    @param operation GKIT_OPERATION_*; never DELETE_ALL
    @param query what was asked, without its route; borrowed
    @param value what to put; NULL where there is nothing. Valid until it returns
    @param reply borrowed: gkit_retain() it to answer later, from any thread, with
           gkit_future_resolve(); released unresolved it is CANCELLED. gkit_future_then() tells when
           the caller no longer waits
    @since 0.1 */
typedef void (*gkit_perform_fn)(int32_t operation, const gkit_dict *query,
                                const gkit_value *GKIT_NULLABLE value, gkit_future *reply,
                                void *user_data);

/** Whether a failed call is made again.
    @param attempt how many there were
    @since 0.1 */
typedef bool (*gkit_retry_fn)(const gkit_error *error, uint32_t attempt, void *user_data);

/** Whether a repository answers a stale value when main has failed after a miss.
    @since 0.1 */
typedef bool (*gkit_fallback_fn)(const gkit_error *main_error, const gkit_error *cache_error,
                                 void *user_data);

/** Hears that a future has a result: gkit_future_wait() reads it.
    @param future borrowed
    @since 0.1 */
typedef void (*gkit_future_fn)(gkit_future *future, void *user_data);

/** Takes a log line. It may be called inside any call you make, on delivery threads and on those of
    stores, never on a gathering thread; two calls never overlap. Log nothing from inside it.
    @param level GKIT_LOG_*
    @since 0.1 */
typedef void (*gkit_log_fn)(int32_t level, const char *subsystem, const char *message,
                            void *user_data);

/** Work handed to a context by gkit_context_invoke(). @since 0.1 */
typedef void (*gkit_invoke_fn)(void *user_data);

/** Frees what a registration was given. Runs exactly once, after the last call of the callback it
    came with, on the thread that ended the registration or on the callback's right after it.
    @since 0.1 */
typedef void (*gkit_destroy_fn)(void *user_data);

/* ---- 1. Library, version, error, log ------------------------------------------------------- */

/** The library's version: major << 16 | minor << 8 | patch. @since 0.1 */
GKIT_API uint32_t gkit_version(void);

/** The library's version as text: "0.1.0". Static. @since 0.1 */
GKIT_API const char *gkit_version_string(void);

/** Whether this build knows a mechanism: iio udev dbus netlink alsa sqlite secret mqtt sim replay
    local ip. False for every other name.
    @since 0.1 */
GKIT_API bool gkit_has_feature(const char *name);

/** The last failure on the calling thread. Never NULL; its code is 0 before the first. Valid until
    this thread's next failing call; successes leave it alone.
    @since 0.1 */
GKIT_API const gkit_error *gkit_last_error(void);

/** The constant's name: "GKIT_ERROR_NOT_FOUND". Never NULL, also for numbers without a name.
    @since 0.1 */
GKIT_API const char *gkit_status_name(gkit_status status);

/** Sends the library's log lines of at least a level to a function, in place of the one before.
    Without one, which is how a process starts, nothing is logged.
    @param min_level GKIT_LOG_*
    @param fn NULL removes the handler; `destroy`, if given, then runs at once
    @since 0.1 */
GKIT_API void gkit_set_log_handler(int32_t min_level, gkit_log_fn GKIT_NULLABLE fn,
                                   void *GKIT_NULLABLE user_data,
                                   gkit_destroy_fn GKIT_NULLABLE destroy);

/* ---- 2. Objects ---------------------------------------------------------------------------- */

/** Takes one more reference to an object of any handle type.
    @return the same handle, to be released once; NULL if it is not one
    @since 0.1 */
GKIT_API void *gkit_retain(void *handle);

/** Gives one reference back. With the last one of the host a source ends silently (no callback of
    it begins after the return), a connection is disconnected, a context without sources closes.
    NULL is fine; so is a handle from before a fork; a stale one only sets gkit_last_error().
    @since 0.1 */
GKIT_API void gkit_release(void *GKIT_NULLABLE handle);

/** One line about an object, for people and for logs.
    @return gkit_free() it; NULL if it is not a handle
    @since 0.1 */
GKIT_API GKIT_NODISCARD char *gkit_describe(const void *handle);

/** Frees text the library gave to the host. NULL is fine. @since 0.1 */
GKIT_API void gkit_free(void *GKIT_NULLABLE memory);

/** How many objects exist, whatever keeps them: for leak tests.
    @param type context source connection connector reader frame stream patch datasource future dict
           sink (lists count as dict, those inside another do not count); NULL = all types
    @return the number; INVALID_ARGUMENT for any other word
    @since 0.1 */
GKIT_API int64_t gkit_live_count(const char *GKIT_NULLABLE type);

/* ---- 3. Values and containers -------------------------------------------------------------- */

/** Makes a deep copy that is yours: gkit_value_clear() it. `out` may not own anything before.
    @return OK, TYPE (not a value), LIMIT, NO_MEMORY
    @since 0.1 */
GKIT_API gkit_status gkit_value_copy(const gkit_value *src, gkit_value *out);

/** Frees what a value owns that gkit_value_copy() or gkit_value_from_json() made, and makes it
    NONE. Not for borrowed values. NULL and NONE are fine.
    @since 0.1 */
GKIT_API void gkit_value_clear(gkit_value *GKIT_NULLABLE value);

/** Writes a value for people: shortest decimal that reads back the same, a space, the unit. Vectors
    are "(x, y, z) unit", booleans true and false, NONE an en dash, times ISO 8601 UTC, bytes hex,
    containers JSON. Control characters become U+FFFD.
    @param unit UCUM code; NULL and "1" write none
    @param buffer NULL only with capacity 0
    @return as snprintf: the length of the whole text, without the NUL; what fits is written, always
            with a NUL if capacity is not 0; 0 for what is not a value, or too large to write
    @since 0.1 */
GKIT_API size_t gkit_value_format(const gkit_value *value, const char *GKIT_NULLABLE unit,
                                  char *GKIT_NULLABLE buffer, size_t capacity);

/** Reads JSON. Numbers without `.` or `e` that fit 64 bits are INT; {"vector":[...]}, {"bytes":
    "base64"} and {"time_ns":N} are VECTOR, BYTES and TIME.
    @param length in bytes; the text needs no NUL
    @param[out] out yours: gkit_value_clear() it
    @return OK, PARSE (also for duplicate names), LIMIT (nested over 128 deep, or too many parts),
            NO_MEMORY
    @since 0.1 */
GKIT_API gkit_status gkit_value_from_json(const char *text, size_t length, gkit_value *out);

/** Writes JSON that gkit_value_from_json() reads back equal.
    @return gkit_free() it; NULL with TYPE for what JSON has no words for (NaN, infinities), LIMIT
            or NO_MEMORY
    @since 0.1 */
GKIT_API GKIT_NODISCARD char *gkit_value_to_json(const gkit_value *value);

/** Converts between commensurable UCUM codes, and from angular rate to rotation frequency.
    @return OK, INVALID_ARGUMENT (unknown, not commensurable, or a number that is not finite)
    @since 0.1 */
GKIT_API gkit_status gkit_unit_convert(double value, const char *from, const char *to, double *out);

/** Makes an empty dictionary, which keeps its members in the order they were first set.
    @return yours; NULL with NO_MEMORY
    @since 0.1 */
GKIT_API GKIT_NODISCARD gkit_dict *gkit_dict_new(void);

/** Makes an empty list: the same handle type, holding items instead of keys.
    @return yours; NULL with NO_MEMORY
    @since 0.1 */
GKIT_API GKIT_NODISCARD gkit_dict *gkit_list_new(void);

/** Sets a member of a dictionary, replacing one in its place, or appends to a list. Copies deeply:
    a dictionary may be put into itself and then holds the copy.
    @param key for a list NULL
    @return OK, INVALID_ARGUMENT (a key on a list, none on a dictionary), TYPE (not a value),
            NOT_SUPPORTED (a dictionary borrowed from inside another), LIMIT (it would be nested
            over 128 deep, or have too many parts or bytes), NO_MEMORY
    @since 0.1 */
GKIT_API gkit_status gkit_dict_set(gkit_dict *dict, const char *GKIT_NULLABLE key,
                                   const gkit_value *value);

/** Looks a member up.
    @param[out] out borrowed until the dictionary changes or goes
    @return OK, NOT_FOUND, INVALID_ARGUMENT (a list)
    @since 0.1 */
GKIT_API gkit_status gkit_dict_get(const gkit_dict *dict, const char *key, gkit_value *out);

/** How many members or items there are; 0 for what is no dictionary. @since 0.1 */
GKIT_API size_t gkit_dict_count(const gkit_dict *dict);

/** The member or item at a position.
    @param[out] out_key its key, borrowed like the value; NULL in a list
    @return OK, NOT_FOUND (past the end)
    @since 0.1 */
GKIT_API gkit_status gkit_dict_at(const gkit_dict *dict, size_t index,
                                  const char **GKIT_NULLABLE out_key, gkit_value *out);

/** No value. @since 0.1 */
static inline gkit_value gkit_value_none(void) {
  gkit_value value;
  value.type = GKIT_TYPE_NONE;
  value.count = 0;
  value.as.vector[0] = value.as.vector[1] = value.as.vector[2] = value.as.vector[3] = 0;
  return value;
}

/** A truth value. @since 0.1 */
static inline gkit_value gkit_value_bool(bool boolean) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_BOOL;
  value.as.boolean = boolean;
  return value;
}

/** A whole number. @since 0.1 */
static inline gkit_value gkit_value_int(int64_t integer) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_INT;
  value.as.integer = integer;
  return value;
}

/** A number. @since 0.1 */
static inline gkit_value gkit_value_double(double number) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_DOUBLE;
  value.as.number = number;
  return value;
}

/** 2 to 4 numbers, copied into the value. @since 0.1 */
static inline gkit_value gkit_value_vector(const double *components, uint32_t count) {
  gkit_value value = gkit_value_none();
  uint32_t i;
  value.type = GKIT_TYPE_VECTOR;
  value.count = count;
  for (i = 0; i < count && i < 4; i++)
    value.as.vector[i] = components[i];
  return value;
}

/** A text, borrowed: keep it alive as long as the value is used. NULL gives NONE. @since 0.1 */
static inline gkit_value gkit_value_string(const char *GKIT_NULLABLE text) {
  gkit_value value = gkit_value_none();
  if (text == NULL)
    return value;
  value.type = GKIT_TYPE_STRING;
  value.as.string = text;
  while (text[value.count] != '\0')
    value.count++;
  return value;
}

/** Bytes, borrowed: keep them alive as long as the value is used. @since 0.1 */
static inline gkit_value gkit_value_bytes(const void *GKIT_NULLABLE bytes, uint32_t length) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_BYTES;
  value.count = length;
  value.as.bytes = bytes;
  return value;
}

/** A moment: nanoseconds since 1970. @since 0.1 */
static inline gkit_value gkit_value_time(int64_t time_ns) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_TIME;
  value.as.integer = time_ns;
  return value;
}

/** A dictionary, borrowed. @since 0.1 */
static inline gkit_value gkit_value_dict(gkit_dict *dict) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_DICT;
  value.as.dict = dict;
  return value;
}

/** A list, borrowed. @since 0.1 */
static inline gkit_value gkit_value_list(gkit_dict *list) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_LIST;
  value.as.dict = list;
  return value;
}

/* ---- 4. Context and event loop ------------------------------------------------------------- */

/** Opens a machine.

      local:                  this computer; parameters redirect one mechanism: bus=ADDRESS,
                              gpsd=HOST:PORT, iio=URI, alsa=PCM, gnss=DEVICE
      local:root=DIR          a captured tree of /sys, /proc, /etc, /dev, /usr/lib, /run/udev/data
      ip:HOST[:PORT]          the IIO devices of a remote machine, through its iiod
      sim:NAME, sim:file=FILE a simulated device: "empty", "laptop", "phone", or a script
      replay:FILE             a recording

    Parameters are key=value joined by `&`, reserved characters percent-encoded. With clock=manual
    (sim: and local:root=) time moves only by gkit_context_seek().
    @param uri NULL = "local:"
    @param options NULL = GKIT_CONTEXT_OPTIONS_INIT
    @param[out] out yours; releasing the last reference closes it
    @return OK, INVALID_ARGUMENT (syntax, unknown scheme, parameter, mode or category), NOT_FOUND
            (no such DIR, FILE or name), PARSE (a bad script or recording), NOT_IMPLEMENTED (mqtt:)
    @since 0.1 */
GKIT_API gkit_status gkit_context_open(const char *GKIT_NULLABLE uri,
                                       const gkit_context_options *GKIT_NULLABLE options,
                                       gkit_context **out);

/** Stops all sources (each running one delivers STOPPED), ends all registrations, waits for a
    callback that is running, interrupts and joins the threads of stores, writes out and closes the
    sinks (10 s each at most), and runs all destroy functions, those of data sources and patches
    you still hold included. Futures that are pending become CANCELLED: what they stand for was not
    done and will not be; what a store had done by then is told as done. A second time is fine. In
    HOST mode, and with a clock that you move, a context closes with the last handle that reaches
    it, since what waits would wait for ever. Inside a callback of another context it does not wait
    for a callback or a thread of this one, which may be waiting for that one; STOPPED may go
    undelivered then, if callbacks of this one are running.
    @return OK, WRONG_THREAD (inside one of the context's own callbacks; nothing happened)
    @since 0.1 */
GKIT_API gkit_status gkit_context_close(gkit_context *context);

/** HOST mode: the descriptor that is readable while callbacks wait to be dispatched, for poll,
    epoll, GLib, sd-event, libuv, asyncio. Do not read or close it; it is the same for the
    context's whole life.
    @return the descriptor; NOT_SUPPORTED (THREAD mode)
    @since 0.1 */
GKIT_API int gkit_context_fd(gkit_context *context);

/** HOST mode: runs callbacks on this thread. Delivers all that is queued on entry; if that is
    nothing, waits for the first.
    @return how many callbacks ran; 0 when the time is up, so with timeout 0 none was queued.
            NOT_SUPPORTED (THREAD mode), BUSY (another thread is dispatching, or, inside a callback
            of another context, is running a callback of this one), WRONG_THREAD (inside a callback
            of this one)
    @since 0.1 */
GKIT_API int32_t gkit_context_dispatch(gkit_context *context, int64_t timeout_ns);

/** Returns when everything handed to the context before it has been delivered: dispatches on the
    loop thread, only waits elsewhere.
    @return OK, TIMEOUT, WRONG_THREAD (inside a callback of this context), BUSY (inside a callback
            of another context, while another thread runs a callback of this one, or, off the loop
            thread, while something is still to be delivered)
    @since 0.1 */
GKIT_API gkit_status gkit_context_flush(gkit_context *context, int64_t timeout_ns);

/** Runs a function where callbacks run. Always queued, first in first out, never at once. One that
    is still queued when the context closes is not run; its destroy is.
    @since 0.1 */
GKIT_API gkit_status gkit_context_invoke(gkit_context *context, gkit_invoke_fn fn,
                                         void *GKIT_NULLABLE user_data,
                                         gkit_destroy_fn GKIT_NULLABLE destroy);

/** The context's clock, as its samples carry it.
    @param[out] out_time_ns wall time
    @param[out] out_boot_ns boot time; with a manual clock, its position
    @since 0.1 */
GKIT_API gkit_status gkit_context_now(const gkit_context *context,
                                      int64_t *GKIT_NULLABLE out_time_ns,
                                      int64_t *GKIT_NULLABLE out_boot_ns);

/** Whether the calling thread is running a callback of this context. @since 0.1 */
GKIT_API bool gkit_context_is_current(const gkit_context *context);

/** Widens or narrows which personal values are open. Acts at once: waiting sources start, sources
    that lose their permission stop.
    @param allow as in gkit_context_options; "" = none
    @return OK, INVALID_ARGUMENT (an unknown category; nothing changed)
    @since 0.1 */
GKIT_API gkit_status gkit_context_set_allow(gkit_context *context, const char *allow);

/** Looks at once whether instances came, went or changed. The events it causes are delivered before
    it returns.
    @since 0.1 */
GKIT_API gkit_status gkit_context_rescan(gkit_context *context);

/** The doctor: every kind, instance, reason, remedy and mechanism, without side effects.
    @param[out] out yours: {version, kinds: [{kind, name, backend, availability, reason, detail,
           errno, remedy, instances: [as gkit_source_list(), and backend, errno]}], mechanisms:
           [{name, version, reason, remedy}]}
    @since 0.1 */
GKIT_API gkit_status gkit_context_report(gkit_context *context, gkit_dict **out);

/* ---- 5. Discovery -------------------------------------------------------------------------- */

/** Lists the instances there are, without starting anything.
    @param kind NULL = all kinds, in catalogue order
    @param[out] out yours: a list of {id, kind, name, label, availability, reason, detail, remedy},
           all STRING, availability a word in brackets of GKIT_AVAILABILITY_*
           (`requiresPermissionsPrompt`), reason one of GKIT_REASON_*, remedy "" if there is none
    @return OK, NOT_FOUND (unknown kind)
    @since 0.1 */
GKIT_API gkit_status gkit_source_list(gkit_context *context, const char *GKIT_NULLABLE kind,
                                      gkit_dict **out);

/** Opens a new, private session. A known kind always opens, whether present or not; a bare kind
    opens its default instance, and binds later if there is none yet.
    @param id_or_kind "battery", "battery|BAT0"
    @param[out] out yours
    @return OK, NOT_FOUND (unknown kind or device; the message has the nearest names), PARSE
    @since 0.1 */
GKIT_API gkit_status gkit_source_open(gkit_context *context, const char *id_or_kind,
                                      gkit_source **out);

/** Watches instances come and go: ADDED, REMOVED. Those already there are not announced: list
    them.
    @param kind NULL = all kinds
    @param fn its `source` is NULL
    @param[out] out yours; NULL = as long as the context
    @return OK, NOT_FOUND (unknown kind)
    @since 0.1 */
GKIT_API gkit_status gkit_source_watch(gkit_context *context, const char *GKIT_NULLABLE kind,
                                       gkit_event_fn fn, void *GKIT_NULLABLE user_data,
                                       gkit_destroy_fn GKIT_NULLABLE destroy,
                                       gkit_connection **GKIT_NULLABLE out);

/** Takes the id of a source or property apart. Unknown kinds and foreign devices parse.
    @param[out] out yours: decoded kind, instance, device; path (canonical text), components
           (decoded list), ancestors (list, root to leaf, without itself), canonical, source,
           parent; what is absent has no member
    @return OK, PARSE (the message begins "byte N: ")
    @since 0.1 */
GKIT_API gkit_status gkit_id_parse(const char *id, gkit_dict **out);

/** Puts an id together from kind, instance, device and components, as gkit_id_parse() gives them.
    @param[out] out the canonical text: gkit_free() it
    @return OK, INVALID_ARGUMENT (no kind, an empty or impossible part), TYPE
    @since 0.1 */
GKIT_API gkit_status gkit_id_build(const gkit_dict *parts, char **out);

/** The interval a start with 0 asks for: per kind, in this process.
    @return OK, NOT_FOUND (unknown kind)
    @since 0.1 */
GKIT_API gkit_status gkit_kind_get_default_interval(const char *kind, int64_t *out_ns);

/** Changes it for later starts; touches no running source.
    @param interval_ns 0 = back to the factory value
    @return OK, NOT_FOUND (unknown kind), INVALID_ARGUMENT (negative)
    @since 0.1 */
GKIT_API gkit_status gkit_kind_set_default_interval(const char *kind, int64_t interval_ns);

/* ---- 6. Sources, properties, values -------------------------------------------------------- */

/** Everything about a source at this moment. Never blocks.
    @param[in,out] out struct_size set by you, at least 16
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_info(const gkit_source *source, gkit_source_info *out);

/** What is known about the instance beside its values: vendor, driver, path, mount matrix, backend.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_metadata(const gkit_source *source, gkit_dict **out);

/** Starts updating, and refreshes at once: the first update has every property. While updating it
    replaces interval and schedule, refreshes at once and sends no event; while waiting it replaces
    the interval. The event (STARTED, PERMISSION_REQUESTED or FAILED) has been delivered on return.
    @param interval_ns a request; 0 = the kind's default
    @return OK (now updating, or waiting for a permission). INVALID_ARGUMENT (negative; nothing
            changed), and after FAILED: PERMISSION, BUSY, TIMEOUT, UNAVAILABLE, IO
    @since 0.1 */
GKIT_API gkit_status gkit_source_start(gkit_source *source, int64_t interval_ns);

/** Stops updating or waiting. On return STOPPED has been delivered and no further update begins.
    Idle sources stay idle, without an event.
    @since 0.1 */
GKIT_API gkit_status gkit_source_stop(gkit_source *source);

/** Whether it is updating. False for what is no living source.
    @param[out] out_interval_ns the interval asked for; 0 when it is not updating
    @since 0.1 */
GKIT_API bool gkit_source_is_updating(const gkit_source *source,
                                      int64_t *GKIT_NULLABLE out_interval_ns);

/** The intervals asked for, granted and measured, and what was skipped and dropped.
    @param[in,out] out struct_size set by you, at least 16
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_rates(const gkit_source *source, gkit_rates *out);

/** Takes one reading now, in every state, beside the schedule; blocks until it is in or the time is
    up, and notifies the listeners once. What has not come by then keeps its old value.
    @return OK whenever the values could be asked for, whatever their status; see the samples
    @since 0.1 */
GKIT_API gkit_status gkit_source_update_values(gkit_source *source, int64_t timeout_ns);

/** Describes a property. Never blocks.
    @param property index, below gkit_source_info.property_count
    @param[in,out] out struct_size set by you, at least 16
    @return OK, INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_property_info(const gkit_source *source, uint32_t property,
                                                   gkit_property_info *out);

/** Finds a property by its key.
    @return its index; NOT_FOUND
    @since 0.1 */
GKIT_API int32_t gkit_source_find_property(const gkit_source *source, const char *key);

/** The last known value of a property. No I/O. Inside a listener it is what was delivered.
    @param[out] out its payload is borrowed
    @return OK whatever the value's status; INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_value(const gkit_source *source, uint32_t property,
                                           gkit_sample *out);

/** The last known values of all properties, in catalogue order. No I/O.
    @param[out] out room for `capacity` samples; NULL with capacity 0 only counts
    @return how many there are in total, of which at most `capacity` were written
    @since 0.1 */
GKIT_API int64_t gkit_source_get_values(const gkit_source *source, gkit_sample *GKIT_NULLABLE out,
                                        size_t capacity);

/** Why a value is what it is, and its raw form exactly as the backend gave it.
    @param[out] out yours: {status, reason, remedy, place, clock} STRING, {errno} INT, {raw} STRING
           or BYTES; raw is absent when it is withheld
    @return OK, INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_source_explain(const gkit_source *source, uint32_t property,
                                         gkit_dict **out);

/** Sets a property that is WRITABLE (writes the device) or CONFIG (a setting of this session).
    @return OK, NOT_SUPPORTED (neither), TYPE, INVALID_ARGUMENT (out of range, no such index),
            PERMISSION, UNAVAILABLE (the device is away), IO
    @since 0.1 */
GKIT_API gkit_status gkit_source_set_value(gkit_source *source, uint32_t property,
                                           const gkit_value *value);

/* ---- 7. Listeners and connections ---------------------------------------------------------- */

/** Listens to the updates of a source. Listeners are called in the order added; one added during a
    delivery waits for the next. It sees nothing from before.
    @param[out] out yours; NULL = as long as the source
    @since 0.1 */
GKIT_API gkit_status gkit_source_listen(gkit_source *source, gkit_update_fn fn,
                                        void *GKIT_NULLABLE user_data,
                                        gkit_destroy_fn GKIT_NULLABLE destroy,
                                        gkit_connection **GKIT_NULLABLE out);

/** Listens to the events of a source: STARTED, STOPPED, FAILED, AVAILABILITY_CHANGED,
    PERMISSION_REQUESTED, and of a replay LOST. Events are never replayed: gkit_source_get_info()
    has the present state, which the event announcing it already shows.
    @param[out] out yours; NULL = as long as the source
    @since 0.1 */
GKIT_API gkit_status gkit_source_listen_events(gkit_source *source, gkit_event_fn fn,
                                               void *GKIT_NULLABLE user_data,
                                               gkit_destroy_fn GKIT_NULLABLE destroy,
                                               gkit_connection **GKIT_NULLABLE out);

/** Ends a registration. Once it has returned no further call begins. From a thread that runs no
    callback of any context it also waits for one that is running; inside a callback it returns at
    once. A second time is fine, and so is NULL. The handle stays valid until released.
    @since 0.1 */
GKIT_API void gkit_connection_disconnect(gkit_connection *GKIT_NULLABLE connection);

/** Makes an empty bag of connections.
    @return yours, and its last reference disconnects what is in it; NULL with NO_MEMORY
    @since 0.1 */
GKIT_API GKIT_NODISCARD gkit_connector *gkit_connector_new(void);

/** Puts a connection in. The bag takes a reference of its own: you may release yours at once, and
    the connection goes on.
    @since 0.1 */
GKIT_API gkit_status gkit_connector_add(gkit_connector *connector, gkit_connection *connection);

/** Disconnects all that is in the bag and empties it; it can be filled again. NULL is fine.
    @since 0.1 */
GKIT_API void gkit_connector_disconnect(gkit_connector *GKIT_NULLABLE connector);

/** Listens, then starts, so that the listener sees the first update. If the start fails the
    listener stays, as if both had been called by hand: `out` is written all the same.
    @param interval_ns as gkit_source_start()
    @param[out] out yours; NULL = as long as the source
    @return as gkit_source_listen(), then as gkit_source_start()
    @since 0.1 */
static inline gkit_status gkit_source_start_and_listen(gkit_source *source, int64_t interval_ns,
                                                       gkit_update_fn fn,
                                                       void *GKIT_NULLABLE user_data,
                                                       gkit_destroy_fn GKIT_NULLABLE destroy,
                                                       gkit_connection **GKIT_NULLABLE out) {
  gkit_status status = gkit_source_listen(source, fn, user_data, destroy, out);
  return status < 0 ? status : gkit_source_start(source, interval_ns);
}

/* ---- 8. Batch reading (pull): the fast path for foreign runtimes --------------------------- */

/** Makes a bounded queue of samples, filled from the moment a source is added, whether or not the
    context is dispatched.
    @param options NULL = GKIT_READER_OPTIONS_INIT
    @param[out] out yours
    @return OK, INVALID_ARGUMENT (a bad option), LIMIT (a capacity above 2^24 samples)
    @since 0.1 */
GKIT_API gkit_status gkit_reader_new(gkit_context *context,
                                     const gkit_reader_options *GKIT_NULLABLE options,
                                     gkit_reader **out);

/** Adds a source; the reader keeps it. Many sources may share one reader. Does not start it.
    @return OK, EXISTS (already in), INVALID_ARGUMENT (of another context)
    @since 0.1 */
GKIT_API gkit_status gkit_reader_add(gkit_reader *reader, gkit_source *source);

/** The descriptor that is readable while samples are queued. Do not read or close it.
    @since 0.1 */
GKIT_API int gkit_reader_fd(gkit_reader *reader);

/** Takes samples, oldest first.
    @param[out] out room for `capacity` samples; payloads valid until the next read on this reader
    @return how many were written; 0 when the time is up; CLOSED after a close, also for a waiter
    @since 0.1 */
GKIT_API int64_t gkit_reader_read(gkit_reader *reader, gkit_sample *out, size_t capacity,
                                  int64_t timeout_ns);

/** Takes all rows queued of one source, oldest first, as columns. A row is a reading.
    @param source NULL = the source of the oldest row
    @param[out] out yours, immutable
    @return OK, TIMEOUT, CLOSED
    @since 0.1 */
GKIT_API gkit_status gkit_reader_next_frame(gkit_reader *reader, gkit_source *GKIT_NULLABLE source,
                                            int64_t timeout_ns, gkit_frame **out);

/** How many samples are queued, were handed out and were lost.
    @param[in,out] out struct_size set by you, at least 16
    @since 0.1 */
GKIT_API gkit_status gkit_reader_get_stats(const gkit_reader *reader, gkit_reader_stats *out);

/** The status of each row of a property: uint32_t GKIT_SAMPLE_*.
    @param[out] out borrowed from the frame
    @return OK, INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_frame_status(const gkit_frame *frame, uint32_t property,
                                       gkit_column *out);

/** The payloads of a property, or the rows' times. Missing rows are NaN (DOUBLE, VECTOR), otherwise
    0 or NULL: gkit_frame_status() tells them apart.
    @param property index, GKIT_COLUMN_TIME or GKIT_COLUMN_BOOT
    @param[out] out borrowed from the frame
    @return OK, INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_frame_column(const gkit_frame *frame, uint32_t property,
                                       gkit_column *out);

/* ---- 9. Streams ---------------------------------------------------------------------------- */
/*
 * A stream has one order of sends and subscriptions, and every subscriber gets each value placed
 * after its subscription exactly once. A send to a stream that is just delivering, from inside a
 * callback or from another thread, is queued and returns at once; otherwise it has been delivered
 * when it returns. Derived streams work only while they have subscribers. A stream keeps what it is
 * made of; a connection keeps its stream.
 *
 * An *observable* holds a value, which gkit_stream_get() reads and which greets each subscriber (a
 * greeting comes without GKIT_FLAG_IS_NEW). An *updatable* takes values by gkit_stream_send() too,
 * and groups them into transactions, each of which its subscribers see as one change.
 *
 * What one send sets off is a cascade, and a cascade has a limit (100 000 values): the send that
 * would exceed it is refused with LIMIT, and nothing else is lost.
 */

/** Flags of gkit_stream_subscribe(). @since 0.1 */
enum {
  /** Without a greeting: only what comes after. */
  GKIT_FUTURE_ONLY = 1
};

/** The observable of one property of a source, which it keeps. Its samples carry their status: an
    unplugged source shows as one, not as an end. Does not start the source.
    @param[out] out yours
    @return OK, NOT_FOUND (no such key)
    @since 0.1 */
GKIT_API gkit_status gkit_source_stream(gkit_source *source, const char *key, gkit_stream **out);

/** Makes a stream.
    @param type "signal": what is sent into it;
                "variable": holds {value}, NONE without;
                "publink": a signal that greets with its last value unless {replays_last} is false;
                "timer": ticks at {start_ns} (boot time; else one interval from now) and at every
                whole multiple of {interval_ns} after it. A tick is its index on that grid, an INT,
                at its due moment; ticks that pass during a delivery are left out.
    @param options NULL = none
    @param[out] out yours
    @return OK, NOT_FOUND (no such type), INVALID_ARGUMENT (an unknown or bad option)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_new(gkit_context *context, const char *type,
                                     const gkit_dict *GKIT_NULLABLE options, gkit_stream **out);

/** Changes an option of a stream that exists, at once.
    @param option "replays_last" (publinks, BOOL), "start_ns" and "interval_ns" (timers, INT),
           "cascade_limit" (any stream, INT; on the stream of a port the limit of the whole loop)
    @return OK, NOT_SUPPORTED (not of this stream), NOT_FOUND (no such option), TYPE,
            INVALID_ARGUMENT
    @since 0.1 */
GKIT_API gkit_status gkit_stream_set_option(gkit_stream *stream, const char *option,
                                            const gkit_value *value);

/** Sends a value: into a signal, to the subscribers of a publink, as the new value of an updatable.
    It is copied, and stamped with the context's present time.
    @param value NULL = NONE
    @return OK, NOT_SUPPORTED (nothing can be sent into this stream), LIMIT (the cascade is full),
            what the `from` of gkit_stream_map_both() answered
    @since 0.1 */
GKIT_API gkit_status gkit_stream_send(gkit_stream *stream, const gkit_value *GKIT_NULLABLE value);

/** The value an observable holds, or the last one a publink sent.
    @param[out] out its payload is borrowed
    @return OK, NOT_SUPPORTED (it holds none), NO_DATA (nothing was published yet)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_get(const gkit_stream *stream, gkit_sample *out);

/** How many subscriptions it has: those of hosts, wires and derived streams alike.
    @return a number >= 0, or a negative status
    @since 0.1 */
GKIT_API int64_t gkit_stream_subscriber_count(const gkit_stream *stream);

/** Subscribes. On a stream that greets, the first call of `fn` is the present value, and on an idle
    stream it is made before this returns.
    @param name for publinks: at most one subscriber bears a name, and another under the same name
           takes its place in the list; lasts until gkit_stream_unsubscribe(). NULL = none
    @param flags GKIT_FUTURE_ONLY or 0
    @param[out] out yours; NULL = as long as the stream; must be NULL where there is a name
    @return OK, NOT_SUPPORTED (a name on a stream that is no publink), INVALID_ARGUMENT
    @since 0.1 */
GKIT_API gkit_status gkit_stream_subscribe(gkit_stream *stream, const char *GKIT_NULLABLE name,
                                           uint32_t flags, gkit_sample_fn fn,
                                           void *GKIT_NULLABLE user_data,
                                           gkit_destroy_fn GKIT_NULLABLE destroy,
                                           gkit_connection **GKIT_NULLABLE out);

/** Removes a named subscriber of a publink at once; an unknown name is fine.
    @return OK, NOT_SUPPORTED (no publink)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_unsubscribe(gkit_stream *stream, const char *name);

/** Makes a stream by an operator. Durations are INT nanoseconds above 0, counts INT above 0.
    @param op "distinct" leaves out what equals the value before;
              "buffered" shares one subscription among its subscribers (an observable: is silent
              during a transaction);
              "counted" an observable of how many values came;
              "updates" {kind, old, new} with kind "begin", "change" or "end", of an observable;
              "changes" {old, new} for each transaction, of an observable;
              "tick" the end of each transaction, of an observable;
              "flatten" the items of each list;
              "bracketed" {hello?, goodbye?} the first and last value of each subscriber;
              "throttle" {duration_ns, latest?} at most one value a duration; the newest that came
              meanwhile follows unless latest is false;
              "debounce" {duration_ns} the newest value once none has come for that long;
              "sample" {duration_ns} the newest value at each multiple, if one came;
              "batch" {count?, duration_ns?} lists without overlap;
              "window" {count} or {duration_ns} lists of the last values;
              "moving_average" {window} or {duration_ns} the mean of the last values;
              "low_pass" {time_constant_ns} or {alpha} smoothed exponentially;
              "min_change" {delta} what differs from the last one sent by at least that much;
              "timeout" {duration_ns, substitute} everything, and the substitute after a silence
    @param arguments NULL = none
    @param[out] out yours
    @return OK, NOT_FOUND (no such operator; the message offers the nearest), NOT_SUPPORTED (needs
   an observable), INVALID_ARGUMENT (an unknown, missing or bad argument)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_apply(gkit_stream *stream, const char *op,
                                       const gkit_dict *GKIT_NULLABLE arguments, gkit_stream **out);

/** Makes a stream of several.
    @param op "merge" every value of each, in one order;
              "combine" a list of the newest value of each;
              "+" "-" "*" "/" "%" "min" "max" of two (two INT give INT, which wraps; a division of
   INT by 0 is 0; other numbers give DOUBLE);
              "==" "!=" of any two, "<" "<=" ">" ">=" of two numbers or strings; "&&" "||" of two
   BOOL; with one stream "-", "!" and "sqrt". What does not fit gives NONE. Of observables the
   result is an observable, and of updatables "combine" is updatable.
    @param[out] out yours
    @return OK, NOT_FOUND (no such operator), INVALID_ARGUMENT (how many streams), LIMIT
    @since 0.1 */
GKIT_API gkit_status gkit_stream_combine(gkit_stream *const *streams, size_t count, const char *op,
                                         gkit_stream **out);

/** Makes a plain stream of what a function makes of each value: map, filter and both in one. The
    function is called once for each subscriber and value.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_stream_transform(gkit_stream *stream, gkit_transform_fn fn,
                                           void *GKIT_NULLABLE user_data,
                                           gkit_destroy_fn GKIT_NULLABLE destroy,
                                           gkit_stream **out);

/** Makes an observable of what `to` makes of the value of another. The functions may be called any
    number of times. A value `to` rejects is NONE with status FAILED.
    @param from with it the result is updatable if `observable` is: what is sent goes through `from`
           into the origin; a negative status refuses the send, and is its answer. NULL = read-only
    @param[out] out yours
    @return OK, NOT_SUPPORTED (no observable; or `from` for one that is not updatable)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_map_both(gkit_stream *observable, gkit_map_fn to,
                                          gkit_map_fn GKIT_NULLABLE from,
                                          void *GKIT_NULLABLE user_data,
                                          gkit_destroy_fn GKIT_NULLABLE destroy, gkit_stream **out);

/** Opens a transaction on an updatable, or joins the one that is open. It groups, and excludes no
    other thread: sets from other threads join it.
    @return OK, NOT_SUPPORTED (not updatable)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_begin(gkit_stream *stream);

/** Ends what one gkit_stream_begin() began; the outermost end closes the transaction.
    @return OK, NOT_SUPPORTED (not updatable), INVALID_ARGUMENT (none is open)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_end(gkit_stream *stream);

/** Keeps two updatables equal both ways, from now on; `b` is set to the value of `a` first.
    @param[out] out yours; NULL = as long as `a`
    @return OK, NOT_SUPPORTED (not updatable), BUSY (one of them is in a transaction)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_bind(gkit_stream *a, gkit_stream *b,
                                      gkit_connection **GKIT_NULLABLE out);

/** Makes a signal: gkit_stream_new(). @since 0.1 */
static inline gkit_status gkit_signal_new(gkit_context *context, gkit_stream **out) {
  return gkit_stream_new(context, "signal", NULL, out);
}

/** Makes a publink: gkit_stream_new(). @since 0.1 */
static inline gkit_status gkit_publink_new(gkit_context *context, gkit_stream **out) {
  return gkit_stream_new(context, "publink", NULL, out);
}

/** Makes a variable that holds `initial`: gkit_stream_new(). @since 0.1 */
static inline gkit_status gkit_variable_new(gkit_context *context, const gkit_value *initial,
                                            gkit_stream **out) {
  gkit_dict *options = gkit_dict_new();
  gkit_status status = gkit_dict_set(options, "value", initial);
  if (status >= 0)
    status = gkit_stream_new(context, "variable", options, out);
  gkit_release(options);
  return status;
}

/** Makes a timer that ticks every interval, first one interval from now: gkit_stream_new().
    @since 0.1 */
static inline gkit_status gkit_timer_new(gkit_context *context, int64_t interval_ns,
                                         gkit_stream **out) {
  gkit_dict *options = gkit_dict_new();
  gkit_value interval = {GKIT_TYPE_INT, 0, {false}};
  gkit_status status;
  interval.as.integer = interval_ns;
  status = gkit_dict_set(options, "interval_ns", &interval);
  if (status >= 0)
    status = gkit_stream_new(context, "timer", options, out);
  gkit_release(options);
  return status;
}

/* ---- 10. Patches --------------------------------------------------------------------------- */
/*
 * A patch has named inputs and outputs; every port is a publink of its own. All values of the
 * patches of a context go through one queue, first in, first out: handlers run where callbacks run,
 * one at a time, and never nest; what a handler publishes goes to the end of the queue with the
 * times of the sample that caused it. Feedback loops are allowed. A wired input keeps the patch
 * that feeds it, but for the wire that closes a circle; no patch keeps those it feeds.
 *
 * A value published or set on the loop while nothing is queued has been delivered when the call
 * returns; from any other thread it is handed over, and gkit_context_flush() waits for it.
 *
 * A hint says what a port takes: "any", "bool", "int", "double" (ints too), "vector", "string",
 * "bytes", "time", "dict" (lists too); each takes NONE. Nothing is converted.
 */

/** Makes a patch of a type of the catalogue (gkit_patch_list_types()) or a registered one.
    @param type NULL = empty, for your own ports; "graph" = one that holds children
    @param options of the type, each also an input of the same name unless it is fixed; durations
           are DOUBLE seconds. NULL = none
    @param[out] out yours
    @return OK, NOT_FOUND (no such type), INVALID_ARGUMENT (a bad or unknown option, which the
            message names)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_new(gkit_context *context, const char *GKIT_NULLABLE type,
                                    const gkit_dict *GKIT_NULLABLE options, gkit_patch **out);

/** Adds a type of your own, which gkit_patch_new() and documents know from now on. `destroy` runs
    when the context closes.
    @return OK, EXISTS (the name is taken), INVALID_ARGUMENT (no name)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_register(gkit_context *context, const char *type,
                                         gkit_patch_make_fn make, void *GKIT_NULLABLE user_data,
                                         gkit_destroy_fn GKIT_NULLABLE destroy);

/** The catalogue: a list of {type, summary, inputs, outputs, options}.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_patch_list_types(gkit_context *context, gkit_dict **out);

/** What a patch is made of: {type, name, inputs: [{name, hint, wired, feedback, errors}], outputs:
    [{name, hint}], children: [{name, type}]}.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_patch_get_info(const gkit_patch *patch, gkit_dict **out);

/** Adds an input, or replaces the one of that name: its handler, wire and last value go.
    @param name not empty, without control characters
    @param hint NULL = "any"
    @param fn NULL = no handler: listen on its stream
    @return OK, INVALID_ARGUMENT (a bad name or hint)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_add_input(gkit_patch *patch, const char *name,
                                          const char *GKIT_NULLABLE hint,
                                          gkit_input_fn GKIT_NULLABLE fn,
                                          void *GKIT_NULLABLE user_data,
                                          gkit_destroy_fn GKIT_NULLABLE destroy);

/** Adds an output, or replaces the one of that name: its last value, wires and subscribers go; the
    inputs it fed are wired no more.
    @param hint NULL = "any"
    @return OK, INVALID_ARGUMENT (a bad name or hint)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_add_output(gkit_patch *patch, const char *name,
                                           const char *GKIT_NULLABLE hint);

/** Removes a port with its wires and subscribers.
    @return OK, NOT_FOUND
    @since 0.1 */
GKIT_API gkit_status gkit_patch_remove_port(gkit_patch *patch, const char *name, bool output);

/** The publink of a port, to listen to, publish on or wire. It keeps the patch.
    @param[out] out yours
    @return OK, NOT_FOUND
    @since 0.1 */
GKIT_API gkit_status gkit_patch_port(gkit_patch *patch, const char *name, bool output,
                                     gkit_stream **out);

/** Calls the handler of an input with a value, once; reaches nothing else.
    @return OK, NOT_FOUND (no such input), TYPE (it does not fit the hint)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_set_value(gkit_patch *patch, const char *input,
                                          const gkit_value *value);

/** Publishes a value on an output.
    @return OK, NOT_FOUND (no such output), TYPE (it does not fit the hint), LIMIT (the cascade is
            full)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_publish(gkit_patch *patch, const char *output,
                                        const gkit_value *value);

/** Wires an input to a stream, or moves its wire; the last value of the stream follows. The stream
    of an output makes a wire that can be saved.
    @param stream NULL = cuts the wire
    @return OK, NOT_FOUND (no such input), TYPE (the hints have no value in common)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_set_input(gkit_patch *patch, const char *name,
                                          gkit_stream *GKIT_NULLABLE stream);

/** The stream of what fails in a patch: dicts {port, code, message, status}. It keeps the patch.

    {code} is one of these words: "typeMismatch", a value does not fit the hint of {port};
    "handlerFailed", the handler of the input {port} failed; "cascadeLimit", the cascade is full and
    nothing was published on {port}; "badOption", a value is no good for the option {port}; and what
    a type's own handler may run into, "notFound", "badName", "duplicateName", "exists",
    "notSavable", "invalidGraph", "closed". {status} is an INT: what a gkit_input_fn answered, as it
    answered it; of other failures what a call answers that fails so, USER where there is none.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_patch_errors(gkit_patch *patch, gkit_stream **out);

/** Puts a patch into a graph, which keeps it.
    @param name a letter, then letters, digits, "_" and "-"; NULL = the type, numbered if taken
    @return OK, EXISTS (the name is taken, or the child is in a graph), INVALID_ARGUMENT (a bad
   name), NOT_SUPPORTED (no graph)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_add(gkit_patch *graph, const char *GKIT_NULLABLE name,
                                    gkit_patch *child);

/** The child of a name.
    @param[out] out yours; the handle you know the child by, if you hold one
    @return OK, NOT_FOUND, NOT_SUPPORTED (no graph)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_find(gkit_patch *graph, const char *name, gkit_patch **out);

/** Takes a child out: its wires inside the graph are cut, the ports it lent are withdrawn.
    @return OK, NOT_FOUND, NOT_SUPPORTED (no graph)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_remove(gkit_patch *graph, const char *name);

/** Offers a port of a child as one of the graph's own.
    @param reference "child.port"
    @return OK, NOT_FOUND (no such child or port), EXISTS, INVALID_ARGUMENT (a bad name),
            NOT_SUPPORTED (no graph)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_offer(gkit_patch *graph, const char *name, const char *reference,
                                      bool output);

/** A graph as text.
    @param format "json" (the document gkit_patch_from_json() loads), "dot" or "mermaid"
    @param[out] out free it with gkit_free()
    @return OK, NOT_FOUND (no such format), NOT_SUPPORTED (no graph), INVALID_ARGUMENT (what a
            document could not be loaded with again, which the message names: a child without a
            type, a wire to something outside, a wire, value or offer of a port that the child's
            type does not bring, an option or value JSON has no spelling for)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_export(gkit_patch *graph, const char *format, char **out);

/** Checks a document, and builds the graph if nothing is wrong: all or nothing.
    @param[out] out yours; NULL = only check
    @param[out] out_problems yours, also on failure: a list of {code, pointer, message, nearest?};
           empty when there is nothing wrong
    @return OK, PARSE (malformed: not JSON, or a wrong member; the message begins "byte N: "), LIMIT
            (nested more than 128 deep, likewise), VALIDATION (other problems)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_from_json(gkit_context *context, const char *text, size_t length,
                                          gkit_patch **GKIT_NULLABLE out,
                                          gkit_dict **GKIT_NULLABLE out_problems);

/** Wires an output to an input: gkit_patch_port() and gkit_patch_set_input(). @since 0.1 */
static inline gkit_status gkit_patch_connect(gkit_patch *from, const char *output, gkit_patch *to,
                                             const char *input) {
  gkit_stream *stream = NULL;
  gkit_status status = gkit_patch_port(from, output, true, &stream);
  if (status >= 0)
    status = gkit_patch_set_input(to, input, stream);
  gkit_release(stream);
  return status;
}

/* ---- 11. Data sources ---------------------------------------------------------------------- */
/*
 * A data source puts, gets and deletes values by query. Stores hold values, decorators change how a
 * store behaves, a repository decides between a main store and a cache, and a function of yours can
 * be one too; all of them answer alike, and every call gives a future. Everything is copied.
 *
 * A key holds one object or one list. A list is a LIST value; NULL or NONE stands for null. A QUERY
 * is a dictionary, made by gkit_query_new() and gkit_dict_set():
 *
 *   type     "id"      the entry of {id}, any value: "7" and 7 are the same id
 *            "key"     the entry whose id has this text, {key}
 *            "ids"     several, {ids}: a list
 *            "all"     everything
 *            "page"    of everything {limit} values from {offset} on
 *            "object"  the entry with the id of {value}, which put then stores
 *            "time"    what was recorded from {from_ns} to {to_ns}: recordings only
 *            "void"    nothing: no verb takes it
 *   where    for "all" and "page" of rows: ["=", column, value], likewise != < <= > >=;
 *            ["in", column, [values]]; ["is_null", column]; ["and", ...], ["or", ...], ["not", c]
 *   order_by likewise: names of columns, "-" before one reverses it
 *   route    for repositories: "main", "cache", "cache_ignoring_validity", "main_sync",
 *            "cache_sync", "default"; other data sources ignore it
 *
 * What comes of a call is told by its future: NOT_FOUND (no such entry, or none of this shape or
 * type), INVALID_ARGUMENT, NOT_IMPLEMENTED (not this verb), NOT_SUPPORTED (the verb does not take
 * this query), VALIDATION (a check refused it), PARSE (what is stored cannot be read, or a value
 * cannot be written), IO (system, file or service refused), TIMEOUT, CANCELLED, or a number of your
 * own. A call that fails has changed nothing.
 *
 * Stores work on threads of their own. The functions of decorators and custom data sources and the
 * consumers of futures run where callbacks run, never inside each other.
 *
 * A data source with a {name} is known by it to the patch `record` as long as its handle lives, and
 * to patches made meanwhile as long as they live. Stores have that option, and so have wrap,
 * validate, retry and repositories: by them what has no options gets a name. Each sample is put as
 * an object of its own: {"source": the patch's `name`, "time": TIME, "value"}, and "value.status"
 * ("noData", "stale", ...) for one that is not ok: what a recording as a data source answers, and
 * the columns of a table for it. Its id is text, by which rows are in the order they came; where
 * INVALID_ARGUMENT answers it, as a table whose ids are whole numbers does, the row is put by
 * "object" and given one. Nothing waits for the answer: a refusal comes back to the loop as an
 * error of the patch. While 4096 rows are without an answer, a further one is such an error at
 * once, and lost. A call made on the store afterwards is answered after them.
 */

/** Opens a store.
    @param type "void":     answers NOT_IMPLEMENTED to everything;
                "memory":   {id}, the name of the member by which "object" queries know a value;
                "storage":  small values that outlive the program, {name} ("default"), {layout}:
                "regular", "prefix" with {prefix}, or "root" with {root}; {type}, the one type of
                its values: bool int double string bytes time vector list dict; {path}, {id},
                {busy_timeout_ns} (5 s);
                "sqlite":   rows of a table, each a dict: {path}, {table}, {columns}: a list of
                {name, type: bool int double string bytes time, index?, nullable?}, {key} ("id"),
                {busy_timeout_ns};
                "files":    BYTES, one file an entry: {folder}, {naming}: "sha256" or "plain";
                "keychain": secrets of a {service}, with {type}
    @param options NULL = none. Every type takes a {name}, "storage" a {store} instead, as which the
                   patch `record` knows it: see below
    @param[out] out yours
    @return OK, NOT_FOUND (no such type), INVALID_ARGUMENT (an unknown, bad or missing option, which
            the message names), EXISTS (another sink or data source has the {name})
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_open(gkit_context *context, const char *type,
                                          const gkit_dict *GKIT_NULLABLE options,
                                          gkit_datasource **out);

/** Makes a data source of a function of yours, which is called on the loop.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_new_custom(gkit_context *context, gkit_perform_fn fn,
                                                void *GKIT_NULLABLE user_data,
                                                gkit_destroy_fn GKIT_NULLABLE destroy,
                                                gkit_datasource **out);

/** Makes a call. get answers an object, get_all a list, put and put_all what is now stored, delete
    and delete_all (the same) NONE. The call keeps the data source.
    @param operation GKIT_OPERATION_*
    @param query see above
    @param value what to put, which put_all takes as a LIST; NULL = null
    @param[out] out yours; releasing it does not call the call off
    @return OK, INVALID_ARGUMENT (no such operation, or a query that is none), LIMIT (a value nested
            more than 128 deep, or too large); the rest is told by the future
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_perform(gkit_datasource *datasource, int32_t operation,
                                             const gkit_dict *query,
                                             const gkit_value *GKIT_NULLABLE value,
                                             gkit_future **out);

/** Puts a decorator around a data source, which it keeps.
    @param decorator "cache": answers of key queries are served again until they are {expiry_ns} old
                     (300 s), for at most {capacity} keys;
                     "log": one INFO line in the log for each call; {delay_ns}, {failure_share} (0
                     to 1) and {seed} to look for mistakes, {logs_values}
    @param options NULL = none; both take a {name}, see above
    @param[out] out yours
    @return OK, NOT_FOUND (no such decorator), INVALID_ARGUMENT (an unknown or bad option), EXISTS
            (the {name} is taken)
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_wrap(gkit_datasource *datasource, const char *decorator,
                                          const gkit_dict *GKIT_NULLABLE options,
                                          gkit_datasource **out);

/** Maps values on their way out and in. A status of the list above is the call's error, any other
    becomes PARSE with it as cause; a value refused on its way in never reaches the inner source.
    @param[out] out yours; keeps the inner data source
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_map(gkit_datasource *datasource, gkit_map_fn to_outer,
                                         gkit_map_fn to_inner, void *GKIT_NULLABLE user_data,
                                         gkit_destroy_fn GKIT_NULLABLE destroy,
                                         gkit_datasource **out);

/** Checks what is read: one value or element that is refused makes the answer VALIDATION.
    @param options {empty_list_is_valid} (true), {validate_put} (false): checks what is put, before
           the inner source sees it; {name}, see above. NULL = none
    @param check gets `out` NULL
    @param[out] out yours; keeps the inner data source
    @return OK, INVALID_ARGUMENT (an unknown or bad option), EXISTS (the {name} is taken)
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_validate(gkit_datasource *datasource,
                                              const gkit_dict *GKIT_NULLABLE options,
                                              gkit_map_fn check, void *GKIT_NULLABLE user_data,
                                              gkit_destroy_fn GKIT_NULLABLE destroy,
                                              gkit_datasource **out);

/** Makes failed calls again, except cancelled ones.
    @param options {retries}: how many further attempts (1); {delay_ns} between them, times {factor}
           (1) from one to the next, up to {max_delay_ns}, shortened at random by up to {jitter} (0
           to 1, from {seed}); {name}, see above. NULL = none
    @param fn NULL = always agrees
    @param[out] out yours; keeps the inner data source
    @return OK, INVALID_ARGUMENT (an unknown or bad option), EXISTS (the {name} is taken)
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_retry(gkit_datasource *datasource,
                                           const gkit_dict *GKIT_NULLABLE options,
                                           gkit_retry_fn GKIT_NULLABLE fn,
                                           void *GKIT_NULLABLE user_data,
                                           gkit_destroy_fn GKIT_NULLABLE destroy,
                                           gkit_datasource **out);

/** Reads from one data source, writes to another, deletes from a third; it keeps them.
    @param get NULL, likewise put and del = NOT_IMPLEMENTED for its verbs
    @param[out] out yours
    @return OK, INVALID_ARGUMENT (all are NULL)
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_assemble(gkit_datasource *GKIT_NULLABLE get,
                                              gkit_datasource *GKIT_NULLABLE put,
                                              gkit_datasource *GKIT_NULLABLE del,
                                              gkit_datasource **out);

/** Decides between a main data source and a cache by the query's route, and keeps both. "main" and
    "cache" ask one of them; "main_sync" asks main and refreshes the cache with its answer, and
    writes to both, main first; "cache_sync" asks main only for what the cache does not have, or
    what the check refuses, and writes to both, the cache first; "default" reads as "cache_sync"
    that never falls back, and writes as "main_sync". A cache that cannot be refreshed is a WARNING
    in the log. If the second of two writes fails, the error lists the first under `completed`.
    @param cache NULL = main only, whatever the route
    @param options {empty_list_is_valid} (true); {name}, see above. NULL = none
    @param check judges what comes from the cache, `out` being NULL; NULL = everything is valid
    @param fallback asked on "cache_sync" when main failed after a miss; NULL = never
    @param[out] out yours
    @return OK, INVALID_ARGUMENT (an unknown or bad option), EXISTS (the {name} is taken)
    @since 0.1 */
GKIT_API gkit_status
gkit_repository_new(gkit_datasource *main, gkit_datasource *GKIT_NULLABLE cache,
                    const gkit_dict *GKIT_NULLABLE options, gkit_map_fn GKIT_NULLABLE check,
                    gkit_fallback_fn GKIT_NULLABLE fallback, void *GKIT_NULLABLE user_data,
                    gkit_destroy_fn GKIT_NULLABLE destroy, gkit_datasource **out);

/** Makes a future that you resolve.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_future_new(gkit_context *context, gkit_future **out);

/** Gives a future its result: one of gkit_future_new(), or the `reply` of a gkit_perform_fn. On the
    loop outside callbacks its consumers have been called when this returns; otherwise they are
    queued for the loop.
    @param status negative = it failed
    @param value the result; NULL = NONE. Where get_all or put_all is answered it is a LIST
    @param message of a failure; NULL = a general one
    @return OK, EXISTS (it has a result already), NOT_SUPPORTED (a data source resolves this one)
    @since 0.1 */
GKIT_API gkit_status gkit_future_resolve(gkit_future *future, gkit_status status,
                                         const gkit_value *GKIT_NULLABLE value,
                                         const char *GKIT_NULLABLE message);

/** Waits for the result. On the loop thread outside callbacks it dispatches meanwhile. It answers
    after the context was closed, too.
    @param[out] out borrowed, as long as the future lives
    @return OK, TIMEOUT (the time is up; the future stays as it is), WRONG_THREAD (inside a
            callback, for what itself needs the loop), or the error of the result
    @since 0.1 */
GKIT_API gkit_status gkit_future_wait(gkit_future *future, int64_t timeout_ns,
                                      gkit_value *GKIT_NULLABLE out);

/** Has a function called once with the future, when there is a result: in the order attached, on
    the loop; at once if there is one and this is the loop, outside callbacks. You may release the
    future. A pending one without a reference is freed, with its consumers uncalled.
    @since 0.1 */
GKIT_API gkit_status gkit_future_then(gkit_future *future, gkit_future_fn fn,
                                      void *GKIT_NULLABLE user_data,
                                      gkit_destroy_fn GKIT_NULLABLE destroy);

/** All about a result: {code, errno, message, missing, completed, causes: [the same]}; code is 0
    after a success, missing lists the ids not found, completed the stores that had done their part.
    It answers after the context was closed, too.
    @param[out] out yours
    @return OK, NO_DATA (there is no result yet)
    @since 0.1 */
GKIT_API gkit_status gkit_future_get_error(const gkit_future *future, gkit_dict **out);

/** Resolves a pending future as CANCELLED and tells what works for it: a custom data source by
    gkit_future_then() on its `reply`. What was already written stays written. NULL is fine.
    @since 0.1 */
GKIT_API void gkit_future_cancel(gkit_future *GKIT_NULLABLE future);

/** A query {type, id}; more members by gkit_dict_set(). Yours; NULL without memory.
    @param id NULL = without
    @since 0.1 */
static inline gkit_dict *gkit_query_new(const char *type, const char *GKIT_NULLABLE id) {
  gkit_dict *query = gkit_dict_new();
  gkit_value text = gkit_value_string(type);
  if (query == NULL)
    return NULL;
  if (gkit_dict_set(query, "type", &text) >= 0) {
    if (id == NULL)
      return query;
    text = gkit_value_string(id);
    if (gkit_dict_set(query, "id", &text) >= 0)
      return query;
  }
  gkit_release(query);
  return NULL;
}

/** gkit_datasource_perform() with GKIT_OPERATION_GET. @since 0.1 */
static inline gkit_status gkit_datasource_get(gkit_datasource *datasource, const gkit_dict *query,
                                              gkit_future **out) {
  return gkit_datasource_perform(datasource, GKIT_OPERATION_GET, query, NULL, out);
}

/** gkit_datasource_perform() with GKIT_OPERATION_GET_ALL. @since 0.1 */
static inline gkit_status gkit_datasource_get_all(gkit_datasource *datasource,
                                                  const gkit_dict *query, gkit_future **out) {
  return gkit_datasource_perform(datasource, GKIT_OPERATION_GET_ALL, query, NULL, out);
}

/** gkit_datasource_perform() with GKIT_OPERATION_PUT. @since 0.1 */
static inline gkit_status gkit_datasource_put(gkit_datasource *datasource, const gkit_dict *query,
                                              const gkit_value *GKIT_NULLABLE value,
                                              gkit_future **out) {
  return gkit_datasource_perform(datasource, GKIT_OPERATION_PUT, query, value, out);
}

/** gkit_datasource_perform() with GKIT_OPERATION_PUT_ALL. @since 0.1 */
static inline gkit_status gkit_datasource_put_all(gkit_datasource *datasource,
                                                  const gkit_dict *query, const gkit_value *values,
                                                  gkit_future **out) {
  return gkit_datasource_perform(datasource, GKIT_OPERATION_PUT_ALL, query, values, out);
}

/** gkit_datasource_perform() with GKIT_OPERATION_DELETE. @since 0.1 */
static inline gkit_status gkit_datasource_delete(gkit_datasource *datasource,
                                                 const gkit_dict *query, gkit_future **out) {
  return gkit_datasource_perform(datasource, GKIT_OPERATION_DELETE, query, NULL, out);
}

/** gkit_datasource_perform() with GKIT_OPERATION_DELETE_ALL. @since 0.1 */
static inline gkit_status gkit_datasource_delete_all(gkit_datasource *datasource,
                                                     const gkit_dict *query, gkit_future **out) {
  return gkit_datasource_perform(datasource, GKIT_OPERATION_DELETE_ALL, query, NULL, out);
}

/* ---- 12. Sinks and replays ----------------------------------------------------------------- */

/** Opens a sink: something that takes samples in. Whatever is added goes into it from then on, on a
    thread of the library's; no source ever waits for it. What comes faster than the disk takes is
    kept in bounded memory, and what goes beyond that is lost and told of by a gap.
    Format `recording`: a file that `replay:FILE` plays and `gathered info` looks at. It is
    synchronised every second, and a process that is killed loses no more. Personal values are
    recorded only where the context allows them. Files are made for their owner only, mode 0600,
    those of the other formats too. Options:
      existing            STRING `refuse` (EXISTS), `append` or `overwrite`; default refuse
      name                STRING as which the patch `record` knows it until it is closed (EXISTS)
      block_interval_ns   INT    how long a row waits to be written at most; default 1 s
      sync_interval_ns    INT    how long what is written waits to be synchronised at most; 1 s
      memory_limit        INT    bytes that wait at most, beyond which rows are lost; 16 MiB
      block_rows          INT    rows of a block at most, 1 to 65 536; default 4096
      block_bytes         INT    memory of a block's rows, up to 4 MiB; default 256 KiB
      rotate_bytes        INT    a file about so long is followed by another
      rotate_interval_ns  INT    a file so old is followed by another
      keep                INT    how many files are kept, the present one included
    Format `jsonl`: text, an object a reading: {"id", "time_ns", "values": {KEY: {"value", "unit",
    "status", "reason"?, "remedy"?}}}, values as gkit_value_to_json() writes them and those that are
    missing null, numbers that are not finite too; and an object an event: {"id", "time_ns",
    "event", "availability"?, "reason"?, "remedy"?, "rows"?}, `lost` among them, whose id is null
    where it is not known whose rows they were. A stream has the id of its name and the key `value`.
    Options: the first five.
    Format `csv`: text by RFC 4180, names first, times in ISO 8601, values as gkit_value_format()
    without unit, vectors as KEY.COMPONENT, texts as they are, dicts and lists as JSON, missing
    values empty (an empty text is ""). Options: the first five, and
      layout              STRING `wide`: time and a column a property, of one source or stream (a
                                 second one is INVALID_ARGUMENT); `long`: time,source,property,
                                 value,status and a line a value; default wide
    @param target the path of the file
    @param[out] out owned; it keeps what is added to it
    @return OK, NOT_FOUND (the format), INVALID_ARGUMENT, EXISTS, BUSY (another sink writes it),
            PARSE (to append to what is no recording), IO
    @since 0.1 */
GKIT_API gkit_status gkit_sink_open(gkit_context *context, const char *format, const char *target,
                                    const gkit_dict *GKIT_NULLABLE options, gkit_sink **out);

/** Takes in every update and event of a source, at the source's own rate; starting and stopping
    it stays your business.
    @return OK, CLOSED, INVALID_ARGUMENT (a source of another context, a second one in a wide csv)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_add_source(gkit_sink *sink, gkit_source *source);

/** Takes in every value of a stream under a name; two of one name make one series.
    @return OK, CLOSED, INVALID_ARGUMENT (no name, a stream of another context, a second one in a
            wide csv)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_add_stream(gkit_sink *sink, gkit_stream *stream, const char *name);

/** Returns when all that has come so far is on the device.
    @param timeout_ns negative: for ever
    @return OK, TIMEOUT, CLOSED, IO (what prevents it; a full disk, say - what was taken in is kept
            and tried again)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_flush(gkit_sink *sink, int64_t timeout_ns);

/** Takes in nothing more, lets go of sources and streams, and returns when all that has come is on
    the device, 10 s at most. Idempotent. Releasing the last reference closes without waiting.
    @return OK, TIMEOUT, IO (what prevented it)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_close(gkit_sink *sink);

/** Sets how fast a replay runs; inside callbacks too. Its clock stands still until the first source
    starts, and runs at rate 1 then. However fast it runs nothing is dropped: the next row waits
    until the last one has been delivered.
    @param rate 0 stands still, 1 is as it was recorded, INFINITY as fast as it can
    @return OK, INVALID_ARGUMENT (negative, NaN), NOT_SUPPORTED (no replay), CLOSED
    @since 0.1 */
GKIT_API gkit_status gkit_context_set_rate(gkit_context *replay, double rate);

/** Moves a manual clock to a position and delivers everything due on the way, in time order, on
    this thread, before it returns; it stops at every due moment, so nothing is late. The present
    position delivers what is due now, refreshes included. boot_ns is the position, time_ns is
    1 700 000 000 s + position.
    A replay that stands still is moved forwards in the same way. One that runs, or is to go back,
    jumps: its sources then tell how things stood there. Behind the end is the end.
    @param offset_ns absolute, since opening, or since the beginning of the recording
    @return OK, INVALID_ARGUMENT (backwards, or before a recording), NOT_SUPPORTED (a clock that
            cannot be moved), WRONG_THREAD (inside a callback), BUSY (another thread moves this
            manual clock; a replay waits for its turn), LIMIT (more than 1 000 000 callbacks; the
            clock is at the last one delivered)
    @since 0.1 */
GKIT_API gkit_status gkit_context_seek(gkit_context *context, int64_t offset_ns);

/** The clock's position since opening. A replay that runs is at its end when the last row has been
    delivered, and not before.
    @param[out] out_duration_ns length of a recording; 0 where there is no end
    @return nanoseconds; NOT_SUPPORTED (a clock that cannot be moved)
    @since 0.1 */
GKIT_API int64_t gkit_context_position(const gkit_context *context,
                                       int64_t *GKIT_NULLABLE out_duration_ns);

/* The Arrow C data interface and C stream interface, word for word as that specification asks
   their users to declare them: https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  /* Array type description */
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;

  /* Release callback */
  void (*release)(struct ArrowSchema *);
  /* Opaque producer-specific data */
  void *private_data;
};

struct ArrowArray {
  /* Array data description */
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;

  /* Release callback */
  void (*release)(struct ArrowArray *);
  /* Opaque producer-specific data */
  void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  /* Callbacks providing stream functionality */
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);

  /* Release callback */
  void (*release)(struct ArrowArrayStream *);

  /* Opaque producer-specific data */
  void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/** All recorded rows of one source or stream of a replay as an Arrow C stream of record batches, in
    the order they were recorded: whatever the replay's clock says, and without moving it. A batch
    has the rows of one block of the recording at most, and is read when it is asked for.
    Columns: `time` timestamp[ns, UTC] and `boot` int64 (CLOCK_BOOTTIME, in nanoseconds) of the row;
    then one a property, by its key: bool, int64, double, utf8 (texts and enums), binary,
    timestamp[ns, UTC], fixed_size_list<double> (vectors). A value that is missing, whatever its
    status, is null; a stale one is there. A property called time or boot is the column `value.time`
    or `value.boot`. A stream has one column, `value`: of its values' type, double where they are
   int and double, utf8 of JSON where they are of several types, dicts or lists. Metadata of a
   field: key, name, unit, range (`MINIMUM,MAXIMUM`, -inf or inf where there is none), resolution,
   words and components (separated by commas), type `enum`, encoding `json`; each where there is
   any. Of the schema: source or stream, kind, label. Personal values are as they were recorded. The
   stream reads the file by itself: it may be used on any one thread at a time, also after the
   context was closed, until its `release`. `get_next` answers an errno where the file cannot be
   read, EBADF in a fork's child, and leaves the rows to the next call; a block that is damaged is
   passed over and logged as a warning. `get_schema` gives the same each time.
    @param source_id a source's id, the name of a kind (as gkit_source_open() understands it) or the
           name of a stream
    @param[out] out a struct of yours, moved as that specification says; release it by its own
           callback
    @return OK, NOT_FOUND, NOT_SUPPORTED (no replay), CLOSED, IO
    @since 0.1 */
GKIT_API gkit_status gkit_context_export_arrow(gkit_context *replay, const char *source_id,
                                               struct ArrowArrayStream *out);

GKIT_END_DECLS

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/* What is frozen stays frozen. */
#if defined(__cplusplus) && __cplusplus >= 201103L
static_assert(sizeof(gkit_value) == 40, "gkit_value is 40 bytes");
static_assert(offsetof(gkit_value, as) == 8, "gkit_value.as is at 8");
static_assert(sizeof(gkit_sample) == 80, "gkit_sample is 80 bytes");
static_assert(offsetof(gkit_sample, sequence) == 16, "gkit_sample.sequence is at 16");
static_assert(offsetof(gkit_sample, source) == 24, "gkit_sample.source is at 24");
static_assert(offsetof(gkit_sample, value) == 40, "gkit_sample.value is at 40");
static_assert(sizeof(gkit_column) == 3 * sizeof(void *) + 8, "gkit_column is frozen");
static_assert(sizeof(gkit_error) == sizeof(void *) + 8, "gkit_error is frozen");
static_assert(offsetof(gkit_error, message) == 8, "gkit_error.message is at 8");
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(gkit_value) == 40, "gkit_value is 40 bytes");
_Static_assert(offsetof(gkit_value, as) == 8, "gkit_value.as is at 8");
_Static_assert(sizeof(gkit_sample) == 80, "gkit_sample is 80 bytes");
_Static_assert(offsetof(gkit_sample, sequence) == 16, "gkit_sample.sequence is at 16");
_Static_assert(offsetof(gkit_sample, source) == 24, "gkit_sample.source is at 24");
_Static_assert(offsetof(gkit_sample, value) == 40, "gkit_sample.value is at 40");
_Static_assert(sizeof(gkit_column) == 3 * sizeof(void *) + 8, "gkit_column is frozen");
_Static_assert(sizeof(gkit_error) == sizeof(void *) + 8, "gkit_error is frozen");
_Static_assert(offsetof(gkit_error, message) == 8, "gkit_error.message is at 8");
#endif

#endif /* GKIT_H */
