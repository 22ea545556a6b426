/* libnvidia-ml, opened at run time. Its header is not wanted to build: these declarations of our
   own repeat the layouts of nvml.h, which are told apart by version numbers of their own. */
#ifndef CLINUX_NVML_H
#define CLINUX_NVML_H

#include <stdbool.h>
#include <stdint.h>

typedef struct clinux_nvml_device clinux_nvml_device;

/* -- nvmlUtilization_t, in percent. */
typedef struct {
  unsigned gpu, memory;
} clinux_nvml_utilization;

/* -- nvmlMemory_t and nvmlMemory_v2_t, in bytes: the second leaves the reserve out of `used`. */
typedef struct {
  unsigned long long total, free, used;
} clinux_nvml_memory;

typedef struct {
  unsigned version;
  unsigned long long total, reserved, free, used;
} clinux_nvml_memory2;

/* -- nvmlTemperature_v1_t, in degrees. */
typedef struct {
  unsigned version, sensor;
  int temperature;
} clinux_nvml_temperature;

/* -- nvmlFanSpeedInfo_v1_t, in turns a minute. */
typedef struct {
  unsigned version, fan, speed;
} clinux_nvml_fan;

/* -- nvmlFieldValue_t. */
typedef struct {
  unsigned field, scope;
  long long time, latency;
  unsigned type;
  int code;
  union {
    double real;
    int whole;
    unsigned natural;
    unsigned long long large;
  } value;
} clinux_nvml_field;

/* Functions; all but the first three may be missing. */
typedef struct {
  int (*initialize)(void);
  int (*shutdown)(void);
  int (*handle)(const char *address, clinux_nvml_device **device);
  int (*driver_version)(char *text, unsigned size);
  int (*name)(clinux_nvml_device *device, char *text, unsigned size);
  int (*uuid)(clinux_nvml_device *device, char *text, unsigned size);
  int (*utilization)(clinux_nvml_device *device, clinux_nvml_utilization *utilization);
  int (*encoder)(clinux_nvml_device *device, unsigned *percent, unsigned *period);
  int (*decoder)(clinux_nvml_device *device, unsigned *percent, unsigned *period);
  int (*memory)(clinux_nvml_device *device, clinux_nvml_memory *memory);
  int (*memory2)(clinux_nvml_device *device, clinux_nvml_memory2 *memory);
  int (*temperature)(clinux_nvml_device *device, unsigned sensor, unsigned *degrees);
  int (*temperature_v)(clinux_nvml_device *device, clinux_nvml_temperature *temperature);
  int (*fields)(clinux_nvml_device *device, int count, clinux_nvml_field *fields);
  int (*power)(clinux_nvml_device *device, unsigned *milliwatts);
  int (*power_limit)(clinux_nvml_device *device, unsigned *milliwatts);
  int (*energy)(clinux_nvml_device *device, unsigned long long *millijoules);
  int (*clock)(clinux_nvml_device *device, unsigned type, unsigned *megahertz);
  int (*clock_maximum)(clinux_nvml_device *device, unsigned type, unsigned *megahertz);
  int (*fan_speed)(clinux_nvml_device *device, clinux_nvml_fan *fan);
  int (*fan_duty)(clinux_nvml_device *device, unsigned *percent);
  int (*events)(clinux_nvml_device *device, unsigned long long *reasons);
  int (*old_events)(clinux_nvml_device *device, unsigned long long *reasons);
  int (*state)(clinux_nvml_device *device, unsigned *state);
  int (*mig)(clinux_nvml_device *device, unsigned *current, unsigned *pending);
} clinux_nvml;

/* What is asked of a card, by its place in a reading. */
enum {
  CLINUX_NVML_UTILIZATION, /* % */
  CLINUX_NVML_MEMORY_UTILIZATION,
  CLINUX_NVML_ENCODER,
  CLINUX_NVML_DECODER,
  CLINUX_NVML_MEMORY_TOTAL, /* bytes */
  CLINUX_NVML_MEMORY_USED,
  CLINUX_NVML_TEMPERATURE, /* degrees */
  CLINUX_NVML_MEMORY_TEMPERATURE,
  CLINUX_NVML_POWER, /* mW */
  CLINUX_NVML_POWER_LIMIT,
  CLINUX_NVML_ENERGY, /* mJ */
  CLINUX_NVML_CLOCK,  /* MHz */
  CLINUX_NVML_MEMORY_CLOCK,
  CLINUX_NVML_CLOCK_MAXIMUM,
  CLINUX_NVML_FAN_SPEED, /* turns a minute */
  CLINUX_NVML_FAN_DUTY,  /* % */
  CLINUX_NVML_EVENTS,    /* bits */
  CLINUX_NVML_STATE,
  CLINUX_NVML_MIG, /* 1 while the card is split */
  CLINUX_NVML_COUNT
};

#define CLINUX_NVML_MISSING (-1) /* The library has no such function. */
#define CLINUX_NVML_TEXT 96      /* The longest of its texts, and a NUL. */

typedef struct {
  int32_t code;
  uint64_t number;
} clinux_nvml_answer;

typedef struct {
  clinux_nvml_answer answers[CLINUX_NVML_COUNT];
  int32_t name_code, uuid_code, version_code;
  char name[CLINUX_NVML_TEXT + 1], uuid[CLINUX_NVML_TEXT + 1], version[CLINUX_NVML_TEXT + 1];
} clinux_nvml_reading;

/* Fills a table from an opened library; the name of the first symbol missing that all needs, or
   NULL. */
const char *clinux_nvml_bind(clinux_nvml *table, void *library);
/* Asks a card at an address of PCI all there is, its texts only if wanted. The code of the look for
   the card; what each question gave is in the reading. The library has been initialized. */
int32_t clinux_nvml_read(const clinux_nvml *table, const char *address, bool texts,
                         clinux_nvml_reading *reading);

#endif
