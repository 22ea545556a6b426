#include "CLinux.h"
#include "bind.h"

const char *clinux_display_bind(clinux_display *table, void *library) {
#define WANTED(name)                                                                               \
  { &table->name, "drm" #name }
  const clinux_wanted wanted[] = {
      WANTED(DropMaster),        WANTED(ModeGetResources),
      WANTED(ModeFreeResources), WANTED(ModeGetConnectorCurrent),
      WANTED(ModeFreeConnector), WANTED(ModeGetEncoder),
      WANTED(ModeFreeEncoder),   WANTED(ModeGetCrtc),
      WANTED(ModeFreeCrtc),
  };
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}
