import Gathering
import Values

/// The sums of an aggregate's joules and watts, by G7 of the catalogue.
struct EnergySum {
  /// The properties of the kind.
  private let energy: Int
  private let power: Int
  /// What there is without members.
  private let nothing: Outcome

  init(
    energy: some RawRepresentable<Int>, power: some RawRepresentable<Int>, orElse nothing: Outcome
  ) {
    self.energy = energy.rawValue
    self.power = power.rawValue
    self.nothing = nothing
  }

  /// Sums up the members at some places.
  func combine(_ members: [Reading], at places: [Int], into aggregate: inout Reading) {
    combineEnergy(members, places, into: &aggregate)
    combinePower(members, places, into: &aggregate)
  }

  private func combineEnergy(
    _ members: [Reading], _ places: [Int], into aggregate: inout Reading
  ) {
    var sum = MemberSum()
    var marks: SampleFlags = []
    for place in places {
      sum.add(members[place][energy])
      marks.formUnion(members[place][energy].marks)
    }
    var total = sum.outcome(orElse: nothing)
    total.marks = marks
    aggregate[energy] = total
  }

  /// Over the time of a session where joules are counted; at once where all members have watts.
  private func combinePower(
    _ members: [Reading], _ places: [Int], into aggregate: inout Reading
  ) {
    var (sum, span, isCounted) = (MemberSum(), PowerSpan(), false)
    for place in places {
      if let counted = PowerSpan(members[place].counters, .own), span.add(counted) {
        isCounted = true
      } else {
        sum.add(members[place][power])
      }
    }
    guard isCounted, sum.hole == nil else {
      PowerSpan.put(nil, .own, in: &aggregate.counters)
      aggregate[power] = sum.outcome(orElse: nothing)
      return
    }
    span.microwatts = Int64(exactly: (sum.total * 1e6).rounded()) ?? 0
    span.isEstimate = sum.isEstimate
    PowerSpan.put(span, .own, in: &aggregate.counters)
    aggregate.set(power, to: KeptOutcome.needsTwoReadings)
  }
}
