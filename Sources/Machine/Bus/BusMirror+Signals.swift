import Ground

extension BusMirror {
  /// A signal has come that may concern the service.
  mutating func receive(_ signal: BusSignal) -> [Action] {
    if signal.sender == BusCall.busName { return receiveOwnerChange(signal) }
    guard signal.sender == owner else { return [] }
    switch (signal.interface, signal.member) {
    case (Self.properties, "PropertiesChanged"): return receivePropertiesChange(signal)
    case (Self.manager, "InterfacesAdded"): return receiveAddition(signal)
    case (Self.manager, "InterfacesRemoved"): return receiveRemoval(signal)
    default: return receivePropertySignal(signal) ?? receiveListing(signal)
    }
  }

  /// Handles a signal of an object that carries a property; nil for any other signal.
  private mutating func receivePropertySignal(_ signal: BusSignal) -> [Action]? {
    let place = BusService.ObjectInterface(signal.path, signal.interface)
    guard
      let expected = service.propertySignals.first(where: {
        $0.place == place && $0.signal == signal.member
      }), signal.arguments.indices.contains(expected.argument)
    else { return nil }
    let value = signal.arguments[expected.argument].plain
    return set(value, of: expected.property, at: place) ? shown : []
  }

  /// Sets the new value of a property; returns whether its object is known.
  mutating func set(_ value: BusValue, of property: String, at place: BusService.ObjectInterface)
    -> Bool
  {
    guard objects[place.path]?.interfaces[place.interface] != nil else { return false }
    objects[place.path]?.interfaces[place.interface]?[property] = value
    objects[place.path]?.updatedAt[property] = LiveTime.boot
    return true
  }

  private mutating func receiveOwnerChange(_ signal: BusSignal) -> [Action] {
    guard signal.member == "NameOwnerChanged", signal.arguments.count == 3,
      signal.arguments[0].text == service.name, let new = signal.arguments[2].text
    else { return [] }
    // The present view stays visible until the new owner has returned its own properties.
    if !new.isEmpty { return new == owner ? [] : fill(from: new) }
    forget()
    return become(BusView(.absent(notRunning(isActivatable: false)))) + [
      .ask(.activatable, .toBus("ListActivatableNames", []), round: round)
    ]
  }

  private mutating func receivePropertiesChange(_ signal: BusSignal) -> [Action] {
    let arguments = signal.arguments
    guard arguments.count == 3, let interface = arguments[0].text,
      let changed = arguments[1].named, let lost = arguments[2].texts,
      let before = objects[signal.path]?.interfaces[interface]
    else { return [] }
    var known = before
    for (name, value) in changed {
      known[name] = value
      objects[signal.path]?.updatedAt[name] = LiveTime.boot
    }
    // The signal did not carry the new value, so it is unknown.
    for name in lost { known[name] = nil }
    objects[signal.path]?.interfaces[interface] = known
    return follow(known, from: before, of: interface)
  }

  private mutating func receiveAddition(_ signal: BusSignal) -> [Action] {
    guard case .managed = service.objects, !isFilling, signal.arguments.count == 2,
      let path = signal.arguments[0].path,
      let interfaces = Self.interfaces(signal.arguments[1])
    else { return [] }
    guard objects[path] != nil || objects.count < Self.room else { return [] }
    objects[path, default: BusObject()].interfaces.merge(interfaces) { $1 }
    return shown
  }

  private mutating func receiveRemoval(_ signal: BusSignal) -> [Action] {
    guard signal.arguments.count == 2, let path = signal.arguments[0].path,
      let interfaces = signal.arguments[1].texts, var object = objects[path]
    else { return [] }
    for interface in interfaces { object.interfaces[interface] = nil }
    objects[path] = object.interfaces.isEmpty ? nil : object
    return shown
  }

  private mutating func receiveListing(_ signal: BusSignal) -> [Action] {
    guard let listing = service.listing, isListed,
      signal.interface == listing.place.interface, let path = signal.arguments.first?.path
    else { return receiveProperty(signal) }
    if signal.member == listing.added {
      return introduce(.structure(signal.arguments)) + (service.introduces ? shown : [])
    }
    guard signal.member == listing.removed else { return [] }
    let asked = open.filter { $0.path == path }
    open.subtract(asked)
    let wasAsked = !asked.isEmpty
    let wasKnown = objects.removeValue(forKey: path) != nil
    if isFilling { return wasAsked ? finish() : [] }
    return wasKnown ? shown : []
  }

  /// A change is published at once, unless the service is being queried completely.
  var shown: [Action] { isFilling ? [] : [.publish] }
}
