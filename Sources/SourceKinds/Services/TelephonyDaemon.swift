import Gathering
import Machine

/// oFono: its modems, and what they tell.
///
/// It speaks a dialect of its own: each interface has a method that tells its properties, and the
/// bus's own way to ask for them is closed. So whether it runs is followed, and all else is asked.
final class TelephonyDaemon: Sendable {
  static let name = "org.ofono"
  static let manager = "\(name).Manager"
  static let modem = "\(name).Modem"
  static let registration = "\(name).NetworkRegistration"
  static let sim = "\(name).SimManager"
  static let monitor = "\(name).NetworkMonitor"

  static let service = BusService(
    name, objects: .fixed([BusService.Place("/", manager)]), unit: "ofono.service",
    package: "ofono")

  /// The most modems that are asked for.
  private static let room = 16
  /// The interfaces of a modem whose properties are wanted besides its own.
  private static let asked = [registration, sim]

  private let list = BusQuestion()
  private let questions = Monitor<[BusService.Place: BusQuestion]>([:])

  private init() {}

  /// Why it cannot be asked; nil if it can.
  static func obstacle(on machine: Machine) -> Availability? {
    .obstacle(service, on: machine, view: machine.view(of: service))
  }

  /// All modems of a machine's oFono in natural order, as they are now; what is not told within the
  /// limit is as it was told last. Throws why it tells of none.
  static func modems(
    on machine: Machine, within nanoseconds: Int64
  ) throws(BusFailure) -> [TelephonyModem] {
    // It is kept with the machine, so it must not hold the machine in turn.
    try machine.companions.companion { TelephonyDaemon() }.modems(on: machine, within: nanoseconds)
  }

  private func modems(
    on machine: Machine, within nanoseconds: Int64
  ) throws(BusFailure) -> [TelephonyModem] {
    guard let bus = machine.bus, machine.view(of: Self.service)?.isRunning == true else {
      list.forget()
      questions.withLock { $0 = [:] }
      return []
    }
    let limit = Monitor<Void>.moment(after: nanoseconds)
    list.ask(BusCall(Self.name, "/", Self.manager, "GetModems"), on: bus)
    let answer = list.answer(within: nanoseconds)
    guard let values = try answer?.get() else { return [] }
    let modems = Self.modems(in: values)
    let asked = ask(for: modems.flatMap(\.places), on: bus)
    return modems.map { modem in
      var modem = modem
      for place in modem.places {
        guard let question = asked[place] else { continue }
        modem.take(
          question.answer(within: max(0, limit - Monitor<Void>.moment(after: 0))),
          to: place.interface)
      }
      return modem
    }
  }

  /// Asks for the properties at all places, before any answer is waited for; forgets the others.
  private func ask(
    for places: [BusService.Place], on bus: any MessageBus
  ) -> [BusService.Place: BusQuestion] {
    let asked = questions.withLock { known in
      var kept: [BusService.Place: BusQuestion] = [:]
      for place in places { kept[place] = known[place] ?? BusQuestion() }
      known = kept
      return kept
    }
    for (place, question) in asked {
      question.ask(BusCall(Self.name, place.path, place.interface, "GetProperties"), on: bus)
    }
    return asked
  }

  /// The modems of a list: of each its path and its own properties.
  private static func modems(in values: [BusValue]) -> [TelephonyModem] {
    let all = (values.first?.elements ?? []).compactMap { element -> TelephonyModem? in
      guard case .structure(let members) = element.plain, members.count == 2,
        let path = members[0].path, let properties = members[1].named
      else { return nil }
      let listed = properties["Interfaces"]?.texts ?? []
      return TelephonyModem(
        path: path, object: BusObject([modem: properties]), listed: Set(listed),
        places: asked.filter(listed.contains).map { BusService.Place(path, $0) })
    }
    return all.sorted { NaturalOrder.areInIncreasingOrder($0.path, $1.path) }.prefix(room)
      .map(\.self)
  }
}
