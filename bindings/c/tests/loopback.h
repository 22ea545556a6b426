/* Servers of tests, which listen on this machine alone. */
#ifndef LOOPBACK_H
#define LOOPBACK_H

#include <netinet/in.h>

/* The address of a port. */
struct sockaddr_in loopback(int port);

/* A port where nothing listens. */
int free_port(void);

#endif
