#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int clinux_tree_open(clinux_tree *tree, const char *folder) {
  struct stat status;
  tree->root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (tree->root < 0)
    return -errno;
  if (fstat(tree->root, &status) != 0) {
    int code = errno;
    close(tree->root);
    return -code;
  }
  tree->device = status.st_dev;
  tree->inode = status.st_ino;
  return 0;
}

int clinux_tree_file(const clinux_tree *tree, const char *folder, const char *path, int flags) {
  struct stat status;
  // Another folder may have taken the place of the one that was opened.
  if (stat(folder, &status) != 0 || status.st_ino != tree->inode || status.st_dev != tree->device)
    return -ESTALE;
  struct open_how how = {
      .flags = (uint64_t)(uint32_t)(flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY),
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
  };
  int file = (int)syscall(SYS_openat2, tree->root, path, &how, sizeof how);
  if (file < 0)
    return -errno;
  if (fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
    return file;
  close(file);
  return -ENXIO;
}
