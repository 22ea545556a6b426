extension Machine {
  /// This computer. Opens nothing until asked; each context has its own.
  public static func live(clock: any MachineClock = LiveClock()) -> Machine {
    Machine(
      nature: .live, files: RootedFileTree.live, notices: LiveNotices(), clock: clock,
      switches: LiveSwitches(), addresses: LiveAddresses())
  }
}
