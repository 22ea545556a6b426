/* The least that a server does which sends 100 rows of three axes a second to clients: a timer that
   wakes it for each row, and each 50 ms one text with the rows of that time for each client. Prints
   its port; ends when it is ended. */
#include "measure.h"

#include <math.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { ROWS = 5, MOST_CLIENTS = 64, ROOM = 4096 };

typedef struct server {
  int listener, timer, clients[MOST_CLIENTS];
  size_t client_count, row_count;
  double rows[ROWS][3], times[ROWS];
  unsigned long frames;
} server;

static int listening(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof own;
  if (listener < 0 || bind(listener, (struct sockaddr *)&own, length) < 0 ||
      listen(listener, MOST_CLIENTS) < 0 ||
      getsockname(listener, (struct sockaddr *)&own, &length) < 0)
    give_up("streams in C", "nothing to listen on");
  printf("http://127.0.0.1:%d/\n", ntohs(own.sin_port));
  fflush(stdout);
  return listener;
}

static void take_client(server *server) {
  static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  int client = accept(server->listener, NULL, NULL);
  if (client >= 0 && server->client_count < MOST_CLIENTS &&
      write(client, head, sizeof head - 1) > 0)
    server->clients[server->client_count++] = client;
}

static void send_frame(server *server) {
  for (size_t i = server->client_count; i > 0; i--) {
    char text[ROOM];
    int length = sprintf(text, "id: %lu\nevent: frame\ndata: {\"t0\":\"%.0f\",\"dt\":[",
                         server->frames++, server->times[0]);
    for (size_t row = 0; row < ROWS; row++)
      length += sprintf(text + length, row == 0 ? "%.0f" : ",%.0f",
                        server->times[row] - server->times[0]);
    length += sprintf(text + length, "],\"columns\":{\"acceleration\":[");
    for (size_t axis = 0; axis < 3; axis++)
      for (size_t row = 0; row < ROWS; row++)
        length += sprintf(text + length, "%s%.9g%s",
                          row > 0    ? ","
                          : axis > 0 ? ",["
                                     : "[",
                          server->rows[row][axis], row == ROWS - 1 ? "]" : "");
    length += sprintf(text + length, "]},\"lost\":0}\n\n");
    if (send(server->clients[i - 1], text, (size_t)length, MSG_NOSIGNAL) < 0) {
      close(server->clients[i - 1]);
      server->clients[i - 1] = server->clients[--server->client_count];
    }
  }
}

static void take_row(server *server) {
  uint64_t times;
  if (read(server->timer, &times, sizeof times) < 0)
    give_up("streams in C", "the timer cannot be read");
  double now = now_ns();
  for (size_t axis = 0; axis < 3; axis++)
    server->rows[server->row_count][axis] = sin(now * 1e-9 + (double)axis) + cos(now * 3e-9);
  server->times[server->row_count++] = now;
  if (server->row_count == ROWS) {
    send_frame(server);
    server->row_count = 0;
  }
}

int main(void) {
  server server = {.listener = listening(), .timer = timerfd_create(CLOCK_MONOTONIC, 0)};
  int poll = epoll_create1(0);
  struct itimerspec every = {{0, 10000000}, {0, 10000000}};
  struct epoll_event row = {.events = EPOLLIN, .data.u32 = 0};
  struct epoll_event client = {.events = EPOLLIN, .data.u32 = 1};
  if (timerfd_settime(server.timer, 0, &every, NULL) < 0 ||
      epoll_ctl(poll, EPOLL_CTL_ADD, server.timer, &row) < 0 ||
      epoll_ctl(poll, EPOLL_CTL_ADD, server.listener, &client) < 0)
    give_up("streams in C", "nothing to wait for");
  for (struct epoll_event event; epoll_wait(poll, &event, 1, -1) > 0;) {
    if (event.data.u32 == 0)
      take_row(&server);
    else
      take_client(&server);
  }
  return 0;
}
