import Gathering
import Machine
import Values

/// A value that a service reported, and its raw form.
typealias ReportedValue = (outcome: Outcome, raw: RawValue?)

extension BusObject {
  /// A property by a rule, and how it came; its place is the interface and the property's name.
  func reported(
    _ interface: String, _ name: String, _ rule: (BusValue) -> Outcome?
  ) -> ReportedValue {
    let value = self[interface, name]
    return (.of(value, name, rule), value.map { RawValue($0, place: "\(interface).\(name)") })
  }
}

extension RawValue {
  /// A value of the bus as it came: bytes as they are, everything else as text.
  init(_ value: BusValue, place: String) {
    self.init(value.bytes ?? Array("\(value)".utf8), place: place)
  }
}

extension BusValue {
  /// A whole number that a rule makes something of; nothing for another type.
  func count(_ make: (Int64) -> Outcome) -> Outcome? { integer.map(make) }

  /// Whole numbers in a range; others are an error, and nothing is made of another type.
  func count(
    _ name: String, in range: ClosedRange<Int64>, _ make: (Int64) -> Outcome
  ) -> Outcome? {
    count { range.contains($0) ? make($0) : .failed("\(name) is \($0)") }
  }

  /// A hardware address in two-digit upper-case groups with colons; zeros stand for none.
  var asHardwareAddress: Outcome? {
    guard let text else { return nil }
    if text.isEmpty { return .noData("empty text") }
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    // A sign is no digit, though it would be taken for a part of a number.
    let bytes = groups.filter { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
      .compactMap { UInt8($0, radix: 16) }
    guard bytes.count == 6, groups.count == 6 else { return nil }
    return HardwareAddress.text(of: bytes).map { .ok(.string($0)) }
      ?? .noData("reported as \(text)")
  }
}
