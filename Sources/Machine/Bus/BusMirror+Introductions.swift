/// Objects that another object lists: by their paths, or with their properties in oFono's dialect.
extension BusMirror {
  /// Adds an object from one element of a list, or from the signal that announces it.
  mutating func introduce(_ element: BusValue) -> [Action] {
    guard let listing = service.listing else { return [] }
    var members = [element.plain]
    if case .structure(let parts) = element.plain { members = parts }
    guard let path = members.first?.path else { return [] }
    guard service.introduces else {
      return ask(for: BusService.ObjectInterface(path, listing.interface)).map { [$0] } ?? []
    }
    guard members.count == 2, let properties = members[1].named,
      objects[path] != nil || objects.count < Self.room
    else { return [] }
    objects[path, default: BusObject()].interfaces[listing.interface] = properties
    return tendInterfaces(of: path)
  }

  /// Requests the properties of the wanted interfaces an object has now, and removes those of
  /// interfaces it no longer has.
  private mutating func tendInterfaces(of path: String) -> [Action] {
    guard case .introduced(let listing, let naming, let wanted) = service.objects else { return [] }
    let named = objects[path]?[listing.interface, naming]?.texts ?? []
    var actions: [Action] = []
    for interface in wanted {
      let place = BusService.ObjectInterface(path, interface)
      if !named.contains(interface) {
        objects[path]?.interfaces[interface] = nil
        objects[path]?.failures[interface] = nil
        open.remove(place)
      } else if objects[path]?.interfaces[interface] == nil {
        actions += ask(for: place).map { [$0] } ?? []
      }
    }
    return actions
  }

  /// Handles a signal that carries a property, with its name and value only.
  mutating func receiveProperty(_ signal: BusSignal) -> [Action] {
    guard case .introduced(let listing, let naming, _) = service.objects,
      signal.member == "PropertyChanged", signal.arguments.count == 2,
      let name = signal.arguments[0].text
    else { return [] }
    let place = BusService.ObjectInterface(signal.path, signal.interface)
    let isKnown = set(signal.arguments[1].plain, of: name, at: place)
    guard isKnown else { return [] }
    guard signal.interface == listing.interface, name == naming else { return shown }
    let asked = tendInterfaces(of: signal.path)
    return asked + (isFilling ? finish() : shown)
  }

  // MARK: Silence

  /// Whether an object was listed with its properties, so that it is present whatever it answers.
  func isIntroduced(_ path: String) -> Bool { service.introduces && objects[path] != nil }

  /// An interface has not returned its properties in time; only these are missing.
  mutating func missProperties(of place: BusService.ObjectInterface) -> [Action] {
    guard open.remove(place) != nil else { return [] }
    let failure = BusFailure.timedOut(service.name)
    objects[place.path]?.failures[place.interface] = failure
    return isFilling ? finish() : shown
  }

  /// Whether its answer was missed, and is taken all the same when it comes.
  func isMissed(_ place: BusService.ObjectInterface) -> Bool {
    isIntroduced(place.path)
      && objects[place.path]?.failures[place.interface]?.cause == .timedOut
  }
}

extension BusService {
  /// How its objects are listed, if they are.
  var listing: Listing? {
    switch objects {
    case .managed, .fixed: nil
    case .listed(let listing, _), .introduced(let listing, _, _): listing
    }
  }

  /// Whether its objects are listed with their properties.
  var introduces: Bool {
    if case .introduced = objects { return true }
    return false
  }
}
