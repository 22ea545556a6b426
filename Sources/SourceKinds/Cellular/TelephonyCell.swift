import Gathering
import Machine
import Values

/// The serving cell of a modem of oFono: GetServingCellInformation.
///
/// Levels are in the steps of 3GPP 27.007, 8.5 and 8.69: the lowest number means "below the range",
/// each further number is one step higher.
struct TelephonyCell {
  /// A count: its key, the numbers it can be, the one that stands for "unknown", and the level that
  /// number 0 would be at, with the steps to a decibel.
  private struct Scale {
    let key: String
    let range: ClosedRange<Int64>
    let unknown: Int64
    let zero: Double
    let steps: Double
  }

  /// The scales of each field, the finer one first.
  private static let scales: [CellRadioField: [Scale]] = [
    .rssi: [
      Scale(key: "ReceivedSignalStrength", range: 0...63, unknown: 99, zero: -111, steps: 1),
      Scale(key: "Strength", range: 0...31, unknown: 99, zero: -113, steps: 0.5),
    ],
    .rscp: [
      Scale(key: "ReceivedSignalCodePower", range: 0...96, unknown: 255, zero: -121, steps: 1)
    ],
    .ecio: [
      Scale(key: "ReceivedEnergyRatio", range: 0...49, unknown: 255, zero: -24.5, steps: 2)
    ],
    .rsrq: [
      Scale(
        key: "ReferenceSignalReceivedQuality", range: 0...34, unknown: 255, zero: -20, steps: 2)
    ],
    .rsrp: [
      Scale(
        key: "ReferenceSignalReceivedPower", range: 0...97, unknown: 255, zero: -141, steps: 1)
    ],
    // oFono spells the key like this.
    .snr: [
      Scale(key: "SingalToNoiseRatio", range: -200...300, unknown: .min, zero: 0, steps: 10)
    ],
  ]

  /// The reported values, or why there are none.
  private let reported: Result<[String: BusValue], Absent>

  private struct Absent: Error { let outcome: Outcome }

  /// Makes a cell from a reported dictionary.
  init(_ values: [BusValue]) {
    let absent = Absent(
      outcome: .failed("GetServingCellInformation answers with no dictionary"))
    reported = values.first?.named.map { .success($0) } ?? .failure(absent)
  }

  /// Nothing, for a reason.
  init(absent outcome: Outcome) { reported = .failure(Absent(outcome: outcome)) }

  /// Whether a field is a matter of the cell.
  static func covers(_ field: CellRadioField) -> Bool {
    field == .trackingArea || scales[field] != nil
  }

  /// The value of a field.
  func value(of field: CellRadioField) -> ReportedValue {
    let values: [String: BusValue]
    switch reported {
    case .failure(let absent): return (absent.outcome, nil)
    case .success(let known): values = known
    }
    if field == .trackingArea {
      return Self.reported(values, "TrackingAreaCode") {
        TelephonyModem.hexadecimal($0, "TrackingAreaCode", in: 0...0xFFFF)
      }
    }
    let scales = Self.scales[field] ?? []
    guard let scale = scales.first(where: { values[$0.key] != nil }) ?? scales.first else {
      return (.unsupported("oFono does not report it"), nil)
    }
    return Self.reported(values, scale.key) { value in
      value.count { number in
        if number == scale.unknown { return .noData("reported as \(number)") }
        guard scale.range.contains(number) else { return .failed("\(scale.key) is \(number)") }
        return .ok(.double(scale.zero + Double(number) / scale.steps))
      }
    }
  }

  private static func reported(
    _ values: [String: BusValue], _ key: String, _ rule: (BusValue) -> Outcome?
  ) -> ReportedValue {
    let place = "\(TelephonyDaemon.monitor).GetServingCellInformation.\(key)"
    return (.of(values[key], key, rule), values[key].map { RawValue($0, place: place) })
  }
}
