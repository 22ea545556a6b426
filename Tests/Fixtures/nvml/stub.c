/* A libnvidia-ml.so.1 that says what a script says. Each line of the file SCRIPT is the name of a
   question, a code and a number; what has no line is answered by code 3, "not supported". While the
   script has a line `hang`, the question named behind it does not return. With OLD defined some
   functions are missing, as in an old library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ask(const char *question, long long *number) {
  for (;;) {
    int code = 3;
    int hangs = 0;
    FILE *script = fopen(SCRIPT, "re");
    char name[64];
    char text[64];
    long long value;
    while (script != NULL && fscanf(script, "%63s %63s %lld", name, text, &value) == 3) {
      if (strcmp(name, "hang") == 0 && strcmp(text, question) == 0) {
        hangs = 1;
      } else if (strcmp(name, question) == 0) {
        code = atoi(text);
        *number = value;
      }
    }
    if (script != NULL) {
      fclose(script);
    }
    if (!hangs) {
      return code;
    }
    usleep(2000);
  }
}

/* Adds a line to a log of what was opened and closed. */
static void note(const char *what) {
  FILE *log = fopen(SCRIPT ".log", "ae");
  if (log != NULL) {
    fprintf(log, "%s\n", what);
    fclose(log);
  }
}

static int put(const char *question, unsigned *place) {
  long long number = 0;
  int code = ask(question, &number);
  *place = (unsigned)number;
  return code;
}

static int put_large(const char *question, unsigned long long *place) {
  long long number = 0;
  int code = ask(question, &number);
  *place = (unsigned long long)number;
  return code;
}

int nvmlInit_v2(void) {
  long long number = 0;
  int code = ask("init", &number);
  note(code == 0 ? "open" : "refuse");
  return code;
}

int nvmlShutdown(void) {
  note("close");
  return 0;
}

static int card;

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, int **device) {
  long long number = 0;
  *device = &card;
  return strcmp(address, "0000:01:00.0") == 0 ? ask("handle", &number) : 6;
}

int nvmlDeviceGetName(int *device, char *text, unsigned size) {
  (void)device;
  long long number = 0;
  int code = ask("name", &number);
  /* Without a NUL, as no library should. */
  memset(text, 'N', size);
  return code;
}

int nvmlDeviceGetUUID(int *device, char *text, unsigned size) {
  (void)device;
  snprintf(text, size, "GPU-5f2c");
  return 0;
}

int nvmlSystemGetDriverVersion(char *text, unsigned size) {
  snprintf(text, size, "550.163.01");
  return 0;
}

int nvmlDeviceGetUtilizationRates(int *device, unsigned *both) {
  (void)device;
  put("memory_utilization", &both[1]);
  return put("utilization", &both[0]);
}

int nvmlDeviceGetEncoderUtilization(int *device, unsigned *percent, unsigned *period) {
  (void)device;
  *period = 1;
  return put("encoder", percent);
}

int nvmlDeviceGetDecoderUtilization(int *device, unsigned *percent, unsigned *period) {
  (void)device;
  *period = 1;
  return put("decoder", percent);
}

int nvmlDeviceGetMemoryInfo(int *device, unsigned long long *memory) {
  (void)device;
  put_large("old_used", &memory[2]);
  return put_large("total", &memory[0]);
}

int nvmlDeviceGetTemperature(int *device, unsigned sensor, unsigned *degrees) {
  (void)device;
  return sensor == 0 ? put("temperature", degrees) : 2;
}

int nvmlDeviceGetTemperatureV(int *device, int *temperature) {
  (void)device;
  if ((unsigned)temperature[0] != (12U | 1U << 24U)) {
    return 25;
  }
  return put("temperature_v", (unsigned *)&temperature[2]);
}

struct field {
  unsigned field, scope;
  long long time, latency;
  unsigned type;
  int code;
  unsigned long long value;
};

int nvmlDeviceGetFieldValues(int *device, int count, struct field *fields) {
  (void)device;
  unsigned number = 0;
  fields[0].code = fields[0].field == 82 && count == 1 ? put("memory_temperature", &number) : 2;
  fields[0].type = 1;
  fields[0].value = number;
  return 0;
}

int nvmlDeviceGetPowerUsage(int *device, unsigned *milliwatts) {
  (void)device;
  return put("power", milliwatts);
}

int nvmlDeviceGetEnforcedPowerLimit(int *device, unsigned *milliwatts) {
  (void)device;
  return put("power_limit", milliwatts);
}

int nvmlDeviceGetTotalEnergyConsumption(int *device, unsigned long long *millijoules) {
  (void)device;
  return put_large("energy", millijoules);
}

int nvmlDeviceGetClockInfo(int *device, unsigned type, unsigned *megahertz) {
  (void)device;
  return put(type == 0 ? "clock" : "memory_clock", megahertz);
}

int nvmlDeviceGetMaxClockInfo(int *device, unsigned type, unsigned *megahertz) {
  (void)device;
  return type == 0 ? put("clock_maximum", megahertz) : 2;
}

int nvmlDeviceGetFanSpeed(int *device, unsigned *percent) {
  (void)device;
  return put("fan_duty", percent);
}

int nvmlDeviceGetPerformanceState(int *device, unsigned *state) {
  (void)device;
  return put("state", state);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(int *device, unsigned long long *reasons) {
  (void)device;
  return put_large("old_events", reasons);
}

#ifndef OLD
int nvmlDeviceGetCurrentClocksEventReasons(int *device, unsigned long long *reasons) {
  (void)device;
  return put_large("events", reasons);
}

struct memory {
  unsigned version;
  unsigned long long total, reserved, free, used;
};

int nvmlDeviceGetMemoryInfo_v2(int *device, struct memory *memory) {
  (void)device;
  if (memory->version != (sizeof *memory | 2U << 24U)) {
    return 25;
  }
  put_large("used", &memory->used);
  return put_large("total", &memory->total);
}

int nvmlDeviceGetFanSpeedRPM(int *device, unsigned *fan) {
  (void)device;
  return fan[0] == (12U | 1U << 24U) ? put("fan_speed", &fan[2]) : 25;
}

int nvmlDeviceGetMigMode(int *device, unsigned *current, unsigned *pending) {
  (void)device;
  *pending = 0;
  return put("mig", current);
}
#endif
