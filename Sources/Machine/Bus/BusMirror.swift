/// The copy of one service's objects. It makes queries, handles signals, and decides the next
/// query.
///
/// Subscriptions come before the first query, and the bus keeps the order of a service's messages,
/// so no change is lost between an answer and the signals after it (catalogue 3.4).
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
  }

  /// The most objects that are kept.
  static let room = 4096

  let service: BusService
  var view = BusView(.asking)
  /// The unique name of who owns the service's name.
  var owner: String?
  /// Answers to questions of an earlier round are late.
  var round = 0
  /// The interfaces queried in this round that have not answered.
  var open: Set<BusService.ObjectInterface> = []
  var isListed = true
  /// Whether the service is being queried completely; the result is published when all answers are
  /// in.
  var isFilling = false
  /// The objects received so far during a complete query.
  var found: [String: BusObject] = [:]
  private var failure: BusFailure?

  /// The objects that signals change.
  var objects: [String: BusObject] {
    get { isFilling ? found : view.objects }
    set { if isFilling { found = newValue } else { view.objects = newValue } }
  }

  init(_ service: BusService) { self.service = service }

  /// Begins on a bus after all subscriptions have been requested.
  mutating func begin() -> [Action] {
    forget()
    return [.ask(.owner, .toBus("GetNameOwner", [.string(service.name)]), round: round)]
  }

  /// The connection to the bus was lost or never made.
  mutating func lose(_ failure: BusFailure) -> [Action] {
    forget()
    return become(BusView(.absent(failure)))
  }

  mutating func forget() {
    round += 1
    owner = nil
    isFilling = false
  }

  /// A question was not answered in time. Its answer is still taken when it comes.
  mutating func miss(_ query: Query, round: Int) -> [Action] {
    let isAboutOwner = query == .owner || query == .activatable
    if round == self.round, case .properties(let place) = query, isIntroduced(place.path) {
      return missProperties(of: place)
    }
    guard round == self.round, isFilling || isAboutOwner else { return [] }
    view = BusView(.absent(.timedOut(service.name)))
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

  func notRunning(isActivatable: Bool) -> BusFailure {
    let name = service.name
    return BusFailure(
      .notRunning(isActivatable: isActivatable),
      name: "org.freedesktop.DBus.Error.NameHasNoOwner",
      message: isActivatable
        ? "\(name) is not running, though the bus could start it" : "\(name) is not running")
  }

  /// Begins a complete query of a service.
  mutating func fill(from name: String) -> [Action] {
    round += 1
    owner = name
    found = [:]
    open = []
    failure = nil
    isListed = true
    isFilling = true
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

  mutating func ask(for place: BusService.ObjectInterface) -> Action? {
    guard let owner, open.count + objects.count < Self.room, open.insert(place).inserted else {
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
        found[path] = BusObject(interfaces)
      }
      return become(BusView(.running, found))
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
      objects[place.path, default: BusObject()].interfaces[place.interface] = named
      objects[place.path]?.failures[place.interface] = nil
      let asked = targets(of: named, of: place.interface).compactMap { ask(for: $0) }
      return asked + (isFilling ? finish() : [.publish])
    case .failure(let error) where isIntroduced(place.path):
      // Another object listed this one: an error of its own costs its own properties only.
      objects[place.path]?.failures[place.interface] = error
      if !isFilling { return [.publish] }
    case .failure(let error):
      // An object that is removed by now, or lacks an interface, costs its own properties only.
      if error.cause != .noObject && error.cause != .unsupported { failure = error }
    }
    return finish()
  }

  /// Publishes the result of a complete query once all answers are in.
  mutating func finish() -> [Action] {
    guard isFilling, isListed, open.isEmpty else { return [] }
    if found.isEmpty, let failure { return become(BusView(.absent(failure))) }
    return become(BusView(.running, found))
  }

  mutating func become(_ new: BusView) -> [Action] {
    isFilling = false
    found = [:]
    view = new
    if view.isRunning { view.owner = owner }
    return [.publish]
  }

  static let properties = "org.freedesktop.DBus.Properties"
  static let manager = "org.freedesktop.DBus.ObjectManager"

  static func interfaces(_ value: BusValue) -> [String: [String: BusValue]]? {
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
