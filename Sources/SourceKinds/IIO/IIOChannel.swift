import Gathering
import Ground
import Values

/// One channel of an IIO device as a number in its unit: `input` if the driver has it, else
/// (raw + offset) × scale. Calibration is already in the hardware and never applied here.
final class IIOChannel {
  /// `accel_x`, `temp`, `voltage0-voltage1`
  let name: String
  let unit: IIOUnit

  private let attributes: IIOAttributes
  private let input: Int?
  private let raw: Int?
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
    self.attributes = attributes
    unit = IIOUnit(of: name, on: device)
    let own = "\(direction)_\(name)"
    let rule = name.hasSuffix("quaternion") ? TextRule.decimals : .decimal
    let position = { (attribute: String) in
      device.attributes.contains(attribute) ? attributes.position(of: attribute, rule) : nil
    }
    input = position("\(own)_input")
    raw = position("\(own)_raw")
    let shared = { (suffix: String) in
      device.attribute(suffix, of: name, direction: direction)
    }
    offsetName = shared("offset") ?? ""
    scaleName = shared("scale") ?? ""
    let setting = { (name: String) in
      name.isEmpty ? nil : attributes.position(of: name, .decimal, isSetting: true)
    }
    offset = setting(offsetName)
    scale = setting(scaleName)
    self.limits = limits
    missing = .unsupported("\(device.path) has no \(own)_raw", errno: SystemText.noEntry)
  }

  /// The value in the channel's unit if it is one number; nil where `read` says what it is.
  func number() -> Double? {
    var offset = 0.0
    var scale = 1.0
    guard let number = (input ?? raw).flatMap(attributes.number) else { return nil }
    if input == nil {
      if let limits, !limits.contains(number) { return nil }
      if let position = self.scale {
        guard let found = attributes.number(position), found != 0 else { return nil }
        scale = found
      }
      if let position = self.offset {
        guard let found = attributes.number(position) else { return nil }
        offset = found
      }
    }
    let result = unit.apply(to: (number + offset) * scale)
    return result.isFinite ? result : nil
  }

  /// The value in the channel's unit, or which part is missing and why.
  func read() -> Outcome {
    if let number = number() { return .ok(.double(number)) }
    if let input { return applied(attributes.read(input), to: (0, 1)) }
    guard let raw else { return missing }
    let outcome = attributes.read(raw)
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
  var rawValue: RawValue? { (input ?? raw).flatMap(attributes.raw) }

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
    guard input == nil, scale != nil, let scale = try? line().scale else { return nil }
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
    _ position: Int?, _ name: String, otherwise: Double
  ) throws(Unreadable) -> Double {
    guard let position else { return otherwise }
    let outcome = attributes.read(position)
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
