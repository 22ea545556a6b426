#define _GNU_SOURCE
#include "imports.h"

#include "CLinux.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What of a library's dynamic section tells of its imports. */
typedef struct {
  const ElfW(Sym) * symbols;
  const char *names;
  const ElfW(Rela) * tables[2];
  size_t sizes[2];
} imports;

static imports imports_of(const struct link_map *map) {
  imports found = {NULL, NULL, {NULL, NULL}, {0, 0}};
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
    case DT_RELA:
      found.tables[0] = (const ElfW(Rela) *)entry->d_un.d_ptr;
      break;
    case DT_RELASZ:
      found.sizes[0] = entry->d_un.d_val;
      break;
    case DT_JMPREL:
      found.tables[1] = (const ElfW(Rela) *)entry->d_un.d_ptr;
      break;
    case DT_PLTRELSZ:
      found.sizes[1] = entry->d_un.d_val;
      break;
    case DT_PLTREL:
      /* The other form, of old 32-bit machines, has no addends and is not read. */
      if (entry->d_un.d_val != DT_RELA) {
        return (imports){NULL, NULL, {NULL, NULL}, {0, 0}};
      }
      break;
    case DT_SYMTAB:
      found.symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
      break;
    case DT_STRTAB:
      found.names = (const char *)entry->d_un.d_ptr;
      break;
    default:
      break;
    }
  }
  return found;
}

/* Where a library's own reference to a name is kept, among its relocations. */
static void **import_place(const struct link_map *map, const char *name) {
  const imports found = imports_of(map);
  if (found.symbols == NULL || found.names == NULL) {
    return NULL;
  }
  for (int table = 0; table < 2; table++) {
    const ElfW(Rela) *relocations = found.tables[table];
    size_t count = relocations == NULL ? 0 : found.sizes[table] / sizeof *relocations;
    for (size_t i = 0; i < count; i++) {
      size_t info = relocations[i].r_info;
      size_t symbol = sizeof(void *) == 8 ? info >> 32 : info >> 8;
      if (symbol != 0 && strcmp(found.names + found.symbols[symbol].st_name, name) == 0) {
        return (void **)(map->l_addr + relocations[i].r_offset);
      }
    }
  }
  return NULL;
}

typedef struct {
  const struct link_map *map;
  const void *place;
  bool is_protected;
} relro_search;

static int search_relro(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  relro_search *search = data;
  if (info->dlpi_addr != search->map->l_addr) {
    return 0;
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    uintptr_t place = (uintptr_t)search->place;
    if (header->p_type == PT_GNU_RELRO && place >= start && place < start + header->p_memsz) {
      search->is_protected = true;
    }
  }
  return 1;
}

/* Whether the dynamic linker has made a place read-only. */
static bool is_protected(const struct link_map *map, const void *place) {
  relro_search search = {map, place, false};
  dl_iterate_phdr(search_relro, &search);
  return search.is_protected;
}

static bool replace_alone(void *library, const char *name, void *present, void *new) {
  struct link_map *map;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
    return false;
  }
  void **place = import_place(map, name);
  /* Anything else than what belongs there is not understood, and left as it is. */
  if (place == NULL || *place != present) {
    return false;
  }
  if (!is_protected(map, place)) {
    *place = new;
    return true;
  }
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)place / page * page);
  if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  *place = new;
  mprotect(start, page, PROT_READ);
  return true;
}

/* One thread at a time changes imports: another may make their page read-only again. */
static uint32_t turn;

bool clinux_replace_import(void *library, const char *name, void *present, void *new) {
  clinux_lock(&turn);
  bool is_replaced = replace_alone(library, name, present, new);
  clinux_unlock(&turn);
  return is_replaced;
}

static FILE *nowhere;
static pthread_once_t nowhere_once = PTHREAD_ONCE_INIT;

static void open_nowhere(void) { nowhere = fopen("/dev/null", "we"); }

void clinux_silence(void *library) {
  pthread_once(&nowhere_once, open_nowhere);
  if (nowhere != NULL) {
    /* What is there is the address of libc's variable. */
    clinux_replace_import(library, "stderr", (void *)&stderr, (void *)&nowhere);
  }
}

/* libxml2 writes what it complains of, the text included, to standard error, unless its thread has
   a handler. */
typedef void (*xml_handler)(void *context, const char *format, ...);

static void say_nothing(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}

void clinux_silence_xml(void *library, bool is_silent) {
  void *found = dlsym(library, "xmlSetGenericErrorFunc");
  if (found == NULL) {
    return;
  }
  void (*set)(void *, xml_handler);
  memcpy(&set, &found, sizeof set);
  set(NULL, is_silent ? say_nothing : NULL);
}
