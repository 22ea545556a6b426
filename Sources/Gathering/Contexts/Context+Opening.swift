public import Machine

extension Context {
  /// Opens a context by its URI: `local:`, `local:root=DIR`, `ip:HOST[:PORT]`, `sim:NAME`,
  /// `sim:file=FILE`.
  ///
  /// `allow` names the personal categories shown. Throws `invalidArgument` for syntax, unknown
  /// schemes, parameters and categories; `notFound` for a missing folder, file or simulated device;
  /// `parse` for a bad script.
  public static func open(
    _ uri: String = "local:", allow: Allowance = .none, mode: Mode = .thread,
    catalogue: [any SourceKind]
  ) throws(SourceError) -> Context {
    let parsed = try ContextURI(uri)
    let parts = try ContextParts(parsed, catalogue: catalogue)
    let context = try Context(
      uri: uri, mode: mode, catalogue: catalogue, allowance: allow, parts: parts)
    return context
  }

  /// Opens a context on a machine of the caller's: how fixtures are tried.
  public static func open(
    on machine: Machine, loop: VirtualLoop, allow: Allowance = .none, mode: Mode = .host,
    catalogue: [any SourceKind]
  ) throws(SourceError) -> Context {
    let provider = MachineProvider(machine: machine, loop: loop, mechanisms: [])
    return try Context(
      uri: "local:", mode: mode, catalogue: catalogue, allowance: allow,
      parts: ContextParts(provider: provider, loop: loop, virtualLoop: loop))
  }
}

extension ContextParts {
  init(_ uri: ContextURI, catalogue: [any SourceKind]) throws(SourceError) {
    if case .recording(let file) = uri.target { try NamedFile(file).check() }
    let loop: any Loop
    if uri.hasManualClock {
      let manual = VirtualLoop()
      virtualLoop = manual
      loop = manual
    } else {
      do {
        let live = try EventLoop()
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
    if case .remote(let host) = uri.target { device = DeviceName(host: host) }
  }

  private static func provider(
    for uri: ContextURI, catalogue: [any SourceKind], loop: any Loop
  ) throws(SourceError) -> any InstanceProvider {
    let standIns = try Self.standIns(of: uri)
    return switch uri.target {
    case .local:
      MachineProvider(
        machine: .live(clock: loop.clock, standIns: standIns), loop: loop,
        mechanisms: Mechanism.live())
    case .tree(let root):
      MachineProvider(
        machine: try captured(root, clock: loop.clock, standIns: standIns), loop: loop,
        mechanisms: Mechanism.captured(
          hasLibiio: standIns.iio != nil, hasBus: standIns.bus != nil,
          hasSound: standIns.alsa != nil))
    case .remote(let host):
      MachineProvider(
        machine: .remote(host: host, clock: loop.clock), loop: loop,
        mechanisms: [Mechanism.libiio()])
    case .simulation(let name):
      try SimulationProvider(named: name, catalogue: catalogue, loop: loop)
    case .script(let file):
      try SimulationProvider(scriptAt: file, catalogue: catalogue, loop: loop)
    case .recording(let file):
      throw .notImplemented("\(file): recordings are not part of this version")
    }
  }

  /// What `gpsd=` and `gnss=` name; nil without either. This computer has its own gpsd besides.
  private static func positions(of uri: ContextURI) throws(SourceError) -> PositionAccess? {
    let receiver = uri.redirections["gnss"].map(ReceiverAccess.live)
    if let text = uri.redirections["gpsd"] {
      return PositionAccess(gpsd: .live(try ContextURI.service(text)), receiver: receiver)
    }
    guard let receiver else { return nil }
    return PositionAccess(
      gpsd: uri.target == .local ? .live(.gpsd) : nil, receiver: receiver)
  }

  private static func standIns(of uri: ContextURI) throws(SourceError) -> StandIns {
    let redirections = uri.redirections
    return StandIns(
      iio: redirections["iio"], bus: redirections["bus"], alsa: redirections["alsa"],
      positions: try positions(of: uri))
  }

  private static func captured(
    _ root: String, clock: any MachineClock, standIns: StandIns
  ) throws(SourceError) -> Machine {
    do {
      return try .captured(root: root, clock: clock, standIns: standIns)
    } catch {
      throw .notFound("\(root): \(SystemText.message(of: error.code))")
    }
  }
}
