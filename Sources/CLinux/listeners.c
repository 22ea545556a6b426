#include "CLinux.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The index of every network namespace's loop device. */
#define LOOP_DEVICE 1

typedef struct {
  struct nlmsghdr head;
  struct inet_diag_req_v2 body;
} question;

typedef union {
  struct nlmsghdr head;
  char bytes[1024];
} answer;

/* What is known of the kernel's answers about TCP: nothing yet, they come, or there are none. */
static _Atomic int knowledge;

/* Sends a question and takes its answer, which is there when sending returns; 0, or a negative
   errno, which may be the answer. */
static int exchange(int fd, const question *asked, answer *got) {
  if (send(fd, asked, sizeof *asked, 0) < 0) {
    return -errno;
  }
  ssize_t length = recv(fd, got, sizeof *got, MSG_DONTWAIT);
  if (length < 0) {
    return -errno;
  }
  if (!NLMSG_OK(&got->head, (uint32_t)length)) {
    return -EBADMSG;
  }
  int code = 0;
  int is_end = got->head.nlmsg_type == NLMSG_ERROR || got->head.nlmsg_type == NLMSG_DONE;
  if (is_end && got->head.nlmsg_len >= NLMSG_LENGTH(sizeof code)) {
    memcpy(&code, NLMSG_DATA(&got->head), sizeof code);
  }
  return code;
}

/* Whether the kernel knows how to answer about TCP: "no such socket" and "no such answers" are the
   same errno, but a list of sockets in no state at all is empty, or fails. */
static int answers_come(int fd) {
  int known = atomic_load_explicit(&knowledge, memory_order_relaxed);
  if (known == 0) {
    question asked = {
        .head = {.nlmsg_len = sizeof asked,
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .body = {.sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP},
    };
    answer got;
    known = exchange(fd, &asked, &got) == 0 ? 1 : -1;
    atomic_store_explicit(&knowledge, known, memory_order_relaxed);
  }
  return known > 0;
}

static int look(int fd, const question *asked, uint64_t *inode) {
  answer got;
  int code = exchange(fd, asked, &got);
  if (code == -ENOENT) {
    return answers_come(fd) ? 0 : -ENOENT;
  }
  if (code < 0) {
    return code;
  }
  struct inet_diag_msg found;
  if (got.head.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
      got.head.nlmsg_len < NLMSG_LENGTH(sizeof found)) {
    return -EBADMSG;
  }
  memcpy(&found, NLMSG_DATA(&got.head), sizeof found);
  *inode = found.idiag_inode;
  return 1;
}

int clinux_listener(int family, const void *address, uint16_t port, uint64_t *inode) {
  if (atomic_load_explicit(&knowledge, memory_order_relaxed) < 0) {
    return -ENOENT;
  }
  question asked = {
      .head = {.nlmsg_len = sizeof asked,
               .nlmsg_type = SOCK_DIAG_BY_FAMILY,
               .nlmsg_flags = NLM_F_REQUEST},
      .body = {.sdiag_family = (uint8_t)family,
               .sdiag_protocol = IPPROTO_TCP,
               .idiag_states = UINT32_MAX,
               .id = {.idiag_sport = htons(port),
                      .idiag_if = LOOP_DEVICE,
                      .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}},
  };
  size_t length = family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
  memcpy(asked.body.id.idiag_src, address, length);
  int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (fd < 0) {
    return -errno;
  }
  int found = look(fd, &asked, inode);
  close(fd);
  return found;
}
