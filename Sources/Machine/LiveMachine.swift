public import Ground

extension Machine {
  /// This computer. Opens nothing before first use; each context has its own.
  public static func live(
    clock: any TimeSource = LiveTime(), standIns: StandIns = StandIns()
  ) -> Machine {
    let positions = standIns.positions ?? .own
    let upsd = standIns.upsd ?? .upsd(.upsd)
    let services = ["gpsd": positions.gpsd, "upsd": upsd]
    return Machine(
      nature: .live, files: RootedFileTree.live,
      notices: LiveNotices(services: services.compactMapValues(\.self)),
      clock: clock, switches: LiveSwitches(), addresses: LiveAddresses(),
      iio: standIns.iio.map { .remote(uri: $0) }
        ?? IIOAccess(files: RootedFileTree.live, scans: LibiioScans(), mayBlock: true),
      bus: SystemBus(address: standIns.bus), positions: positions, radio: LiveRadio(),
      sound: SoundAccess(captures: LibasoundCaptures(), onlyDevice: standIns.alsa),
      displays: LibdrmDisplays(), clocks: .live(chrony: standIns.chrony ?? .chrony), upsd: upsd,
      nvidia: NvidiaLibrary.shared)
  }
}
