import Glibc

/// The browser of the user, by xdg-open.
enum Browser {
  /// Opens a link; a machine without xdg-open is told so.
  static func open(_ link: String, _ log: ServerLog) {
    var process = pid_t()
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(link)]
    defer { for word in words { free(word) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    if posix_spawnp(&process, "xdg-open", nil, &attributes, words + [nil], environ) != 0 {
      log.note("there is no xdg-open; open the link yourself")
    }
  }
}
