import Ground
import Values

/// What a script made of one property of one instance.
struct SimulatedProperty: Sendable {
  /// What stands before the payload.
  private enum Cover: Sendable {
    case absent(Outcome)
    case failing(Outcome)
  }

  /// What a script set.
  private enum Base: Sendable {
    case value(Value)
    case motion(MotionQuantity, SimulatedMotion)

    func payload(at moment: SimulatedTime) -> Value {
      switch self {
      case .value(let value): value
      case .motion(let quantity, let motion): quantity.value(of: motion, at: moment)
      }
    }
  }

  private var base: Base?
  private var wave: (form: Waveform, start: Int64)?
  private var cover: Cover?
  /// The script line that spoke last of it.
  private(set) var line = 0

  /// Whether what a reading gives depends on its moment.
  var changes: Bool {
    if cover != nil { return false }
    if wave != nil { return true }
    if case .motion = base { return true }
    return false
  }

  /// Whether the script has a say in it, so that no rule computes it.
  var isScripted: Bool { base != nil || wave != nil || cover != nil }

  // MARK: What a script does to it

  mutating func set(_ value: Value, line: Int) {
    self = SimulatedProperty()
    base = .value(value)
    self.line = line
  }

  /// Follows a motion from now on.
  mutating func follow(_ quantity: MotionQuantity, of motion: SimulatedMotion, line: Int) {
    self = SimulatedProperty()
    base = .motion(quantity, motion)
    self.line = line
  }

  /// Takes the payload away; `stale` keeps the one of this moment, if there is one.
  mutating func withdraw(
    _ status: ValueStatus, reason: String, line: Int, at moment: SimulatedTime
  ) {
    let last = status == .stale ? payload(at: moment) : nil
    let status = status == .stale && last == nil ? ValueStatus.noData : status
    let remedy = status == .permission ? "let the script set the value" : ""
    let absence = Absence(
      reason.isEmpty ? "the script sets the status \(status.word)" : reason, remedy: remedy)
    cover = .absent(Outcome(value: last ?? .none, status: status, absence: absence))
    wave = nil
    self.line = line
  }

  /// Adds a signal to the last payload set, or to nothing.
  mutating func begin(_ form: Waveform, line: Int, at time: Int64) {
    wave = (form, time)
    cover = nil
    self.line = line
  }

  /// Is from now on what a file would be that is read with this error (sources E3).
  mutating func fail(_ error: SystemError, line: Int) {
    cover = .failing(.from(error))
    self.line = line
  }

  /// Ends wave and failure; what is absent for another reason comes back only when named itself.
  mutating func clear(isNamed: Bool) {
    wave = nil
    if case .absent = cover, !isNamed { return }
    cover = nil
  }

  // MARK: What it is

  /// What a reading at a moment gives.
  func outcome(_ type: PropertyType, at moment: SimulatedTime) -> Outcome {
    switch cover {
    case .absent(let outcome), .failing(let outcome): return outcome
    case nil: break
    }
    guard wave != nil || base != nil else { return Self.unset }
    guard let value = payload(type, at: moment) else {
      return wave.map { Self.outOfRange($0.form) } ?? Self.unset
    }
    if case .motion = base { return Self.moved(value, at: moment) }
    return .ok(value)
  }

  /// What a motion gives: with the time stamp, a caller that knows it can compute the true value.
  static func moved(_ value: Value, at moment: SimulatedTime) -> Outcome {
    var outcome = Outcome.ok(value)
    outcome.stamp = moment.boot
    return outcome
  }

  /// The payload below any cover; nil if there is none.
  private func payload(at moment: SimulatedTime) -> Value? {
    guard let value = base?.payload(at: moment) else { return nil }
    guard let wave else { return value }
    return Self.sum(value, wave.form(at: moment.position - wave.start))
  }

  private func payload(_ type: PropertyType, at moment: SimulatedTime) -> Value? {
    if base != nil { return payload(at: moment) }
    return wave.flatMap { Self.sum(type.zero, $0.form(at: moment.position - $0.start)) }
  }

  /// A number or each component of a vector, moved; nil when that is no finite number. A flag is a
  /// number from 0 to 1, and true from one half on.
  static func sum(_ base: Value, _ offset: Double) -> Value? {
    switch base {
    case .int(let number):
      return Int64(exactly: offset.rounded()).flatMap { offset in
        let (sum, overflow) = number.addingReportingOverflow(offset)
        return overflow ? nil : .int(sum)
      }
    case .double(let number):
      let sum = number + offset
      return sum.isFinite ? .double(sum) : nil
    case .bool(let flag): return .bool((flag ? 1 : 0) + offset >= 0.5)
    case .vector(let vector):
      let sum = vector.map { $0 + offset }
      return sum.components.allSatisfy(\.isFinite) ? .vector(sum) : nil
    default:
      return nil
    }
  }

  /// The motion that it follows, and nothing else; nil for anything else.
  var followed: (quantity: MotionQuantity, motion: SimulatedMotion)? {
    guard cover == nil, wave == nil, case .motion(let quantity, let motion) = base else {
      return nil
    }
    return (quantity, motion)
  }

  /// The payload that a wave moves, the wave and its start; nil for anything else.
  var moved: (base: Value, form: Waveform, start: Int64)? {
    guard cover == nil, let wave, case .value(let value) = base else { return nil }
    return (value, wave.form, wave.start)
  }

  /// A wave that goes beyond the numbers of its property.
  static func outOfRange(_ form: Waveform) -> Outcome {
    .failed("the wave of \(form.amplitude) leaves the range of numbers")
  }

  /// Before a script has said anything.
  static let unset = Outcome.noData("the script has not set it")
}

extension PropertyType {
  /// What a wave is added to where nothing was set.
  fileprivate var zero: Value {
    switch self {
    case .int: .int(0)
    case .vector(let components):
      Vector([Double](repeating: 0, count: components.count)).map(Value.vector) ?? .none
    default: .double(0)
    }
  }
}
