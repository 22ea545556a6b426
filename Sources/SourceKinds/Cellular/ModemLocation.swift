import Gathering
import Machine
import Values

/// Where a modem is in its network: `MCC,MNC,LAC,CI,TAC`, the last three in hexadecimal digits.
struct ModemLocation {
  /// The kind of location this is, as a key of ModemManager's dictionaries.
  private static let networkCell: Int64 = 1

  /// The text as reported, or why there is none.
  private let text: Result<String, Absent>

  struct Absent: Error { let outcome: Outcome }

  /// Reads a dictionary of locations; `property` is where it was found.
  init(_ value: BusValue?, from property: String) {
    let pairs = value?.pairs ?? []
    let entry = pairs.first { $0.key.integer == Self.networkCell }?.value
    let isDictionary = value == nil || value?.pairs != nil
    let found = Outcome.of(isDictionary ? entry : value, property) { value in
      isDictionary ? value.asText : nil
    }
    text = found.text.map { .success($0) } ?? .failure(Absent(outcome: found))
  }

  /// There is none, for a reason.
  init(absent outcome: Outcome) { text = .failure(Absent(outcome: outcome)) }

  /// Whether the location is known.
  var isKnown: Bool { (try? text.get()) != nil }

  /// The fields it answers, and their places in the text.
  private static let places: [CellRadioField: Int] = [
    .locationArea: 2, .cellId: 3, .trackingArea: 4,
  ]

  /// Whether a field is a part of it.
  static func covers(_ field: CellRadioField) -> Bool { places[field] != nil }

  /// One part of the location; nil for other fields.
  func outcome(of field: CellRadioField) -> Outcome? {
    guard let place = Self.places[field] else { return nil }
    switch text {
    case .failure(let absent): return absent.outcome
    case .success(let text):
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count >= 4 else {
        return .failed("\(Array(text.utf8).quotedExcerpt) is no location in a network")
      }
      return parts.indices.contains(place)
        ? Self.number(String(parts[place]), isArea: field != .cellId)
        : .noData("the modem does not report it")
    }
  }

  /// Hexadecimal digits. 0 stands for "unknown", and FFFE for an area that is none (3GPP 23.003).
  private static func number(_ digits: String, isArea: Bool) -> Outcome {
    if digits.isEmpty { return .noData("empty text") }
    guard let number = UInt64(digits, radix: 16), !digits.hasPrefix("+") else {
      return .failed("\(Array(digits.utf8).quotedExcerpt) is no hexadecimal number")
    }
    let isUnknown = number == 0 || (isArea && number == 0xfffe)
    return isUnknown ? .noData("reported as \(digits)") : .ok(.string(digits))
  }

  /// The text it was read from.
  func raw(of field: CellRadioField) -> RawValue? {
    guard Self.covers(field), let text = try? text.get() else { return nil }
    return RawValue(text.utf8, place: "\(ModemDaemon.location).Location")
  }
}
