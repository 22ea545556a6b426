extension Machine {
  /// This computer. Opens nothing until asked; each context has its own.
  ///
  /// `iio` is a libiio URI whose devices stand in for this computer's; nil for its own.
  public static func live(clock: any MachineClock = LiveClock(), iio: String? = nil) -> Machine {
    Machine(
      nature: .live, files: RootedFileTree.live, notices: LiveNotices(), clock: clock,
      switches: LiveSwitches(), addresses: LiveAddresses(),
      iio: iio.map { .remote(uri: $0) }
        ?? IIOAccess(files: RootedFileTree.live, scans: LibiioScans(), mayBlock: true),
      radio: LiveRadio())
  }
}
