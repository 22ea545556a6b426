/* gatheredkit.h for the parsers of other runtimes: no macros but the guard, no inline functions, no
 * attributes. It needs bool, size_t and the integers of stdint.h to be known. A parser that knows
 * no preprocessor leaves out the three lines that begin with a hash. The values of
 * GKIT_COLUMN_TIME and GKIT_COLUMN_BOOT, which fit no enum, are in gatheredkit-api.json, and so are
 * all comments.
 *
 * Generated from gatheredkit.h by bindings/python/tools/generate_interface.py. Do not edit.
 */
/* clang-format off */
#ifndef GKIT_FFI_H
#define GKIT_FFI_H

typedef int32_t gkit_status;

struct ArrowSchema;
struct ArrowArray;
struct ArrowArrayStream;
typedef struct gkit_context gkit_context;
typedef struct gkit_source gkit_source;
typedef struct gkit_connection gkit_connection;
typedef struct gkit_connector gkit_connector;
typedef struct gkit_reader gkit_reader;
typedef struct gkit_frame gkit_frame;
typedef struct gkit_stream gkit_stream;
typedef struct gkit_patch gkit_patch;
typedef struct gkit_datasource gkit_datasource;
typedef struct gkit_future gkit_future;
typedef struct gkit_sink gkit_sink;
typedef struct gkit_dict gkit_dict;
typedef struct gkit_batch gkit_batch;

enum {
  GKIT_OK = 0,
  GKIT_ERROR = -1,
  GKIT_ERROR_INVALID_ARGUMENT = -2,
  GKIT_ERROR_NOT_FOUND = -3,
  GKIT_ERROR_EXISTS = -4,
  GKIT_ERROR_NOT_SUPPORTED = -5,
  GKIT_ERROR_UNAVAILABLE = -6,
  GKIT_ERROR_PERMISSION = -7,
  GKIT_ERROR_BUSY = -8,
  GKIT_ERROR_TIMEOUT = -9,
  GKIT_ERROR_CANCELLED = -10,
  GKIT_ERROR_CLOSED = -11,
  GKIT_ERROR_NO_DATA = -12,
  GKIT_ERROR_IO = -13,
  GKIT_ERROR_PARSE = -14,
  GKIT_ERROR_VALIDATION = -15,
  GKIT_ERROR_TYPE = -16,
  GKIT_ERROR_NO_MEMORY = -17,
  GKIT_ERROR_WRONG_THREAD = -18,
  GKIT_ERROR_FORKED = -19,
  GKIT_ERROR_LIMIT = -20,
  GKIT_ERROR_NOT_IMPLEMENTED = -21,
  GKIT_ERROR_USER = -100
};

enum {
  GKIT_TYPE_NONE = 0,
  GKIT_TYPE_BOOL = 1,
  GKIT_TYPE_INT = 2,
  GKIT_TYPE_DOUBLE = 3,
  GKIT_TYPE_VECTOR = 4,
  GKIT_TYPE_STRING = 5,
  GKIT_TYPE_BYTES = 6,
  GKIT_TYPE_TIME = 7,
  GKIT_TYPE_DICT = 8,
  GKIT_TYPE_LIST = 9
};

enum {
  GKIT_MODE_THREAD = 0,
  GKIT_MODE_HOST = 1
};

enum {
  GKIT_SAMPLE_OK = 0,
  GKIT_SAMPLE_NO_DATA = 1,
  GKIT_SAMPLE_STALE = 2,
  GKIT_SAMPLE_PERMISSION = 3,
  GKIT_SAMPLE_UNSUPPORTED = 4,
  GKIT_SAMPLE_FAILED = 5
};

enum {
  GKIT_FLAG_IS_NEW = 1,
  GKIT_FLAG_GAP_BEFORE = 2,
  GKIT_FLAG_REPLAYED = 4,
  GKIT_FLAG_LOW_ACCURACY = 8
};

enum {
  GKIT_AVAILABILITY_AVAILABLE = 0,
  GKIT_AVAILABILITY_REQUIRES_PERMISSION = 1,
  GKIT_AVAILABILITY_PERMISSION_DENIED = 2,
  GKIT_AVAILABILITY_RESTRICTED = 3,
  GKIT_AVAILABILITY_UNAVAILABLE = 4
};

enum {
  GKIT_REASON_AVAILABLE = 0,
  GKIT_REASON_SEARCHING = 1,
  GKIT_REASON_REQUIRES_PERMISSION = 2,
  GKIT_REASON_PERMISSION_DENIED = 3,
  GKIT_REASON_RESTRICTED_BY_POLICY = 4,
  GKIT_REASON_POWERED_OFF = 5,
  GKIT_REASON_SERVICE_NOT_RUNNING = 6,
  GKIT_REASON_UNSUPPORTED_BY_KERNEL = 7,
  GKIT_REASON_NO_HARDWARE = 8,
  GKIT_REASON_BUSY = 9,
  GKIT_REASON_DISCONNECTED = 10,
  GKIT_REASON_FAILED = 11
};

enum {
  GKIT_STATE_IDLE = 0,
  GKIT_STATE_WAITING = 1,
  GKIT_STATE_UPDATING = 2
};

enum {
  GKIT_EVENT_ADDED = 0,
  GKIT_EVENT_REMOVED = 1,
  GKIT_EVENT_STARTED = 2,
  GKIT_EVENT_STOPPED = 3,
  GKIT_EVENT_FAILED = 4,
  GKIT_EVENT_AVAILABILITY_CHANGED = 5,
  GKIT_EVENT_PERMISSION_REQUESTED = 6,
  GKIT_EVENT_LOST = 7
};

enum {
  GKIT_REPORTING_CONTINUOUS = 0,
  GKIT_REPORTING_ON_CHANGE = 1,
  GKIT_REPORTING_ONE_SHOT = 2,
  GKIT_REPORTING_STATIC = 3
};

enum {
  GKIT_PROPERTY_WRITABLE = 1,
  GKIT_PROPERTY_CONFIG = 2,
  GKIT_PROPERTY_PERSONAL = 4,
  GKIT_PROPERTY_COUNTER = 8,
  GKIT_PROPERTY_DERIVED = 16
};

enum {
  GKIT_STYLE_PEOPLE = 0,
  GKIT_STYLE_MACHINE = 1
};

enum {
  GKIT_OVERFLOW_DROP_OLDEST = 0,
  GKIT_OVERFLOW_DROP_NEWEST = 1,
  GKIT_OVERFLOW_BLOCK = 2
};

enum {
  GKIT_LOG_TRACE = 0,
  GKIT_LOG_DEBUG = 1,
  GKIT_LOG_INFO = 2,
  GKIT_LOG_NOTICE = 3,
  GKIT_LOG_WARNING = 4,
  GKIT_LOG_ERROR = 5
};

enum {
  GKIT_OPERATION_GET = 1,
  GKIT_OPERATION_GET_ALL = 2,
  GKIT_OPERATION_PUT = 3,
  GKIT_OPERATION_PUT_ALL = 4,
  GKIT_OPERATION_DELETE = 5,
  GKIT_OPERATION_DELETE_ALL = 6
};

enum {
  GKIT_FUTURE_ONLY = 1
};

typedef struct gkit_value {
  uint32_t type;
  uint32_t count;
  union {
    bool boolean;
    int64_t integer;
    double number;
    double vector[4];
    const char *string;
    const void *bytes;
    gkit_dict *dict;
  } as;
} gkit_value;

typedef struct gkit_sample {
  int64_t time_ns;
  int64_t boot_ns;
  uint64_t sequence;
  uint32_t source;
  uint32_t property;
  uint32_t status;
  uint32_t flags;
  gkit_value value;
} gkit_sample;

typedef struct gkit_error {
  gkit_status code;
  int32_t sys_errno;
  const char *message;
} gkit_error;

typedef struct gkit_column {
  const void *data;
  size_t stride;
  size_t rows;
  uint32_t type;
  uint32_t count;
} gkit_column;

typedef struct gkit_context_options {
  size_t struct_size;
  uint32_t mode;
  uint32_t flags;
  const char *allow;
} gkit_context_options;

typedef struct gkit_source_info {
  size_t struct_size;
  const char *id;
  const char *kind;
  const char *name;
  int32_t availability;
  uint32_t number;
  uint32_t property_count;
  uint32_t reason;
  const char *reason_text;
  const char *remedy;
  int64_t min_interval_ns;
  int64_t default_interval_ns;
  const char *label;
  const char *backend;
  uint32_t state;
  int32_t sys_errno;
} gkit_source_info;

typedef struct gkit_property_info {
  size_t struct_size;
  const char *key;
  const char *name;
  const char *unit;
  const char *components;
  uint32_t type;
  int32_t reporting_mode;
  uint32_t flags;
  double minimum;
  double maximum;
  double resolution;
} gkit_property_info;

typedef struct gkit_rates {
  size_t struct_size;
  int64_t asked_ns;
  int64_t granted_ns;
  int64_t measured_ns;
  uint64_t skipped;
  uint64_t dropped;
  const char *reason;
} gkit_rates;

typedef struct gkit_reader_options {
  size_t struct_size;
  size_t capacity;
  uint32_t overflow;
} gkit_reader_options;

typedef struct gkit_reader_stats {
  size_t struct_size;
  uint64_t queued;
  uint64_t delivered;
  uint64_t dropped;
} gkit_reader_stats;

typedef void (*gkit_update_fn)(gkit_source *source, const gkit_sample *samples, size_t count,
    void *user_data);
typedef void (*gkit_batch_fn)(gkit_source *source, const gkit_sample *newest, size_t count,
    const gkit_batch *batch, size_t readings, void *user_data);
typedef void (*gkit_event_fn)(gkit_source *source, const char *source_id, int32_t event,
    const gkit_error *error, void *user_data);
typedef void (*gkit_sample_fn)(const gkit_sample *samples, size_t count, void *user_data);
typedef bool (*gkit_transform_fn)(const gkit_sample *in, gkit_value *out, void *user_data);
typedef gkit_status (*gkit_map_fn)(const gkit_value *in, gkit_value *out, void *user_data);
typedef gkit_status (*gkit_input_fn)(gkit_patch *patch, const gkit_sample *in, void *user_data);
typedef gkit_status (*gkit_patch_make_fn)(gkit_patch *patch, const gkit_dict *options,
    void *user_data);
typedef void (*gkit_perform_fn)(int32_t operation, const gkit_dict *query, const gkit_value *value,
    gkit_future *reply, void *user_data);
typedef bool (*gkit_retry_fn)(const gkit_error *error, uint32_t attempt, void *user_data);
typedef bool (*gkit_fallback_fn)(const gkit_error *main_error, const gkit_error *cache_error,
    void *user_data);
typedef void (*gkit_future_fn)(gkit_future *future, void *user_data);
typedef void (*gkit_log_fn)(int32_t level, const char *subsystem, const char *message,
    void *user_data);
typedef bool (*gkit_progress_fn)(int64_t rows, int64_t all, void *user_data);
typedef void (*gkit_invoke_fn)(void *user_data);
typedef void (*gkit_destroy_fn)(void *user_data);

uint32_t gkit_version(void);
const char *gkit_version_string(void);
bool gkit_has_feature(const char *name);
const gkit_error *gkit_last_error(void);
const char *gkit_status_name(gkit_status status);
const char *gkit_value_type_name(uint32_t type);
const char *gkit_mode_name(uint32_t mode);
const char *gkit_sample_status_name(uint32_t status);
const char *gkit_sample_flag_name(uint32_t flag);
const char *gkit_availability_name(int32_t availability);
const char *gkit_reason_name(uint32_t reason);
const char *gkit_source_state_name(uint32_t state);
const char *gkit_event_type_name(int32_t event);
const char *gkit_reporting_name(int32_t reporting_mode);
const char *gkit_property_flag_name(uint32_t flag);
const char *gkit_style_name(uint32_t style);
const char *gkit_overflow_name(uint32_t overflow);
const char *gkit_log_level_name(int32_t level);
const char *gkit_operation_name(int32_t operation);
const char *gkit_future_flag_name(uint32_t flag);
void gkit_set_log_handler(int32_t min_level, gkit_log_fn fn, void *user_data,
    gkit_destroy_fn destroy);
void *gkit_retain(void *handle);
void gkit_release(void *handle);
char *gkit_describe(const void *handle);
void gkit_free(void *memory);
int64_t gkit_live_count(const char *type);
gkit_status gkit_value_copy(const gkit_value *src, gkit_value *out);
void gkit_value_clear(gkit_value *value);
size_t gkit_value_format(const gkit_value *value, const char *unit, char *buffer, size_t capacity);
size_t gkit_property_format(const gkit_property_info *property, const gkit_value *value,
    uint32_t style, char *buffer, size_t capacity);
gkit_status gkit_value_from_json(const char *text, size_t length, gkit_value *out);
char *gkit_value_to_json(const gkit_value *value);
gkit_status gkit_unit_convert(double value, const char *from, const char *to, double *out);
gkit_dict *gkit_dict_new(void);
gkit_dict *gkit_list_new(void);
gkit_status gkit_dict_set(gkit_dict *dict, const char *key, const gkit_value *value);
gkit_status gkit_dict_get(const gkit_dict *dict, const char *key, gkit_value *out);
size_t gkit_dict_count(const gkit_dict *dict);
gkit_status gkit_dict_at(const gkit_dict *dict, size_t index, const char **out_key,
    gkit_value *out);
gkit_status gkit_value_set_none(gkit_value *out);
gkit_status gkit_value_set_bool(gkit_value *out, bool boolean);
gkit_status gkit_value_set_int(gkit_value *out, int64_t integer);
gkit_status gkit_value_set_double(gkit_value *out, double number);
gkit_status gkit_value_set_vector(gkit_value *out, const double *components, uint32_t count);
gkit_status gkit_value_set_string(gkit_value *out, const char *text);
gkit_status gkit_value_set_bytes(gkit_value *out, const void *bytes, uint32_t length);
gkit_status gkit_value_set_time(gkit_value *out, int64_t time_ns);
gkit_status gkit_value_set_dict(gkit_value *out, gkit_dict *dict);
gkit_status gkit_value_set_list(gkit_value *out, gkit_dict *list);
gkit_status gkit_context_open(const char *uri, const gkit_context_options *options,
    gkit_context **out);
gkit_status gkit_context_close(gkit_context *context);
int gkit_context_fd(gkit_context *context);
int32_t gkit_context_dispatch(gkit_context *context, int64_t timeout_ns);
gkit_status gkit_context_flush(gkit_context *context, int64_t timeout_ns);
gkit_status gkit_context_invoke(gkit_context *context, gkit_invoke_fn fn, void *user_data,
    gkit_destroy_fn destroy);
gkit_status gkit_context_now(const gkit_context *context, int64_t *out_time_ns,
    int64_t *out_boot_ns);
bool gkit_context_is_current(const gkit_context *context);
gkit_status gkit_context_set_allow(gkit_context *context, const char *allow);
gkit_status gkit_context_rescan(gkit_context *context);
gkit_status gkit_context_report(gkit_context *context, gkit_dict **out);
gkit_status gkit_source_list(gkit_context *context, const char *kind, gkit_dict **out);
gkit_status gkit_source_open(gkit_context *context, const char *id_or_kind, gkit_source **out);
gkit_status gkit_source_watch(gkit_context *context, const char *kind, gkit_event_fn fn,
    void *user_data, gkit_destroy_fn destroy, gkit_connection **out);
gkit_status gkit_id_parse(const char *id, gkit_dict **out);
gkit_status gkit_id_build(const gkit_dict *parts, char **out);
gkit_status gkit_kind_list(const char *kind, gkit_dict **out);
gkit_status gkit_kind_get_default_interval(const char *kind, int64_t *out_ns);
gkit_status gkit_kind_set_default_interval(const char *kind, int64_t interval_ns);
gkit_status gkit_source_get_info(const gkit_source *source, gkit_source_info *out);
gkit_status gkit_source_get_metadata(const gkit_source *source, gkit_dict **out);
gkit_status gkit_source_start(gkit_source *source, int64_t interval_ns);
gkit_status gkit_source_stop(gkit_source *source);
bool gkit_source_is_updating(const gkit_source *source, int64_t *out_interval_ns);
gkit_status gkit_source_get_rates(const gkit_source *source, gkit_rates *out);
gkit_status gkit_source_update_values(gkit_source *source, int64_t timeout_ns);
gkit_status gkit_source_get_property_info(const gkit_source *source, uint32_t property,
    gkit_property_info *out);
int32_t gkit_source_find_property(const gkit_source *source, const char *key);
gkit_status gkit_source_get_value(const gkit_source *source, uint32_t property, gkit_sample *out);
int64_t gkit_source_get_values(const gkit_source *source, gkit_sample *out, size_t capacity);
int64_t gkit_source_read_values(gkit_source *source, int64_t timeout_ns, gkit_sample *out,
    size_t capacity);
gkit_status gkit_source_explain(const gkit_source *source, uint32_t property, gkit_dict **out);
gkit_status gkit_source_set_value(gkit_source *source, uint32_t property, const gkit_value *value);
gkit_status gkit_source_listen(gkit_source *source, gkit_update_fn fn, void *user_data,
    gkit_destroy_fn destroy, gkit_connection **out);
gkit_status gkit_source_listen_batches(gkit_source *source, gkit_batch_fn fn, void *user_data,
    gkit_destroy_fn destroy, gkit_connection **out);
int64_t gkit_batch_read(const gkit_batch *batch, size_t first, gkit_sample *out, size_t capacity);
gkit_status gkit_source_listen_events(gkit_source *source, gkit_event_fn fn, void *user_data,
    gkit_destroy_fn destroy, gkit_connection **out);
void gkit_connection_disconnect(gkit_connection *connection);
gkit_connector *gkit_connector_new(void);
gkit_status gkit_connector_add(gkit_connector *connector, gkit_connection *connection);
void gkit_connector_disconnect(gkit_connector *connector);
gkit_status gkit_reader_new(gkit_context *context, const gkit_reader_options *options,
    gkit_reader **out);
gkit_status gkit_reader_add(gkit_reader *reader, gkit_source *source);
int gkit_reader_fd(gkit_reader *reader);
int64_t gkit_reader_read(gkit_reader *reader, gkit_sample *out, size_t capacity,
    int64_t timeout_ns);
gkit_status gkit_reader_next_frame(gkit_reader *reader, gkit_source *source, int64_t timeout_ns,
    gkit_frame **out);
gkit_status gkit_reader_get_stats(const gkit_reader *reader, gkit_reader_stats *out);
gkit_status gkit_frame_status(const gkit_frame *frame, uint32_t property, gkit_column *out);
gkit_status gkit_frame_column(const gkit_frame *frame, uint32_t property, gkit_column *out);
gkit_status gkit_source_stream(gkit_source *source, const char *key, gkit_stream **out);
gkit_status gkit_stream_new(gkit_context *context, const char *type, const gkit_dict *options,
    gkit_stream **out);
gkit_status gkit_stream_set_option(gkit_stream *stream, const char *option,
    const gkit_value *value);
gkit_status gkit_stream_send(gkit_stream *stream, const gkit_value *value);
gkit_status gkit_stream_get(const gkit_stream *stream, gkit_sample *out);
int64_t gkit_stream_subscriber_count(const gkit_stream *stream);
gkit_status gkit_stream_subscribe(gkit_stream *stream, const char *name, uint32_t flags,
    gkit_sample_fn fn, void *user_data, gkit_destroy_fn destroy, gkit_connection **out);
gkit_status gkit_stream_unsubscribe(gkit_stream *stream, const char *name);
gkit_status gkit_stream_apply(gkit_stream *stream, const char *op, const gkit_dict *arguments,
    gkit_stream **out);
gkit_status gkit_stream_combine(gkit_stream *const *streams, size_t count, const char *op,
    gkit_stream **out);
gkit_status gkit_stream_list_operators(gkit_dict **out);
gkit_status gkit_stream_transform(gkit_stream *stream, gkit_transform_fn fn, void *user_data,
    gkit_destroy_fn destroy, gkit_stream **out);
gkit_status gkit_stream_map_both(gkit_stream *observable, gkit_map_fn to, gkit_map_fn from,
    void *user_data, gkit_destroy_fn destroy, gkit_stream **out);
gkit_status gkit_stream_modify(gkit_stream *collection, const gkit_dict *modification);
gkit_status gkit_stream_begin(gkit_stream *stream);
gkit_status gkit_stream_end(gkit_stream *stream);
gkit_status gkit_stream_bind(gkit_stream *a, gkit_stream *b, gkit_connection **out);
gkit_status gkit_patch_new(gkit_context *context, const char *type, const gkit_dict *options,
    gkit_patch **out);
gkit_status gkit_patch_register(gkit_context *context, const char *type, gkit_patch_make_fn make,
    void *user_data, gkit_destroy_fn destroy);
gkit_status gkit_patch_list_types(gkit_context *context, gkit_dict **out);
gkit_status gkit_patch_get_info(const gkit_patch *patch, gkit_dict **out);
gkit_status gkit_patch_add_input(gkit_patch *patch, const char *name, const char *hint,
    gkit_input_fn fn, void *user_data, gkit_destroy_fn destroy);
gkit_status gkit_patch_add_output(gkit_patch *patch, const char *name, const char *hint);
gkit_status gkit_patch_remove_port(gkit_patch *patch, const char *name, bool output);
gkit_status gkit_patch_port(gkit_patch *patch, const char *name, bool output, gkit_stream **out);
gkit_status gkit_patch_set_value(gkit_patch *patch, const char *input, const gkit_value *value);
gkit_status gkit_patch_publish(gkit_patch *patch, const char *output, const gkit_value *value);
gkit_status gkit_patch_set_input(gkit_patch *patch, const char *name, gkit_stream *stream);
gkit_status gkit_patch_errors(gkit_patch *patch, gkit_stream **out);
gkit_status gkit_patch_add(gkit_patch *graph, const char *name, gkit_patch *child);
gkit_status gkit_patch_find(gkit_patch *graph, const char *name, gkit_patch **out);
gkit_status gkit_patch_remove(gkit_patch *graph, const char *name);
gkit_status gkit_patch_offer(gkit_patch *graph, const char *name, const char *reference,
    bool output);
gkit_status gkit_patch_export(gkit_patch *graph, const char *format, char **out);
gkit_status gkit_patch_from_json(gkit_context *context, const char *text, size_t length,
    gkit_patch **out, gkit_dict **out_problems);
gkit_status gkit_datasource_open(gkit_context *context, const char *type, const gkit_dict *options,
    gkit_datasource **out);
gkit_status gkit_datasource_new_custom(gkit_context *context, gkit_perform_fn fn, void *user_data,
    gkit_destroy_fn destroy, gkit_datasource **out);
gkit_status gkit_datasource_perform(gkit_datasource *datasource, int32_t operation,
    const gkit_dict *query, const gkit_value *value, gkit_future **out);
gkit_status gkit_datasource_wrap(gkit_datasource *datasource, const char *decorator,
    const gkit_dict *options, gkit_datasource **out);
gkit_status gkit_datasource_map(gkit_datasource *datasource, gkit_map_fn to_outer,
    gkit_map_fn to_inner, void *user_data, gkit_destroy_fn destroy, gkit_datasource **out);
gkit_status gkit_datasource_validate(gkit_datasource *datasource, const gkit_dict *options,
    gkit_map_fn check, void *user_data, gkit_destroy_fn destroy, gkit_datasource **out);
gkit_status gkit_datasource_retry(gkit_datasource *datasource, const gkit_dict *options,
    gkit_retry_fn fn, void *user_data, gkit_destroy_fn destroy, gkit_datasource **out);
gkit_status gkit_datasource_assemble(gkit_datasource *get, gkit_datasource *put,
    gkit_datasource *del, gkit_datasource **out);
gkit_status gkit_repository_new(gkit_datasource *main, gkit_datasource *cache,
    const gkit_dict *options, gkit_map_fn check, gkit_fallback_fn fallback, void *user_data,
    gkit_destroy_fn destroy, gkit_datasource **out);
gkit_status gkit_future_new(gkit_context *context, gkit_future **out);
gkit_status gkit_future_resolve(gkit_future *future, gkit_status status, const gkit_value *value,
    const char *message);
gkit_status gkit_future_wait(gkit_future *future, int64_t timeout_ns, gkit_value *out);
gkit_status gkit_future_then(gkit_future *future, gkit_future_fn fn, void *user_data,
    gkit_destroy_fn destroy);
gkit_status gkit_future_get_error(const gkit_future *future, gkit_dict **out);
void gkit_future_cancel(gkit_future *future);
gkit_status gkit_sink_open(gkit_context *context, const char *format, const char *target,
    const gkit_dict *options, gkit_sink **out);
gkit_status gkit_sink_add_source(gkit_sink *sink, gkit_source *source);
gkit_status gkit_sink_add_all(gkit_sink *sink, int64_t interval_ns);
gkit_status gkit_sink_add_stream(gkit_sink *sink, gkit_stream *stream, const char *name);
gkit_status gkit_sink_get_info(const gkit_sink *sink, gkit_dict **out);
gkit_status gkit_sink_flush(gkit_sink *sink, int64_t timeout_ns);
gkit_status gkit_sink_close(gkit_sink *sink);
gkit_status gkit_context_set_rate(gkit_context *replay, double rate);
gkit_status gkit_context_seek(gkit_context *context, int64_t offset_ns);
int64_t gkit_context_position(const gkit_context *context, int64_t *out_duration_ns);
gkit_status gkit_context_export_text(gkit_context *replay, const char *format, const char *target,
    const gkit_dict *options, gkit_progress_fn fn, void *user_data, gkit_destroy_fn destroy);
gkit_status gkit_context_export_arrow(gkit_context *replay, const char *source_id,
    struct ArrowArrayStream *out);
gkit_status gkit_frame_export_arrow(const gkit_frame *frame, struct ArrowSchema *out_schema,
    struct ArrowArray *out_array);

#endif
