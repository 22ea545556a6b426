#define _GNU_SOURCE
#include "CLinux.h"
#include "bind.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *clinux_iio_bind(clinux_iio *table, void *library) {
#define WANTED(name)                                                                               \
  { &table->name, "iio_" #name }
  const clinux_wanted wanted[] = {
      WANTED(library_get_version),
      WANTED(create_context_from_uri),
      WANTED(context_destroy),
      WANTED(context_set_timeout),
      WANTED(context_get_devices_count),
      WANTED(context_get_device),
      WANTED(context_find_device),
      WANTED(device_get_id),
      WANTED(device_get_name),
      WANTED(device_get_label),
      WANTED(device_get_attrs_count),
      WANTED(device_get_attr),
      WANTED(device_find_attr),
      WANTED(device_attr_read),
      WANTED(device_attr_write_raw),
      WANTED(device_get_channels_count),
      WANTED(device_get_channel),
      WANTED(device_get_trigger),
      WANTED(device_set_trigger),
      WANTED(device_is_trigger),
      WANTED(device_set_kernel_buffers_count),
      WANTED(device_create_buffer),
      WANTED(channel_get_id),
      WANTED(channel_get_name),
      WANTED(channel_get_index),
      WANTED(channel_is_output),
      WANTED(channel_is_scan_element),
      WANTED(channel_is_enabled),
      WANTED(channel_enable),
      WANTED(channel_disable),
      WANTED(channel_get_data_format),
      WANTED(channel_get_attrs_count),
      WANTED(channel_get_attr),
      WANTED(channel_find_attr),
      WANTED(channel_attr_get_filename),
      WANTED(channel_attr_read),
      WANTED(channel_attr_write_raw),
      WANTED(buffer_set_blocking_mode),
      WANTED(buffer_get_poll_fd),
      WANTED(buffer_refill),
      WANTED(buffer_cancel),
      WANTED(buffer_destroy),
      WANTED(buffer_start),
      WANTED(buffer_first),
      WANTED(buffer_end),
      WANTED(buffer_step),
  };
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}

/* Where the library's own reference to `stderr` is kept, among its relocations. */
static void **stderr_place(const struct link_map *map) {
  const ElfW(Rela) *relocations = NULL;
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  size_t size = 0;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
    case DT_RELA:
      relocations = (const ElfW(Rela) *)entry->d_un.d_ptr;
      break;
    case DT_RELASZ:
      size = entry->d_un.d_val;
      break;
    case DT_SYMTAB:
      symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
      break;
    case DT_STRTAB:
      names = (const char *)entry->d_un.d_ptr;
      break;
    default:
      break;
    }
  }
  if (relocations == NULL || symbols == NULL || names == NULL) {
    return NULL;
  }
  for (size_t i = 0; i < size / sizeof *relocations; i++) {
    size_t symbol = sizeof(void *) == 8 ? relocations[i].r_info >> 32 : relocations[i].r_info >> 8;
    if (symbol != 0 && strcmp(names + symbols[symbol].st_name, "stderr") == 0) {
      return (void **)(map->l_addr + relocations[i].r_offset);
    }
  }
  return NULL;
}

void clinux_silence(void *library) {
  static FILE *nowhere;
  struct link_map *map;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
    return;
  }
  void **place = stderr_place(map);
  /* What is there is the address of libc's variable; anything else is not understood. */
  if (place == NULL || *place != (void *)&stderr) {
    return;
  }
  if (nowhere == NULL && (nowhere = fopen("/dev/null", "we")) == NULL) {
    return;
  }
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)place / page * page);
  if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0) {
    *place = (void *)&nowhere;
    mprotect(start, page, PROT_READ);
  }
}
