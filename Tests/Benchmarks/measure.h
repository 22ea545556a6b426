/* Timing of works that take turns, and the rows of figures that `run` makes a table of. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

/** Something that can be done again and again. */
typedef struct work {
  void (*run)(void *data);
  void *data;
} work;

/** CLOCK_MONOTONIC in nanoseconds. */
double now_ns(void);

/** The processor time this process has used, in nanoseconds. */
double cpu_ns(void);

/** Measures works in turn, round after round, so that what disturbs one disturbs all. At most 8.
    @param[out] out nanoseconds of one run of each work, out of its fastest round: what else the
                    computer does only ever adds to it */
void measure(const work *works, size_t count, double *out);

/** The median of figures, which it sorts. */
double median(double *figures, size_t count);

/** Prints one row: ours, its unit, a peer's name and figure (0 = none), and the aim. */
void row(const char *name, double ours, const char *unit, const char *peer, double theirs,
         const char *aim);

/** What of this process is resident, in MiB: now, and at most since its beginning. */
double resident_mib(void);
double most_resident_mib(void);

/** Ends the program with a message that says what could not be measured. */
_Noreturn void give_up(const char *what, const char *why);

#endif
