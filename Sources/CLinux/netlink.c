#include "CLinux.h"
#include "bind.h"

const char *clinux_nl_bind(clinux_nl *table, void *library) {
#define WANTED(name, symbol)                                                                       \
  { &table->name, #symbol }
  const int *version[3];
  const clinux_wanted wanted[] = {
      {&version[0], "nl_ver_maj"},
      {&version[1], "nl_ver_min"},
      {&version[2], "nl_ver_mic"},
      WANTED(geterror, nl_geterror),
      WANTED(cb_alloc, nl_cb_alloc),
      WANTED(cb_set, nl_cb_set),
      WANTED(cb_err, nl_cb_err),
      WANTED(cb_put, nl_cb_put),
      WANTED(socket_alloc, nl_socket_alloc),
      WANTED(socket_free, nl_socket_free),
      WANTED(socket_get_fd, nl_socket_get_fd),
      WANTED(socket_set_nonblocking, nl_socket_set_nonblocking),
      WANTED(socket_add_membership, nl_socket_add_membership),
      WANTED(send_auto, nl_send_auto),
      WANTED(recvmsgs, nl_recvmsgs),
      WANTED(msg_alloc, nlmsg_alloc),
      WANTED(msg_free, nlmsg_free),
      WANTED(msg_hdr, nlmsg_hdr),
      WANTED(msg_data, nlmsg_data),
      WANTED(msg_datalen, nlmsg_datalen),
      WANTED(attr_put_u32, nla_put_u32),
      WANTED(attr_find, nla_find),
      WANTED(attr_data, nla_data),
      WANTED(attr_len, nla_len),
      WANTED(cache_free, nl_cache_free),
      WANTED(genl_connect, genl_connect),
      WANTED(genl_ctrl_alloc_cache, genl_ctrl_alloc_cache),
      WANTED(genl_ctrl_search_by_name, genl_ctrl_search_by_name),
      WANTED(genl_family_get_id, genl_family_get_id),
      WANTED(genl_family_put, genl_family_put),
      WANTED(genl_ctrl_resolve_grp, genl_ctrl_resolve_grp),
      WANTED(genlmsg_put, genlmsg_put),
      WANTED(genlmsg_hdr, genlmsg_hdr),
      WANTED(genlmsg_valid_hdr, genlmsg_valid_hdr),
      WANTED(genlmsg_attrdata, genlmsg_attrdata),
      WANTED(genlmsg_attrlen, genlmsg_attrlen),
  };
  const char *missing = clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
  for (size_t i = 0; missing == NULL && i < 3; i++) {
    table->version[i] = *version[i];
  }
  return missing;
}
