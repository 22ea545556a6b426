#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

void clinux_share_one_heap(void) { (void)mallopt(M_ARENA_MAX, 1); }

static int give_up(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (ElfW(Half) i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    /* What may be written, were it only once for relocation, is not in a file as it is here. */
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0) {
      continue;
    }
    uintptr_t begin = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
    uintptr_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;
    /* A refusal costs memory, nothing else. */
    (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

void clinux_give_up_clean_pages(void) { dl_iterate_phdr(give_up, NULL); }
