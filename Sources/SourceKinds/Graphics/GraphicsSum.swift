import Gathering
import Values

extension Graphics {
  /// All cards as one: sums of what they hold and take, the greatest of what they do.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    aggregate.counters = []
    let sum = EnergySum(energy: Field.energy, power: Field.power, orElse: Self.cardless)
    sum.combine(members, at: Array(members.indices), into: &aggregate)
    combineMemory(members, into: &aggregate)
    for field in [Field.temperature, .temperatureHotspot, .temperatureMemory] {
      aggregate.set(field, to: Self.greatest(field, of: members))
    }
    combineUtilization(members, into: &aggregate)
    combinePowerState(members, into: &aggregate)
    for field in Self.own {
      if members.count == 1 {
        aggregate.set(field.rawValue, asIn: members, at: 0)
      } else {
        aggregate.set(field, to: members.isEmpty ? Self.cardless : Self.several.outcome)
      }
    }
    aggregate.set(Field.keepAwake, to: false)
  }

  private static let cardless = Outcome.noData("there is no card")
  private static let several = KeptOutcome(.noData("several cards"))
  private static let nothingShared = Outcome.noData("no card is a part of a processor")

  /// What the aggregate has of its only member.
  private static let own: [Field] = [
    .memoryUtilization, .encoderUtilization, .decoderUtilization, .videoUtilization, .powerLimit,
    .frequency, .memoryFrequency, .frequencyMaximum, .fanSpeed, .fanDuty, .throttle,
    .performanceState, .integrated, .vendor, .model, .driver, .driverVersion, .pciAddress, .uuid,
  ]

  // MARK: Sums

  /// Discrete cards have memory of their own, integrated ones share the machine's: both are never
  /// summed together.
  private func combineMemory(_ members: [Reading], into aggregate: inout Reading) {
    let integrated = members.filter { $0.flag(Field.integrated) == true }
    let discrete = members.filter { $0.flag(Field.integrated) != true }
    for field in [Field.memoryTotal, .memoryUsed] {
      let summed = discrete.isEmpty ? integrated : discrete
      aggregate.set(field, to: Self.bytes(field, of: summed, orElse: Self.cardless))
    }
    for field in [Field.sharedTotal, .sharedUsed] {
      let summed = members.count == 1 ? members : integrated
      aggregate.set(field, to: Self.bytes(field, of: summed, orElse: Self.nothingShared))
    }
  }

  private static func bytes(
    _ field: Field, of members: [Reading], orElse nothing: Outcome
  ) -> Outcome {
    var sum = MemberSum()
    for member in members { sum.add(member[field]) }
    var total = sum.outcome(orElse: nothing)
    guard let number = total.number else { return total }
    guard let whole = Int64(exactly: number) else { return .failed("the sum exceeds 64 bits") }
    total.value = .int(whole)
    return total
  }

  // MARK: The greatest

  private static func greatest(_ field: Field, of members: [Reading]) -> Outcome {
    let known = members.map { $0[field] }.filter { $0.number != nil }
    let greatest = known.max { ($0.number ?? 0) < ($1.number ?? 0) }
    return greatest ?? absence(of: field, in: members)
  }

  /// Why no member has it: the reason of one that may, before that of one that never has.
  private static func absence(of field: Field, in members: [Reading]) -> Outcome {
    let absences = members.map { $0[field].asMissingInput }
    return absences.first { $0.status != .unsupported } ?? absences.first ?? cardless
  }

  /// The share of the busiest card, of which some are computed by each session.
  private func combineUtilization(_ members: [Reading], into aggregate: inout Reading) {
    var activity = CardActivity()
    for (place, member) in members.enumerated() {
      if let counted = CardActivity(member.counters) {
        activity.isEstimate = activity.isEstimate || counted.isEstimate
        for var unit in counted.units {
          unit.tag += Int64(place) << 16
          activity.units.append(unit)
        }
      } else if let share = member.number(Field.utilization) {
        activity.known = max(activity.known ?? 0, share)
        if member[Field.utilization].isLowAccuracy { activity.isEstimate = true }
      }
    }
    if activity.units.isEmpty {
      return aggregate.set(
        Field.utilization, to: Self.greatest(.utilization, of: members))
    }
    activity.put(in: &aggregate.counters)
    aggregate.needTwoReadings(Field.utilization)
  }

  private func combinePowerState(_ members: [Reading], into aggregate: inout Reading) {
    let words = members.compactMap { $0[Field.powerState].text }
    typealias State = RuntimePower.State
    let areAsleep = !words.isEmpty && words.allSatisfy { $0 == State.suspended.rawValue }
    let state: State =
      words.contains(State.active.rawValue) ? .active : areAsleep ? .suspended : .unknown
    aggregate.set(Field.powerState, to: Outcome.ok(.string(state.rawValue)))
  }
}
