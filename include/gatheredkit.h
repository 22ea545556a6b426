/*
 * GatheredKit 0.1: everything a Linux device can report about itself, in one consistent C API.
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
 * TERMS
 *
 *   Context     a machine and its event loop, opened by URI. Every source belongs to one context.
 *   Kind        a type of thing to measure: "battery", "accelerometer", "memory".
 *   Instance    one concrete thing of a kind, named by an id: "battery|BAT0".
 *   Source      one live, private session on one instance, with its own interval and listeners.
 *   Property    one quantity of an instance: key, unit, type, range. Named by index or by key.
 *   Sample      one value of one property: its payload or the reason for its absence, its times.
 *   Reading     one sample per property, in catalogue order.
 *   Update      one call of a listener with the samples of one or more readings in time order.
 *
 * Kinds, units and keys are strings, so adding one never changes this interface. Units are UCUM
 * codes: "m/s2", "Cel", "uT", "%", "By"; "1" for ratios and counts.
 *
 * OWNERSHIP
 *
 *   A handle (gkit_source * and so on) is opaque; its value is not an address. A stale, doubly
 *   released, foreign or wild handle gives GKIT_ERROR_INVALID_ARGUMENT, never undefined behaviour.
 *   - A handle received through `T **out` or returned by a `_new` function is yours: release it
 *     once with gkit_release(). Handles may be released in any order.
 *   - A handle passed to a callback, or found in what a getter fills in, is borrowed; keep it with
 *     gkit_retain().
 *   - Text, bytes and dictionaries that a getter fills in are borrowed. They are valid until the
 *     same thread calls the same function on that handle again or the handle is freed; those from
 *     a dictionary, until the dictionary changes or is freed. The samples of a callback are valid
 *     until it returns, those of gkit_reader_read() until the next read on that reader.
 *     gkit_value_copy() makes a copy to keep.
 *   - Only gkit_describe(), gkit_value_to_json(), gkit_id_build() and gkit_patch_export() return
 *     text that you free with gkit_free().
 *   - A source keeps its context alive, and a reader its sources; a connection does not keep its
 *     source. When the host and all readers have released a source, its session ends without an
 *     event. A context closes with its last reference, whatever held it.
 *
 * ERRORS
 *
 *   A gkit_status is 0 or a negative GKIT_ERROR_*. Functions that count return a number >= 0 or a
 *   negative status; functions that return bool cannot fail. Every failure sets the calling
 *   thread's gkit_last_error(): a code, an errno and a message of one sentence. Success never
 *   clears it. Failures after a call has returned arrive as `const gkit_error *` in event
 *   callbacks. Out-parameters are written on success only; on failure an out handle becomes NULL.
 *   Every argument is checked on every call. The library never aborts, exits or traps because of
 *   an argument, except when memory runs out: see below.
 *
 *   Every function that takes a handle can return these four statuses in addition to those its
 *   comment lists: INVALID_ARGUMENT (a bad handle, a NULL that is not marked GKIT_NULLABLE, text
 *   that is not UTF-8, objects of different contexts in one call), CLOSED (its context was closed),
 *   FORKED (it was opened before a fork) and NO_MEMORY. Every function that takes a text, a value,
 *   a size or a count can also return LIMIT. After a close only release, retain, describe, close,
 *   disconnect, is_updating and the functions whose comments say so still work.
 *
 *   Memory: every size you pass or request (a length, a count, a capacity, a depth) is checked
 *   before anything is allocated for it. A call returns LIMIT beyond these bounds: a name, path, id
 *   or message of 1 MiB; a value or document of 1 GiB, 2^24 parts (each counted as often as it
 *   would be written) or 128 levels; 2^24 samples or values kept; 65 536 streams combined into one;
 *   data sources nested 256 deep. It returns NO_MEMORY if the memory cannot be allocated. In both
 *   cases nothing has changed, and a smaller request can succeed. Data read from stores is checked
 *   in the same way, and a callback receives NONE in place of a text for which there is no memory.
 *   The guarantee ends there: the process may end if memory runs out in a small allocation of the
 *   library (64 KiB at most), or if another thread takes it between check and allocation.
 *
 *   Absence is not an error. A value that cannot be read is a sample with a status that says why; a
 *   missing instance is an availability with a reason and a remedy.
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
 *   Every function may be called from any thread, also inside callbacks, unless its comment says
 *   otherwise. The callbacks of one context never overlap; contexts run in parallel. Each context
 *   has a gathering thread that samples and queues. It never runs your code, so a slow host never
 *   disturbs sampling. Callbacks run where the context is dispatched:
 *   - GKIT_MODE_THREAD (the default): on a delivery thread of the library, which samples in place
 *     of the gathering thread while none of your code runs on it;
 *   - GKIT_MODE_HOST: in gkit_context_dispatch(), called when gkit_context_fd() is readable.
 *   There is one exception: the callbacks that a call causes itself (the events of a start or stop,
 *   the update of gkit_source_update_values()) run on the calling thread before that call returns,
 *   in turn with other callbacks; inside a callback they run right after that callback returns.
 *   Queues are bounded. Dropped samples are counted (gkit_rates, gkit_reader_stats) and flagged
 *   (GKIT_FLAG_GAP_BEFORE), never hidden.
 *
 *   A runtime that has one thread (Lua, Ruby, Perl, PHP, Guile, Node and their like) takes
 *   GKIT_MODE_HOST: a callback on a delivery thread would enter an interpreter that does not expect
 *   it. The host waits until gkit_context_fd() is readable and calls gkit_context_dispatch(), and
 *   its callbacks run inside that call. It sets no log handler, because log lines come from threads
 *   of the library in both modes. A reader (section 8) needs no callback at all.
 *   gkit_last_error() belongs to a thread of the system, not to a task of a runtime. A Go program
 *   calls runtime.LockOSThread() before the call that may fail, reads gkit_last_error(), and then
 *   calls runtime.UnlockOSThread(): otherwise its goroutine may move to another thread in between
 *   and read the error of that thread. Other runtimes that move tasks between threads do the same.
 *
 *   The last parameters of a registration are always `fn, user_data, destroy`, then `out`.
 *   `destroy` runs exactly once, after the last call of `fn`, also when the registration itself
 *   fails. It is not serialised: it may run while other callbacks of the context run. With `out`
 *   NULL the registration lives as long as its parent. Otherwise it lives until the connection is
 *   disconnected or its last reference is released. After gkit_connection_disconnect() has returned
 *   no further call of `fn` begins. On a thread that runs no callback, disconnecting also waits for
 *   a running call, so hold no lock that such a callback takes. No callback runs under a library
 *   lock. A callback must not unwind through the library (longjmp, C++ exceptions, pthread_exit)
 *   and must not fork, and a thread must not be cancelled inside a call.
 *
 *   After a fork all handles are dead in the child: calls return FORKED, releasing is a silent
 *   no-op, and a new context may be opened. The library installs no signal handler and reads no
 *   environment variable once a context is open.
 *
 * PRIVACY
 *
 *   Personal values are withheld unless the context's `allow` lists their category. Nothing is sent
 *   anywhere unless a sink or a server is told to; a sink that sends has an `allow` of its own.
 *
 * BINARY INTERFACE
 *
 *   Structs you fill start with struct_size and have an _INIT macro; a field of 0 selects its
 *   default. Structs the library fills may grow; it fills them up to the struct_size you set (at
 *   least 16). gkit_value, gkit_sample, gkit_column and gkit_error are frozen. Accept unknown
 *   numbers in every enumerated field: new values are added at the end.
 */
#ifndef GKIT_H
#define GKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The version of this header; gkit_version() returns that of the library. @since 0.1 */
#define GKIT_VERSION_MAJOR 0
#define GKIT_VERSION_MINOR 2
#define GKIT_VERSION_PATCH 0
#define GKIT_VERSION_STRING "0.2.0"

/** Marks the exported functions. */
#if defined(__GNUC__)
#define GKIT_API __attribute__((visibility("default")))
#else
#define GKIT_API
#endif

/** Marks functions whose result is yours and leaks if ignored. */
#if defined(__GNUC__)
#define GKIT_NODISCARD __attribute__((warn_unused_result))
#else
#define GKIT_NODISCARD
#endif

/** Marks pointers that may be NULL; all others must not be. It is for readers and for binding
    generators and expands to nothing: the library checks each pointer at run time. */
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
/** One registration of a callback; releasing the host's last reference ends it. @since 0.1 */
typedef struct gkit_connection gkit_connection;
/** A set of connections that are disconnected together. @since 0.1 */
typedef struct gkit_connector gkit_connector;
/** A bounded queue of samples, read in batches. @since 0.1 */
typedef struct gkit_reader gkit_reader;
/** Rows of one source as immutable columns. @since 0.1 */
typedef struct gkit_frame gkit_frame;
/** Values over time, which callbacks subscribe to. @since 0.1 */
typedef struct gkit_stream gkit_stream;
/** A processing node with named inputs and outputs, or a graph of such nodes. @since 0.1 */
typedef struct gkit_patch gkit_patch;
/** A store, a decorator around one, or a repository of two. It gets and puts values by query.
    @since 0.1 */
typedef struct gkit_datasource gkit_datasource;
/** A result that is present or still pending. @since 0.1 */
typedef struct gkit_future gkit_future;
/** A recording or a text file that samples are written to. @since 0.1 */
typedef struct gkit_sink gkit_sink;
/** A dictionary or a list of values. @since 0.1 */
typedef struct gkit_dict gkit_dict;

/* ---- Constants ----------------------------------------------------------------------------- */

/** 0, or a negative GKIT_ERROR_*. @since 0.1 */
typedef int32_t gkit_status;

/** The status codes that functions return. @since 0.1 */
enum {
  GKIT_OK = 0,
  /** A failure that no other code describes. */
  GKIT_ERROR = -1,
  /** The caller's mistake; nothing changed. */
  GKIT_ERROR_INVALID_ARGUMENT = -2,
  /** No such kind, instance, property, key or file. */
  GKIT_ERROR_NOT_FOUND = -3,
  /** It exists already. */
  GKIT_ERROR_EXISTS = -4,
  /** This object cannot do that, whatever the arguments. */
  GKIT_ERROR_NOT_SUPPORTED = -5,
  /** The instance cannot be used now; the message names reason and remedy. */
  GKIT_ERROR_UNAVAILABLE = -6,
  /** Permission was not given, or was refused. */
  GKIT_ERROR_PERMISSION = -7,
  /** Another process or object uses it exclusively. */
  GKIT_ERROR_BUSY = -8,
  /** The timeout has passed. */
  GKIT_ERROR_TIMEOUT = -9,
  /** Cancelled by the caller or by a close. */
  GKIT_ERROR_CANCELLED = -10,
  /** The context was closed. */
  GKIT_ERROR_CLOSED = -11,
  /** There is no value at the moment. */
  GKIT_ERROR_NO_DATA = -12,
  /** A system call or device failed; sys_errno has the error number. */
  GKIT_ERROR_IO = -13,
  /** Malformed text; the message begins with "byte N: " or "line N: ". */
  GKIT_ERROR_PARSE = -14,
  /** Well-formed, but rejected by a check. */
  GKIT_ERROR_VALIDATION = -15,
  /** A value of the wrong type. */
  GKIT_ERROR_TYPE = -16,
  GKIT_ERROR_NO_MEMORY = -17,
  /** Not allowed on this thread: usually inside a callback. */
  GKIT_ERROR_WRONG_THREAD = -18,
  /** The handle was made before a fork. */
  GKIT_ERROR_FORKED = -19,
  /** A size, count, depth or cascade exceeds a bound of the library. */
  GKIT_ERROR_LIMIT = -20,
  /** Reserved for a later release. */
  GKIT_ERROR_NOT_IMPLEMENTED = -21,
  /** Codes from -100 downwards are free for hosts: the library defines none there. */
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
  /** UTF-8 text. Enumerated properties too: gkit_property_info.components lists their words. */
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

/** Whether a value was read: gkit_sample.status. @since 0.1 */
enum {
  /** Read and plausible; has a payload. */
  GKIT_SAMPLE_OK = 0,
  /** No value at the moment; no payload. */
  GKIT_SAMPLE_NO_DATA = 1,
  /** Known to be outdated; has the last payload. */
  GKIT_SAMPLE_STALE = 2,
  /** Reading is not permitted; gkit_source_explain() has the remedy. */
  GKIT_SAMPLE_PERMISSION = 3,
  /** This instance never has this value. */
  GKIT_SAMPLE_UNSUPPORTED = 4,
  /** Reading failed. */
  GKIT_SAMPLE_FAILED = 5
};

/** More about one value: gkit_sample.flags. @since 0.1 */
enum {
  /** A new measurement: sequence or status differs from this session's previous update. */
  GKIT_FLAG_IS_NEW = 1,
  /** Samples before this one were dropped. */
  GKIT_FLAG_GAP_BEFORE = 2,
  /** From a recording; the times are the original ones. */
  GKIT_FLAG_REPLAYED = 4,
  /** Estimated, or combined from values of different moments. */
  GKIT_FLAG_LOW_ACCURACY = 8
};

/** Whether an instance can be used, in five groups; gkit_source_info.reason is finer. Dictionaries
    have the words in brackets. @since 0.1 */
enum {
  /** Can be started [available]. */
  GKIT_AVAILABILITY_AVAILABLE = 0,
  /** Permission can still be given; a start waits for it [requiresPermissionsPrompt]. */
  GKIT_AVAILABILITY_REQUIRES_PERMISSION = 1,
  /** Permission was refused [permissionDenied]. */
  GKIT_AVAILABILITY_PERMISSION_DENIED = 2,
  /** An administrator or a sandbox refuses, and the user cannot change it [restricted]. */
  GKIT_AVAILABILITY_RESTRICTED = 3,
  /** Anything else [unavailable]. */
  GKIT_AVAILABILITY_UNAVAILABLE = 4
};

/** Why an instance can or cannot be used. Dictionaries have the words in brackets. @since 0.1 */
enum {
  /** Can start now [available]. */
  GKIT_REASON_AVAILABLE = 0,
  /** Works, but has no first value yet: no fix, warming up [searching]. */
  GKIT_REASON_SEARCHING = 1,
  /** Permission can still be given: by `allow`, an agent, a dialogue [requiresPermission]. */
  GKIT_REASON_REQUIRES_PERMISSION = 2,
  /** A file mode, a bus policy or the user refuses [permissionDenied]. */
  GKIT_REASON_PERMISSION_DENIED = 3,
  /** An administrator or sandbox refuses [restrictedByPolicy]. */
  GKIT_REASON_RESTRICTED_BY_POLICY = 4,
  /** rfkill, adapter unpowered, modem disabled [poweredOff]. */
  GKIT_REASON_POWERED_OFF = 5,
  /** The daemon or the bus itself is not running [serviceNotRunning]. */
  GKIT_REASON_SERVICE_NOT_RUNNING = 6,
  /** A kernel interface is missing [unsupportedByKernel]. */
  GKIT_REASON_UNSUPPORTED_BY_KERNEL = 7,
  /** This machine has no instance of the kind [noHardware]. */
  GKIT_REASON_NO_HARDWARE = 8,
  /** Another process uses it exclusively [busy]. */
  GKIT_REASON_BUSY = 9,
  /** Was present since the context was opened, and is gone [disconnected]. */
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
  /** An instance disappeared (gkit_source_watch() only). */
  GKIT_EVENT_REMOVED = 1,
  /** Idle or waiting became updating. */
  GKIT_EVENT_STARTED = 2,
  /** Updating became idle. Without an error the host stopped it, or a one-shot source is done. */
  GKIT_EVENT_STOPPED = 3,
  /** A start was refused; the state is idle. Carries an error. */
  GKIT_EVENT_FAILED = 4,
  /** State, detail or remedy changed; always before the event it causes. */
  GKIT_EVENT_AVAILABILITY_CHANGED = 5,
  /** A start now waits for a permission. */
  GKIT_EVENT_PERMISSION_REQUESTED = 6,
  /** Rows of the replayed recording are damaged or were not recorded; the next row has the flag
      GKIT_FLAG_GAP_BEFORE. Carries an error that says where and why. */
  GKIT_EVENT_LOST = 7
};

/** When a value counts as new: gkit_property_info.reporting_mode. @since 0.1 */
enum {
  /** With each reading. */
  GKIT_REPORTING_CONTINUOUS = 0,
  /** When its payload or status changes. */
  GKIT_REPORTING_ON_CHANGE = 1,
  /** Once; then the source stops itself. */
  GKIT_REPORTING_ONE_SHOT = 2,
  /** Read at a start and by gkit_source_update_values() only. */
  GKIT_REPORTING_STATIC = 3
};

/** The traits of a property: gkit_property_info.flags. @since 0.1 */
enum {
  /** gkit_source_set_value() writes to the device. */
  GKIT_PROPERTY_WRITABLE = 1,
  /** gkit_source_set_value() changes a setting of this session only. */
  GKIT_PROPERTY_CONFIG = 2,
  /** Withheld unless the context's `allow` lists its category. */
  GKIT_PROPERTY_PERSONAL = 4,
  /** Only counts up until it restarts. */
  GKIT_PROPERTY_COUNTER = 8,
  /** Computed by the library. */
  GKIT_PROPERTY_DERIVED = 16
};

/** How gkit_property_format() writes a value. @since 0.2 */
enum {
  /** Short: rounded, with the unit as people write it, shares as percentages. */
  GKIT_STYLE_PEOPLE = 0,
  /** Exact, with the UCUM code: as gkit_value_format(). */
  GKIT_STYLE_MACHINE = 1
};

/** What a full reader does: gkit_reader_options.overflow. @since 0.1 */
enum {
  GKIT_OVERFLOW_DROP_OLDEST = 0,
  GKIT_OVERFLOW_DROP_NEWEST = 1,
  /** Keeps its samples and accepts no more until there is room. Meanwhile each session holds back
      its newest update or, of a device that streams, the last 4096 samples; samples lost there
      count in gkit_reader_stats.dropped. Sampling, listeners and other readers are not held up. */
  GKIT_OVERFLOW_BLOCK = 2
};

/** The severity of a log line. @since 0.1 */
enum {
  GKIT_LOG_TRACE = 0,
  GKIT_LOG_DEBUG = 1,
  GKIT_LOG_INFO = 2,
  GKIT_LOG_NOTICE = 3,
  GKIT_LOG_WARNING = 4,
  GKIT_LOG_ERROR = 5
};

/** The operations of a data source. @since 0.1 */
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
  /** GKIT_TYPE_*: selects the valid member of `as`. */
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
  /** The time of the measurement: nanoseconds since 1970. */
  int64_t time_ns;
  /** The same instant on CLOCK_BOOTTIME, in nanoseconds. */
  int64_t boot_ns;
  /** Counts the new values of this property of this instance, from 1. Equal numbers mean the same
      value, delivered again. */
  uint64_t sequence;
  /** gkit_source_info.number of its session: unique in its context. */
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
  /** GKIT_ERROR_*, or 0 if nothing has failed yet. */
  gkit_status code;
  /** The system's error number, or 0. */
  int32_t sys_errno;
  /** One sentence, with a remedy if there is one; never NULL. */
  const char *message;
} gkit_error;

/** One column of a frame. Frozen. Row i is at `(const char *)data + i * stride`. @since 0.1 */
typedef struct gkit_column {
  const void *data;
  /** Bytes from one row to the next. */
  size_t stride;
  size_t rows;
  /** GKIT_TYPE_*, which gives the C type of the elements: BOOL uint8_t, INT and TIME int64_t,
      DOUBLE double, VECTOR `count` doubles, STRING const char *, BYTES gkit_value. */
  uint32_t type;
  /** VECTOR: components per row. Otherwise 1. */
  uint32_t count;
} gkit_column;

/** How to open a context. Start from GKIT_CONTEXT_OPTIONS_INIT. @since 0.1 */
typedef struct gkit_context_options {
  size_t struct_size;
  /** GKIT_MODE_THREAD or GKIT_MODE_HOST. */
  uint32_t mode;
  /** No flag is defined yet: 0. */
  uint32_t flags;
  /** Categories of personal values to allow, separated by commas, or "all"; NULL = none. They are
      location, microphone, ssid, mac, serial, hostname, cell_id, bluetooth_discovery and
      activity. */
  const char *GKIT_NULLABLE allow;
} gkit_context_options;
/** @since 0.1 */
#define GKIT_CONTEXT_OPTIONS_INIT                                                                  \
  { sizeof(gkit_context_options), GKIT_MODE_THREAD, 0, NULL }

/** The present state of a source. Texts are borrowed, see OWNERSHIP. @since 0.1 */
typedef struct gkit_source_info {
  size_t struct_size;
  /** Canonical id; the bare kind while no instance is bound. */
  const char *id;
  const char *kind;
  /** The kind's name, for people: "Battery". */
  const char *name;
  /** GKIT_AVAILABILITY_*. */
  int32_t availability;
  /** The number of this session, unique in its context: gkit_sample.source. */
  uint32_t number;
  uint32_t property_count;
  /** GKIT_REASON_*. */
  uint32_t reason;
  /** One clause with the path, name or host concerned; "" if there is none. */
  const char *reason_text;
  /** One line that says what the user can do about it; "" if there is nothing to do. */
  const char *remedy;
  /** The smallest interval that is granted. */
  int64_t min_interval_ns;
  /** The interval that a start with interval 0 requests. */
  int64_t default_interval_ns;
  /** The instance's name, for people; may change. */
  const char *label;
  /** The mechanism the values come from: "sysfs", "UPower" ... */
  const char *backend;
  /** GKIT_STATE_*. */
  uint32_t state;
  /** The error number behind the reason, or 0. */
  int32_t sys_errno;
} gkit_source_info;
/** @since 0.1 */
#define GKIT_SOURCE_INFO_INIT                                                                      \
  { sizeof(gkit_source_info), NULL, NULL, NULL, 0, 0, 0, 0, NULL, NULL, 0, 0, NULL, NULL, 0, 0 }

/** A property: constant while its instance exists. Texts are borrowed. @since 0.1 */
typedef struct gkit_property_info {
  size_t struct_size;
  /** Unique in its kind; never changes or gets a new meaning: "level". */
  const char *key;
  /** Its name, for people. */
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
  /** Range in `unit`, where known; otherwise -INFINITY and INFINITY. */
  double minimum, maximum;
  /** Resolution of the hardware in `unit`, where known; otherwise 0. */
  double resolution;
} gkit_property_info;
/** @since 0.1 */
#define GKIT_PROPERTY_INFO_INIT                                                                    \
  { sizeof(gkit_property_info), NULL, NULL, NULL, NULL, 0, 0, 0, 0.0, 0.0, 0.0 }

/** The intervals of a session: requested, granted and measured; 0 where there is none yet.
    @since 0.1 */
typedef struct gkit_rates {
  size_t struct_size;
  /** The interval that the last start requested; 0 unless updating. */
  int64_t asked_ns;
  /** The interval in effect; 0 unless updating. It depends on the instance and the request, not on
      other sessions. */
  int64_t granted_ns;
  /** Mean spacing of the last 20 updates. */
  int64_t measured_ns;
  /** Ticks left out because they had passed before the session was sampled again. */
  uint64_t skipped;
  /** What was lost because the host was slow. */
  uint64_t dropped;
  /** Why the granted interval differs from the requested one; NULL if it does not. */
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

/** The counts of a reader, in samples. @since 0.1 */
typedef struct gkit_reader_stats {
  size_t struct_size;
  /** Queued for reading, without those that sessions hold back (GKIT_OVERFLOW_BLOCK). */
  uint64_t queued;
  /** Handed out so far. */
  uint64_t delivered;
  /** Lost so far because the reader was full. */
  uint64_t dropped;
} gkit_reader_stats;
/** @since 0.1 */
#define GKIT_READER_STATS_INIT                                                                     \
  { sizeof(gkit_reader_stats), 0, 0, 0 }

/* ---- Callbacks ----------------------------------------------------------------------------- */

/** Receives an update: the samples of one or more readings, in time order.
    @param source borrowed
    @param samples valid until the callback returns
    @since 0.1 */
typedef void (*gkit_update_fn)(gkit_source *source, const gkit_sample *samples, size_t count,
                               void *user_data);

/** The readings of an update, valid until the callback that got it returns. @since 0.2 */
typedef struct gkit_batch gkit_batch;

/** Receives an update of one or more readings. The newest one comes with the call. The callback
    reads earlier ones from the batch, which makes their samples on request.
    @param source borrowed
    @param newest the newest reading, one sample a property; valid until the callback returns
    @param count how many samples these are
    @param batch all readings, for gkit_batch_read()
    @param readings how many there are, the newest included
    @since 0.2 */
typedef void (*gkit_batch_fn)(gkit_source *source, const gkit_sample *newest, size_t count,
                              const gkit_batch *batch, size_t readings, void *user_data);

/** Receives an event.
    @param source the session it concerns, borrowed; NULL for watchers
    @param source_id the instance it concerns; valid until the callback returns
    @param event GKIT_EVENT_*
    @param error for FAILED, LOST, and STOPPED when the host did not request it; otherwise NULL
    @since 0.1 */
typedef void (*gkit_event_fn)(gkit_source *GKIT_NULLABLE source, const char *source_id,
                              int32_t event, const gkit_error *GKIT_NULLABLE error,
                              void *user_data);

/** Receives values of a stream, in order. Signals and variables deliver one at a time; streams of
    devices may deliver consecutive values as a batch.
    @param samples valid until the callback returns
    @since 0.1 */
typedef void (*gkit_sample_fn)(const gkit_sample *samples, size_t count, void *user_data);

/** Converts a value, or drops it.
    @param in valid until the callback returns
    @param out NONE on entry; data it refers to stays yours and must live until the next call
    @return false drops the value
    @since 0.1 */
typedef bool (*gkit_transform_fn)(const gkit_sample *in, gkit_value *out, void *user_data);

/** Converts a payload, or checks it.
    @param in valid until the callback returns
    @param out NONE on entry; data it refers to stays yours and must live until the next call. NULL
           where the function is a check
    @return negative rejects the value
    @since 0.1 */
typedef gkit_status (*gkit_map_fn)(const gkit_value *in, gkit_value *out, void *user_data);

/** Receives a value that reached an input of a patch.
    @param patch borrowed; equal to your own handle of the patch, if you hold one. Publish on it
    @param in valid until the callback returns
    @return negative: handling failed; the failure is counted, and gkit_patch_errors() reports it
            with this number
    @since 0.1 */
typedef gkit_status (*gkit_input_fn)(gkit_patch *patch, const gkit_sample *in, void *user_data);

/** Builds a patch of a registered type by adding its ports.
    @param patch an empty patch, borrowed
    @param options the given options, one member each
    @return negative: the options are bad, and no patch is made
    @since 0.1 */
typedef gkit_status (*gkit_patch_make_fn)(gkit_patch *patch, const gkit_dict *options,
                                          void *user_data);

/** Performs a call on a custom data source: resolves `reply`, now or later.
    @param operation GKIT_OPERATION_*; never DELETE_ALL
    @param query the query without its route; borrowed
    @param value the value to put, valid until the callback returns; NULL if there is none
    @param reply borrowed. To answer later, gkit_retain() it and call gkit_future_resolve() from any
           thread; released unresolved it becomes CANCELLED. gkit_future_then() on it reports that
           the caller has cancelled
    @since 0.1 */
typedef void (*gkit_perform_fn)(int32_t operation, const gkit_dict *query,
                                const gkit_value *GKIT_NULLABLE value, gkit_future *reply,
                                void *user_data);

/** Decides whether a failed call is repeated.
    @param attempt the number of attempts so far
    @since 0.1 */
typedef bool (*gkit_retry_fn)(const gkit_error *error, uint32_t attempt, void *user_data);

/** Decides whether a repository returns a stale value when main has failed after a miss.
    @since 0.1 */
typedef bool (*gkit_fallback_fn)(const gkit_error *main_error, const gkit_error *cache_error,
                                 void *user_data);

/** Called when a future has a result; gkit_future_wait() reads the result.
    @param future borrowed
    @since 0.1 */
typedef void (*gkit_future_fn)(gkit_future *future, void *user_data);

/** Receives a log line. It runs inside any call you make, on delivery threads and on threads of
    stores, never on a gathering thread; two calls never overlap. Log nothing from inside it.
    @param level GKIT_LOG_*
    @since 0.1 */
typedef void (*gkit_log_fn)(int32_t level, const char *subsystem, const char *message,
                            void *user_data);

/** Told how far an export has come, now and then.
    @param rows how many rows are written
    @param all how many there are, those of damaged blocks included
    @return false gives the export up
    @since 0.2 */
typedef bool (*gkit_progress_fn)(int64_t rows, int64_t all, void *user_data);

/** A function that gkit_context_invoke() runs. @since 0.1 */
typedef void (*gkit_invoke_fn)(void *user_data);

/** Frees the `user_data` of a registration. Runs exactly once, after the last call of the callback,
    on the thread that ended the registration or, right after the callback, on the callback's.
    @since 0.1 */
typedef void (*gkit_destroy_fn)(void *user_data);

/* ---- 1. Library, version, error, log ------------------------------------------------------- */

/** The library's version: major << 16 | minor << 8 | patch. @since 0.1 */
GKIT_API uint32_t gkit_version(void);

/** The library's version as text: "0.2.0". Static. @since 0.1 */
GKIT_API const char *gkit_version_string(void);

/** Whether this build supports a mechanism: iio udev dbus netlink alsa sqlite secret mqtt sim
    replay local ip. False for every other name.
    @since 0.1 */
GKIT_API bool gkit_has_feature(const char *name);

/** The last failure on the calling thread. Never NULL; its code is 0 before the first. Valid until
    this thread's next failing call; a success does not change it.
    @since 0.1 */
GKIT_API const gkit_error *gkit_last_error(void);

/** The name of a status: "GKIT_ERROR_NOT_FOUND". Never NULL, also for unknown numbers.
    @since 0.1 */
GKIT_API const char *gkit_status_name(gkit_status status);

/** The name of a type of values: "GKIT_TYPE_DOUBLE". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_value_type_name(uint32_t type);

/** The name of a mode of contexts: "GKIT_MODE_HOST". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_mode_name(uint32_t mode);

/** The name of the status of a sample: "GKIT_SAMPLE_NO_DATA". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_sample_status_name(uint32_t status);

/** The name of one flag of samples: "GKIT_FLAG_IS_NEW". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_sample_flag_name(uint32_t flag);

/** The name of an availability: "GKIT_AVAILABILITY_RESTRICTED". Never NULL, also for unknown
    numbers.
    @since 0.2 */
GKIT_API const char *gkit_availability_name(int32_t availability);

/** The name of a reason of an availability: "GKIT_REASON_NO_HARDWARE". Never NULL, also for unknown
    numbers.
    @since 0.2 */
GKIT_API const char *gkit_reason_name(uint32_t reason);

/** The name of the state of a session: "GKIT_STATE_UPDATING". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_source_state_name(uint32_t state);

/** The name of an event: "GKIT_EVENT_STARTED". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_event_type_name(int32_t event);

/** The name of a reporting mode: "GKIT_REPORTING_ON_CHANGE". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_reporting_name(int32_t reporting_mode);

/** The name of one flag of properties: "GKIT_PROPERTY_WRITABLE". Never NULL, also for unknown
    numbers.
    @since 0.2 */
GKIT_API const char *gkit_property_flag_name(uint32_t flag);

/** The name of a style of texts: "GKIT_STYLE_PEOPLE". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_style_name(uint32_t style);

/** The name of what a full reader does: "GKIT_OVERFLOW_BLOCK". Never NULL, also for unknown
    numbers.
    @since 0.2 */
GKIT_API const char *gkit_overflow_name(uint32_t overflow);

/** The name of the severity of a log line: "GKIT_LOG_WARNING". Never NULL, also for unknown
    numbers.
    @since 0.2 */
GKIT_API const char *gkit_log_level_name(int32_t level);

/** The name of an operation of data sources: "GKIT_OPERATION_GET". Never NULL, also for unknown
    numbers.
    @since 0.2 */
GKIT_API const char *gkit_operation_name(int32_t operation);

/** The name of one flag of subscriptions: "GKIT_FUTURE_ONLY". Never NULL, also for unknown numbers.
    @since 0.2 */
GKIT_API const char *gkit_future_flag_name(uint32_t flag);

/** Passes the library's log lines of at least a level to a handler, which replaces the previous
    one. Initially there is no handler and nothing is logged.
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

/** Releases one reference. With the host's last reference a source ends without an event (none of
    its callbacks begins after the return), a connection is disconnected, and a context without
    sources closes. NULL and a handle from before a fork are ignored; a stale handle only sets
    gkit_last_error().
    @since 0.1 */
GKIT_API void gkit_release(void *GKIT_NULLABLE handle);

/** One line about an object, for people and for logs.
    @return free it with gkit_free(); NULL if it is not a handle
    @since 0.1 */
GKIT_API GKIT_NODISCARD char *gkit_describe(const void *handle);

/** Frees text that the library returned to the host. NULL is ignored. @since 0.1 */
GKIT_API void gkit_free(void *GKIT_NULLABLE memory);

/** How many objects exist, whatever holds references to them: for leak tests.
    @param type context source connection connector reader frame stream patch datasource future dict
           sink (lists count as dict, those inside another do not count); NULL = all types
    @return the number; INVALID_ARGUMENT for any other word
    @since 0.1 */
GKIT_API int64_t gkit_live_count(const char *GKIT_NULLABLE type);

/* ---- 3. Values and containers -------------------------------------------------------------- */

/** Makes a deep copy that you free with gkit_value_clear(). What `out` held before is not freed.
    @return OK, TYPE (not a value), LIMIT, NO_MEMORY
    @since 0.1 */
GKIT_API gkit_status gkit_value_copy(const gkit_value *src, gkit_value *out);

/** Frees the data of a value made by gkit_value_copy() or gkit_value_from_json() and sets it to
    NONE. Not for borrowed values. NULL and NONE are ignored.
    @since 0.1 */
GKIT_API void gkit_value_clear(gkit_value *GKIT_NULLABLE value);

/** Formats a value exactly; gkit_property_format() does it for people. A number is the shortest
    decimal that reads back the same, a space and the unit. Vectors are "(x, y, z) unit", booleans
    true and false, NONE an en dash, times ISO 8601 UTC, bytes hex, containers JSON. Control
    characters become U+FFFD.
    @param unit UCUM code; NULL and "1" write no unit
    @param buffer NULL only with capacity 0
    @return as snprintf: the length of the whole text without the NUL. As much as fits is written,
            always with a NUL if capacity is not 0. 0 for an invalid value or one too large to write
    @since 0.1 */
GKIT_API size_t gkit_value_format(const gkit_value *value, const char *GKIT_NULLABLE unit,
                                  char *GKIT_NULLABLE buffer, size_t capacity);

/** Formats a value of a property, in a style. For people: "22.1 GiB" of By, "72 %" of a share (a
    DOUBLE of unit `1` whose range is 0 to 1 or that is DERIVED) and of %, "36 Wh" of energy in J
    that no counter counted, "-64 dBm", "720 px", "3 d 4 h" of s. Numbers have 3 to 5 significant
    digits, latitudes and longitudes 6 decimals, none of them finer than the resolution; integers
    are whole, unless their unit has larger and smaller relatives. Booleans are yes and no, times
    UTC without a fraction, bytes after the 16th are left out, NONE is an en dash, numbers that are
    not finite are nan, inf and -inf. Control characters become U+FFFD. This text is not to be read
    by programs: it may differ in later versions.
    @param property from gkit_source_get_property_info(), or made by you from
           GKIT_PROPERTY_INFO_INIT with a unit; NULL for a plain number. Its `key`, `unit`, `type`,
           `flags`, `minimum`, `maximum` and `resolution` count. NULL texts and type NONE are
           unknown, a range whose minimum is not below its maximum is none, and so is a resolution
           that is not finite and above 0
    @param value of any type, also of another one than the property's
    @param style GKIT_STYLE_*
    @param buffer NULL only with capacity 0
    @return as snprintf: the length of the whole text without the NUL. As much as fits is written,
            at whole characters, always with a NUL if capacity is not 0. 0 for an invalid value, an
            unknown style, a property with a smaller `struct_size` than GKIT_PROPERTY_INFO_INIT has
            (INVALID_ARGUMENT), or a value too large to write (LIMIT)
    @since 0.2 */
GKIT_API size_t gkit_property_format(const gkit_property_info *GKIT_NULLABLE property,
                                     const gkit_value *value, uint32_t style,
                                     char *GKIT_NULLABLE buffer, size_t capacity);

/** Reads JSON. Numbers without `.` or `e` that fit 64 bits are INT; {"vector":[...]}, {"bytes":
    "base64"} and {"time_ns":N} are VECTOR, BYTES and TIME.
    @param length in bytes; the text needs no NUL
    @param[out] out yours: free it with gkit_value_clear()
    @return OK, PARSE (also for duplicate names), LIMIT (nested over 128 deep, or too many parts),
            NO_MEMORY
    @since 0.1 */
GKIT_API gkit_status gkit_value_from_json(const char *text, size_t length, gkit_value *out);

/** Writes JSON that gkit_value_from_json() reads back equal.
    @return free it with gkit_free(); NULL with TYPE for a number JSON cannot express (NaN,
            infinities), LIMIT or NO_MEMORY
    @since 0.1 */
GKIT_API GKIT_NODISCARD char *gkit_value_to_json(const gkit_value *value);

/** Converts between commensurable UCUM codes, and from angular rate to rotation frequency.
    @return OK, INVALID_ARGUMENT (an unknown code, codes that are not commensurable, or a number
            that is not finite)
    @since 0.1 */
GKIT_API gkit_status gkit_unit_convert(double value, const char *from, const char *to, double *out);

/** Makes an empty dictionary. Its members keep the order in which they were first set.
    @return yours; NULL with NO_MEMORY
    @since 0.1 */
GKIT_API GKIT_NODISCARD gkit_dict *gkit_dict_new(void);

/** Makes an empty list: the same handle type, holding items instead of keys.
    @return yours; NULL with NO_MEMORY
    @since 0.1 */
GKIT_API GKIT_NODISCARD gkit_dict *gkit_list_new(void);

/** Sets a member of a dictionary, or appends an item to a list. A replaced member keeps its
    position. The value is copied deeply: a dictionary may be put into itself and then holds a copy.
    @param key NULL for a list
    @return OK, INVALID_ARGUMENT (a key on a list, none on a dictionary), TYPE (not a value),
            NOT_SUPPORTED (a dictionary borrowed from inside another), LIMIT (it would be nested
            over 128 deep, or have too many parts or bytes), NO_MEMORY
    @since 0.1 */
GKIT_API gkit_status gkit_dict_set(gkit_dict *dict, const char *GKIT_NULLABLE key,
                                   const gkit_value *value);

/** Looks up a member of a dictionary.
    @param[out] out borrowed until the dictionary changes or is freed
    @return OK, NOT_FOUND, INVALID_ARGUMENT (a list)
    @since 0.1 */
GKIT_API gkit_status gkit_dict_get(const gkit_dict *dict, const char *key, gkit_value *out);

/** The number of members or items; 0 for an invalid handle. @since 0.1 */
GKIT_API size_t gkit_dict_count(const gkit_dict *dict);

/** The member or item at a position.
    @param[out] out_key its key, borrowed like the value; NULL in a list
    @return OK, NOT_FOUND (past the end)
    @since 0.1 */
GKIT_API gkit_status gkit_dict_at(const gkit_dict *dict, size_t index,
                                  const char **GKIT_NULLABLE out_key, gkit_value *out);

/* Constructors as exported functions, for languages that cannot call those below them, which are
   inline. What `out` held before is not freed. */

/** Sets a value to NONE: no payload.
    @return OK, INVALID_ARGUMENT
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_none(gkit_value *out);

/** Sets a value to a boolean.
    @return OK, INVALID_ARGUMENT
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_bool(gkit_value *out, bool boolean);

/** Sets a value to a 64-bit integer.
    @return OK, INVALID_ARGUMENT
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_int(gkit_value *out, int64_t integer);

/** Sets a value to a floating-point number.
    @return OK, INVALID_ARGUMENT
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_double(gkit_value *out, double number);

/** Sets a value to 2 to 4 numbers, which are copied.
    @param count how many numbers `components` has
    @return OK, INVALID_ARGUMENT (another count)
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_vector(gkit_value *out, const double *components,
                                           uint32_t count);

/** Sets a value to a text, borrowed: keep it alive while the value is used. The functions that take
    the value check that it is UTF-8.
    @param text NULL gives NONE
    @return OK, INVALID_ARGUMENT, LIMIT (over 1 GiB)
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_string(gkit_value *out, const char *GKIT_NULLABLE text);

/** Sets a value to bytes, borrowed: keep them alive while the value is used.
    @param bytes NULL only with length 0
    @return OK, INVALID_ARGUMENT, LIMIT (over 1 GiB)
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_bytes(gkit_value *out, const void *GKIT_NULLABLE bytes,
                                          uint32_t length);

/** Sets a value to a moment: nanoseconds since 1970.
    @return OK, INVALID_ARGUMENT
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_time(gkit_value *out, int64_t time_ns);

/** Sets a value to a dictionary, borrowed.
    @return OK, INVALID_ARGUMENT, TYPE (a list)
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_dict(gkit_value *out, gkit_dict *dict);

/** Sets a value to a list, borrowed.
    @return OK, INVALID_ARGUMENT, TYPE (a dictionary)
    @since 0.2 */
GKIT_API gkit_status gkit_value_set_list(gkit_value *out, gkit_dict *list);

/** The NONE value: no payload. @since 0.1 */
static inline gkit_value gkit_value_none(void) {
  gkit_value value;
  value.type = GKIT_TYPE_NONE;
  value.count = 0;
  value.as.vector[0] = value.as.vector[1] = value.as.vector[2] = value.as.vector[3] = 0;
  return value;
}

/** A boolean. @since 0.1 */
static inline gkit_value gkit_value_bool(bool boolean) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_BOOL;
  value.as.boolean = boolean;
  return value;
}

/** A 64-bit integer. @since 0.1 */
static inline gkit_value gkit_value_int(int64_t integer) {
  gkit_value value = gkit_value_none();
  value.type = GKIT_TYPE_INT;
  value.as.integer = integer;
  return value;
}

/** A floating-point number. @since 0.1 */
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

/** A text, borrowed: keep it alive while the value is used. NULL gives NONE. @since 0.1 */
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

/** Bytes, borrowed: keep them alive while the value is used. @since 0.1 */
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
                              gpsd=HOST:PORT, chrony=HOST:PORT, nut=HOST:PORT, iio=URI,
                              alsa=PCM, gnss=DEVICE
      local:root=DIR          a captured tree of /sys, /proc, /etc, /dev, /usr/lib, /run/udev/data
      ip:HOST[:PORT]          the IIO devices of a remote machine, through its iiod
      sim:NAME, sim:file=FILE a simulated device: "empty", "laptop", "phone", or a script
      replay:FILE             a recording
      mqtt:HOST[:PORT]        the machines that publish to a broker, by a sink of format `mqtt`: ids
                              end in @DEVICE; mqtts: is encrypted. Parameters: root=TOPIC,
                              devices=NAME,…, kinds=KIND,…, user=NAME, password_file=FILE, ca=FILE,
                              cert=FILE, key=FILE, tls=1, version=5 or 3.1.1, keepalive=SECONDS,
                              insecure=1 (a password in the open), late=1 (listeners, too, get
                              rows that come late). Waits for the list of sources, 5 s at most, and
                              opens without a broker, too, after 2 s

    Parameters are key=value pairs joined by `&`, with reserved characters percent-encoded. With
    clock=manual (sim: and local:root=) only gkit_context_seek() advances the time.
    @param uri NULL = "local:"
    @param options NULL = GKIT_CONTEXT_OPTIONS_INIT
    @param[out] out yours; releasing the last reference closes it
    @return OK, INVALID_ARGUMENT (syntax, unknown scheme, parameter, mode or category), NOT_FOUND
            (no such DIR, FILE or name), PARSE (a bad script, recording or certificate),
            UNAVAILABLE (mqtt: without libmosquitto)
    @since 0.1 */
GKIT_API gkit_status gkit_context_open(const char *GKIT_NULLABLE uri,
                                       const gkit_context_options *GKIT_NULLABLE options,
                                       gkit_context **out);

/** Closes a context: stops all sources (each running one delivers STOPPED), ends all registrations,
    waits for a running callback, interrupts and joins the threads of stores, flushes and closes the
    sinks (10 s each at most), and runs all destroy functions, also those of data sources and
    patches you still hold. Pending futures become CANCELLED: their operations were not done and
    will not be. An operation that a store had finished is reported as done. Closing again does
    nothing.
    In HOST mode, and with a manual clock, a context also closes with the last handle that reaches
    it, because callbacks still queued could never run. Inside a callback of another context the
    call does not wait for a callback or a thread of this context, since that could be waiting for
    the other context. In that case STOPPED is not delivered if a callback of this one is running.
    @return OK, WRONG_THREAD (inside one of the context's own callbacks; nothing happened)
    @since 0.1 */
GKIT_API gkit_status gkit_context_close(gkit_context *context);

/** HOST mode: a file descriptor that is readable while callbacks wait to be dispatched, for poll,
    epoll, GLib, sd-event, libuv or asyncio. Do not read or close it. It stays the same for the
    context's whole life.
    @return the descriptor; NOT_SUPPORTED (THREAD mode)
    @since 0.1 */
GKIT_API int gkit_context_fd(gkit_context *context);

/** HOST mode: runs callbacks on this thread. Runs all callbacks queued on entry; if there are none,
    waits for the first.
    @return the number of callbacks run; 0 after a timeout, so with timeout 0 none was queued.
            NOT_SUPPORTED (THREAD mode), BUSY (another thread is dispatching; or this is called
            inside a callback of another context while another thread runs a callback of this one),
            WRONG_THREAD (inside a callback of this context)
    @since 0.1 */
GKIT_API int32_t gkit_context_dispatch(gkit_context *context, int64_t timeout_ns);

/** Returns when everything queued on the context before the call has been delivered. Dispatches on
    the loop thread; only waits on other threads.
    @return OK, TIMEOUT, WRONG_THREAD (inside a callback of this context), BUSY (inside a callback
            of another context while another thread runs a callback of this one or, off the loop
            thread, while anything is still to be delivered)
    @since 0.1 */
GKIT_API gkit_status gkit_context_flush(gkit_context *context, int64_t timeout_ns);

/** Queues a function to run where callbacks run, first in, first out; never runs it at once. When
    the context closes, functions still queued do not run; their `destroy` does.
    @since 0.1 */
GKIT_API gkit_status gkit_context_invoke(gkit_context *context, gkit_invoke_fn fn,
                                         void *GKIT_NULLABLE user_data,
                                         gkit_destroy_fn GKIT_NULLABLE destroy);

/** The present time of the context's clock, which also stamps its samples.
    @param[out] out_time_ns wall time, since 1970
    @param[out] out_boot_ns boot time (CLOCK_BOOTTIME); with a manual clock, its position
    @since 0.1 */
GKIT_API gkit_status gkit_context_now(const gkit_context *context,
                                      int64_t *GKIT_NULLABLE out_time_ns,
                                      int64_t *GKIT_NULLABLE out_boot_ns);

/** Whether the calling thread is running a callback of this context. @since 0.1 */
GKIT_API bool gkit_context_is_current(const gkit_context *context);

/** Sets which categories of personal values are allowed. Takes effect at once: waiting sources
    start, sources that lose their permission stop.
    @param allow as in gkit_context_options; "" = none
    @return OK, INVALID_ARGUMENT (an unknown category; nothing changed)
    @since 0.1 */
GKIT_API gkit_status gkit_context_set_allow(gkit_context *context, const char *allow);

/** Checks now for instances that were added, removed or changed. The events it causes are delivered
    before it returns.
    @since 0.1 */
GKIT_API gkit_status gkit_context_rescan(gkit_context *context);

/** Reports every kind, instance and mechanism with reasons and remedies. Has no side effects.
    @param[out] out yours: {version, kinds: [{kind, name, backend, availability, reason, detail,
           errno, remedy, instances: [as gkit_source_list(), plus backend and errno]}], mechanisms:
           [{name, version, reason, remedy}]}
    @since 0.1 */
GKIT_API gkit_status gkit_context_report(gkit_context *context, gkit_dict **out);

/* ---- 5. Discovery -------------------------------------------------------------------------- */

/** Lists the instances present, without starting anything.
    @param kind NULL = all kinds, in catalogue order
    @param[out] out yours: a list of {id, kind, name, label, availability, reason, detail, remedy},
           all STRING, availability a word in brackets of GKIT_AVAILABILITY_*
           (`requiresPermissionsPrompt`), reason one of GKIT_REASON_*, remedy "" if there is none
    @return OK, NOT_FOUND (unknown kind)
    @since 0.1 */
GKIT_API gkit_status gkit_source_list(gkit_context *context, const char *GKIT_NULLABLE kind,
                                      gkit_dict **out);

/** Opens a new, private session. A known kind always opens, whether it is present or not. A bare
    kind opens its default instance; if there is none yet, the session binds to it later.
    @param id_or_kind "battery", "battery|BAT0"
    @param[out] out yours
    @return OK, NOT_FOUND (unknown kind or device; the message has the nearest names), PARSE
    @since 0.1 */
GKIT_API gkit_status gkit_source_open(gkit_context *context, const char *id_or_kind,
                                      gkit_source **out);

/** Reports instances that appear and disappear: ADDED, REMOVED. Instances already present are not
    announced; gkit_source_list() lists them.
    @param kind NULL = all kinds
    @param fn its `source` is NULL
    @param[out] out yours; NULL = as long as the context
    @return OK, NOT_FOUND (unknown kind)
    @since 0.1 */
GKIT_API gkit_status gkit_source_watch(gkit_context *context, const char *GKIT_NULLABLE kind,
                                       gkit_event_fn fn, void *GKIT_NULLABLE user_data,
                                       gkit_destroy_fn GKIT_NULLABLE destroy,
                                       gkit_connection **GKIT_NULLABLE out);

/** Parses the id of a source or property. Unknown kinds and foreign devices are accepted.
    @param[out] out yours: decoded kind, instance, device; path (canonical text), components
           (decoded list), ancestors (list, root to leaf, without itself), canonical, source,
           parent. Absent parts have no member
    @return OK, PARSE (the message begins "byte N: ")
    @since 0.1 */
GKIT_API gkit_status gkit_id_parse(const char *id, gkit_dict **out);

/** Builds an id from kind, instance, device and components, as gkit_id_parse() returns them.
    @param[out] out the canonical text: free it with gkit_free()
    @return OK, INVALID_ARGUMENT (no kind, an empty or impossible part), TYPE
    @since 0.1 */
GKIT_API gkit_status gkit_id_build(const gkit_dict *parts, char **out);

/** Describes kinds: what each measures, where its values come from, and its properties. It needs no
    machine that has them: `simulated` names the contexts to try a kind in.
    @param kind NULL = all kinds, in catalogue order
    @param[out] out yours: a list of {kind, name, meaning, origin, instances, has_aggregate,
           default_interval_ns, min_interval_ns, event_driven, category, permits, simulated,
           properties: [{key, name, meaning, origin, type, unit, mode, flags, category, components,
           words, minimum, maximum, resolution}]}: BOOL has_aggregate and event_driven, INT
           intervals, DOUBLE minimum, maximum and resolution, lists of STRING permits, simulated,
           flags, components and words, all others STRING. Where there is no category, unit, bound
           or resolution, no components (of a vector) or words (of an enum), there is no member
    @return OK, NOT_FOUND (unknown kind; the message has the nearest names)
    @since 0.2 */
GKIT_API gkit_status gkit_kind_list(const char *GKIT_NULLABLE kind, gkit_dict **out);

/** The default interval of a kind in this process, which a start with 0 requests.
    @return OK, NOT_FOUND (unknown kind)
    @since 0.1 */
GKIT_API gkit_status gkit_kind_get_default_interval(const char *kind, int64_t *out_ns);

/** Sets the default interval of a kind in this process for later starts. Running sources keep their
    interval.
    @param interval_ns 0 = back to the built-in value
    @return OK, NOT_FOUND (unknown kind), INVALID_ARGUMENT (negative)
    @since 0.1 */
GKIT_API gkit_status gkit_kind_set_default_interval(const char *kind, int64_t interval_ns);

/* ---- 6. Sources, properties, values -------------------------------------------------------- */

/** The present state of a source. Never blocks.
    @param[in,out] out struct_size set by you, at least 16
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_info(const gkit_source *source, gkit_source_info *out);

/** The metadata of an instance: vendor, driver, path, mount matrix, backend.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_metadata(const gkit_source *source, gkit_dict **out);

/** Starts updating and refreshes at once: the first update has every property. On a source that is
    updating it replaces interval and schedule, refreshes at once and sends no event; on one that is
    waiting it replaces the interval. The event (STARTED, PERMISSION_REQUESTED or FAILED) has been
    delivered on return.
    @param interval_ns the requested interval; 0 = the kind's default
    @return OK (now updating, or waiting for a permission), INVALID_ARGUMENT (negative; nothing
            changed); after FAILED: PERMISSION, BUSY, TIMEOUT, UNAVAILABLE, IO
    @since 0.1 */
GKIT_API gkit_status gkit_source_start(gkit_source *source, int64_t interval_ns);

/** Stops updating or waiting. On return STOPPED has been delivered and no further update begins. An
    idle source stays idle, without an event.
    @since 0.1 */
GKIT_API gkit_status gkit_source_stop(gkit_source *source);

/** Whether a source is updating. False for an invalid handle.
    @param[out] out_interval_ns the requested interval; 0 when the source is not updating
    @since 0.1 */
GKIT_API bool gkit_source_is_updating(const gkit_source *source,
                                      int64_t *GKIT_NULLABLE out_interval_ns);

/** The requested, granted and measured intervals, and the counts of skipped and dropped updates.
    @param[in,out] out struct_size set by you, at least 16
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_rates(const gkit_source *source, gkit_rates *out);

/** Takes one reading now, in any state and independent of the schedule. Blocks until the reading is
    complete or the timeout has passed, and notifies the listeners once. Properties not read by then
    keep their old value.
    @return OK whenever the values could be requested, whatever their status; see the samples
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

/** The last known value of a property. No I/O. Inside a listener it is the delivered value.
    @param[out] out its payload is borrowed
    @return OK whatever the value's status; INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_source_get_value(const gkit_source *source, uint32_t property,
                                           gkit_sample *out);

/** The last known values of all properties, in catalogue order. No I/O.
    @param[out] out room for `capacity` samples; NULL with capacity 0 only counts
    @return the total number of values, of which at most `capacity` were written
    @since 0.1 */
GKIT_API int64_t gkit_source_get_values(const gkit_source *source, gkit_sample *GKIT_NULLABLE out,
                                        size_t capacity);

/** Takes one reading now and copies all values: gkit_source_update_values() and
    gkit_source_get_values() in one call. What other threads update in between is among them.
    @param[out] out room for `capacity` samples, payloads borrowed until this thread calls this
           function on the source again; NULL with capacity 0 only updates and counts
    @return the total number of values, of which at most `capacity` were written; a negative status
            where the values could not be requested: nothing was written
    @since 0.2 */
GKIT_API int64_t gkit_source_read_values(gkit_source *source, int64_t timeout_ns,
                                         gkit_sample *GKIT_NULLABLE out, size_t capacity);

/** Explains a value: its status, reason and remedy, where it comes from, and its raw form exactly
    as the backend returned it.
    @param[out] out yours: {status, reason, remedy, place, clock} STRING, {errno} INT, {raw} STRING
           or BYTES; raw is absent when it is withheld
    @return OK, INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_source_explain(const gkit_source *source, uint32_t property,
                                         gkit_dict **out);

/** Sets a property that is WRITABLE (written to the device) or CONFIG (a setting of this session).
    @return OK, NOT_SUPPORTED (neither), TYPE, INVALID_ARGUMENT (out of range, no such index),
            PERMISSION, UNAVAILABLE (the device is absent), IO
    @since 0.1 */
GKIT_API gkit_status gkit_source_set_value(gkit_source *source, uint32_t property,
                                           const gkit_value *value);

/* ---- 7. Listeners and connections ---------------------------------------------------------- */

/** Adds a listener to the updates of a source. Listeners are called in the order they were added. A
    listener added during a delivery is called from the next update on; it gets no earlier updates.
    @param[out] out yours; NULL = as long as the source
    @since 0.1 */
GKIT_API gkit_status gkit_source_listen(gkit_source *source, gkit_update_fn fn,
                                        void *GKIT_NULLABLE user_data,
                                        gkit_destroy_fn GKIT_NULLABLE destroy,
                                        gkit_connection **GKIT_NULLABLE out);

/** Adds a listener to the updates of a source, as gkit_source_listen() does. It costs less where a
    sensor is read many times a second and the callback does not look at every sample.
    @param[out] out yours; NULL = as long as the source
    @since 0.2 */
GKIT_API gkit_status gkit_source_listen_batches(gkit_source *source, gkit_batch_fn fn,
                                                void *GKIT_NULLABLE user_data,
                                                gkit_destroy_fn GKIT_NULLABLE destroy,
                                                gkit_connection **GKIT_NULLABLE out);

/** Copies readings of an update, inside the callback that got it.
    @param first the first reading; 0 is the oldest
    @param[out] out room for `capacity` samples: whole readings, one behind the other. Payloads are
                borrowed until the callback returns
    @return the number of samples written; INVALID_ARGUMENT: there is no such reading
    @since 0.2 */
GKIT_API int64_t gkit_batch_read(const gkit_batch *batch, size_t first, gkit_sample *out,
                                 size_t capacity);

/** Adds a listener to the events of a source: STARTED, STOPPED, FAILED, AVAILABILITY_CHANGED,
    PERMISSION_REQUESTED and, of a replay, LOST. Earlier events are not repeated; the present state
    is in gkit_source_get_info(), which inside an event callback already shows the new state.
    @param[out] out yours; NULL = as long as the source
    @since 0.1 */
GKIT_API gkit_status gkit_source_listen_events(gkit_source *source, gkit_event_fn fn,
                                               void *GKIT_NULLABLE user_data,
                                               gkit_destroy_fn GKIT_NULLABLE destroy,
                                               gkit_connection **GKIT_NULLABLE out);

/** Ends a registration. After it has returned no further call of the callback begins. On a thread
    that runs no callback of any context it also waits for a running call; inside a callback it
    returns at once. A second call and NULL are ignored. The handle stays valid until released.
    @since 0.1 */
GKIT_API void gkit_connection_disconnect(gkit_connection *GKIT_NULLABLE connection);

/** Makes an empty set of connections.
    @return yours; releasing its last reference disconnects its connections. NULL with NO_MEMORY
    @since 0.1 */
GKIT_API GKIT_NODISCARD gkit_connector *gkit_connector_new(void);

/** Adds a connection. The connector takes its own reference: you may release yours at once without
    ending the connection.
    @since 0.1 */
GKIT_API gkit_status gkit_connector_add(gkit_connector *connector, gkit_connection *connection);

/** Disconnects and removes all connections; more can be added later. NULL is ignored.
    @since 0.1 */
GKIT_API void gkit_connector_disconnect(gkit_connector *GKIT_NULLABLE connector);

/** Adds a listener, then starts, so that the listener gets the first update. If the start fails the
    listener stays, as after the two separate calls, and `out` is written.
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

/** Makes a bounded queue of samples. It is filled as soon as a source is added, whether or not the
    context is dispatched.
    @param options NULL = GKIT_READER_OPTIONS_INIT
    @param[out] out yours
    @return OK, INVALID_ARGUMENT (a bad option), LIMIT (a capacity above 2^24 samples)
    @since 0.1 */
GKIT_API gkit_status gkit_reader_new(gkit_context *context,
                                     const gkit_reader_options *GKIT_NULLABLE options,
                                     gkit_reader **out);

/** Adds a source without starting it. The reader keeps the source. A reader may have many sources.
    @return OK, EXISTS (already added), INVALID_ARGUMENT (a source of another context)
    @since 0.1 */
GKIT_API gkit_status gkit_reader_add(gkit_reader *reader, gkit_source *source);

/** A file descriptor that is readable while samples are queued. Do not read or close it.
    @since 0.1 */
GKIT_API int gkit_reader_fd(gkit_reader *reader);

/** Takes samples, oldest first.
    @param[out] out room for `capacity` samples; payloads valid until the next read on this reader
    @return the number of samples written; 0 after a timeout. CLOSED after a close, which also ends
            a wait
    @since 0.1 */
GKIT_API int64_t gkit_reader_read(gkit_reader *reader, gkit_sample *out, size_t capacity,
                                  int64_t timeout_ns);

/** Takes all queued rows of one source, oldest first, as columns. A row is a reading.
    @param source NULL = the source of the oldest row
    @param[out] out yours, immutable
    @return OK, TIMEOUT, CLOSED
    @since 0.1 */
GKIT_API gkit_status gkit_reader_next_frame(gkit_reader *reader, gkit_source *GKIT_NULLABLE source,
                                            int64_t timeout_ns, gkit_frame **out);

/** The counts of samples queued, delivered and dropped.
    @param[in,out] out struct_size set by you, at least 16
    @since 0.1 */
GKIT_API gkit_status gkit_reader_get_stats(const gkit_reader *reader, gkit_reader_stats *out);

/** The status of a property in each row: uint32_t GKIT_SAMPLE_*.
    @param[out] out borrowed from the frame
    @return OK, INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_frame_status(const gkit_frame *frame, uint32_t property,
                                       gkit_column *out);

/** The payloads of a property, or the rows' times. Missing payloads are NaN (DOUBLE, VECTOR),
    otherwise 0 or NULL; gkit_frame_status() distinguishes them from real values.
    @param property index, GKIT_COLUMN_TIME or GKIT_COLUMN_BOOT
    @param[out] out borrowed from the frame
    @return OK, INVALID_ARGUMENT (no such index)
    @since 0.1 */
GKIT_API gkit_status gkit_frame_column(const gkit_frame *frame, uint32_t property,
                                       gkit_column *out);

/* ---- 9. Streams ---------------------------------------------------------------------------- */
/*
 * A stream puts sends and subscriptions in one order. Every subscriber gets each value sent after
 * its subscription exactly once. If the stream is already delivering, a send from inside a callback
 * or from another thread is queued and returns at once; otherwise the value has been delivered when
 * the send returns. Derived streams are active only while they have subscribers. A stream keeps the
 * streams and sources it is derived from; a connection keeps its stream.
 *
 * An *observable* holds a value. gkit_stream_get() reads it, and each new subscriber receives it
 * first: the greeting, which does not have GKIT_FLAG_IS_NEW. An *updatable* is an observable that
 * also takes values by gkit_stream_send() and groups them into transactions; subscribers see each
 * transaction as one change.
 *
 * The values that one send causes in turn are a cascade, which has a limit (100 000 values). A send
 * that would exceed it is refused with LIMIT, and nothing else is lost.
 */

/** Flags of gkit_stream_subscribe(). @since 0.1 */
enum {
  /** No greeting: only values sent after the subscription. */
  GKIT_FUTURE_ONLY = 1
};

/** Makes the observable of one property of a source, and keeps the source. Each sample carries its
    status: an unplugged source gives a sample with a status, and the stream does not end. Does not
    start the source.
    @param[out] out yours
    @return OK, NOT_FOUND (no such key)
    @since 0.1 */
GKIT_API gkit_status gkit_source_stream(gkit_source *source, const char *key, gkit_stream **out);

/** Makes a stream.
    @param type "signal": delivers the values sent into it;
                "variable": an updatable with the initial {value}, NONE by default;
                "publink": a signal that greets with its last value unless {replays_last} is false;
                "timer": ticks at {start_ns} (boot time; default one interval from now) and at every
                whole multiple of {interval_ns} after it. A tick is an INT, its index on that grid,
                stamped with its due time; ticks that pass during a delivery are left out;
                "list", "set": an updatable LIST, of the initial {value}, that tells how it changes
                (see gkit_stream_modify()); a set keeps the order of insertion;
                "sources": the instances of {kind}, or of every kind, as a list of rows as of
                gkit_source_list(). What it tells follows on what it held, with nothing missed
                between; one look at the machine is one change. It watches while it is observed.
    @param options NULL = none
    @param[out] out yours
    @return OK, NOT_FOUND (no such type or kind), INVALID_ARGUMENT (an unknown or bad option), TYPE,
            LIMIT (more than 1 000 000 elements)
    @since 0.1; "list", "set" and "sources" 0.2 */
GKIT_API gkit_status gkit_stream_new(gkit_context *context, const char *type,
                                     const gkit_dict *GKIT_NULLABLE options, gkit_stream **out);

/** Changes an option of an existing stream, at once.
    @param option "replays_last" (publinks, BOOL), "start_ns" and "interval_ns" (timers, INT),
           "cascade_limit" (any stream, INT; on the stream of a port the limit of the whole loop)
    @return OK, NOT_SUPPORTED (this stream does not have the option), NOT_FOUND (no such option),
            TYPE, INVALID_ARGUMENT
    @since 0.1 */
GKIT_API gkit_status gkit_stream_set_option(gkit_stream *stream, const char *option,
                                            const gkit_value *value);

/** Sends a value: to the subscribers of a signal or publink, or as the new value of an updatable.
    It is copied and stamped with the context's present time.
    @param value NULL = NONE
    @return OK, NOT_SUPPORTED (this stream takes no values), LIMIT (the cascade is full), or the
            status returned by the `from` of gkit_stream_map_both()
    @since 0.1 */
GKIT_API gkit_status gkit_stream_send(gkit_stream *stream, const gkit_value *GKIT_NULLABLE value);

/** Gets the value of an observable, or the last value a publink sent.
    @param[out] out its payload is borrowed
    @return OK, NOT_SUPPORTED (the stream holds no value), NO_DATA (nothing was published yet)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_get(const gkit_stream *stream, gkit_sample *out);

/** The number of subscriptions, those of hosts, wires and derived streams included.
    @return a number >= 0, or a negative status
    @since 0.1 */
GKIT_API int64_t gkit_stream_subscriber_count(const gkit_stream *stream);

/** Subscribes. On a stream that greets, the first call of `fn` carries the present value; if the
    stream is not delivering, that call happens before this function returns.
    @param name for publinks: names the subscriber. A later subscriber of the same name replaces it
           at its place in the list. Lasts until gkit_stream_unsubscribe(). NULL = none
    @param flags GKIT_FUTURE_ONLY or 0
    @param[out] out yours; NULL = as long as the stream; must be NULL if `name` is given
    @return OK, NOT_SUPPORTED (a name on a stream that is no publink), INVALID_ARGUMENT
    @since 0.1 */
GKIT_API gkit_status gkit_stream_subscribe(gkit_stream *stream, const char *GKIT_NULLABLE name,
                                           uint32_t flags, gkit_sample_fn fn,
                                           void *GKIT_NULLABLE user_data,
                                           gkit_destroy_fn GKIT_NULLABLE destroy,
                                           gkit_connection **GKIT_NULLABLE out);

/** Removes a named subscriber of a publink at once; an unknown name is ignored.
    @return OK, NOT_SUPPORTED (not a publink)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_unsubscribe(gkit_stream *stream, const char *name);

/** Makes a stream by an operator. Durations are INT nanoseconds above 0, counts INT above 0.
    @param op "distinct" drops a value that equals the one before;
              "buffered" shares one subscription among its subscribers (of an observable: sends
              nothing during a transaction);
              "counted" an observable of the number of values received;
              "updates" {kind, old, new} with kind "begin", "change" or "end", of an observable;
              of a list or set {kind, change?}, with one change for each that was made;
              "changes" {old, new} for each transaction, of an observable; of a list {count,
              modifications: [{kind, at, old, new}]} whose kind is one of insert, remove, replace
              and slice, in order of their places, where each supposes those before it made; of a
              set {removed, inserted};
              "tick" the end of each transaction, of an observable;
              "flatten" the items of each list;
              "bracketed" {hello?, goodbye?} a first and a last value for each subscriber;
              "throttle" {duration_ns, latest?} at most one value per duration; the newest value
              received meanwhile follows unless latest is false;
              "debounce" {duration_ns} the newest value once none has arrived for that long;
              "sample" {duration_ns} the newest value at each multiple, if one arrived;
              "batch" {count?, duration_ns?} lists without overlap;
              "window" {count} or {duration_ns} lists of the last values;
              "moving_average" {window} or {duration_ns} the mean of the last values;
              "low_pass" {time_constant_ns} or {alpha} exponential smoothing;
              "min_change" {delta} values that differ from the last one sent by at least delta;
              "timeout" {duration_ns, substitute} every value, and the substitute when none arrives
              for that long;
              "count" how many elements a list or set has, an observable, told when it is another;
              "sum" the same of the numbers of a list; what is no number counts as 0;
              "contains" {value} the same of whether a list or set has an element;
              "sorted" {by?, descending?} a list in order: of numbers, strings, BOOL or TIME, or by
              the member {by} of each; what has no place in it comes last;
              "elements" every element that is put in from now on;
              "each" the same list or set, of which the next gkit_stream_transform() works on the
              elements: the function is called once for each that is put in, and maps or drops it;
              "reversed" what leads back, of the changes of a list or set
    @param arguments NULL = none
    @param[out] out yours
    @return OK, NOT_FOUND (no such operator; the message names the nearest one), NOT_SUPPORTED (the
            operator needs an observable), INVALID_ARGUMENT (an unknown, missing or bad argument)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_apply(gkit_stream *stream, const char *op,
                                       const gkit_dict *GKIT_NULLABLE arguments, gkit_stream **out);

/** Makes one stream of several.
    @param op "merge" every value of each, in one order;
              "combine" a list of the newest value of each;
              "concat" of two to six lists, "union" of two to six sets;
              "+" "-" "*" "/" "%" "min" "max" of two (two INT give INT, which wraps; INT divided by
              0 is 0; other numbers give DOUBLE);
              "==" "!=" of any two, "<" "<=" ">" ">=" of two numbers or strings; "&&" "||" of two
              BOOL; with one stream "-", "!" and "sqrt". Operands of other types give NONE. The
              result of observables is an observable; "combine" of updatables is updatable.
    @param[out] out yours
    @return OK, NOT_FOUND (no such operator), INVALID_ARGUMENT (a wrong number of streams), LIMIT
    @since 0.1 */
GKIT_API gkit_status gkit_stream_combine(gkit_stream *const *streams, size_t count, const char *op,
                                         gkit_stream **out);

/** Lists the operators: {name, summary, by, least_inputs, most_inputs?, needs_observable,
    collections?, need, options: [{name, hint, unit?, least?, most?, default?, required}]} each.
    {by} is the function that takes the name: "apply" or "combine". It takes {least_inputs} to
    {most_inputs} streams; {most_inputs} is absent where any number will do. {collections}, of
    "list" and "set", says of which type they must be; it is absent where that may be any. {need}
    says which options must be given: "required" (those with a true {required}), "exactlyOne" or
    "atLeastOne".
    The hint of an option is as for ports of patches; the unit of a duration is "ns".
    @param[out] out yours
    @since 0.2 */
GKIT_API gkit_status gkit_stream_list_operators(gkit_dict **out);

/** Makes a stream that passes each value through a function, which converts or drops it: map and
    filter in one. The function is called once for each subscriber and value.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_stream_transform(gkit_stream *stream, gkit_transform_fn fn,
                                           void *GKIT_NULLABLE user_data,
                                           gkit_destroy_fn GKIT_NULLABLE destroy,
                                           gkit_stream **out);

/** Makes an observable whose value is that of another, converted by `to`. The functions may be
    called any number of times. A value that `to` rejects is NONE with status FAILED.
    @param from makes the result updatable: a sent value is converted by `from` and then sent to
           `observable`. A negative status refuses the send, which returns it. NULL = read-only
    @param[out] out yours
    @return OK, NOT_SUPPORTED (not an observable; or `from` for one that is not updatable)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_map_both(gkit_stream *observable, gkit_map_fn to,
                                          gkit_map_fn GKIT_NULLABLE from,
                                          void *GKIT_NULLABLE user_data,
                                          gkit_destroy_fn GKIT_NULLABLE destroy, gkit_stream **out);

/** Changes a list or set, as one transaction: {at, remove?, insert?: LIST} takes out {remove}
    elements at {at} (default 0) and puts others in; {insert?: LIST, remove?: LIST} of a set;
    {count, modifications: LIST of {kind?, at, old, new}} or {removed, inserted}, as "changes" tells
    them, apply a change that fits. gkit_stream_send() with a LIST assigns all elements.
    @return OK, INVALID_ARGUMENT (no such index, an unknown member, or a change that does not fit:
            the message names the first modification), TYPE, LIMIT (more than 1 000 000 elements, or
            the cascade is full), NOT_SUPPORTED (no list or set, or a derived one), CLOSED
    @since 0.2 */
GKIT_API gkit_status gkit_stream_modify(gkit_stream *collection, const gkit_dict *modification);

/** Opens a transaction on an updatable, or joins the open one. A transaction groups changes and is
    not a lock: values sent by other threads join it.
    @return OK, NOT_SUPPORTED (not updatable)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_begin(gkit_stream *stream);

/** Ends one gkit_stream_begin(); the outermost end closes the transaction.
    @return OK, NOT_SUPPORTED (not updatable), INVALID_ARGUMENT (none is open)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_end(gkit_stream *stream);

/** Keeps two updatables equal in both directions from now on; first sets `b` to the value of `a`.
    @param[out] out yours; NULL = as long as `a`
    @return OK, NOT_SUPPORTED (not updatable), BUSY (one of them is in a transaction)
    @since 0.1 */
GKIT_API gkit_status gkit_stream_bind(gkit_stream *a, gkit_stream *b,
                                      gkit_connection **GKIT_NULLABLE out);

/** Makes a signal by gkit_stream_new(). @since 0.1 */
static inline gkit_status gkit_signal_new(gkit_context *context, gkit_stream **out) {
  return gkit_stream_new(context, "signal", NULL, out);
}

/** Makes a publink by gkit_stream_new(). @since 0.1 */
static inline gkit_status gkit_publink_new(gkit_context *context, gkit_stream **out) {
  return gkit_stream_new(context, "publink", NULL, out);
}

/** Makes a variable that holds `initial`, by gkit_stream_new(). @since 0.1 */
static inline gkit_status gkit_variable_new(gkit_context *context, const gkit_value *initial,
                                            gkit_stream **out) {
  gkit_dict *options = gkit_dict_new();
  gkit_status status = gkit_dict_set(options, "value", initial);
  if (status >= 0)
    status = gkit_stream_new(context, "variable", options, out);
  gkit_release(options);
  return status;
}

/** Makes a timer that ticks every interval, first one interval from now, by gkit_stream_new().
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
 * patches of a context pass through one queue, first in, first out. Handlers run where callbacks
 * run, one at a time, and never nest. A value that a handler publishes goes to the end of the queue
 * with the times of the sample that caused it. Feedback loops are allowed. A wired input keeps the
 * patch that feeds it, except over the wire that closes a loop; no patch keeps the patches it
 * feeds.
 *
 * A value published or set on the loop while nothing is queued has been delivered when the call
 * returns. From any other thread it is queued, and gkit_context_flush() waits for its delivery.
 *
 * The hint of a port is the type of the values it takes: "any", "bool", "int", "double" (ints too),
 * "vector", "string", "bytes", "time", "dict" (lists too). Every port also takes NONE. Values are
 * not converted.
 */

/** Makes a patch of a type in the catalogue (gkit_patch_list_types()) or of a registered type.
    @param type NULL = empty, for your own ports; "graph" = a graph, which holds children
    @param options of the type. Each is also an input of the same name unless it is fixed. Durations
           are DOUBLE seconds. NULL = none
    @param[out] out yours
    @return OK, NOT_FOUND (no such type), INVALID_ARGUMENT (a bad or unknown option; the message
            names it)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_new(gkit_context *context, const char *GKIT_NULLABLE type,
                                    const gkit_dict *GKIT_NULLABLE options, gkit_patch **out);

/** Registers a patch type of your own, for use in gkit_patch_new() and in documents from now on.
    `destroy` runs when the context closes.
    @return OK, EXISTS (the name is taken), INVALID_ARGUMENT (no name)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_register(gkit_context *context, const char *type,
                                         gkit_patch_make_fn make, void *GKIT_NULLABLE user_data,
                                         gkit_destroy_fn GKIT_NULLABLE destroy);

/** Lists the catalogue of patch types: {type, summary, inputs, outputs, options} each.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_patch_list_types(gkit_context *context, gkit_dict **out);

/** Describes a patch: {type, name, inputs: [{name, hint, wired, feedback, errors}], outputs:
    [{name, hint}], children: [{name, type}]}.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_patch_get_info(const gkit_patch *patch, gkit_dict **out);

/** Adds an input, or replaces the one of that name, removing its handler, wire and last value.
    @param name not empty, without control characters
    @param hint NULL = "any"
    @param fn NULL = no handler: subscribe to the port's stream instead
    @return OK, INVALID_ARGUMENT (a bad name or hint)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_add_input(gkit_patch *patch, const char *name,
                                          const char *GKIT_NULLABLE hint,
                                          gkit_input_fn GKIT_NULLABLE fn,
                                          void *GKIT_NULLABLE user_data,
                                          gkit_destroy_fn GKIT_NULLABLE destroy);

/** Adds an output, or replaces the one of that name, removing its last value, wires and
    subscribers. The inputs it fed are no longer wired.
    @param hint NULL = "any"
    @return OK, INVALID_ARGUMENT (a bad name or hint)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_add_output(gkit_patch *patch, const char *name,
                                           const char *GKIT_NULLABLE hint);

/** Removes a port with its wires and subscribers.
    @return OK, NOT_FOUND
    @since 0.1 */
GKIT_API gkit_status gkit_patch_remove_port(gkit_patch *patch, const char *name, bool output);

/** Gets the publink of a port, to subscribe to, publish on or wire. It keeps the patch.
    @param[out] out yours
    @return OK, NOT_FOUND
    @since 0.1 */
GKIT_API gkit_status gkit_patch_port(gkit_patch *patch, const char *name, bool output,
                                     gkit_stream **out);

/** Calls the handler of an input with a value, once; the value goes nowhere else.
    @return OK, NOT_FOUND (no such input), TYPE (the value does not fit the hint)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_set_value(gkit_patch *patch, const char *input,
                                          const gkit_value *value);

/** Publishes a value on an output.
    @return OK, NOT_FOUND (no such output), TYPE (the value does not fit the hint), LIMIT (the
            cascade is full)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_publish(gkit_patch *patch, const char *output,
                                        const gkit_value *value);

/** Wires an input to a stream, replacing its previous wire; the stream's last value is delivered
    over the new wire. A wire from the stream of an output can be saved.
    @param stream NULL = removes the wire
    @return OK, NOT_FOUND (no such input), TYPE (the hints have no type in common)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_set_input(gkit_patch *patch, const char *name,
                                          gkit_stream *GKIT_NULLABLE stream);

/** The stream of the failures in a patch: dicts {port, code, message, status}. It keeps the patch.

    {code} is one of these words: "typeMismatch", a value does not fit the hint of {port};
    "handlerFailed", the handler of the input {port} failed; "cascadeLimit", the cascade is full and
    nothing was published on {port}; "badOption", a value is not valid for the option {port}; and,
    from the handlers of patch types, "notFound", "badName", "duplicateName", "exists",
    "notSavable", "invalidGraph", "closed". {status} is an INT: the status that a gkit_input_fn
    returned, unchanged; for other failures the status that a call failing in this way returns, or
    USER if there is none.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_patch_errors(gkit_patch *patch, gkit_stream **out);

/** Adds a patch to a graph, which keeps it.
    @param name a letter, then letters, digits, "_" and "-"; NULL = the type, numbered if taken
    @return OK, EXISTS (the name is taken, or the child is in a graph), INVALID_ARGUMENT (a bad
            name), NOT_SUPPORTED (not a graph)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_add(gkit_patch *graph, const char *GKIT_NULLABLE name,
                                    gkit_patch *child);

/** Finds a child by its name.
    @param[out] out yours; equal to your own handle of the child, if you hold one
    @return OK, NOT_FOUND, NOT_SUPPORTED (not a graph)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_find(gkit_patch *graph, const char *name, gkit_patch **out);

/** Removes a child with its wires inside the graph, and the graph's ports that are ports of it.
    @return OK, NOT_FOUND, NOT_SUPPORTED (not a graph)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_remove(gkit_patch *graph, const char *name);

/** Offers a port of a child as a port of the graph.
    @param reference "child.port"
    @return OK, NOT_FOUND (no such child or port), EXISTS, INVALID_ARGUMENT (a bad name),
            NOT_SUPPORTED (not a graph)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_offer(gkit_patch *graph, const char *name, const char *reference,
                                      bool output);

/** A graph as text.
    @param format "json" (the document gkit_patch_from_json() loads), "dot" or "mermaid"
    @param[out] out free it with gkit_free()
    @return OK, NOT_FOUND (no such format), NOT_SUPPORTED (not a graph), INVALID_ARGUMENT (the
            document could not be loaded again; the message names the cause: a child without a type,
            a wire from outside the graph, a wire, value or offer of a port that the child's type
            does not define, or an option or value that JSON cannot express)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_export(gkit_patch *graph, const char *format, char **out);

/** Checks a document and builds its graph if there is no problem: all or nothing.
    @param[out] out yours; NULL = only check
    @param[out] out_problems yours, also on failure: a list of {code, pointer, message, nearest?};
           empty if there is no problem
    @return OK, PARSE (malformed: not JSON, or a wrong member; the message begins "byte N: "), LIMIT
            (nested more than 128 deep; the same form of message), VALIDATION (other problems)
    @since 0.1 */
GKIT_API gkit_status gkit_patch_from_json(gkit_context *context, const char *text, size_t length,
                                          gkit_patch **GKIT_NULLABLE out,
                                          gkit_dict **GKIT_NULLABLE out_problems);

/** Wires an output to an input, by gkit_patch_port() and gkit_patch_set_input(). @since 0.1 */
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
 * store behaves, a repository decides between a main store and a cache, and a custom data source
 * calls a function of yours. All have the same interface; every call returns a future. Values are
 * copied.
 *
 * A key holds one object or one list. A list is a LIST value; NULL or NONE stands for null. A QUERY
 * is a dictionary, made by gkit_query_new() and gkit_dict_set():
 *
 *   type     "id"      the entry with the id {id}, any value: "7" and 7 are the same id
 *            "key"     the entry whose id, as text, is {key}
 *            "ids"     the entries with the ids in the list {ids}
 *            "all"     every entry
 *            "page"    {limit} entries from {offset} on
 *            "object"  the entry with the id of {value}; put stores {value}
 *            "time"    the values recorded from {from_ns} to {to_ns}: recordings only
 *            "void"    nothing: no operation takes it
 *   where    for "all" and "page" of rows: ["=", column, value], likewise != < <= > >=;
 *            ["in", column, [values]]; ["is_null", column]; ["and", ...], ["or", ...], ["not", c]
 *   order_by likewise: names of columns; "-" before a name reverses its order
 *   route    for repositories: "main", "cache", "cache_ignoring_validity", "main_sync",
 *            "cache_sync", "default"; other data sources ignore it
 *
 * The future of a call holds its result or one of these errors: NOT_FOUND (no such entry, or none
 * of this shape or type), INVALID_ARGUMENT, NOT_IMPLEMENTED (not this operation), NOT_SUPPORTED
 * (the operation does not take this query), VALIDATION (rejected by a check), PARSE (stored data
 * cannot be decoded, or a value cannot be encoded), IO (system, file or service refused), TIMEOUT,
 * CANCELLED, or a number of your own. A call that fails has changed nothing.
 *
 * Stores work on threads of their own. The functions of decorators and custom data sources and the
 * consumers of futures run where callbacks run, never inside each other.
 *
 * The patch `record` appends to a data source that has a {name}. The name is valid while the handle
 * of the data source lives; patches made meanwhile keep the data source. Stores, wrap, validate,
 * retry and repositories take a {name}; to name a data source that takes no options, wrap it in one
 * of these. Each sample is put as an object of its own: {"source": the patch's `name`, "time":
 * TIME, "value"}, and "value.status" ("noData", "stale", ...) if its status is not OK. A recording
 * read as a data source returns objects of this form, and a table for them needs these columns. The
 * id of an object is a text; sorted by it, objects are in the order they arrived. If the store
 * refuses this id with INVALID_ARGUMENT, as a table with integer ids does, the object is put by
 * "object" and the store assigns the id. The patch does not wait for the result: a refusal becomes
 * an error of the patch, reported on the loop. While 4096 objects are pending, a further one is
 * lost and is such an error at once. A later call on the store is performed after them.
 */

/** Opens a store.
    @param type "void":     returns NOT_IMPLEMENTED for every call;
                "memory":   {id}, the name of the member that holds the id in "object" queries;
                "storage":  small values that outlive the program, {name} ("default"), {layout}:
                "regular", "prefix" with {prefix}, or "root" with {root}; {type}, the one type of
                its values: bool int double string bytes time vector list dict; {path}, {id},
                {busy_timeout_ns} (5 s);
                "sqlite":   rows of a table, each a dict: {path}, {table}, {columns}: a list of
                {name, type: bool int double string bytes time, index?, nullable?}, {key} ("id"),
                {busy_timeout_ns};
                "files":    BYTES, one file per entry: {folder}, {naming}: "sha256" or "plain";
                "keychain": secrets of a {service}, with {type}
    @param options NULL = none. Every type takes the {name} for the patch `record`, see above;
                   "storage" calls it {store}
    @param[out] out yours
    @return OK, NOT_FOUND (no such type), INVALID_ARGUMENT (an unknown, bad or missing option; the
            message names it), EXISTS (another sink or data source has the {name})
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_open(gkit_context *context, const char *type,
                                          const gkit_dict *GKIT_NULLABLE options,
                                          gkit_datasource **out);

/** Makes a data source that calls a function of yours on the loop.
    @param[out] out yours
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_new_custom(gkit_context *context, gkit_perform_fn fn,
                                                void *GKIT_NULLABLE user_data,
                                                gkit_destroy_fn GKIT_NULLABLE destroy,
                                                gkit_datasource **out);

/** Makes a call. get gives an object, get_all a list, put and put_all the values now stored, delete
    and delete_all (the same) NONE. The call keeps the data source.
    @param operation GKIT_OPERATION_*
    @param query see above
    @param value the value to put, for put_all a LIST; NULL = null
    @param[out] out yours; releasing it does not cancel the call
    @return OK, INVALID_ARGUMENT (no such operation, or an invalid query), LIMIT (a value nested
            more than 128 deep, or too large); the future has all other errors
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_perform(gkit_datasource *datasource, int32_t operation,
                                             const gkit_dict *query,
                                             const gkit_value *GKIT_NULLABLE value,
                                             gkit_future **out);

/** Puts a decorator around a data source, which it keeps.
    @param decorator "cache": keeps results of key queries until they are {expiry_ns} old (300 s),
                     for at most {capacity} keys;
                     "log": writes one INFO line to the log for each call; {logs_values}; for tests
                     {delay_ns}, {failure_share} (0 to 1) and {seed}
    @param options NULL = none; both take a {name}, see above
    @param[out] out yours
    @return OK, NOT_FOUND (no such decorator), INVALID_ARGUMENT (an unknown or bad option), EXISTS
            (the {name} is taken)
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_wrap(gkit_datasource *datasource, const char *decorator,
                                          const gkit_dict *GKIT_NULLABLE options,
                                          gkit_datasource **out);

/** Converts values on their way out and in. If a function returns a status of the list above, the
    call fails with it; any other becomes PARSE with that status as its cause. A value refused on
    its way in does not reach the inner source.
    @param[out] out yours; keeps the inner data source
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_map(gkit_datasource *datasource, gkit_map_fn to_outer,
                                         gkit_map_fn to_inner, void *GKIT_NULLABLE user_data,
                                         gkit_destroy_fn GKIT_NULLABLE destroy,
                                         gkit_datasource **out);

/** Checks values that are read: if one value or element is refused, the call fails with VALIDATION.
    @param options {empty_list_is_valid} (true); {validate_put} (false): also checks values to put,
           before they reach the inner source; {name}, see above. NULL = none
    @param check is called with `out` NULL
    @param[out] out yours; keeps the inner data source
    @return OK, INVALID_ARGUMENT (an unknown or bad option), EXISTS (the {name} is taken)
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_validate(gkit_datasource *datasource,
                                              const gkit_dict *GKIT_NULLABLE options,
                                              gkit_map_fn check, void *GKIT_NULLABLE user_data,
                                              gkit_destroy_fn GKIT_NULLABLE destroy,
                                              gkit_datasource **out);

/** Repeats failed calls, except cancelled ones.
    @param options {retries}: the number of further attempts (1); {delay_ns} between them,
           multiplied by {factor} (1) after each, up to {max_delay_ns}, shortened at random by up to
           {jitter} (0 to 1, from {seed}); {name}, see above. NULL = none
    @param fn NULL = always repeats
    @param[out] out yours; keeps the inner data source
    @return OK, INVALID_ARGUMENT (an unknown or bad option), EXISTS (the {name} is taken)
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_retry(gkit_datasource *datasource,
                                           const gkit_dict *GKIT_NULLABLE options,
                                           gkit_retry_fn GKIT_NULLABLE fn,
                                           void *GKIT_NULLABLE user_data,
                                           gkit_destroy_fn GKIT_NULLABLE destroy,
                                           gkit_datasource **out);

/** Makes a data source that reads from one, writes to another and deletes from a third, which it
    keeps.
    @param get NULL, likewise put and del = NOT_IMPLEMENTED for its operations
    @param[out] out yours
    @return OK, INVALID_ARGUMENT (all are NULL)
    @since 0.1 */
GKIT_API gkit_status gkit_datasource_assemble(gkit_datasource *GKIT_NULLABLE get,
                                              gkit_datasource *GKIT_NULLABLE put,
                                              gkit_datasource *GKIT_NULLABLE del,
                                              gkit_datasource **out);

/** Makes a data source that decides between a main one and a cache by the query's route. It keeps
    both. "main" and "cache" use one of them. "main_sync" reads main and refreshes the cache with
    the result; it writes to both, main first. "cache_sync" reads main only if the cache does not
    have the value or the check refuses it; it writes to both, the cache first. "default" reads as
    "cache_sync" without a fallback, and writes as "main_sync". A cache that cannot be refreshed
    gives a WARNING in the log. If the second of two writes fails, the error lists the first under
    `completed`.
    @param cache NULL = main only, whatever the route
    @param options {empty_list_is_valid} (true); {name}, see above. NULL = none
    @param check validates values from the cache, with `out` NULL; NULL = every value is valid
    @param fallback called on "cache_sync" when main failed after a miss; NULL = never falls back
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

/** Resolves a future made by gkit_future_new(), or the `reply` of a gkit_perform_fn. When called on
    the loop outside callbacks, its consumers have been called on return; otherwise they are queued
    for the loop.
    @param status negative = the future fails
    @param value the result; NULL = NONE. For get_all and put_all it is a LIST
    @param message of a failure; NULL = a general one
    @return OK, EXISTS (the future has a result already), NOT_SUPPORTED (a data source resolves this
            future)
    @since 0.1 */
GKIT_API gkit_status gkit_future_resolve(gkit_future *future, gkit_status status,
                                         const gkit_value *GKIT_NULLABLE value,
                                         const char *GKIT_NULLABLE message);

/** Waits for the result. On the loop thread outside callbacks it dispatches meanwhile. Also works
    after the context was closed.
    @param[out] out borrowed, as long as the future lives
    @return OK, TIMEOUT (the future stays pending), WRONG_THREAD (inside a callback, if the result
            itself needs the loop), or the error of the result
    @since 0.1 */
GKIT_API gkit_status gkit_future_wait(gkit_future *future, int64_t timeout_ns,
                                      gkit_value *GKIT_NULLABLE out);

/** Adds a consumer: a function that is called once on the loop when the future has a result.
    Consumers are called in the order added; at once if there is a result and this is the loop,
    outside callbacks. You may release the future. A pending future without any reference is freed
    and its consumers are not called.
    @since 0.1 */
GKIT_API gkit_status gkit_future_then(gkit_future *future, gkit_future_fn fn,
                                      void *GKIT_NULLABLE user_data,
                                      gkit_destroy_fn GKIT_NULLABLE destroy);

/** The details of a result: {code, errno, message, missing, completed, causes: [the same]}. code is
    0 after a success, missing lists the ids not found, completed the stores that had already
    finished. It also works after the context was closed.
    @param[out] out yours
    @return OK, NO_DATA (there is no result yet)
    @since 0.1 */
GKIT_API gkit_status gkit_future_get_error(const gkit_future *future, gkit_dict **out);

/** Resolves a pending future as CANCELLED and cancels the operation behind it; a custom data source
    is notified by gkit_future_then() on its `reply`. Data already written stays written. NULL is
    ignored.
    @since 0.1 */
GKIT_API void gkit_future_cancel(gkit_future *GKIT_NULLABLE future);

/** Makes a query {type, id}; add more members by gkit_dict_set(). Yours; NULL with NO_MEMORY.
    @param id NULL = no id
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

/** Opens a sink, which writes the samples of sources and streams to a file, or publishes them. A
    thread of the library writes everything that arrives after a source or stream was added; no
    source ever waits for it.
    Samples that arrive faster than the disk takes them wait in bounded memory; those beyond the
    bound are lost and marked by a gap.
    Format `recording`: a file that `replay:FILE` plays and `gathered info` describes. It is
    synchronised every second, so a killed process loses no more. Personal values are
    recorded only if the context allows them. Files of all formats are created with mode 0600, for
    their owner only. Options:
      existing            STRING `refuse` (EXISTS), `append` or `overwrite`; default refuse
      name                STRING the name for the patch `record`, until the sink closes (EXISTS)
      block_interval_ns   INT    longest time before a row is written; default 1 s
      sync_interval_ns    INT    longest time before written data is synchronised; default 1 s
      memory_limit        INT    bytes that may wait, beyond which rows are lost; default 16 MiB
      block_rows          INT    most rows in a block, 1 to 65 536; default 4096
      block_bytes         INT    memory of a block's rows, up to 4 MiB; default 256 KiB
      rotate_bytes        INT    a file of about this length is followed by a new one
      rotate_interval_ns  INT    a file of this age is followed by a new one
      keep                INT    how many files are kept, including the present one
    Format `jsonl`: text, one object per reading: {"id", "time_ns", "values": {KEY: {"value",
    "unit", "status", "reason"?, "remedy"?}}}. Values are written as by gkit_value_to_json();
    missing values and numbers that are not finite are null. One object per event: {"id", "time_ns",
    "event", "availability"?, "reason"?, "remedy"?, "rows"?}. In an event `lost` the id is null if
    it is unknown which source the rows belonged to. The id of a stream is its name, its key
    `value`. Options: the first five.
    Format `csv`: text by RFC 4180 with a header line. Times are in ISO 8601, values as by
    gkit_value_format() without unit, vectors as KEY.COMPONENT, texts unchanged, dicts and lists as
    JSON; missing values are empty (an empty text is ""). Options: the first five, and
      layout              STRING `wide`: time and one column per property, of one source or stream
                                 (a second one is INVALID_ARGUMENT); `long`: columns time, source,
                                 property, value, status and one line per value; default wide
    Format `mqtt`: publishes to a broker, whose URI is the target, as of a context; the newest
    reading of each source as a retained state, every reading of fast ones as rows. Opening does not
    wait for the broker, which is looked for until the sink is closed; gkit_sink_get_info() tells
    how that goes, gkit_sink_flush() waits until the broker has everything. Options: name, and
      device             STRING this machine's name; default: its host name if that is allowed, or
                                else a digest
      allow              STRING personal categories that leave the machine, as of a context, which
                                must allow them, too; default none
      rows               STRING of which sources every reading is sent: `auto` (default: faster ones
                                than state_interval_ns), `always`, `never`
      state_interval_ns  INT    shortest time between two states of a source; default 1 s
      heartbeat_ns       INT    a state is repeated after this time; default 300 s, at least 10 s
      batch_interval_ns  INT    longest time a row waits for others; default 0.5 s
      batch_bytes        INT    length of a message of rows, 4096 to 1 MiB; default 64 KiB
      memory_limit       INT    bytes that may wait, beyond which the oldest rows are lost; default
                                16 MiB
      qos                INT    of rows: 1, acknowledged (default), or 0
      discovery          STRING the prefix below which Home Assistant is told of everything, usually
                                `homeassistant`; empty (default) for none
      spool              STRING a folder that keeps rows until the broker has acknowledged them,
                                over outages and restarts; one publisher has it at a time (BUSY).
                                `auto` then sends all rows, and gkit_sink_flush() returns when they
                                are acknowledged or on the disk
      spool_bytes        INT    how much that may take, beyond which the oldest rows are lost; at
                                least 1 MiB, default 1 GiB
      drain_rate         INT    bytes a second of what it holds that are sent at most; default 0,
                                any number
    @param target the path of the file, or the URI of the broker
    @param[out] out yours; the sink keeps the sources and streams added to it
    @return OK, NOT_FOUND (no such format), INVALID_ARGUMENT, EXISTS, BUSY (another sink writes the
            file, or has the spool), PARSE (appending to a file that is no recording), IO,
            UNAVAILABLE (mqtt without libmosquitto)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_open(gkit_context *context, const char *format, const char *target,
                                    const gkit_dict *GKIT_NULLABLE options, gkit_sink **out);

/** Adds a source: every update and event of it is written, at the source's own rate. Does not start
    or stop the source.
    @return OK, CLOSED, INVALID_ARGUMENT (a source of another context, a second one in a wide csv)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_add_source(gkit_sink *sink, gkit_source *source);

/** Adds and starts all available sources of the context, members of aggregates included, and each
    that appears or becomes available later. Closing the sink stops them. What was added before is
    left as it is; what is too personal to be published is passed over; other failures are logged,
    and a source that did not start does when it can.
    @param interval_ns the requested interval; 0 = each kind's default
    @return OK, CLOSED, INVALID_ARGUMENT (negative)
    @since 0.2 */
GKIT_API gkit_status gkit_sink_add_all(gkit_sink *sink, int64_t interval_ns);

/** Adds a stream under a name: every value of it is written. Streams of one name form one series.
    @return OK, CLOSED, INVALID_ARGUMENT (no name, a stream of another context, a second one in a
            wide csv)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_add_stream(gkit_sink *sink, gkit_stream *stream, const char *name);

/** How a sink stands: {"format", "target", "state", "reason"?, "remedy"? STRING; "errno"? INT;
    "rows_taken", "rows_sent", "rows_acknowledged", "rows_lost", "bytes_sent" INT;
    "messages_sent"?, "spooled_rows"?, "spooled_bytes"?, "connections"? INT; "connected_since"?
    TIME}. Members that do not apply are absent. The state is `open` of a file; `connecting`,
    `connected`, `waiting` (for the next attempt to reach the broker, for the reason) or
    `superseded` (another publisher has the same name) of a publisher; and `closed`. Works on a
    closed sink.
    @param[out] out yours
    @return OK, FORKED
    @since 0.2 */
GKIT_API gkit_status gkit_sink_get_info(const gkit_sink *sink, gkit_dict **out);

/** Returns when all samples received so far are on the storage device.
    @param timeout_ns negative: for ever
    @return OK, TIMEOUT, CLOSED, IO (writing failed, for example on a full disk; the samples are
            kept and written later)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_flush(gkit_sink *sink, int64_t timeout_ns);

/** Closes a sink: accepts no more samples, releases sources and streams, and returns when all
    samples received are on the storage device, after 10 s at most. Idempotent. Releasing the last
    reference closes without waiting.
    @return OK, TIMEOUT, IO (writing failed)
    @since 0.1 */
GKIT_API gkit_status gkit_sink_close(gkit_sink *sink);

/** Sets the speed of a replay; also inside callbacks. The clock stands still until the first source
    starts, and then runs at rate 1. No row is dropped at any rate: each waits until the one before
    it has been delivered.
    @param rate 0 = stands still, 1 = as recorded, INFINITY = as fast as possible
    @return OK, INVALID_ARGUMENT (negative, NaN), NOT_SUPPORTED (not a replay), CLOSED
    @since 0.1 */
GKIT_API gkit_status gkit_context_set_rate(gkit_context *replay, double rate);

/** Moves a manual clock to a position. Everything due on the way is delivered in time order on this
    thread before the call returns. The clock stops at every due moment, so nothing is late. Seeking
    to the present position delivers what is due now, refreshes included. boot_ns is the position,
    time_ns is 1 700 000 000 s + position.
    A replay that stands still moves forwards in the same way. One that runs, or that moves
    backwards, jumps: its sources then report their state at that position, and the rows between are
    not delivered. A position beyond the end is the end.
    @param offset_ns absolute, since opening or since the beginning of the recording
    @return OK, INVALID_ARGUMENT (backwards, or before a recording), NOT_SUPPORTED (a clock that
            cannot be moved), WRONG_THREAD (inside a callback), BUSY (another thread moves this
            manual clock; a replay waits for its turn), LIMIT (more than 1 000 000 callbacks; the
            clock is at the last one delivered)
    @since 0.1 */
GKIT_API gkit_status gkit_context_seek(gkit_context *context, int64_t offset_ns);

/** The clock's position since opening. A running replay is at its end once the last row has been
    delivered, not before.
    @param[out] out_duration_ns length of a recording; 0 if there is no end
    @return nanoseconds; NOT_SUPPORTED (a clock that cannot be moved)
    @since 0.1 */
GKIT_API int64_t gkit_context_position(const gkit_context *context,
                                       int64_t *GKIT_NULLABLE out_duration_ns);

/** Writes all recorded rows of sources and streams of a replay as text, merged by their wall time,
    and what happened to them. The replay's clock has no influence and is not moved. The file, which
    has mode 0600, is called TARGET.part until it is complete and synchronised; if the call fails
    nothing is left. Memory holds one block of each source. A damaged block is skipped and logged as
    a warning. Personal values are as recorded. Options:
      sources   LIST   of STRING: ids, kinds, names of streams; default all
      existing  STRING `refuse` (EXISTS) or `overwrite`; default refuse
      layout    STRING of a csv, as in gkit_sink_open(); default wide for one source, otherwise long
    @param format `jsonl` or `csv`, as in gkit_sink_open()
    @param fn called on this thread before the call returns; NULL = not told
    @return OK, NOT_FOUND (no such format, source or stream), INVALID_ARGUMENT, EXISTS, BUSY
            (another export writes the file), CANCELLED (`fn` returned false), NOT_SUPPORTED (not a
            replay), CLOSED, IO
    @since 0.2 */
GKIT_API gkit_status gkit_context_export_text(gkit_context *replay, const char *format,
                                              const char *target,
                                              const gkit_dict *GKIT_NULLABLE options,
                                              gkit_progress_fn GKIT_NULLABLE fn, void *user_data,
                                              gkit_destroy_fn GKIT_NULLABLE destroy);

/* The Arrow C data interface and C stream interface, verbatim from the specification:
   https://arrow.apache.org/docs/format/CDataInterface.html */
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

/** Exports all recorded rows of one source or stream of a replay as an Arrow C stream of record
    batches, in the order they were recorded. The replay's clock has no influence and is not moved.
    A batch has at most the rows of one block of the recording and is read on demand.
    Columns: `time` timestamp[ns, UTC] and `boot` int64 (CLOCK_BOOTTIME, in nanoseconds) of the row;
    then one per property, named by its key: bool, int64, double, utf8 (texts and enums), binary,
    timestamp[ns, UTC] or fixed_size_list<double> (vectors). A missing value, whatever its status,
    is null; a stale value is present. The column of a property called time or boot is `value.time`
    or `value.boot`. A stream has one column `value` of its values' type: double if they are int and
    double; utf8 with JSON if they are of several types, dicts or lists.
    Metadata of a field, each if it applies: key, name, unit, range (`MINIMUM,MAXIMUM`, -inf or inf
    for an open end), resolution, words and components (separated by commas), type `enum`, encoding
    `json`. Metadata of the schema: source or stream, kind, label. Personal values are as recorded.
    The stream reads the file on its own. It may be used on any thread, one at a time, also after
    the context was closed, until its `release`. If the file cannot be read `get_next` returns an
    errno, EBADF in a forked child, and the next call returns those rows. A damaged block is skipped
    and logged as a warning. `get_schema` returns the same each time.
    @param source_id a source's id, a kind (as in gkit_source_open()) or the name of a stream
    @param[out] out a struct of yours, moved as that specification says; release it by its own
           callback
    @return OK, NOT_FOUND, NOT_SUPPORTED (not a replay), CLOSED, IO
    @since 0.1 */
GKIT_API gkit_status gkit_context_export_arrow(gkit_context *replay, const char *source_id,
                                               struct ArrowArrayStream *out);

/** Exports the rows of a frame as one Arrow record batch, which is a copy and lives on without the
    frame. Columns and metadata are those of gkit_context_export_arrow(); the metadata of the schema
    is missing if the reader no longer had the source.
    @param[out] out_schema a struct of yours; release it by its own callback
    @param[out] out_array a struct of yours; release it by its own callback
    @return OK, LIMIT (a column of more than 2 GiB of text), NO_MEMORY
    @since 0.2 */
GKIT_API gkit_status gkit_frame_export_arrow(const gkit_frame *frame,
                                             struct ArrowSchema *out_schema,
                                             struct ArrowArray *out_array);

GKIT_END_DECLS

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/* The layout of the frozen structs. */
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
