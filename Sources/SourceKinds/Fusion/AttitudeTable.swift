import Gathering
import Machine
import Motion

/// Estimates as the properties of `device_attitude`.
final class AttitudeTable: MotionTable {
  private typealias Field = DeviceAttitude.Field

  private let unit: MotionUnit
  private let machine: Machine
  private let frame: MotionFrame
  private let location: SensorLocation

  init(_ unit: MotionUnit, on machine: Machine, frame: MotionFrame) {
    self.unit = unit
    self.machine = machine
    self.frame = frame
    location = SensorLocation(of: unit.lead, on: machine)
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
        columns[field.rawValue] = .numbers(numbers, width: 3)
      }
    }
    addAttitude(of: rows, to: &columns)
    for field in [Field.reference, .accuracy, .magneticDisturbance, .atRest] {
      columns[field.rawValue] = .runs(runs(of: field, in: rows))
    }
    let tail = Field.samplingFrequency.rawValue
    if interval > 0 {
      let rate = Outcome.ok(.double(1e9 / Double(interval)))
      columns[tail] = .runs([SampleBlock.Run(from: 0, rate)])
    }
    columns[Field.acquisition.rawValue] = .runs([
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
    columns[Field.attitude.rawValue] = .numbers(attitudes, width: 4)
    columns[Field.roll.rawValue] = .numbers(angles.roll, width: 1)
    columns[Field.pitch.rawValue] = .numbers(angles.pitch, width: 1)
    if unit.method != .gravityOnly {
      columns[Field.yaw.rawValue] = .numbers(angles.yaw, width: 1)
    } else {
      columns[Field.yaw.rawValue] = .runs([SampleBlock.Run(from: 0, Self.noYaw)])
    }
  }

  private func runs(of field: Field, in rows: [MotionEstimate]) -> [SampleBlock.Run] {
    var runs: [SampleBlock.Run] = []
    for (index, row) in rows.enumerated() {
      let outcome = outcome(of: field, row)
      if runs.last?.outcome != outcome { runs.append(SampleBlock.Run(from: index, outcome)) }
    }
    return runs
  }

  func fill(
    _ reading: inout Reading, from estimate: MotionEstimate?,
    failures: [MotionPart.Quantity: Outcome]
  ) {
    for field in Field.allCases where field.rawValue < Field.inverted.rawValue {
      reading[field] =
        estimate.map { outcome(of: field, $0) } ?? absence(of: field, failures, reading[field])
    }
  }

  /// What stands where nothing could be found out: the first failure, if there was one.
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
    switch field {
    case .attitude: return Self.outcome(estimate.attitude.map { .vector($0.vector) })
    case .roll: return Self.outcome(estimate.attitude.map { .double(EulerAngles($0).roll) })
    case .pitch: return Self.outcome(estimate.attitude.map { .double(EulerAngles($0).pitch) })
    case .yaw: return Self.outcome(estimate.attitude.map { .double(EulerAngles($0).yaw) })
    case .gravity: return Self.outcome(estimate.gravity.map { .vector($0.vector) })
    case .userAcceleration:
      return Self.outcome(estimate.userAcceleration.map { .vector($0.vector) })
    case .rotationRate: return Self.outcome(estimate.rotationRate.map { .vector($0.vector) })
    case .reference: return .ok(.string(estimate.reference.rawValue))
    case .accuracy: return Self.outcome(estimate.accuracy.map { .string($0.rawValue) })
    case .magneticDisturbance: return Self.outcome(estimate.isDisturbed.map(Value.bool))
    case .atRest: return Self.outcome(estimate.isAtRest.map(Value.bool))
    default: return .notRead
    }
  }

  private static func outcome(_ value: Value?) -> Outcome {
    value.map { .ok($0) } ?? .noData("the sensors tell no direction")
  }

  private func has(_ field: Field) -> Bool { unsupported(field) == nil }

  static let noYaw = Outcome.unsupported("gravity alone has no heading")

  /// What a unit of these parts never has.
  private func unsupported(_ field: Field) -> Outcome? {
    switch (field, unit.method) {
    case (.yaw, .gravityOnly): Self.noYaw
    case (.accuracy, .hardware): .unsupported("the hardware does not tell")
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
    let tail = Field.samplingFrequency.rawValue
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
        return Outcome(reading: KeptFile(path, in: machine.iio.files), .frequency)
      } ?? .unsupported("the driver tells no rate")
    SensorTail.fill(
      &reading, from: tail, of: unit.lead, location: location, in: machine.iio.files)
  }
}
