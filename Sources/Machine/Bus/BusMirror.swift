import Ground

/// The copy of one service's objects. It makes queries, handles signals, and decides the next
/// query.
///
/// Subscriptions come before the first query, and the bus keeps the order of a service's messages,
/// so no change is lost between an answer and the signals after it (catalogue 3.4).
///
/// Longer than 300 lines: answers and signals change one state, and their order is what matters.
struct BusMirror {
  /// A query, which its answer is matched with.
  enum Query: Equatable {
    case owner
    case activatable
    case managed
    case listed
    case properties(BusService.ObjectInterface)
  }

  enum Action: Equatable {
    /// Makes a query; the answer belongs to this round of queries.
    case ask(Query, BusCall, round: Int)
    /// The view is another now, and the service has answered.
    case publish
    /// Readings of the view are others now, and nothing else.
    case publishReadings
  }

  /// The most objects that are kept.
  static let room = 4096

  private let service: BusService
  /// What is known: during a complete query the objects received so far.
  private var present = BusView(.asking)
  /// The view before the complete query that goes on; its result is shown when all answers are in.
  private var former: BusView?
  /// The unique name of who owns the service's name.
  private var owner: String?
  /// Answers to questions of an earlier round are late.
  private var round = 0
  /// The interfaces queried in this round that have not answered.
  private var open: Set<BusService.ObjectInterface> = []
  private var isListed = true
  private var failure: BusFailure?

  init(_ service: BusService) { self.service = service }

  /// What is shown.
  var view: BusView { former ?? present }

  /// Whether the service is being queried completely.
  var isFilling: Bool { former != nil }

  /// Begins on a bus after all subscriptions have been requested.
  mutating func begin() -> [Action] {
    forget()
    return [.ask(.owner, .toBus("GetNameOwner", [.string(service.name)]), round: round)]
  }

  /// Whether the service runs and has answered the last complete query with errors: it may not be
  /// ready yet.
  var isRefused: Bool { owner != nil && !isFilling && !present.isRunning }

  /// Queries a service again that has answered with errors.
  mutating func askAgain() -> [Action] {
    guard isRefused, let owner else { return [] }
    return fill(from: owner)
  }

  /// The connection to the bus was lost or never made.
  mutating func lose(_ failure: BusFailure) -> [Action] {
    forget()
    return become(BusView(.absent(failure)))
  }

  private mutating func forget() {
    round += 1
    owner = nil
    if let former { present = former }
    former = nil
  }

  /// A question was not answered in time. Its answer is still taken when it comes.
  mutating func miss(_ query: Query, round: Int) -> [Action] {
    let isAboutOwner = query == .owner || query == .activatable
    if round == self.round, case .properties(let place) = query, isIntroduced(place.path) {
      return missProperties(of: place)
    }
    guard round == self.round, isFilling || isAboutOwner else { return [] }
    let absent = BusView(.absent(.timedOut(service.name)))
    if isFilling { former = absent } else { present = absent }
    return [.publish]
  }

  /// An answer has come.
  mutating func take(
    _ result: Result<[BusValue], BusFailure>, to query: Query, round: Int
  ) -> [Action] {
    guard round == self.round else { return [] }
    switch query {
    case .owner: return takeOwner(result)
    case .activatable:
      let names = (try? result.get())?.first?.texts ?? []
      return become(
        BusView(.absent(notRunning(isActivatable: names.contains(service.name)))))
    case .managed: return takeManaged(result)
    case .listed: return takeList(result)
    case .properties(let place): return takeProperties(result, of: place)
    }
  }

  private mutating func takeOwner(_ result: Result<[BusValue], BusFailure>) -> [Action] {
    switch result {
    case .success(let values):
      guard let name = values.first?.text else {
        return become(BusView(.absent(BusFailure(.malformed, message: "no owner was named"))))
      }
      return fill(from: name)
    case .failure(let failure):
      guard case .notRunning = failure.cause else { return become(BusView(.absent(failure))) }
      return [.ask(.activatable, .toBus("ListActivatableNames", []), round: round)]
    }
  }

  private func notRunning(isActivatable: Bool) -> BusFailure {
    let name = service.name
    return BusFailure(
      .notRunning(isActivatable: isActivatable),
      name: "org.freedesktop.DBus.Error.NameHasNoOwner",
      message: isActivatable
        ? "\(name) is not running, though the bus could start it" : "\(name) is not running")
  }

  /// Begins a complete query of a service.
  private mutating func fill(from name: String) -> [Action] {
    round += 1
    owner = name
    former = view
    present = BusView(.running)
    open = []
    failure = nil
    isListed = true
    switch service.objects {
    case .managed(let root):
      let call = BusCall(name, root, Self.manager, "GetManagedObjects")
      return [.ask(.managed, call, round: round)]
    case .fixed(let places):
      return places.compactMap { ask(for: $0) }
    case .listed(let listing, let places):
      isListed = false
      let call = BusCall(name, listing.place.path, listing.place.interface, listing.method)
      return [.ask(.listed, call, round: round)] + places.compactMap { ask(for: $0) }
    case .introduced(let listing, _, _):
      isListed = false
      let call = BusCall(name, listing.place.path, listing.place.interface, listing.method)
      return [.ask(.listed, call, round: round)]
    }
  }

  private mutating func ask(for place: BusService.ObjectInterface) -> Action? {
    guard let owner, open.count + present.objects.count < Self.room, open.insert(place).inserted
    else {
      return nil
    }
    let call =
      isIntroduced(place.path)
      ? BusCall(owner, place.path, place.interface, "GetProperties")
      : BusCall(owner, place.path, Self.properties, "GetAll", [.string(place.interface)])
    return .ask(.properties(place), call, round: round)
  }

  private mutating func takeManaged(_ result: Result<[BusValue], BusFailure>) -> [Action] {
    do throws(BusFailure) {
      guard let pairs = try result.get().first?.pairs else {
        throw BusFailure(.malformed, message: "\(service.name) lists no objects")
      }
      for pair in pairs.prefix(Self.room) {
        guard let path = pair.key.path, let interfaces = Self.interfaces(pair.value) else {
          continue
        }
        present.objects[path] = BusObject(interfaces)
      }
      return become(present)
    } catch {
      return become(BusView(.absent(error)))
    }
  }

  private mutating func takeList(_ result: Result<[BusValue], BusFailure>) -> [Action] {
    isListed = true
    switch result {
    case .success(let values):
      let elements = (values.first?.elements ?? []).prefix(Self.room)
      return elements.flatMap { introduce($0) } + finish()
    case .failure(let error):
      failure = error
      return finish()
    }
  }

  private mutating func takeProperties(
    _ result: Result<[BusValue], BusFailure>, of place: BusService.ObjectInterface
  ) -> [Action] {
    guard open.remove(place) != nil || isMissed(place) else { return [] }
    switch result {
    case .success(let values):
      let named = values.first?.named ?? [:]
      present.objects[place.path, default: BusObject()].interfaces[place.interface] = named
      present.objects[place.path]?.failures[place.interface] = nil
      let asked = targets(of: named, of: place.interface).compactMap { ask(for: $0) }
      return asked + (isFilling ? finish() : [.publish])
    case .failure(let error) where isIntroduced(place.path):
      // Another object listed this one: an error of its own costs its own properties only.
      present.objects[place.path]?.failures[place.interface] = error
      if !isFilling { return [.publish] }
    case .failure(let error):
      // An object that is removed by now, or lacks an interface, costs its own properties only.
      if error.cause != .noObject && error.cause != .unsupported { failure = error }
    }
    return finish()
  }

  /// Publishes the result of a complete query once all answers are in.
  private mutating func finish() -> [Action] {
    guard isFilling, isListed, open.isEmpty else { return [] }
    if present.objects.isEmpty, let failure { return become(BusView(.absent(failure))) }
    return become(present)
  }

  private mutating func become(_ new: BusView) -> [Action] {
    former = nil
    present = new
    if present.isRunning { present.owner = owner }
    return [.publish]
  }

  // MARK: Signals

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
  private mutating func set(
    _ value: BusValue, of property: String, at place: BusService.ObjectInterface
  )
    -> Bool
  {
    guard present.objects[place.path]?.interfaces[place.interface] != nil else { return false }
    present.objects[place.path]?.interfaces[place.interface]?[property] = value
    present.objects[place.path]?.updatedAt[property] = LiveTime.boot
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
      let place = present.objects.index(forKey: signal.path),
      present.objects.values[place].interfaces[interface] != nil
    else { return [] }
    let isOfReadings =
      service.readings.isSuperset(of: changed.keys) && service.readings.isSuperset(of: lost)
    // A reference more would make a copy of what changes.
    let before = isOfReadings ? nil : present.objects.values[place].interfaces[interface]
    let now = LiveTime.boot
    for name in changed.keys { present.objects.values[place].updatedAt[name] = now }
    // A property that a signal only names has a new value that is unknown.
    present.objects.values[place].take(changed, without: lost, of: interface)
    guard let before, let known = present.objects.values[place].interfaces[interface] else {
      return isFilling ? [] : [.publishReadings]
    }
    return follow(known, from: before, of: interface)
  }

  private mutating func receiveAddition(_ signal: BusSignal) -> [Action] {
    guard case .managed = service.objects, !isFilling, signal.arguments.count == 2,
      let path = signal.arguments[0].path,
      let interfaces = Self.interfaces(signal.arguments[1])
    else { return [] }
    guard present.objects[path] != nil || present.objects.count < Self.room else { return [] }
    present.objects[path, default: BusObject()].interfaces.merge(interfaces) { $1 }
    return shown
  }

  private mutating func receiveRemoval(_ signal: BusSignal) -> [Action] {
    guard signal.arguments.count == 2, let path = signal.arguments[0].path,
      let interfaces = signal.arguments[1].texts, var object = present.objects[path]
    else { return [] }
    for interface in interfaces { object.interfaces[interface] = nil }
    present.objects[path] = object.interfaces.isEmpty ? nil : object
    return shown
  }

  private mutating func receiveListing(_ signal: BusSignal) -> [Action] {
    guard let listing = service.listing, isListed,
      signal.interface == listing.place.interface, let path = signal.arguments.path
    else { return receiveProperty(signal) }
    if signal.member == listing.added {
      return introduce(.structure(signal.arguments)) + (service.introduces ? shown : [])
    }
    guard signal.member == listing.removed else { return [] }
    let asked = open.filter { $0.path == path }
    open.subtract(asked)
    let wasAsked = !asked.isEmpty
    let wasKnown = present.objects.removeValue(forKey: path) != nil
    if isFilling { return wasAsked ? finish() : [] }
    return wasKnown ? shown : []
  }

  /// A change is published at once, unless the service is being queried completely.
  private var shown: [Action] { isFilling ? [] : [.publish] }

  // MARK: Objects that another lists, by their paths or with their properties (oFono's dialect)

  /// Adds an object from one element of a list, or from the signal that announces it.
  private mutating func introduce(_ element: BusValue) -> [Action] {
    guard let listing = service.listing else { return [] }
    var members = [element.plain]
    if case .structure(let parts) = element.plain { members = parts }
    guard let path = members.path else { return [] }
    guard service.introduces else {
      return ask(for: BusService.ObjectInterface(path, listing.interface)).map { [$0] } ?? []
    }
    guard members.count == 2, let properties = members[1].named,
      present.objects[path] != nil || present.objects.count < Self.room
    else { return [] }
    present.objects[path, default: BusObject()].interfaces[listing.interface] = properties
    return tendInterfaces(of: path)
  }

  /// Requests the properties of the wanted interfaces an object has now, and removes those of
  /// interfaces it no longer has.
  private mutating func tendInterfaces(of path: String) -> [Action] {
    guard case .introduced(let listing, let naming, let wanted) = service.objects else { return [] }
    let named = present.objects[path]?[listing.interface, naming]?.texts ?? []
    var actions: [Action] = []
    for interface in wanted {
      let place = BusService.ObjectInterface(path, interface)
      if !named.contains(interface) {
        present.objects[path]?.interfaces[interface] = nil
        present.objects[path]?.failures[interface] = nil
        open.remove(place)
      } else if present.objects[path]?.interfaces[interface] == nil {
        actions += ask(for: place).map { [$0] } ?? []
      }
    }
    return actions
  }

  /// Handles a signal that carries a property, with its name and value only.
  private mutating func receiveProperty(_ signal: BusSignal) -> [Action] {
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

  /// Whether an object was listed with its properties, so that it is present whatever it answers.
  private func isIntroduced(_ path: String) -> Bool {
    service.introduces && present.objects[path] != nil
  }

  /// An interface has not returned its properties in time; only these are missing.
  private mutating func missProperties(of place: BusService.ObjectInterface) -> [Action] {
    guard open.remove(place) != nil else { return [] }
    let failure = BusFailure.timedOut(service.name)
    present.objects[place.path]?.failures[place.interface] = failure
    return isFilling ? finish() : shown
  }

  /// Whether its answer was missed, and is taken all the same when it comes.
  private func isMissed(_ place: BusService.ObjectInterface) -> Bool {
    isIntroduced(place.path)
      && present.objects[place.path]?.failures[place.interface]?.cause == .timedOut
  }

  // MARK: Objects that a property of another names

  /// Where the properties of an interface lead.
  private func targets(of known: [String: BusValue], of interface: String) -> [BusService
    .ObjectInterface]
  {
    service.leads.compactMap { lead in
      guard lead.interface == interface, let path = known[lead.property]?.path, path != "/" else {
        return nil
      }
      return BusService.ObjectInterface(path, lead.target)
    }
  }

  /// Properties have changed. If they now name another object, all properties are requested again;
  /// the old ones stay visible until the new object has returned its own.
  private mutating func follow(
    _ known: [String: BusValue], from before: [String: BusValue], of interface: String
  ) -> [Action] {
    guard let owner, targets(of: known, of: interface) != targets(of: before, of: interface)
    else { return shown }
    return fill(from: owner)
  }

  static let properties = "org.freedesktop.DBus.Properties"
  static let manager = "org.freedesktop.DBus.ObjectManager"

  private static func interfaces(_ value: BusValue) -> [String: [String: BusValue]]? {
    value.named?.mapValues { $0.named ?? [:] }
  }
}

extension BusCall {
  /// The bus itself, as a service.
  static let busName = "org.freedesktop.DBus"

  /// A question to the bus itself.
  static func toBus(_ member: String, _ arguments: [BusValue]) -> BusCall {
    BusCall(busName, "/org/freedesktop/DBus", busName, member, arguments)
  }
}

extension BusService {
  /// The match rules that the bus needs.
  var matches: [String] {
    let from = "type='signal',sender='\(name)'"
    var rules = [
      "type='signal',sender='\(BusCall.busName)',interface='\(BusCall.busName)',"
        + "member='NameOwnerChanged',arg0='\(name)'",
      from + ",interface='\(BusMirror.properties)',member='PropertiesChanged'",
    ]
    switch objects {
    case .managed: rules.append(from + ",interface='\(BusMirror.manager)'")
    case .listed(let listing, _):
      rules.append(from + ",interface='\(listing.place.interface)'")
    case .introduced(let listing, _, let wanted):
      let interfaces = [listing.place.interface, listing.interface] + wanted
      rules += interfaces.map { from + ",interface='\($0)'" }
    case .fixed: break
    }
    rules += propertySignals.map {
      from + ",path='\($0.place.path)',interface='\($0.place.interface)',member='\($0.signal)'"
    }
    return rules
  }
}
