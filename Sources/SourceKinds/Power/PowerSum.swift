import Gathering
import Values

extension Power {
  /// Packages, their memory and discrete cards together; and what supplies the machine, where that
  /// is measured. Of the rest each lies in another, or may do so.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    let summed = members.indices.filter { Self.domain(members[$0])?.isSummed == true }
    let sum = EnergySum(energy: Field.energy, power: Field.power, orElse: Self.nothing)
    sum.combine(members, at: summed, into: &aggregate)
    combineSystemPower(members, into: &aggregate)
    let ids = summed.compactMap { members[$0][Field.members].text }
    aggregate.set(
      Field.members, to: ids.isEmpty ? Self.nothing : .ok(.string(ids.joined(separator: " "))))
    for field in Field.own { aggregate.set(field, to: Self.ownToEach) }
  }

  private static let ownToEach = KeptOutcome(.noData("each domain has its own"))
  private static let nothing = Outcome.noData("no package and no card is measured")
  private static let unmeasured = KeptOutcome(
    .noData("nothing here measures the whole machine"))

  private static func domain(_ member: Reading) -> PowerDomain? {
    member[Field.domain].text.flatMap(PowerDomain.init)
  }

  /// What supplies the machine: its batteries, a meter, a power supply, or what the maker counts.
  private func combineSystemPower(_ members: [Reading], into aggregate: inout Reading) {
    PowerSpan.put(nil, .system, in: &aggregate.counters)
    let found = members.indices.map { (place: $0, domain: Self.domain(members[$0])) }
    let batteries = found.filter { $0.domain == .battery }.map(\.place)
    let supplies = found.filter { $0.domain == .supply }.map(\.place)
    let (meters, others) = (supplies.filter { Self.isMeter(members[$0]) }, supplies)
    let measured = (batteries + meters + others).first { members[$0].number(Field.power) != nil }
    let platform = found.first { $0.domain == .platform }?.place
    guard let meter = measured ?? platform else {
      aggregate.set(Field.systemPower, to: Self.unmeasured)
      return aggregate.set(Field.meter, to: Self.unmeasured)
    }
    let id = members[meter][Field.members]
    aggregate.set(Field.meter, to: id.text == nil ? .noData("its name is not known") : id)
    var power = members[meter][Field.power]
    if measured == nil, power.status == .ok { power.isLowAccuracy = true }
    if measured == nil, var span = PowerSpan(members[meter].counters, .own) {
      span.isEstimate = true
      PowerSpan.put(span, .system, in: &aggregate.counters)
    }
    aggregate[Field.systemPower] = power
  }

  /// Whether a supply is the meter of the machine's firmware.
  private static func isMeter(_ member: Reading) -> Bool {
    member[Field.members].text?.hasPrefix("power_meter") == true
  }
}
