import Gathering
import Values

/// What a dictionary, which has `Value` and `Values` of its own, calls a value.
typealias Payload = Value

extension [String: Outcome] {
  /// The payload of a key, if its status is ok.
  func payload(_ key: String) -> Payload? {
    guard let outcome = self[key], outcome.status == .ok else { return nil }
    return outcome.value
  }

  func double(_ key: String) -> Double? { payload(key)?.number }

  func text(_ key: String) -> String? { payload(key)?.text }

  func status(_ key: String) -> ValueStatus? { self[key]?.status }

  func reason(_ key: String) -> String? { self[key]?.absence?.reason }
}
