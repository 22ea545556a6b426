import CLinux

/// The memory of a process that is ours alone; a library leaves it to its host.
public enum ProcessMemory {
  /// Has all threads allocate in one place: a few that work little would each keep a place whose
  /// free memory no other can use. To be called before there are threads.
  public static func shareOneHeap() { clinux_share_one_heap() }

  /// Gives up the pages of code and constants that were touched so far. Those that are used again
  /// come back as they are, from the page cache.
  public static func giveUpCleanPages() { clinux_give_up_clean_pages() }
}
