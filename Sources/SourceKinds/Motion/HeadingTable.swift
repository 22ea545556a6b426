import Gathering
import Ground
import Motion
import Values

/// Estimates as the properties of `compass`.
struct HeadingTable: MotionTable {
  private typealias Field = Compass.Field

  private let method: HeadingMethod

  /// The source of the declination if the session has set none.
  private let position: PresentPosition?

  init(_ method: HeadingMethod, at position: PresentPosition? = nil) {
    self.method = method
    self.position = position
  }

  /// Neither the session nor a position gives the declination.
  static let noDeclination = Outcome.noData(
    "no declination is known", remedy: "set declination on this source, or start a gps source")

  func columns(of rows: [MotionEstimate], interval: Int64) -> [Int: SampleBlock.Column] {
    var columns: [Int: SampleBlock.Column] = [:]
    for (field, outcome) in measured {
      let outcomes = rows.map(outcome)
      columns[field] =
        outcomes.contains { $0.status == .ok }
        ? .numbers(outcomes.map { $0.number ?? .nan }, width: 1)
        : .runs(Self.runs(of: rows, outcome))
    }
    columns[Field.declination] = .runs([SampleBlock.Run(from: 0, declination)])
    columns[Field.method] = .runs([
      SampleBlock.Run(from: 0, .ok(.string(method.rawValue)))
    ])
    return columns
  }

  func absences(of rows: [MotionEstimate]) -> [Int: [SampleBlock.Run]] {
    var absences: [Int: [SampleBlock.Run]] = [:]
    for (field, outcome) in measured {
      absences[field] = Self.runs(of: rows, onlyAbsent: true, outcome)
    }
    return absences
  }

  /// The fields with a number in each sample.
  private var measured: [(Field, (MotionEstimate) -> Outcome)] {
    [(.magneticHeading, magneticHeading), (.trueHeading, trueHeading), (.accuracy, accuracy)]
  }

  func fill(
    _ reading: inout Reading, from estimate: MotionEstimate?,
    failures: [MotionPart.Quantity: Outcome]
  ) {
    guard let estimate else {
      let failure = MotionPart.Quantity.allCases.lazy.compactMap { failures[$0] }.first
      let missing = failure?.asMissingInput ?? .noData("the sensors have not all spoken")
      for field in [Field.magneticHeading, .trueHeading, .accuracy] { reading[field] = missing }
      return
    }
    reading[Field.magneticHeading] = magneticHeading(estimate)
    reading[Field.trueHeading] = trueHeading(estimate)
    reading[Field.accuracy] = accuracy(estimate)
  }

  func fillRest(_ reading: inout Reading, _ request: ReadRequest, isStreaming: Bool) {
    reading[Field.declination] = declination
    reading[Field.method] = .ok(.string(method.rawValue))
  }

  private func magneticHeading(_ estimate: MotionEstimate) -> Outcome {
    let latest = estimate.latest
    let heading: Double?
    switch method {
    case .hardware:
      if latest.magneticHeading == nil && latest.trueHeading != nil {
        return .unsupported("the hardware knows true north only")
      }
      heading = latest.magneticHeading
    case .fusion:
      guard latest.field != nil else { return .noData("the magnetometer is silent") }
      if let nothing = Self.nothing(in: latest) { return nothing }
      heading = estimate.attitude.flatMap(TiltCompass.heading)
    case .tiltCompensated:
      if let nothing = Self.nothing(in: latest) { return nothing }
      heading = latest.acceleration.flatMap { up in
        latest.field.flatMap { TiltCompass.heading(acceleration: up, field: $0) }
      }
    }
    return heading.map { .ok(.double($0)) }
      ?? .noData("the top points up or down, or the field has no direction")
  }

  /// Why exact zeros are no heading; nil if both sensors measure something.
  private static func nothing(in sample: MotionSample) -> Outcome? {
    if sample.measuresNoAcceleration { return .noAcceleration }
    return sample.measuresNoField ? .noField : nil
  }

  private func trueHeading(_ estimate: MotionEstimate) -> Outcome {
    if method == .hardware, let heading = estimate.latest.trueHeading {
      return .ok(.double(heading))
    }
    guard let declination = position?.declination() else { return Self.noDeclination }
    let magnetic = magneticHeading(estimate)
    return magnetic.number.map { .ok(.double(TiltCompass.wrapped($0 + declination))) } ?? magnetic
  }

  private var declination: Outcome {
    position?.declination().map { .ok(.double($0)) } ?? Self.noDeclination
  }

  /// The error of the heading, in degrees, that such a deviation of the field can cause; at least
  /// one.
  private func accuracy(_ estimate: MotionEstimate) -> Outcome {
    guard method != .hardware else { return .unsupported("the hardware does not report it") }
    guard let field = estimate.latest.field else {
      return .noData("the magnetometer is silent")
    }
    if let nothing = Self.nothing(in: estimate.latest) { return nothing }
    let residual = estimate.fieldResidual ?? Self.residual(of: field)
    let up = estimate.attitude?.conjugate.rotate(Vector3(0, 0, 1)) ?? estimate.latest.acceleration
    return .ok(
      .double(
        TiltCompass.uncertainty(
          strength: residual.strength, dip: residual.dip, up: up, field: field)))
  }

  /// How far a field is from any the earth has: 25 to 65 µT.
  private static func residual(of field: Vector3) -> (strength: Double, dip: Double) {
    let norm = field.norm
    let nearest = min(max(norm, 25), 65)
    return (norm / nearest - 1, 0)
  }
}
