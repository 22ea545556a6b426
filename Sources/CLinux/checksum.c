#include "CLinux.h"

#include <string.h>

#if defined(__aarch64__) && !defined(CLINUX_PLAIN)
#include <arm_acle.h>
#include <sys/auxv.h>
#endif

/* Four bits at a time, for machines without the instruction and for the rest of a word. */
static uint32_t crc_by_table(uint32_t crc, const uint8_t *bytes, size_t length) {
  static const uint32_t table[16] = {
      0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3,
      0x61C69362, 0x7198540D, 0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9,
      0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
  };
  for (size_t i = 0; i < length; i++) {
    crc ^= bytes[i];
    crc = crc >> 4 ^ table[crc & 15];
    crc = crc >> 4 ^ table[crc & 15];
  }
  return crc;
}

/* Eight bytes at a time, by the instruction that x86 has since SSE 4.2 and most 64-bit ARM, too. */
#if defined(__x86_64__) && !defined(CLINUX_PLAIN)
#define BY_WORDS __attribute__((target("sse4.2")))
#define ADD_WORD(crc, word) ((uint32_t)__builtin_ia32_crc32di(crc, word))
static bool has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__) && !defined(CLINUX_PLAIN)
#define BY_WORDS __attribute__((target("crc")))
#define ADD_WORD(crc, word) __crc32cd(crc, word)
static bool has_instruction(void) { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }
#endif

#ifdef BY_WORDS
BY_WORDS static uint32_t crc_by_words(uint32_t crc, const uint8_t *bytes, size_t length) {
  for (; length >= 8; bytes += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    crc = ADD_WORD(crc, word);
  }
  return crc_by_table(crc, bytes, length);
}
#endif

uint32_t clinux_crc32c(const uint8_t *bytes, size_t length) {
#ifdef BY_WORDS
  if (has_instruction()) {
    return ~crc_by_words(~0U, bytes, length);
  }
#endif
  return ~crc_by_table(~0U, bytes, length);
}
