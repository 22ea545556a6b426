#include "loopback.h"
#include "check.h"
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct sockaddr_in loopback(int port) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons((uint16_t)port);
  return address;
}

int free_port(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  CHECK(bind(listener, (struct sockaddr *)&address, size) == 0);
  CHECK(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
  close(listener);
  return ntohs(address.sin_port);
}
