extension Machine {
  /// A machine captured below a folder (sources C3): no kernel events, addresses or daemons.
  ///
  /// `iio` is a libiio URI whose devices stand in for the tree's, `alsa` a PCM of this computer to
  /// capture from. Throws ENOENT or ENOTDIR when there is no such folder.
  public static func captured(
    root: String, clock: any MachineClock = LiveClock(), iio: String? = nil, alsa: String? = nil
  ) throws(SystemError) -> Machine {
    let files = try RootedFileTree(root: root)
    return Machine(
      nature: .captured, files: files, notices: nil, clock: clock,
      switches: CapturedSwitches(files: files), addresses: nil,
      iio: iio.map { .remote(uri: $0) }
        ?? IIOAccess(files: files, scans: CapturedScans(files: files), mayBlock: false),
      sound: alsa.map { SoundAccess(captures: LibasoundCaptures(), onlyDevice: $0) })
  }
}
