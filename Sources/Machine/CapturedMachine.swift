extension Machine {
  /// A machine captured below a folder (sources C3): no kernel events, addresses or daemons.
  ///
  /// Throws ENOENT or ENOTDIR when there is no such folder.
  public static func captured(
    root: String, clock: any MachineClock = LiveClock()
  ) throws(SystemError) -> Machine {
    let files = try RootedFileTree(root: root)
    return Machine(
      nature: .captured, files: files, notices: nil, clock: clock,
      switches: CapturedSwitches(files: files), addresses: nil,
      iio: IIOAccess(files: files, scans: CapturedScans(files: files), mayBlock: false))
  }
}
