import Gathering
import Values

extension Battery {
  /// All system batteries as one: energies and powers are sums, levels are weighted.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    combineExternalPower(members, into: &aggregate)
    guard !members.isEmpty else {
      for field in Field.allCases where field != .externalPower {
        aggregate[field] = .noData("no battery")
      }
      return
    }
    for field in [Field.energy, .energyFull, .energyFullDesign, .power] {
      combineSum(of: field, members, into: &aggregate)
    }
    combineLevel(members, into: &aggregate)
    combineState(members, into: &aggregate)
    combineHealth(members, into: &aggregate)
    combineTimes(members, into: &aggregate)
    for field in Field.names {
      if members.count == 1 {
        aggregate.set(field.rawValue, asIn: members, at: 0)
      } else {
        aggregate.set(field, to: Self.several)
      }
    }
    aggregate.set(Field.scope, to: Self.ofSystem)
  }

  private static let several = KeptOutcome(.noData("several batteries"))
  private static let ofSystem = KeptOutcome(.ok(.string("system")))

  /// External power belongs to the machine: every member reports the same.
  private func combineExternalPower(_ members: [Reading], into aggregate: inout Reading) {
    let reported = members.map { $0[Field.externalPower] }.filter { $0.flag != nil }
    guard !reported.isEmpty else { return }
    let isOn = reported.contains { $0.flag == true }
    // The result is an estimate only if all members that agree with it are estimates.
    let isGuess = reported.allSatisfy { $0.flag != isOn || $0.isLowAccuracy }
    aggregate[Field.externalPower] = .ok(.bool(isOn), lowAccuracy: isGuess)
  }

  private func combineSum(
    of field: Field, _ members: [Reading], into aggregate: inout Reading
  ) {
    guard let number = sum(of: field, members, at: members.indices) else {
      return aggregate.setMissing(field.rawValue, asIn: members, at: 0)
    }
    let isEstimate = members.indices.contains { place in
      !members.isPlain(at: field.rawValue, of: place) && members[place][field].number != nil
        && members[place][field].isLowAccuracy
    }
    if isEstimate {
      aggregate[field] = .ok(.double(number), lowAccuracy: true)
    } else {
      aggregate.set(field, to: number)
    }
  }

  /// The sum over the members at some places that have a number; nil if none has.
  private func sum(of field: Field, _ members: [Reading], at places: some Sequence<Int>) -> Double?
  {
    var sum: Double?
    for place in places {
      guard let number = members.number(at: field.rawValue, of: place) else { continue }
      sum = (sum ?? 0) + number
    }
    return sum
  }

  /// The sums of two fields over the members that have both; nil if none has.
  private func sums(
    _ part: Field, _ whole: Field, _ members: [Reading]
  ) -> (part: Double, whole: Double)? {
    var sums: (part: Double, whole: Double)?
    for place in members.indices {
      guard let part = members.number(at: part.rawValue, of: place),
        let whole = members.number(at: whole.rawValue, of: place)
      else { continue }
      sums = ((sums?.part ?? 0) + part, (sums?.whole ?? 0) + whole)
    }
    return sums
  }

  private func combineLevel(_ members: [Reading], into aggregate: inout Reading) {
    if let both = sums(.energy, .energyFull, members) {
      Self.setRatio(.level, in: &aggregate, both.part, of: both.whole)
      if let level = aggregate.number(Field.level) {
        aggregate.set(Field.level, to: min(max(level, 0), 1))
      }
      return
    }
    let levels = members.indices.compactMap {
      members.number(at: Field.level.rawValue, of: $0)
    }
    if levels.isEmpty {
      aggregate.setMissing(Field.level.rawValue, asIn: members, at: 0)
    } else {
      aggregate.set(Field.level, to: levels.reduce(0, +) / Double(levels.count))
    }
  }

  private func combineHealth(_ members: [Reading], into aggregate: inout Reading) {
    if let both = sums(.energyFull, .energyFullDesign, members) {
      Self.setRatio(.health, in: &aggregate, both.part, of: both.whole)
    } else if members.count == 1 {
      aggregate.set(Field.health.rawValue, asIn: members, at: 0)
    } else {
      aggregate.set(Field.health, to: aggregate[Field.energyFull].asMissingInput)
    }
  }

  private func combineState(_ members: [Reading], into aggregate: inout Reading) {
    for (word, outcome) in Self.activeStates
    where members.indices.contains(where: { has(word, members, $0) }) {
      return aggregate.set(Field.state, to: outcome)
    }
    let words = members.compactMap { $0[Field.state].text }
    if words.isEmpty { return aggregate.setMissing(Field.state.rawValue, asIn: members, at: 0) }
    let isFull = words.count == members.count && words.allSatisfy { $0 == "full" }
    let isIdle = words.contains("not_charging")
    aggregate.set(Field.state, to: isFull ? Self.full : isIdle ? Self.idle : Self.unknown)
  }

  private func has(_ word: String, _ members: [Reading], _ place: Int) -> Bool {
    members.has(word, at: Field.state.rawValue, of: place)
      && members[place].status(at: Field.state.rawValue) == .ok
  }

  private static let activeStates = ["charging", "discharging"].map {
    (word: $0, outcome: KeptOutcome(.ok(.string($0))))
  }
  private static let full = KeptOutcome(.ok(.string("full")))
  private static let idle = KeptOutcome(.ok(.string("not_charging")))
  private static let unknown = KeptOutcome(.ok(.string("unknown")))

  private func combineTimes(_ members: [Reading], into aggregate: inout Reading) {
    let energy = aggregate.number(Field.energy)
    if energy == nil, members.count == 1 {
      for field in [Field.timeToEmpty, .timeToFull] {
        aggregate.set(field.rawValue, asIn: members, at: 0)
      }
      return
    }
    let missing = sums(.energy, .energyFull, members).map { $0.whole - $0.part }
    Self.setTime(.timeToEmpty, in: &aggregate, energy, or: .energy)
    Self.setTime(
      .timeToFull, in: &aggregate, missing, or: energy == nil ? .energy : .energyFull)
  }
}
