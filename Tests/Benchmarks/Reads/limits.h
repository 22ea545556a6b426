/* The limits: what a C program reads by hand, from the same files into the same fields. */
#ifndef LIMITS_H
#define LIMITS_H

/** Files kept open, and what they say. */
typedef struct limit limit;

/** /proc/meminfo, /proc/pressure/memory and our control group's limit and use. */
limit *memory_limit(void);
/** /proc/stat, load, pressure, the list of processors on line and each one's frequencies. */
limit *cpu_limit(void);
/** statvfs(3), the device's counters and the disk's attributes. */
limit *storage_limit(const char *mount_point);
/** The attributes of one interface, or those of all that have a device. */
limit *network_limit(const char *interface);
/** The attributes of one battery below a root, and of the supplies from outside. NULL without. */
limit *battery_limit(const char *root, const char *name);

/** The first interface that is not the loopback. */
const char *first_interface(void);

/** Reads all anew. */
void limit_read(void *limit);
/** Closes the files. */
void limit_close(limit *limit);

#endif
