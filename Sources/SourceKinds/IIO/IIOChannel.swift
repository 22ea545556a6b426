import Gathering
import Ground
import Values

/// One channel of an IIO device as a number in its unit: `input` if the driver has it, else
/// (raw + offset) × scale. Calibration is already in the hardware and never applied here.
final class IIOChannel {
  /// `accel_x`, `temp`, `voltage0-voltage1`
  let name: String
  let unit: IIOUnit

  /// What it is made of.
  private let parts: [IIOAttribute]
  /// The position among them of `input` or else `raw`.
  private let main: Int?
  private let isProcessed: Bool
  private let offset: Int?
  private let scale: Int?
  private let offsetName: String
  private let scaleName: String
  private let limits: ClosedRange<Double>?
  private let missing: Outcome

  /// A channel of a device, read with others of the same attributes.
  init(
    _ name: String, of device: IIODevice, reading attributes: IIOAttributes,
    direction: String = "in", limits: ClosedRange<Double>? = nil
  ) {
    self.name = name
    unit = IIOUnit(of: name, on: device)
    let own = "\(direction)_\(name)"
    let rule = name.hasSuffix("quaternion") ? TextRule.decimals : .decimal
    let found = { (name: String) in
      device.attributes.contains(name) ? attributes.attribute(name, rule) : nil
    }
    let input = found("\(own)_input")
    isProcessed = input != nil
    var parts = [input ?? found("\(own)_raw")].compactMap(\.self)
    main = parts.indices.first
    let shared = { (suffix: String) in
      device.attribute(suffix, of: name, direction: direction)
    }
    offsetName = shared("offset") ?? ""
    scaleName = shared("scale") ?? ""
    let place = { (name: String) -> Int? in
      if name.isEmpty { return nil }
      parts.append(attributes.attribute(name, .decimal, isSetting: true))
      return parts.count - 1
    }
    offset = place(offsetName)
    scale = place(scaleName)
    self.parts = parts
    self.limits = limits
    missing = .unsupported("\(device.path) has no \(own)_raw", errno: SystemText.noEntry)
  }

  /// The value in the channel's unit if it is one number; nil where `read` says what it is.
  func number() -> Double? {
    guard let main, let number = parts.borrow(main, { $0.number() }) else { return nil }
    if isProcessed { return finite(unit.apply(to: number)) }
    if let limits, !limits.contains(number) { return nil }
    var (addend, factor) = (0.0, 1.0)
    if let scale {
      guard let found = parts.borrow(scale, { $0.number() }), found != 0 else { return nil }
      factor = found
    }
    if let offset {
      guard let found = parts.borrow(offset, { $0.number() }) else { return nil }
      addend = found
    }
    return finite(unit.apply(to: (number + addend) * factor))
  }

  private func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }

  /// The value in the channel's unit, or which part is missing and why.
  func read() -> Outcome {
    if let number = number() { return .ok(.double(number)) }
    guard let main else { return missing }
    let outcome = parts[main].read()
    if isProcessed { return applied(outcome, to: (0, 1)) }
    guard outcome.status == .ok else { return outcome }
    if let limits, let number = outcome.value.number, !limits.contains(number) {
      return .failed("\(number) is outside the driver's \(limits.lowerBound)…\(limits.upperBound)")
    }
    do throws(Unreadable) {
      return applied(outcome, to: try line())
    } catch {
      return error.outcome
    }
  }

  /// The last text the value came from.
  var rawValue: RawValue? { main.flatMap { parts[$0].raw } }

  /// The conversion of raw numbers to the unit: number × factor + addend, for those of a buffer.
  func map() throws(Unreadable) -> (factor: Double, addend: Double) {
    let (offset, scale) = try line()
    let factor = unit.apply(to: scale)
    let addend = unit.apply(to: offset * scale)
    guard factor.isFinite, addend.isFinite else {
      throw Unreadable(outcome: .failed("\(scaleName) is too large"))
    }
    return (factor, addend)
  }

  /// The step of the raw number in the channel's unit; nil if the driver reports processed values
  /// only.
  var step: Double? {
    guard !isProcessed, scale != nil, let scale = try? line().scale else { return nil }
    return abs(unit.apply(to: scale))
  }

  /// Why a number needed for a value is not there.
  struct Unreadable: Error {
    let outcome: Outcome
  }

  private func line() throws(Unreadable) -> (offset: Double, scale: Double) {
    let scale = try number(self.scale, scaleName, otherwise: 1)
    if scale == 0 {
      throw Unreadable(outcome: .failed("\(scaleName) is zero", errno: SystemText.invalid))
    }
    return (try number(offset, offsetName, otherwise: 0), scale)
  }

  private func number(
    _ place: Int?, _ name: String, otherwise: Double
  ) throws(Unreadable) -> Double {
    guard let place else { return otherwise }
    let outcome = parts[place].read()
    if let number = outcome.number { return number }
    let absence = outcome.absence
    let reason = absence?.reason ?? "no number"
    let named = reason.hasPrefix("/") ? reason : "\(name): \(reason)"
    throw Unreadable(
      outcome: Outcome(
        status: outcome.status,
        absence: Absence(named, errno: absence?.errno ?? 0, remedy: absence?.remedy ?? "")))
  }

  private func applied(_ outcome: Outcome, to line: (offset: Double, scale: Double)) -> Outcome {
    guard outcome.status == .ok else { return outcome }
    let apply = { [unit] (number: Double) in unit.apply(to: (number + line.offset) * line.scale) }
    switch outcome.value {
    case .double(let number):
      let result = apply(number)
      return result.isFinite ? .ok(.double(result)) : .failed("\(name) is too large")
    case .vector(let vector):
      let result = vector.map(apply)
      return result.components.allSatisfy(\.isFinite)
        ? .ok(.vector(result)) : .failed("\(name) is too large")
    default: return missing
    }
  }
}
