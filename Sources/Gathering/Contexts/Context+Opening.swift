public import Ground
public import Machine

extension Context {
  /// Opens a context by its URI: `local:`, `local:root=DIR`, `ip:HOST[:PORT]`, `sim:NAME`,
  /// `sim:file=FILE`, `replay:FILE`, `mqtt:HOST`.
  ///
  /// `recordings` opens the file of `replay:FILE`, which is played with the recorded kinds, and
  /// `fleets` a context of `mqtt:HOST`. `allow` names the personal categories shown. Throws
  /// `invalidArgument` for syntax, unknown schemes,
  /// parameters and categories; `notFound` for a missing folder, file or simulated device; `parse`
  /// for a bad script or recording.
  public static func open(
    _ uri: String = "local:", allow: Allowance = .none, mode: Mode = .thread,
    catalogue: [any SourceKind], recordings: RecordingOpener? = nil, fleets: FleetOpener? = nil
  ) throws(SourceError) -> Context {
    let parsed = try ContextURI(uri)
    if case .recording(let file) = parsed.target {
      return try replay(file, uri, recordings, allow: allow, mode: mode)
    }
    if parsed.target == .fleet {
      guard let fleets else { throw .notImplemented("\(uri): fleets cannot be opened") }
      return try fleets(uri, catalogue, allow, mode)
    }
    let parts = try ContextParts(parsed, catalogue: catalogue, mode: mode)
    let context = try Context(
      uri: uri, mode: mode, catalogue: catalogue, allowance: allow, parts: parts)
    return context
  }

  /// A function that opens the sources recorded in a file. Throws `notFound`, `io` and `parse`.
  public typealias RecordingOpener = (_ file: String) throws(SourceError) -> any ReplayedSources

  /// A function that opens the context of a broker's URI, with the kinds of a catalogue.
  public typealias FleetOpener = (
    _ uri: String, _ catalogue: [any SourceKind], _ allow: Allowance, _ mode: Mode
  ) throws(SourceError) -> Context

  /// Opens a context whose instances a provider of another target finds, in real time.
  package static func open(
    _ uri: String, from provider: any InstanceProvider, named device: DeviceName,
    kinds: [any SourceKind], allow: Allowance, mode: Mode
  ) throws(SourceError) -> Context {
    let loop: EventLoop
    do {
      loop = try EventLoop(hasPartner: mode == .thread)
    } catch {
      throw .io(errno: error.code, place: error.place)
    }
    return try Context(
      uri: uri, mode: mode, catalogue: kinds, allowance: allow,
      parts: ContextParts(provider: provider, loop: loop, eventLoop: loop, device: device))
  }

  private static func replay(
    _ file: String, _ uri: String, _ recordings: RecordingOpener?, allow: Allowance, mode: Mode
  ) throws(SourceError) -> Context {
    try NamedFile(file).check()
    guard let recordings else { throw .notImplemented("\(file): recordings cannot be played") }
    return try replay(try recordings(file), uri: uri, allow: allow, mode: mode)
  }

  /// Opens a context that plays recorded sources (sources V14).
  public static func replay(
    _ recorded: any ReplayedSources, uri: String = "replay:", allow: Allowance = .none,
    mode: Mode = .thread
  ) throws(SourceError) -> Context {
    let pacer = ReplayPacer(from: recorded.start, duration: recorded.duration)
    let parts = ContextParts(
      provider: ReplayProvider(recorded, pacer: pacer), loop: pacer.loop, virtualLoop: pacer.loop,
      pacer: pacer)
    return try Context(
      uri: uri, mode: mode, catalogue: recorded.kinds, allowance: allow, parts: parts)
  }

  /// Opens a context on a machine of the caller's: how fixtures are tried.
  public static func open(
    on machine: Machine, loop: any Loop, allow: Allowance = .none, mode: Mode = .host,
    catalogue: [any SourceKind]
  ) throws(SourceError) -> Context {
    let provider = MachineProvider(machine: machine, loop: loop)
    return try Context(
      uri: "local:", mode: mode, catalogue: catalogue, allowance: allow,
      parts: ContextParts(
        provider: provider, loop: loop, virtualLoop: loop as? VirtualLoop,
        eventLoop: loop as? EventLoop))
  }
}

extension ContextParts {
  init(
    _ uri: ContextURI, catalogue: [any SourceKind], mode: Context.Mode
  ) throws(SourceError) {
    let loop: any Loop
    if uri.hasManualClock {
      let manual = VirtualLoop()
      virtualLoop = manual
      loop = manual
    } else {
      do {
        let live = try EventLoop(hasPartner: mode == .thread)
        eventLoop = live
        loop = live
      } catch {
        throw .io(errno: error.code, place: error.place)
      }
    }
    self.loop = loop
    do throws(SourceError) {
      provider = try Self.provider(for: uri, catalogue: catalogue, loop: loop)
    } catch {
      eventLoop?.stop()
      throw error
    }
    if case .remote(let host) = uri.target { device = .host(host) }
  }

  private static func provider(
    for uri: ContextURI, catalogue: [any SourceKind], loop: any Loop
  ) throws(SourceError) -> any InstanceProvider {
    let standIns = try Self.standIns(of: uri)
    return switch uri.target {
    case .local:
      MachineProvider(
        machine: .live(clock: loop.clock, standIns: standIns), loop: loop,
        mechanisms: { Mechanism.live() })
    case .tree(let root):
      MachineProvider(
        machine: try captured(root, clock: loop.clock, standIns: standIns), loop: loop,
        mechanisms: {
          Mechanism.captured(
            hasLibiio: standIns.iio != nil, hasBus: standIns.bus != nil,
            hasSound: standIns.alsa != nil)
        })
    case .remote(let host):
      MachineProvider(
        machine: .remote(host: host, clock: loop.clock), loop: loop,
        mechanisms: { [Mechanism.libiio()] })
    case .simulation(let name):
      try SimulationProvider(named: name, catalogue: catalogue, loop: loop)
    case .script(let file):
      try SimulationProvider(scriptAt: file, catalogue: catalogue, loop: loop)
    case .recording, .fleet:
      throw .notImplemented("such a context is opened by what knows its sources")
    }
  }

  /// The position services named by `gpsd=` and `gnss=`; nil without either. This computer has its
  /// own gpsd as well.
  private static func positions(of uri: ContextURI) throws(SourceError) -> PositionAccess? {
    let receiver = uri.redirections["gnss"].map(ReceiverAccess.live)
    if let text = uri.redirections["gpsd"] {
      let gpsd = try ContextURI.service(text, orElse: .gpsd)
      return PositionAccess(gpsd: .live(gpsd), receiver: receiver)
    }
    guard let receiver else { return nil }
    return PositionAccess(
      gpsd: uri.target == .local ? .live(.gpsd) : nil, receiver: receiver)
  }

  private static func standIns(of uri: ContextURI) throws(SourceError) -> StandIns {
    let redirections = uri.redirections
    var chrony: ServiceAddress?
    if let text = redirections["chrony"] {
      chrony = try ContextURI.service(text, orElse: .chrony)
    }
    var upsd: ServiceAccess?
    if let text = redirections["nut"] {
      upsd = .upsd(try ContextURI.service(text, orElse: .upsd))
    }
    return StandIns(
      iio: redirections["iio"], bus: redirections["bus"], alsa: redirections["alsa"],
      positions: try positions(of: uri), chrony: chrony, upsd: upsd)
  }

  private static func captured(
    _ root: String, clock: any TimeSource, standIns: StandIns
  ) throws(SourceError) -> Machine {
    do {
      return try .captured(root: root, clock: clock, standIns: standIns)
    } catch {
      throw .notFound("\(root): \(SystemText.message(of: error.code))")
    }
  }
}
