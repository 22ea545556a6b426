import Gathering
import Machine
import Motion
import Values

/// Estimates as the properties of `device_attitude`.
final class AttitudeTable: MotionTable {
  private typealias Field = DeviceAttitude.Field

  private let unit: MotionUnit
  private let machine: Machine
  private let frame: MotionFrame
  private let location: KeptOutcome

  init(_ unit: MotionUnit, on machine: Machine, frame: MotionFrame) {
    self.unit = unit
    self.machine = machine
    self.frame = frame
    location = SensorLocation(of: unit.lead, on: machine).outcome
  }

  func columns(of rows: [MotionEstimate], interval: Int64) -> [Int: SampleBlock.Column] {
    var columns: [Int: SampleBlock.Column] = [:]
    let vectors: [(Field, (MotionEstimate) -> Vector3?)] = [
      (.gravity, \.gravity), (.userAcceleration, \.userAcceleration),
      (.rotationRate, \.rotationRate),
    ]
    for (field, vector) in vectors {
      var numbers: [Double] = []
      numbers.reserveCapacity(rows.count * 3)
      for row in rows {
        let found = vector(row) ?? Vector3(repeating: .nan)
        numbers.append(found.x + 0)
        numbers.append(found.y + 0)
        numbers.append(found.z + 0)
      }
      if field == .gravity || has(field) {
        columns[field] = .numbers(numbers, width: 3)
      }
    }
    addAttitude(of: rows, to: &columns)
    for field in [Field.reference, .accuracy, .magneticDisturbance, .atRest] {
      columns[field] = .runs(Self.runs(of: rows) { outcome(of: field, $0) })
    }
    let tail = Field.tail
    if interval > 0 {
      let rate = Outcome.ok(.double(1e9 / Double(interval)))
      columns[tail] = .runs([SampleBlock.Run(from: 0, rate)])
    }
    columns[Field.acquisition] = .runs([
      SampleBlock.Run(from: 0, .ok(.string("stream")))
    ])
    return columns
  }

  private func addAttitude(
    of rows: [MotionEstimate], to columns: inout [Int: SampleBlock.Column]
  ) {
    var attitudes: [Double] = []
    var angles = (roll: [Double](), pitch: [Double](), yaw: [Double]())
    attitudes.reserveCapacity(rows.count * 4)
    for row in rows {
      let nothing = Double.nan
      let q = row.attitude ?? Quaternion(w: nothing, x: nothing, y: nothing, z: nothing)
      attitudes.append(q.w)
      attitudes.append(q.x)
      attitudes.append(q.y)
      attitudes.append(q.z)
      let turns = EulerAngles(q)
      angles.roll.append(turns.roll)
      angles.pitch.append(turns.pitch)
      angles.yaw.append(turns.yaw)
    }
    columns[Field.attitude] = .numbers(attitudes, width: 4)
    columns[Field.roll] = .numbers(angles.roll, width: 1)
    columns[Field.pitch] = .numbers(angles.pitch, width: 1)
    if unit.method != .gravityOnly {
      columns[Field.yaw] = .numbers(angles.yaw, width: 1)
    } else {
      columns[Field.yaw] = .runs([SampleBlock.Run(from: 0, Self.noYaw)])
    }
  }

  func absences(of rows: [MotionEstimate]) -> [Int: [SampleBlock.Run]] {
    let hasRotation = unit.has(.rotation)
    let hasAcceleration = unit.has(.acceleration)
    let isWhole = rows.allSatisfy { row in
      row.attitude != nil && !row.latest.measuresNoAcceleration
        && (row.latest.rotation != nil || !hasRotation)
        && (row.latest.acceleration != nil || !hasAcceleration)
    }
    if isWhole { return [:] }
    var absences: [Int: [SampleBlock.Run]] = [:]
    for field in Self.measured where has(field) {
      absences[field] = Self.runs(of: rows, onlyAbsent: true) { outcome(of: field, $0) }
    }
    return absences
  }

  /// The fields with numbers in each sample.
  private static let measured: [Field] = [
    .attitude, .roll, .pitch, .yaw, .gravity, .userAcceleration, .rotationRate,
  ]

  func fill(
    _ reading: inout Reading, from estimate: MotionEstimate?,
    failures: [MotionPart.Quantity: Outcome]
  ) {
    for field in Field.allCases where field.rawValue < Field.inverted.rawValue {
      reading[field] =
        estimate.map { outcome(of: field, $0) } ?? absence(of: field, failures, reading[field])
    }
  }

  /// The outcome without an estimate: the first failure, if there was one.
  private func absence(
    of field: Field, _ failures: [MotionPart.Quantity: Outcome], _ last: Outcome
  ) -> Outcome {
    if field == .reference && last.status == .ok { return last }
    if let never = unsupported(field) { return never }
    let failure = unit.parts.lazy.compactMap { failures[$0.quantity] }.first
    return failure?.asMissingInput ?? .noData("the sensors have not all spoken")
  }

  private func outcome(of field: Field, _ estimate: MotionEstimate) -> Outcome {
    if let never = unsupported(field) { return never }
    if field == .reference { return .ok(.string(estimate.reference.rawValue)) }
    if let value = value(of: field, estimate) { return .ok(value) }
    // How fast it turns is the gyroscope's own business.
    if field != .rotationRate, estimate.latest.measuresNoAcceleration { return .noAcceleration }
    if field == .magneticDisturbance, estimate.latest.measuresNoField { return .noField }
    return .noData("the sensors tell no direction")
  }

  private func value(of field: Field, _ estimate: MotionEstimate) -> Value? {
    switch field {
    case .attitude: estimate.attitude.map { .vector($0.vector) }
    case .roll: estimate.attitude.map { .double(EulerAngles($0).roll) }
    case .pitch: estimate.attitude.map { .double(EulerAngles($0).pitch) }
    case .yaw: estimate.attitude.map { .double(EulerAngles($0).yaw) }
    case .gravity: estimate.gravity.map { .vector($0.vector) }
    case .userAcceleration: estimate.userAcceleration.map { .vector($0.vector) }
    case .rotationRate: estimate.rotationRate.map { .vector($0.vector) }
    case .accuracy: estimate.accuracy.map { .string($0.rawValue) }
    case .magneticDisturbance: estimate.isDisturbed.map(Value.bool)
    case .atRest: estimate.isAtRest.map(Value.bool)
    default: nil
    }
  }

  private func has(_ field: Field) -> Bool { unsupported(field) == nil }

  static let noYaw = Outcome.unsupported("gravity alone has no heading")

  /// The outcome of a field that a unit of these parts never has.
  private func unsupported(_ field: Field) -> Outcome? {
    switch (field, unit.method) {
    case (.yaw, .gravityOnly): Self.noYaw
    case (.accuracy, .hardware): .unsupported("the hardware does not report it")
    case (.magneticDisturbance, .hardware), (.magneticDisturbance, .gravityOnly),
      (.magneticDisturbance, .sixAxis):
      .unsupported("no magnetometer is part of the fusion")
    case (.atRest, .hardware), (.atRest, .gravityOnly):
      .unsupported("no gyroscope is part of the fusion")
    case (.rotationRate, _) where !unit.has(.rotation):
      .unsupported("the chip or hub has no gyroscope")
    case (.userAcceleration, _) where !unit.has(.acceleration):
      .unsupported("the chip or hub has no accelerometer")
    default: nil
    }
  }

  func fillRest(_ reading: inout Reading, _ request: ReadRequest, isStreaming: Bool) {
    let tail = Field.tail
    reading[Field.inverted] = .ok(.bool(false))
    reading[Field.acquisition] = .ok(.string(isStreaming ? "stream" : "poll"))
    reading[Field.frame] = .ok(.string(frame.rawValue))
    guard request.scope == .everything else { return }
    let pacing = unit.part(unit.pacemaker)
    let channel = pacing?.plan(in: .sensor).columns.first?.channels.first
    let name = pacing.flatMap { part in
      channel.flatMap { part.device.attribute("sampling_frequency", of: $0) }
    }
    reading[tail] =
      name.map { name in
        let path = "\(pacing?.device.path ?? unit.lead.path)/\(name)"
        return Outcome(reading: PolledFile(path, in: machine.iio.files), .frequency)
      } ?? .unsupported("the driver tells no rate")
    SensorTail.fill(
      &reading, from: tail, of: unit.lead, location: location, in: machine.iio.files)
  }
}
