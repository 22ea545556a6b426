extension Machine {
  /// A machine captured below a folder (sources C3): no kernel events, addresses or daemons.
  ///
  /// `iio` is a libiio URI whose devices stand in for the tree's; `bus` the address of a message
  /// bus, `alsa` a PCM and `positions` a daemon or receiver beside it. Throws ENOENT or ENOTDIR
  /// when there is no such folder.
  public static func captured(
    root: String, clock: any MachineClock = LiveClock(), iio: String? = nil,
    bus: String? = nil, alsa: String? = nil, positions: PositionAccess? = nil
  ) throws(SystemError) -> Machine {
    let files = try RootedFileTree(root: root)
    return Machine(
      nature: .captured, files: files, notices: nil, clock: clock,
      switches: CapturedSwitches(files: files), addresses: nil,
      iio: iio.map { .remote(uri: $0) }
        ?? IIOAccess(files: files, scans: CapturedScans(files: files), mayBlock: false),
      bus: bus.map { SystemBus(address: $0) }, positions: positions,
      sound: alsa.map { SoundAccess(captures: LibasoundCaptures(), onlyDevice: $0) })
  }
}
