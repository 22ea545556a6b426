#ifndef CLINUX_NETLINK_H
#define CLINUX_NETLINK_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/nl80211.h>
#include <stddef.h>
#include <stdint.h>

/* -- libnl, opened at run time, which builds and walks all netlink attributes. Its headers are not
      needed to build: the few prototypes and constants are our own declarations. */
struct nl_sock;
struct nl_cb;
struct nl_msg;
struct nl_cache;
struct genl_family;

#define CLINUX_NL_CB_VALID 0      /* the kinds of callback (enum nl_cb_type) */
#define CLINUX_NL_CB_FINISH 1     /* the end of a list */
#define CLINUX_NL_CB_ACK 4        /* the end of what is no list */
#define CLINUX_NL_CB_DUMP_INTR 10 /* a list that changed while it was told */
#define CLINUX_NL_CB_DEFAULT 0    /* who answers (enum nl_cb_kind) */
#define CLINUX_NL_CB_CUSTOM 3
#define CLINUX_NL_OK 0 /* what a callback returns (enum nl_cb_action) */
#define CLINUX_NL_STOP 2
#define CLINUX_NLE_AGAIN 4 /* error codes, returned negative */
#define CLINUX_NLE_NOMEM 5
#define CLINUX_NLE_OBJ_NOTFOUND 12
#define CLINUX_NLE_PROTO_MISMATCH 26

typedef int clinux_nl_answer(struct nl_msg *message, void *argument);
typedef int clinux_nl_failure(struct sockaddr_nl *from, struct nlmsgerr *error, void *argument);

typedef struct {
  int version[3];
  const char *(*geterror)(int error);
  struct nl_cb *(*cb_alloc)(int kind);
  int (*cb_set)(struct nl_cb *, int type, int kind, clinux_nl_answer *, void *argument);
  int (*cb_err)(struct nl_cb *, int kind, clinux_nl_failure *, void *argument);
  void (*cb_put)(struct nl_cb *);
  struct nl_sock *(*socket_alloc)(void);
  void (*socket_free)(struct nl_sock *);
  int (*socket_get_fd)(const struct nl_sock *);
  int (*socket_set_nonblocking)(const struct nl_sock *);
  int (*socket_add_membership)(struct nl_sock *, int group);
  int (*send_auto)(struct nl_sock *, struct nl_msg *);
  int (*recvmsgs)(struct nl_sock *, struct nl_cb *);
  struct nl_msg *(*msg_alloc)(void);
  void (*msg_free)(struct nl_msg *);
  struct nlmsghdr *(*msg_hdr)(struct nl_msg *);
  void *(*msg_data)(const struct nlmsghdr *);
  int (*msg_datalen)(const struct nlmsghdr *);
  int (*attr_put_u32)(struct nl_msg *, int type, uint32_t value);
  struct nlattr *(*attr_find)(const struct nlattr *first, int length, int type);
  void *(*attr_data)(const struct nlattr *);
  int (*attr_len)(const struct nlattr *);
  void (*cache_free)(struct nl_cache *);
  int (*genl_connect)(struct nl_sock *);
  int (*genl_ctrl_alloc_cache)(struct nl_sock *, struct nl_cache **);
  struct genl_family *(*genl_ctrl_search_by_name)(struct nl_cache *, const char *name);
  unsigned (*genl_family_get_id)(struct genl_family *);
  void (*genl_family_put)(struct genl_family *);
  int (*genl_ctrl_resolve_grp)(struct nl_sock *, const char *family, const char *group);
  void *(*genlmsg_put)(struct nl_msg *, uint32_t port, uint32_t sequence, int family,
                       int header_length, int flags, uint8_t command, uint8_t version);
  struct genlmsghdr *(*genlmsg_hdr)(struct nlmsghdr *);
  int (*genlmsg_valid_hdr)(struct nlmsghdr *, int header_length);
  struct nlattr *(*genlmsg_attrdata)(const struct genlmsghdr *, int header_length);
  int (*genlmsg_attrlen)(const struct genlmsghdr *, int header_length);
} clinux_nl;

/* Fills a table from the opened libnl-genl-3, which brings libnl-3 with it; the name of the first
   symbol missing, or NULL. */
const char *clinux_nl_bind(clinux_nl *table, void *library);

#endif
