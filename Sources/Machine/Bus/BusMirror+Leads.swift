/// Objects that a property of another names (`BusService.Lead`).
extension BusMirror {
  /// Where the properties of an interface lead.
  func targets(of known: [String: BusValue], of interface: String) -> [BusService.ObjectInterface] {
    service.leads.compactMap { lead in
      guard lead.interface == interface, let path = known[lead.property]?.path, path != "/" else {
        return nil
      }
      return BusService.ObjectInterface(path, lead.target)
    }
  }

  /// Properties have changed. If they lead elsewhere now, all is asked for anew: what was known
  /// stays in sight until the object they lead to has told what it has.
  mutating func follow(
    _ known: [String: BusValue], from before: [String: BusValue], of interface: String
  ) -> [Action] {
    guard let owner, targets(of: known, of: interface) != targets(of: before, of: interface)
    else { return shown }
    return fill(from: owner)
  }
}
