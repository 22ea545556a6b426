/* What the text of a kernel file says, taken apart in place. */
#ifndef PARSE_H
#define PARSE_H

/** One value of a file. */
typedef union field {
  long long integer;
  double number;
  char word[32];
} field;

/** Takes a text apart into fields. */
typedef void (*parser)(const char *text, field *fields);

/** A whole number; a decimal one; a word of up to 31 bytes. */
void parse_integer(const char *text, field *fields);
void parse_word(const char *text, field *fields);
/** Whole numbers, or decimal ones, one after the other. */
void parse_integers(const char *text, field *fields);
void parse_decimals(const char *text, field *fields);
/** The sizes of /proc/meminfo, the averages and totals of /proc/pressure, the sums of /proc/stat.
 */
void parse_meminfo(const char *text, field *fields);
void parse_pressure(const char *text, field *fields);
void parse_stat(const char *text, field *fields);

#endif
