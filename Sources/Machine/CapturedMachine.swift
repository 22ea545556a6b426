public import Ground

extension Machine {
  /// A machine captured below a folder (sources C3): no kernel events, addresses or daemons.
  ///
  /// Replacements for its parts may be given. Throws ENOENT or ENOTDIR if there is no such folder.
  public static func captured(
    root: String, clock: any TimeSource = LiveTime(), standIns: StandIns = StandIns()
  ) throws(SystemError) -> Machine {
    let files = try RootedFileTree(root: root)
    return Machine(
      nature: .captured, files: files, notices: nil, clock: clock,
      switches: CapturedSwitches(files: files), addresses: nil,
      iio: standIns.iio.map { .remote(uri: $0) }
        ?? IIOAccess(files: files, scans: CapturedScans(files: files), mayBlock: false),
      bus: standIns.bus.map { SystemBus(address: $0) }, positions: standIns.positions,
      sound: standIns.alsa.map { SoundAccess(captures: LibasoundCaptures(), onlyDevice: $0) },
      clocks: .captured(in: files, chrony: standIns.chrony),
      upsd: standIns.upsd)
  }
}
