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
      aggregate[field] = sum(of: field, members)
    }
    aggregate[Field.level] = level(members)
    aggregate[Field.state] = state(members)
    aggregate[Field.health] = health(members)
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

  private func sum(of field: Field, _ members: [Reading]) -> Outcome {
    sum(of: field, members, at: Array(members.indices))
  }

  /// The sum over the members at some places that have a number.
  private func sum(of field: Field, _ members: [Reading], at places: [Int]) -> Outcome {
    var sum: Double?
    var isEstimate = false
    for place in places {
      guard let number = members.number(at: field.rawValue, of: place) else { continue }
      sum = (sum ?? 0) + number
      let isPlain = members.isPlain(at: field.rawValue, of: place)
      isEstimate = isEstimate || !isPlain && members[place][field].isLowAccuracy
    }
    return sum.map { .ok(.double($0), lowAccuracy: isEstimate) }
      ?? members[0][field].asMissingInput
  }

  /// Where the members are that have numbers of both fields.
  private func places(of members: [Reading], with one: Field, and other: Field) -> [Int] {
    members.indices.filter { place in
      members.number(at: one.rawValue, of: place) != nil
        && members.number(at: other.rawValue, of: place) != nil
    }
  }

  /// Σ part ÷ Σ whole over the members that have both; nil if none has.
  private func ratio(_ part: Field, _ whole: Field, _ members: [Reading]) -> Outcome? {
    let both = places(of: members, with: part, and: whole)
    return both.isEmpty
      ? nil : Self.ratio(sum(of: part, members, at: both), sum(of: whole, members, at: both))
  }

  private func level(_ members: [Reading]) -> Outcome {
    if let weighted = ratio(.energy, .energyFull, members) {
      guard let level = weighted.number else { return weighted }
      return .ok(.double(min(max(level, 0), 1)))
    }
    let levels = members.indices.compactMap {
      members.number(at: Field.level.rawValue, of: $0)
    }
    if levels.isEmpty { return members[0][Field.level].asMissingInput }
    return .ok(.double(levels.reduce(0, +) / Double(levels.count)))
  }

  private func health(_ members: [Reading]) -> Outcome {
    if let ratio = ratio(.energyFull, .energyFullDesign, members) { return ratio }
    return members.count == 1
      ? members[0][Field.health] : sum(of: .energyFull, members).asMissingInput
  }

  private func state(_ members: [Reading]) -> Outcome {
    let words = members.compactMap { $0[Field.state].text }
    guard !words.isEmpty else { return members[0][Field.state].asMissingInput }
    for word in ["charging", "discharging"] where words.contains(word) {
      return .ok(.string(word))
    }
    if words.count == members.count, words.allSatisfy({ $0 == "full" }) {
      return .ok(.string("full"))
    }
    return .ok(.string(words.contains("not_charging") ? "not_charging" : "unknown"))
  }

  private func combineTimes(_ members: [Reading], into aggregate: inout Reading) {
    let energy = aggregate.number(Field.energy)
    if energy == nil, members.count == 1 {
      for field in [Field.timeToEmpty, .timeToFull] {
        aggregate.set(field.rawValue, asIn: members, at: 0)
      }
      return
    }
    let both = places(of: members, with: .energy, and: .energyFull)
    let missing =
      both.isEmpty
      ? nil
      : sum(of: .energyFull, members, at: both).number.flatMap { full in
        sum(of: .energy, members, at: both).number.map { full - $0 }
      }
    aggregate[Field.timeToEmpty] = Self.time(
      aggregate, when: "discharging", energy, or: aggregate[Field.energy])
    aggregate[Field.timeToFull] = Self.time(
      aggregate, when: "charging", missing,
      or: energy == nil ? aggregate[Field.energy] : aggregate[Field.energyFull])
  }
}
