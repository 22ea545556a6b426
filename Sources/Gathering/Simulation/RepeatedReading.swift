import Values

/// What a reading of a simulated instance computes anew while no line of the script acts on it.
///
/// It is made after a complete reading, and writes into that one.
final class RepeatedReading: Sendable {
  /// A payload without references.
  private enum Number {
    case whole(Int64)
    case real(Double)

    init?(_ value: Value) {
      switch value {
      case .int(let number): self = .whole(number)
      case .double(let number): self = .real(number)
      default: return nil
      }
    }
  }

  /// A number that a wave moves.
  private struct Wave {
    let index: Int
    let mode: ReportingMode
    let category: PrivacyCategory?
    let base: Number
    let form: Waveform
    let start: Int64

    /// What it is at a moment; nil when that is no finite number.
    func value(at moment: SimulatedTime) -> Number? {
      let offset = form(at: moment.position - start)
      let sum =
        switch base {
        case .whole(let number): SimulatedProperty.sum(.int(number), offset)
        case .real(let number): SimulatedProperty.sum(.double(number), offset)
        }
      return sum.flatMap(Number.init)
    }
  }

  /// A property that follows a motion.
  private struct Motion {
    let index: Int
    let mode: ReportingMode
    let category: PrivacyCategory?
    let quantity: MotionQuantity
    let motion: SimulatedMotion
  }

  /// A vector that a wave moves, or the like.
  private struct Other {
    let index: Int
    let mode: ReportingMode
    let category: PrivacyCategory?
    let type: PropertyType
    let property: SimulatedProperty
  }

  /// A property that no line has set, so that a rule may compute it.
  private struct Unset {
    let index: Int
    let mode: ReportingMode
    let category: PrivacyCategory?
    /// Whether its rule builds on what it found last.
    let keepsLast: Bool
  }

  /// The revision of the instance that was read.
  let revision: UInt64
  private let waves: [Wave]
  private let motions: [Motion]
  private let others: [Other]
  private let unset: [Unset]

  init(of properties: [SimulatedProperty], table: [Property], revision: UInt64) {
    self.revision = revision
    var (waves, motions, others) = ([Wave](), [Motion](), [Other]())
    var unset: [Unset] = []
    for (index, row) in table.enumerated() {
      let property = properties[index]
      if !property.isScripted {
        let keepsLast = row.flags.contains(.derived) && row.mode == .onChange
        unset.append(
          Unset(index: index, mode: row.mode, category: row.category, keepsLast: keepsLast))
      } else if let moved = property.moved, let base = Number(moved.base) {
        waves.append(
          Wave(
            index: index, mode: row.mode, category: row.category, base: base, form: moved.form,
            start: moved.start))
      } else if let (quantity, motion) = property.followed {
        motions.append(
          Motion(
            index: index, mode: row.mode, category: row.category, quantity: quantity,
            motion: motion))
      } else if property.changes {
        others.append(
          Other(
            index: index, mode: row.mode, category: row.category, type: row.type,
            property: property))
      }
    }
    (self.waves, self.motions, self.others, self.unset) = (waves, motions, others, unset)
  }

  /// Fills in what differs at another moment.
  @_optimize(speed)
  func read(_ request: ReadRequest, at moment: SimulatedTime, into reading: inout Reading) {
    for wave in waves where request.wants(wave.mode, wave.category) {
      guard let value = wave.value(at: moment) else {
        reading[wave.index] = SimulatedProperty.outOfRange(wave.form)
        continue
      }
      switch value {
      case .whole(let number): reading.set(wave.index, to: number)
      case .real(let number): reading.set(wave.index, to: number)
      }
    }
    readMotions(request, at: moment, into: &reading)
    for other in others where request.wants(other.mode, other.category) {
      reading[other.index] = other.property.outcome(other.type, at: moment)
    }
    for row in unset where request.wants(row.mode, row.category) {
      if row.keepsLast && reading.status(at: row.index) == .ok { continue }
      reading.set(row.index, to: SimulatedProperty.unset)
    }
  }

  private func readMotions(
    _ request: ReadRequest, at moment: SimulatedTime, into reading: inout Reading
  ) {
    var last: MotionInstant?
    for row in motions where request.wants(row.mode, row.category) {
      let known = last.flatMap { $0.motion == row.motion ? $0 : nil }
      var instant = known ?? MotionInstant(row.motion, at: moment)
      reading[row.index] = SimulatedProperty.moved(row.quantity.value(of: &instant), at: moment)
      last = instant
    }
  }
}
