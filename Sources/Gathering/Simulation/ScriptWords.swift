import Values

/// The words and small arguments of script lines.
enum ScriptWords {
  /// A status without a fresh payload, by the word of sources 7.
  static func status(_ word: ArraySlice<UInt8>) throws(ScriptFault) -> ValueStatus {
    let all: [ValueStatus] = [.noData, .stale, .permission, .unsupported, .failed]
    if word.isEmpty { throw ScriptFault("the status is missing") }
    if let status = all.first(where: { word.elementsEqual($0.word.utf8) }) { return status }
    throw ScriptFault(
      Nearest.sentence(to: word.lenientText, among: all.map(\.word), what: "status"))
  }

  /// A shape, an amplitude and a frequency.
  static func waveform(
    _ lexer: inout ScriptLexer, id: String
  ) throws(ScriptFault) -> Waveform {
    let word = lexer.word()
    if word.isEmpty { throw ScriptFault("the wave is missing") }
    guard let shape = Waveform.Shape(rawValue: word.lenientText) else {
      let known = Waveform.Shape.allCases.map(\.rawValue)
      throw ScriptFault(Nearest.sentence(to: word.lenientText, among: known, what: "wave"))
    }
    let amplitude = try ScriptPayload.number(lexer.word(), what: "an amplitude")
    let frequency = lexer.word()
    let hertz = try ScriptPayload.number(frequency, what: "a frequency")
    if hertz < 0 { throw ScriptPayload.mismatch(frequency, "a frequency") }
    return Waveform(shape, amplitude: amplitude, hertz: hertz, id: id)
  }

  /// `motion` and the degrees a device is held at; nil if a payload follows instead.
  static func motion(_ lexer: inout ScriptLexer) throws(ScriptFault) -> SimulatedMotion? {
    var ahead = lexer
    guard ahead.word().elementsEqual("motion".utf8) else { return nil }
    let degrees = try ScriptPayload.number(ahead.word(), what: "an angle")
    lexer = ahead
    return SimulatedMotion(incline: degrees * .pi / 180)
  }

  /// An errno: a number from 1 to 4095, as the kernel has them.
  static func errno(_ word: ArraySlice<UInt8>) throws(ScriptFault) -> Int32 {
    let number = try ScriptPayload.integer(word, what: "an errno")
    guard (1...4095).contains(number) else { throw ScriptPayload.mismatch(word, "an errno") }
    return Int32(number)
  }

  /// A state by the word of sources 9, and a detail.
  static func availability(_ lexer: inout ScriptLexer) throws(ScriptFault) -> Availability {
    let word = lexer.word()
    if word.isEmpty { throw ScriptFault("the state is missing") }
    guard let state = Availability.State(rawValue: word.lenientText) else {
      let known = Availability.State.allCases.map(\.rawValue)
      throw ScriptFault(Nearest.sentence(to: word.lenientText, among: known, what: "state"))
    }
    return .simulated(state, detail: lexer.remainder().lenientText)
  }

  /// What a step of the permission flow leaves behind (sources 15).
  static func permission(_ word: ArraySlice<UInt8>) throws(ScriptFault) -> Availability {
    switch word.lenientText {
    case "ask": return .simulated(.requiresPermission, detail: "a person is being asked")
    case "grant": return .simulated(.available)
    case "deny": return .simulated(.permissionDenied, detail: "a person said no")
    case "revoke": return .simulated(.permissionDenied, detail: "the permission was taken back")
    case "": throw ScriptFault("permission needs ask, grant, deny or revoke")
    default: throw ScriptPayload.mismatch(word, "ask, grant, deny or revoke")
    }
  }
}

extension Availability {
  /// An availability of a simulated instance, with its remedy (sources A1).
  static func simulated(_ state: State, detail: String = "") -> Availability {
    let isSound = (state == .available && detail.isEmpty) || state == .noHardware
    return Availability(
      state, backend: SimulatedWorld.backend, detail: detail,
      remedy: isSound ? "" : state.simulatedRemedy)
  }
}

extension Availability.State {
  /// What to do about a state that a script made.
  fileprivate var simulatedRemedy: String {
    switch self {
    case .available: "let the script make it available without a limit"
    case .searching: "wait until the script makes it available"
    case .requiresPermission: "let the script grant the permission"
    case .permissionDenied: "let the script grant the permission, which it denied"
    case .restrictedByPolicy: "let the script lift the restriction"
    case .poweredOff: "let the script switch it on"
    case .serviceNotRunning: "let the script start the service"
    case .unsupportedByKernel: "use a script whose kernel supports it"
    case .noHardware: ""
    case .busy: "wait until the script frees it"
    case .disconnected: "let the script connect it again"
    case .failed: "let the script mend it"
    }
  }
}
