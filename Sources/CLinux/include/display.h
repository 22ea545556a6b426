/* libdrm, opened at run time. Its headers are not wanted to build: these declarations of our own
   repeat the layouts of xf86drmMode.h, which have stood since its version 2.4. */
#ifndef CLINUX_DISPLAY_H
#define CLINUX_DISPLAY_H

#include <stdint.h>

/* -- drmModeModeInfo: a mode with its timing; the clock is in kHz. */
typedef struct {
  uint32_t clock;
  uint16_t hdisplay, hsync_start, hsync_end, htotal, hskew;
  uint16_t vdisplay, vsync_start, vsync_end, vtotal, vscan;
  uint32_t vrefresh, flags, type;
  char name[32];
} clinux_display_mode;

#define CLINUX_DISPLAY_INTERLACED 0x10U /* DRM_MODE_FLAG_INTERLACE */
#define CLINUX_DISPLAY_DOUBLED 0x20U    /* DRM_MODE_FLAG_DBLSCAN */

/* -- drmModeRes: what a card has. */
typedef struct {
  int framebuffer_count;
  uint32_t *framebuffers;
  int crtc_count;
  uint32_t *crtcs;
  int connector_count;
  uint32_t *connectors;
  int encoder_count;
  uint32_t *encoders;
  uint32_t min_width, max_width, min_height, max_height;
} clinux_display_parts;

/* -- drmModeConnector, as far as it is asked: the rest follows behind. */
typedef struct {
  uint32_t connector_id, encoder_id, connector_type, connector_type_id;
} clinux_display_connector;

/* -- drmModeEncoder. */
typedef struct {
  uint32_t encoder_id, encoder_type, crtc_id, possible_crtcs, possible_clones;
} clinux_display_encoder;

/* -- drmModeCrtc: what scans a picture out to a connector. */
typedef struct {
  uint32_t crtc_id, buffer_id, x, y, width, height;
  int mode_valid;
  clinux_display_mode mode;
  int gamma_size;
} clinux_display_crtc;

typedef struct {
  int (*DropMaster)(int card);
  clinux_display_parts *(*ModeGetResources)(int card);
  void (*ModeFreeResources)(clinux_display_parts *parts);
  /* Without asking the screen, which would wake it. */
  clinux_display_connector *(*ModeGetConnectorCurrent)(int card, uint32_t connector);
  void (*ModeFreeConnector)(clinux_display_connector *connector);
  clinux_display_encoder *(*ModeGetEncoder)(int card, uint32_t encoder);
  void (*ModeFreeEncoder)(clinux_display_encoder *encoder);
  clinux_display_crtc *(*ModeGetCrtc)(int card, uint32_t crtc);
  void (*ModeFreeCrtc)(clinux_display_crtc *crtc);
} clinux_display;

/* Fills a table from an opened library; the name of the first symbol missing, or NULL. */
const char *clinux_display_bind(clinux_display *table, void *library);

#endif
