extension Machine {
  /// This computer. Opens nothing until asked; each context has its own.
  ///
  /// `iio` is a libiio URI whose devices stand in for this computer's, `bus` the address of a
  /// message bus that stands in for the system's, `alsa` a PCM that stands in for its microphones;
  /// nil for its own.
  public static func live(
    clock: any MachineClock = LiveClock(), iio: String? = nil, bus: String? = nil,
    alsa: String? = nil, positions: PositionAccess = .own
  ) -> Machine {
    Machine(
      nature: .live, files: RootedFileTree.live,
      notices: LiveNotices(services: positions.gpsd.map { ["gpsd": $0] } ?? [:]),
      clock: clock, switches: LiveSwitches(), addresses: LiveAddresses(),
      iio: iio.map { .remote(uri: $0) }
        ?? IIOAccess(files: RootedFileTree.live, scans: LibiioScans(), mayBlock: true),
      bus: SystemBus(address: bus), positions: positions, radio: LiveRadio(),
      sound: SoundAccess(captures: LibasoundCaptures(), onlyDevice: alsa),
      displays: LibdrmDisplays())
  }
}
