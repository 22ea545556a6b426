#include "CLinux.h"
#include "bind.h"

#include <string.h>

/* Fills the place of a function that the library may lack. */
static void bind_one(void *library, void *place, const char *symbol) {
  const clinux_wanted wanted[] = {{place, symbol}};
  clinux_bind(library, wanted, 1);
}

const char *clinux_nvml_bind(clinux_nvml *table, void *library) {
  const clinux_wanted wanted[] = {
      {&table->initialize, "nvmlInit_v2"},
      {&table->shutdown, "nvmlShutdown"},
      {&table->handle, "nvmlDeviceGetHandleByPciBusId_v2"},
  };
  const clinux_wanted others[] = {
      {&table->driver_version, "nvmlSystemGetDriverVersion"},
      {&table->name, "nvmlDeviceGetName"},
      {&table->uuid, "nvmlDeviceGetUUID"},
      {&table->utilization, "nvmlDeviceGetUtilizationRates"},
      {&table->encoder, "nvmlDeviceGetEncoderUtilization"},
      {&table->decoder, "nvmlDeviceGetDecoderUtilization"},
      {&table->memory, "nvmlDeviceGetMemoryInfo"},
      {&table->memory2, "nvmlDeviceGetMemoryInfo_v2"},
      {&table->temperature, "nvmlDeviceGetTemperature"},
      {&table->temperature_v, "nvmlDeviceGetTemperatureV"},
      {&table->fields, "nvmlDeviceGetFieldValues"},
      {&table->power, "nvmlDeviceGetPowerUsage"},
      {&table->power_limit, "nvmlDeviceGetEnforcedPowerLimit"},
      {&table->energy, "nvmlDeviceGetTotalEnergyConsumption"},
      {&table->clock, "nvmlDeviceGetClockInfo"},
      {&table->clock_maximum, "nvmlDeviceGetMaxClockInfo"},
      {&table->fan_speed, "nvmlDeviceGetFanSpeedRPM"},
      {&table->fan_duty, "nvmlDeviceGetFanSpeed"},
      {&table->events, "nvmlDeviceGetCurrentClocksEventReasons"},
      {&table->old_events, "nvmlDeviceGetCurrentClocksThrottleReasons"},
      {&table->state, "nvmlDeviceGetPerformanceState"},
      {&table->mig, "nvmlDeviceGetMigMode"},
  };
  memset(table, 0, sizeof *table);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    bind_one(library, others[i].place, others[i].symbol);
  }
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}

/* nvml.h's version of a structure: its size, and a number above it. */
#define VERSION(structure, number) ((unsigned)(sizeof(structure)) | (number) << 24U)

/* Codes and numbers of nvml.h. */
enum { CODE_OK = 0, CODE_UNSUPPORTED = 3, CODE_OLD_ARGUMENT = 25, CODE_UNKNOWN = 999 };
enum { CLOCK_GRAPHICS = 0, CLOCK_MEMORY = 2, SENSOR_GPU = 0, FIELD_MEMORY_TEMPERATURE = 82 };
enum { TYPE_REAL = 0, TYPE_NATURAL = 1, TYPE_WHOLE = 5 };

static void put(clinux_nvml_reading *reading, int place, int code, uint64_t number) {
  reading->answers[place].code = code;
  reading->answers[place].number = number;
}

static void put_unsigned(clinux_nvml_reading *reading, int place, clinux_nvml_device *device,
                         int (*ask)(clinux_nvml_device *, unsigned *)) {
  unsigned number = 0;
  int code = ask == NULL ? CLINUX_NVML_MISSING : ask(device, &number);
  put(reading, place, code, number);
}

static void read_utilization(const clinux_nvml *table, clinux_nvml_device *device,
                             clinux_nvml_reading *reading) {
  clinux_nvml_utilization both = {0, 0};
  int code = table->utilization == NULL ? CLINUX_NVML_MISSING : table->utilization(device, &both);
  put(reading, CLINUX_NVML_UTILIZATION, code, both.gpu);
  put(reading, CLINUX_NVML_MEMORY_UTILIZATION, code, both.memory);
  unsigned percent = 0;
  unsigned period = 0;
  code = table->encoder == NULL ? CLINUX_NVML_MISSING : table->encoder(device, &percent, &period);
  put(reading, CLINUX_NVML_ENCODER, code, percent);
  percent = 0;
  code = table->decoder == NULL ? CLINUX_NVML_MISSING : table->decoder(device, &percent, &period);
  put(reading, CLINUX_NVML_DECODER, code, percent);
}

static void read_memory(const clinux_nvml *table, clinux_nvml_device *device,
                        clinux_nvml_reading *reading) {
  clinux_nvml_memory2 memory = {VERSION(clinux_nvml_memory2, 2U), 0, 0, 0, 0};
  int code = table->memory2 == NULL ? CLINUX_NVML_MISSING : table->memory2(device, &memory);
  /* A driver older than the library does not know the structure. */
  bool is_old = code == CLINUX_NVML_MISSING || code == CODE_OLD_ARGUMENT || code == 13;
  if (is_old && table->memory != NULL) {
    clinux_nvml_memory whole = {0, 0, 0};
    code = table->memory(device, &whole);
    memory.total = whole.total;
    memory.used = whole.used;
  }
  put(reading, CLINUX_NVML_MEMORY_TOTAL, code, memory.total);
  put(reading, CLINUX_NVML_MEMORY_USED, code, memory.used);
}

/* A field's number without its fraction. */
static uint64_t whole_number(const clinux_nvml_field *field) {
  switch (field->type) {
  case TYPE_REAL:
    return field->value.real >= 0 && field->value.real < 1e9 ? (uint64_t)field->value.real : 0;
  case TYPE_NATURAL:
    return field->value.natural;
  case TYPE_WHOLE:
    return (uint64_t)(int64_t)field->value.whole;
  default:
    return (uint64_t)field->value.large;
  }
}

static void read_temperatures(const clinux_nvml *table, clinux_nvml_device *device,
                              clinux_nvml_reading *reading) {
  unsigned degrees = 0;
  int code = table->temperature == NULL ? CLINUX_NVML_MISSING
                                        : table->temperature(device, SENSOR_GPU, &degrees);
  int64_t celsius = degrees;
  bool is_gone = code == CLINUX_NVML_MISSING || code == CODE_UNSUPPORTED || code == 13;
  if (is_gone && table->temperature_v != NULL) {
    clinux_nvml_temperature one = {VERSION(clinux_nvml_temperature, 1U), SENSOR_GPU, 0};
    code = table->temperature_v(device, &one);
    celsius = one.temperature;
  }
  put(reading, CLINUX_NVML_TEMPERATURE, code, (uint64_t)celsius);
  clinux_nvml_field field;
  memset(&field, 0, sizeof field);
  field.field = FIELD_MEMORY_TEMPERATURE;
  code = table->fields == NULL ? CLINUX_NVML_MISSING : table->fields(device, 1, &field);
  if (code == CODE_OK) {
    code = field.code;
  }
  put(reading, CLINUX_NVML_MEMORY_TEMPERATURE, code, code == CODE_OK ? whole_number(&field) : 0);
}

static void put_clock(clinux_nvml_reading *reading, int place, clinux_nvml_device *device,
                      int (*ask)(clinux_nvml_device *, unsigned, unsigned *), unsigned type) {
  unsigned megahertz = 0;
  int code = ask == NULL ? CLINUX_NVML_MISSING : ask(device, type, &megahertz);
  put(reading, place, code, megahertz);
}

static void read_energy(const clinux_nvml *table, clinux_nvml_device *device,
                        clinux_nvml_reading *reading) {
  put_unsigned(reading, CLINUX_NVML_POWER, device, table->power);
  put_unsigned(reading, CLINUX_NVML_POWER_LIMIT, device, table->power_limit);
  unsigned long long millijoules = 0;
  int code = table->energy == NULL ? CLINUX_NVML_MISSING : table->energy(device, &millijoules);
  put(reading, CLINUX_NVML_ENERGY, code, millijoules);
}

static void read_state(const clinux_nvml *table, clinux_nvml_device *device,
                       clinux_nvml_reading *reading) {
  clinux_nvml_fan fan = {VERSION(clinux_nvml_fan, 1U), 0, 0};
  int code = table->fan_speed == NULL ? CLINUX_NVML_MISSING : table->fan_speed(device, &fan);
  put(reading, CLINUX_NVML_FAN_SPEED, code, fan.speed);
  put_unsigned(reading, CLINUX_NVML_FAN_DUTY, device, table->fan_duty);
  unsigned long long reasons = 0;
  int (*events)(clinux_nvml_device *, unsigned long long *) =
      table->events != NULL ? table->events : table->old_events;
  code = events == NULL ? CLINUX_NVML_MISSING : events(device, &reasons);
  put(reading, CLINUX_NVML_EVENTS, code, reasons);
  put_unsigned(reading, CLINUX_NVML_STATE, device, table->state);
  unsigned current = 0;
  unsigned pending = 0;
  code = table->mig == NULL ? CLINUX_NVML_MISSING : table->mig(device, &current, &pending);
  put(reading, CLINUX_NVML_MIG, code, current);
}

static void read_texts(const clinux_nvml *table, clinux_nvml_device *device,
                       clinux_nvml_reading *reading) {
  /* The byte behind each text stays 0, whatever the library writes. */
  reading->name_code = table->name == NULL ? CLINUX_NVML_MISSING
                                           : table->name(device, reading->name, CLINUX_NVML_TEXT);
  reading->uuid_code = table->uuid == NULL ? CLINUX_NVML_MISSING
                                           : table->uuid(device, reading->uuid, CLINUX_NVML_TEXT);
  reading->version_code = table->driver_version == NULL
                              ? CLINUX_NVML_MISSING
                              : table->driver_version(reading->version, CLINUX_NVML_TEXT);
}

int32_t clinux_nvml_read(const clinux_nvml *table, const char *address, bool texts,
                         clinux_nvml_reading *reading) {
  memset(reading, 0, sizeof *reading);
  clinux_nvml_device *device = NULL;
  int code = table->handle(address, &device);
  if (code != CODE_OK) {
    return code;
  }
  if (device == NULL) {
    return CODE_UNKNOWN;
  }
  read_utilization(table, device, reading);
  read_memory(table, device, reading);
  read_temperatures(table, device, reading);
  read_energy(table, device, reading);
  put_clock(reading, CLINUX_NVML_CLOCK, device, table->clock, CLOCK_GRAPHICS);
  put_clock(reading, CLINUX_NVML_MEMORY_CLOCK, device, table->clock, CLOCK_MEMORY);
  put_clock(reading, CLINUX_NVML_CLOCK_MAXIMUM, device, table->clock_maximum, CLOCK_GRAPHICS);
  read_state(table, device, reading);
  if (texts) {
    read_texts(table, device, reading);
  }
  return CODE_OK;
}
