import Ground
import Values

/// Instances whose names and places contain hardware addresses that are not allowed: digests
/// replace the addresses (sources P4).
extension Instance {
  /// The same instance under a name that is safe in ids, if it bears an address: the kernel's own
  /// name is then an alias (sources N6, N8).
  func named(by identity: MachineIdentity) -> Instance {
    var copy = self
    copy.name = HardwareAddress.withheld(in: name, by: identity)
    if copy.name != name { copy.aliases.append(name) }
    return copy
  }

  /// Its name before an address in it was digested, which is shown as any other text of ours: a
  /// digest behind `enx` looks like an address, and is not to be digested again.
  var nameAsFound: String {
    HardwareAddress.first(in: name) == nil ? name : aliases.last ?? name
  }

  /// Whether any text about it contains an address.
  var bearsAddress: Bool {
    let texts = [name, label, path, availability.detail, availability.remedy]
    return texts.contains(where: HardwareAddress.isIn)
      || aliases.contains(where: HardwareAddress.isIn)
      || notes.values.contains(where: HardwareAddress.isIn)
  }

  /// As it is shown.
  func withheld(by identity: MachineIdentity) -> Instance {
    let shown = { HardwareAddress.withheld(in: $0, by: identity) }
    var copy = self
    copy.label = shown(label)
    copy.aliases = aliases.filter { HardwareAddress.first(in: $0) == nil }
    copy.path = shown(path)
    copy.notes = notes.mapValues(shown)
    copy.availability = availability.withheld(by: identity)
    return copy
  }
}

extension Availability {
  /// As it is shown.
  func withheld(by identity: MachineIdentity) -> Availability {
    var copy = self
    copy.detail = HardwareAddress.withheld(in: detail, by: identity)
    copy.remedy = HardwareAddress.withheld(in: remedy, by: identity)
    return copy
  }
}

extension Absence {
  /// As it is shown.
  func withheld(by identity: MachineIdentity) -> Absence {
    Absence(
      HardwareAddress.withheld(in: reason, by: identity), errno: errno,
      remedy: HardwareAddress.withheld(in: remedy, by: identity))
  }
}

extension Value {
  /// As it is shown: a name of the kernel's.
  func withheld(by identity: MachineIdentity) -> Value {
    guard case .string(let text) = self else { return self }
    return .string(HardwareAddress.withheld(in: text, by: identity))
  }
}

extension Outcome {
  /// As it is shown.
  func withheld(by identity: MachineIdentity) -> Outcome {
    var copy = self
    copy.absence = absence?.withheld(by: identity)
    copy.value = value.withheld(by: identity)
    return copy
  }
}

extension RawValue {
  /// As it is shown.
  func withheld(by identity: MachineIdentity) -> RawValue {
    var copy = self
    copy.place = HardwareAddress.withheld(in: place, by: identity)
    if let text = String(validating: bytes, as: UTF8.self), HardwareAddress.first(in: text) != nil {
      copy.bytes = Array(HardwareAddress.withheld(in: text, by: identity).utf8)
    }
    return copy
  }
}

extension SourceError {
  /// As it is shown.
  func withheld(by identity: MachineIdentity) -> SourceError {
    let shown = { HardwareAddress.withheld(in: $0, by: identity) }
    return switch self {
    case .unavailable(let availability): .unavailable(availability.withheld(by: identity))
    case .io(let errno, let place): .io(errno: errno, place: shown(place))
    case .notFound(let text): .notFound(shown(text))
    case .notSupported(let text): .notSupported(shown(text))
    case .limit(let text): .limit(shown(text))
    case .timeout(let text): .timeout(shown(text))
    case .invalidArgument, .parse, .notImplemented, .type, .closed, .forked, .wrongThread: self
    }
  }
}
