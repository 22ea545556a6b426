import Gathering
import Values

extension Battery {
  /// All system batteries as one: energies and powers are sums, levels are weighted.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    combineExternalPower(members, into: &aggregate)
    guard let first = members.first else {
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
      aggregate[field] = members.count == 1 ? first[field] : .noData("several batteries")
    }
    aggregate[Field.scope] = .ok(.string("system"))
  }

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
    let parts = members.map { $0[field] }.filter { $0.number != nil }
    guard !parts.isEmpty else { return members[0][field].asMissingInput }
    let sum = parts.compactMap(\.number).reduce(0, +)
    return .ok(.double(sum), lowAccuracy: parts.contains(where: \.isLowAccuracy))
  }

  /// Σ part ÷ Σ whole over the members that have both; nil if none has.
  private func ratio(_ part: Field, _ whole: Field, _ members: [Reading]) -> Outcome? {
    let both = members.filter { $0[part].number != nil && $0[whole].number != nil }
    return both.isEmpty ? nil : Self.ratio(sum(of: part, both), sum(of: whole, both))
  }

  private func level(_ members: [Reading]) -> Outcome {
    if let weighted = ratio(.energy, .energyFull, members) {
      guard let level = weighted.number else { return weighted }
      return .ok(.double(min(max(level, 0), 1)))
    }
    let levels = members.compactMap { $0[Field.level].number }
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
    let energy = aggregate[Field.energy].number
    if energy == nil, members.count == 1 {
      aggregate[Field.timeToEmpty] = members[0][Field.timeToEmpty]
      aggregate[Field.timeToFull] = members[0][Field.timeToFull]
      return
    }
    let both = members.filter {
      $0[Field.energy].number != nil && $0[Field.energyFull].number != nil
    }
    let missing =
      both.isEmpty
      ? nil
      : sum(of: .energyFull, both).number.flatMap { full in
        sum(of: .energy, both).number.map { full - $0 }
      }
    aggregate[Field.timeToEmpty] = Self.time(
      aggregate, when: "discharging", energy, or: aggregate[Field.energy])
    aggregate[Field.timeToFull] = Self.time(
      aggregate, when: "charging", missing,
      or: energy == nil ? aggregate[Field.energy] : aggregate[Field.energyFull])
  }
}
