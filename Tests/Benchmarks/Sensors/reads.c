/* IIO on one device: its attributes, and its buffer as columns, beside libiio and bare reads. To
   be run by `with-sensors`. */
#include "measure.h"

#include <CLinux.h>
#include <fcntl.h>
#include <gatheredkit.h>
#include <iio.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCANS = 256, AXES = 3 };

static const char *const axes[AXES] = {"accel_x", "accel_y", "accel_z"};
static gkit_context *context;
static struct iio_device *device;
static struct iio_channel *channels[AXES + 1];
static struct iio_buffer *buffer;
static int files[AXES];
static volatile double sum;

static double columns[SCANS * AXES];
static int64_t stamps[SCANS];

/* -- attributes ---------------------------------------------------------------------------------
 */

static void update(void *source) {
  if (gkit_source_update_values(source, -1) < 0)
    give_up("update_values", gkit_last_error()->message);
}

static void read_files(void *data) {
  double values[AXES];
  char text[64];
  for (int i = 0; i < AXES; i++) {
    ssize_t length = pread(files[i], text, sizeof text - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    values[i] = (double)strtoll(text, NULL, 10) * *(double *)data;
  }
  sum = values[0] + values[1] + values[2];
}

static void read_attributes(void *data) {
  double values[AXES];
  for (int i = 0; i < AXES; i++) {
    long long raw = 0;
    if (iio_channel_attr_read_longlong(channels[i], "raw", &raw) < 0)
      give_up("libiio", "attribute");
    values[i] = (double)raw * *(double *)data;
  }
  sum = values[0] + values[1] + values[2];
}

static void compare_attributes(double *scale) {
  gkit_source *source = NULL;
  char path[128];
  if (gkit_source_open(context, "accelerometer", &source) < 0)
    give_up("accelerometer", gkit_last_error()->message);
  for (int i = 0; i < AXES; i++) {
    snprintf(path, sizeof path, "/sys/bus/iio/devices/%s/in_%s_raw", iio_device_get_id(device),
             axes[i]);
    files[i] = open(path, O_RDONLY | O_CLOEXEC);
  }
  work works[] = {{update, source}, {read_files, scale}, {read_attributes, scale}};
  double spent[3];
  measure(works, 3, spent);
  row("IIO: read an accelerometer", spent[0] / 1e3, "us", "kept files in C", spent[1] / 1e3, "");
  row("IIO: an attribute of it", spent[0] / AXES / 1e3, "us", "kept file in C",
      spent[1] / AXES / 1e3, "<= 1.5 x");
  row("", spent[0] / AXES / 1e3, "us", "libiio", spent[2] / AXES / 1e3, "");
  gkit_release(source);
}

/* -- a buffer as columns ------------------------------------------------------------------------
 */

/** As the library has it once it has worked out a buffer's layout. */
typedef struct layout {
  clinux_scan_number axes[AXES], stamp;
  double matrix[AXES * AXES], offset[AXES];
} layout;

static void decode(void *data) {
  layout *layout = data;
  const void *records = iio_buffer_start(buffer);
  size_t size = (size_t)iio_buffer_step(buffer);
  clinux_scan_column(records, size, SCANS, layout->axes, AXES, layout->matrix, layout->offset, AXES,
                     columns);
  clinux_scan_stamps(records, size, SCANS, &layout->stamp, stamps);
}

/** Knows at compile time what the records look like. */
static void decode_by_hand(void *data) {
  double scale = *(double *)data;
  struct record {
    int16_t axes[AXES];
    int64_t stamp;
  };
  const struct record *records = iio_buffer_start(buffer);
  for (int i = 0; i < SCANS; i++) {
    for (int axis = 0; axis < AXES; axis++)
      columns[i * AXES + axis] = records[i].axes[axis] * scale;
    stamps[i] = records[i].stamp;
  }
}

/** Channel after channel: libiio takes the samples apart and converts them. */
static void decode_by_channel(void *data) {
  static int16_t numbers[SCANS];
  for (int axis = 0; axis < AXES; axis++) {
    if (iio_channel_read(channels[axis], buffer, numbers, sizeof numbers) != sizeof numbers)
      give_up("libiio", "iio_channel_read");
    for (int i = 0; i < SCANS; i++)
      columns[i * AXES + axis] = numbers[i] * *(double *)data;
  }
  iio_channel_read(channels[AXES], buffer, stamps, sizeof stamps);
}

static ssize_t take(const struct iio_channel *channel, void *source, size_t size, void *data) {
  double scale = *(double *)data;
  if (size == sizeof(int64_t)) {
    static size_t row;
    iio_channel_convert(channel, &stamps[row++ % SCANS], source);
  } else {
    static size_t place;
    int16_t number;
    iio_channel_convert(channel, &number, source);
    columns[place++ % (SCANS * AXES)] = number * scale;
  }
  return (ssize_t)size;
}

static void decode_by_callback(void *data) {
  if (iio_buffer_foreach_sample(buffer, take, data) < 0)
    give_up("libiio", "iio_buffer_foreach_sample");
}

static clinux_scan_number number(int place, uint8_t bytes) {
  const char *start = iio_buffer_start(buffer), *first = iio_buffer_first(buffer, channels[place]);
  clinux_scan_number number = {.offset = (uint32_t)(first - start),
                               .bytes = bytes,
                               .bits = (uint8_t)(8 * bytes),
                               .is_signed = true};
  return number;
}

static void compare_buffers(double *scale) {
  layout plain = {.stamp = number(AXES, sizeof(int64_t))};
  for (int i = 0; i < AXES; i++) {
    plain.axes[i] = number(i, sizeof(int16_t));
    plain.matrix[i * AXES + i] = *scale;
  }
  layout turned = plain;
  for (int i = 0; i < AXES * AXES; i++)
    turned.matrix[i] += *scale / (2 + i);
  work works[] = {{decode, &plain},
                  {decode, &turned},
                  {decode_by_hand, scale},
                  {decode_by_channel, scale},
                  {decode_by_callback, scale}};
  double spent[5];
  measure(works, 5, spent);
  static const char *const peers[] = {"compiled for it", "iio_channel_read", "iio_channel_convert"};
  for (int i = 0; i < 3; i++)
    row(i == 0 ? "IIO buffer to columns, per scan" : "", spent[0] / SCANS, "ns", peers[i],
        spent[2 + i] / SCANS, i == 0 ? "<= 1 ns" : "");
  row("  per value", spent[0] / SCANS / (AXES + 1), "ns", "iio_channel_convert",
      spent[4] / SCANS / (AXES + 1), "");
  row("  turned by a mount matrix, per scan", spent[1] / SCANS, "ns", "iio_channel_convert",
      spent[4] / SCANS, "<= 1 ns");
}

static void open_buffer(void) {
  struct iio_context *local = iio_create_local_context();
  device = local == NULL ? NULL : iio_context_find_device(local, "bench_file");
  if (device == NULL)
    give_up("libiio", "no device: to be run by with-sensors");
  for (int i = 0; i <= AXES; i++) {
    channels[i] = iio_device_find_channel(device, i < AXES ? axes[i] : "timestamp", false);
    iio_channel_enable(channels[i]);
  }
  buffer = iio_device_create_buffer(device, SCANS, false);
  if (buffer == NULL || iio_buffer_refill(buffer) < 0)
    give_up("libiio", "no buffer");
}

int main(void) {
  double scale = 0.000598;
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  options.mode = GKIT_MODE_HOST;
  if (gkit_context_open("local:", &options, &context) < 0)
    give_up("local:", gkit_last_error()->message);
  open_buffer();
  compare_attributes(&scale);
  compare_buffers(&scale);
  gkit_release(context);
  return 0;
}
