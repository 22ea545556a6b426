#include "CLinux.h"
#include "bind.h"

#include <endian.h>

int clinux_sound_format(void) { return __BYTE_ORDER == __LITTLE_ENDIAN ? 2 : 3; }

const char *clinux_sound_bind(clinux_sound *table, void *library) {
#define WANTED(name)                                                                               \
  { &table->name, "snd_" #name }
  const clinux_wanted wanted[] = {
      WANTED(asoundlib_version),
      WANTED(lib_error_set_local),
      WANTED(pcm_open),
      WANTED(pcm_close),
      WANTED(pcm_hw_params_malloc),
      WANTED(pcm_hw_params_free),
      WANTED(pcm_hw_params_any),
      WANTED(pcm_hw_params_set_access),
      WANTED(pcm_hw_params_set_format),
      WANTED(pcm_hw_params_set_channels),
      WANTED(pcm_hw_params_set_rate_near),
      WANTED(pcm_hw_params_set_period_time_near),
      WANTED(pcm_hw_params_set_buffer_time_near),
      WANTED(pcm_hw_params),
      WANTED(pcm_hw_params_get_period_size),
      WANTED(pcm_prepare),
      WANTED(pcm_start),
      WANTED(pcm_resume),
      WANTED(pcm_readi),
      WANTED(pcm_poll_descriptors_count),
      WANTED(pcm_poll_descriptors),
      WANTED(pcm_poll_descriptors_revents),
  };
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}

static void hear_nothing(const char *file, int line, const char *function, int code,
                         const char *format, va_list words) {
  (void)file, (void)line, (void)function, (void)code, (void)format, (void)words;
}

void clinux_sound_hush(const clinux_sound *table) { table->lib_error_set_local(hear_nothing); }
