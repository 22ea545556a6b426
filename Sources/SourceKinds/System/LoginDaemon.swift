import Gathering
import Machine

/// The switches of logind and UPower, for processes without access to input devices.
enum LoginDaemon {
  static let name = "org.freedesktop.login1"
  static let path = "/org/freedesktop/login1"
  static let manager = "org.freedesktop.login1.Manager"

  static let service = BusService(
    name, objects: .fixed([BusService.ObjectInterface(path, manager)]),
    unit: "systemd-logind.service",
    package: "systemd")

  /// What tells of the lid and the dock, if anything does; `isClosed` is whether there are switches
  /// that we may not read.
  static func instance(isClosed: Bool, on machine: Machine) -> Instance? {
    let logind = machine.view(of: service)?.object(path, manager)
    let power = machine.view(of: PowerDaemon.service)?.object(PowerDaemon.path, PowerDaemon.name)
    let hasLogind = logind?[manager, "LidClosed"] != nil || logind?[manager, "Docked"] != nil
    let hasLid = power?[PowerDaemon.name, "LidIsPresent"]?.flag == true
    guard hasLogind || hasLid else { return nil }
    // logind reports "open" for a missing lid: UPower is more accurate.
    let backend = hasLogind ? "logind" : "UPower"
    let availability = Availability(
      .available, backend: backend,
      detail: isClosed ? "lid and dock only: /dev/input is closed to us" : "",
      remedy: isClosed ? Switches.remedy : "")
    return Instance(
      backend, label: backend, availability: availability, path: path,
      notes: ["service": backend])
  }
}

/// Reads the lid and the dock from logind, or the lid from UPower.
final class LoginDaemonReader: InstanceReader {
  private let machine: Machine
  private let power: PowerDaemon
  private let isLogind: Bool
  private var raws: [Int: RawValue] = [:]

  init(_ instance: Instance, on machine: Machine) {
    self.machine = machine
    power = PowerDaemon(watchedOn: machine)
    isLogind = instance.notes["service"] == "logind"
  }

  /// The daemon is queried each time, since logind does not announce changes.
  var mayBlock: Bool { true }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    for field in Switches.Field.allCases {
      reading[field] = .unsupported("the service knows of lid and dock only")
    }
    raws = [:]
    power.await(within: 500_000_000)
    let upower = power.view?.object(PowerDaemon.path, PowerDaemon.name)
    let hasLid = upower?[PowerDaemon.name, "LidIsPresent"]?.flag != false
    guard isLogind else {
      if hasLid { take(.lidClosed, upower?[PowerDaemon.name, "LidIsClosed"], &reading) }
      return
    }
    let call = BusCall(
      LoginDaemon.name, LoginDaemon.path, "org.freedesktop.DBus.Properties", "GetAll",
      [.string(LoginDaemon.manager)])
    do throws(BusFailure) {
      let reported = try machine.bus?.ask(call).first?.named ?? [:]
      if hasLid { take(.lidClosed, reported["LidClosed"], &reading) }
      take(.docked, reported["Docked"], &reading)
    } catch {
      let outcome = Outcome.from(error, of: LoginDaemon.service)
      if hasLid { reading[Switches.Field.lidClosed] = outcome }
      reading[Switches.Field.docked] = outcome
    }
  }

  private func take(_ field: Switches.Field, _ value: BusValue?, _ reading: inout Reading) {
    let name = field == .docked ? "Docked" : "LidClosed"
    reading[field] = .of(value, name) { $0.asFlag }
    raws[field] = value.map { RawValue("\($0)".utf8, place: name) }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }
}
