/* libasound, opened at run time. Its headers are not wanted to build: these declarations of our own
   are all that is asked of it, and have been the same since its version 1.0. */
#ifndef CLINUX_SOUND_H
#define CLINUX_SOUND_H

#include <stdarg.h>
#include <stddef.h>

/* -- libasound's own opaque types: a device opened, and what is negotiated with it. */
typedef struct clinux_pcm clinux_pcm;
typedef struct clinux_pcm_wishes clinux_pcm_wishes;
struct pollfd;

typedef void clinux_sound_complaint(const char *file, int line, const char *function, int code,
                                    const char *format, va_list words);

typedef struct {
  const char *(*asoundlib_version)(void);
  clinux_sound_complaint *(*lib_error_set_local)(clinux_sound_complaint *listener);
  int (*pcm_open)(clinux_pcm **pcm, const char *name, int stream, int mode);
  int (*pcm_close)(clinux_pcm *pcm);
  int (*pcm_hw_params_malloc)(clinux_pcm_wishes **wishes);
  void (*pcm_hw_params_free)(clinux_pcm_wishes *wishes);
  int (*pcm_hw_params_any)(clinux_pcm *pcm, clinux_pcm_wishes *wishes);
  int (*pcm_hw_params_set_access)(clinux_pcm *pcm, clinux_pcm_wishes *wishes, unsigned access);
  int (*pcm_hw_params_set_format)(clinux_pcm *pcm, clinux_pcm_wishes *wishes, int format);
  int (*pcm_hw_params_set_channels)(clinux_pcm *pcm, clinux_pcm_wishes *wishes, unsigned count);
  int (*pcm_hw_params_set_rate_near)(clinux_pcm *pcm, clinux_pcm_wishes *wishes, unsigned *rate,
                                     int *direction);
  int (*pcm_hw_params_set_period_time_near)(clinux_pcm *pcm, clinux_pcm_wishes *wishes,
                                            unsigned *microseconds, int *direction);
  int (*pcm_hw_params_set_buffer_time_near)(clinux_pcm *pcm, clinux_pcm_wishes *wishes,
                                            unsigned *microseconds, int *direction);
  int (*pcm_hw_params)(clinux_pcm *pcm, clinux_pcm_wishes *wishes);
  int (*pcm_hw_params_get_period_size)(const clinux_pcm_wishes *wishes, unsigned long *frames,
                                       int *direction);
  int (*pcm_prepare)(clinux_pcm *pcm);
  int (*pcm_start)(clinux_pcm *pcm);
  int (*pcm_resume)(clinux_pcm *pcm);
  long (*pcm_readi)(clinux_pcm *pcm, void *buffer, unsigned long frames);
  int (*pcm_poll_descriptors_count)(clinux_pcm *pcm);
  int (*pcm_poll_descriptors)(clinux_pcm *pcm, struct pollfd *descriptors, unsigned room);
  int (*pcm_poll_descriptors_revents)(clinux_pcm *pcm, struct pollfd *descriptors, unsigned count,
                                      unsigned short *events);
} clinux_sound;

#define CLINUX_SOUND_CAPTURE 1     /* SND_PCM_STREAM_CAPTURE */
#define CLINUX_SOUND_NONBLOCK 1    /* SND_PCM_NONBLOCK */
#define CLINUX_SOUND_INTERLEAVED 3 /* SND_PCM_ACCESS_RW_INTERLEAVED */
/* SND_PCM_FORMAT_S16 in the order of bytes of this machine. */
int clinux_sound_format(void);

/* Fills a table from an opened library; the name of the first symbol missing, or NULL. */
const char *clinux_sound_bind(clinux_sound *table, void *library);
/* Keeps what libasound has to complain of from standard error, on the calling thread. */
void clinux_sound_hush(const clinux_sound *table);

#endif
