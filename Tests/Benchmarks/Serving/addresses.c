/* Loaded into a client before others: each connection of IPv4 comes from another address of this
   machine. A server that limits how often one address may ask is then measured as it answers many
   clients. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdint.h>

/** How many addresses there are: fewer than a server remembers. */
enum { ADDRESSES = 4000 };

typedef int connecting(int, const struct sockaddr *, socklen_t);

int connect(int socket, const struct sockaddr *address, socklen_t length) {
  static atomic_uint count;
  if (address->sa_family == AF_INET) {
    uint32_t number = atomic_fetch_add(&count, 1) % ADDRESSES;
    struct sockaddr_in own = {.sin_family = AF_INET,
                              .sin_addr.s_addr = htonl((127U << 24 | 78U << 16) + 1 + number)};
    // Without it the connection comes from the address of all others, which is no failure.
    (void)bind(socket, (struct sockaddr *)&own, sizeof own);
  }
  union {
    void *symbol;
    connecting *function;
  } next = {dlsym(RTLD_NEXT, "connect")};
  return next.function(socket, address, length);
}
