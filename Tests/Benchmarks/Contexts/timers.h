/* Timers as a C program would have them. */
#ifndef TIMERS_H
#define TIMERS_H

/** Runs timers at 1 Hz, spread over the second, for some seconds: the share of a core they use, in
    percent. */
double share_of_timers(int count, int seconds);

/** Does some work once a second, for some seconds: the processor time of each, in nanoseconds. */
double cost_of_ticks(int seconds, void (*work)(void *data), void *data);

#endif
