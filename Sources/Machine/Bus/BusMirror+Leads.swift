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

  /// Properties have changed. If they now name another object, all properties are requested again;
  /// the old ones stay visible until the new object has returned its own.
  mutating func follow(
    _ known: [String: BusValue], from before: [String: BusValue], of interface: String
  ) -> [Action] {
    guard let owner, targets(of: known, of: interface) != targets(of: before, of: interface)
    else { return shown }
    return fill(from: owner)
  }
}
