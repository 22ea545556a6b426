import Gathering
import Machine
import Values

/// Reads a battery that only UPower sees.
final class PowerDaemonReader: InstanceReader {
  private let path: String
  private let daemon: PowerDaemon
  private let external: ExternalPowerReader
  /// The outcomes of the device as it was last, by field; nil where none was needed so far.
  private var outcomes = [KeptOutcome?](repeating: nil, count: Battery.Field.allCases.count)
  /// The last change of the device that the outcomes show.
  private var shown: UInt64?

  init(_ path: String, _ machine: Machine) {
    self.path = path
    daemon = PowerDaemon(watchedOn: machine)
    external = ExternalPowerReader(machine)
  }

  /// The daemon may have to be waited for.
  var mayBlock: Bool { true }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    daemon.await(within: 900_000_000)
    if !request.isForAggregate { external.read(request, into: &reading) }
    let device = daemon.device(at: path)
    forget(whatChangedIn: device)
    for field in Battery.fields(wantedBy: request) where field != .externalPower {
      reading.set(field, to: outcome(of: field, device))
    }
  }

  private static let gone = KeptOutcome(.noData("UPower no longer has it"))

  private func outcome(of field: Battery.Field, _ device: PowerDevice?) -> KeptOutcome {
    guard let device else { return Self.gone }
    if let kept = outcomes[field.rawValue] { return kept }
    let outcome = KeptOutcome(device.outcome(of: field))
    outcomes[field.rawValue] = outcome
    return outcome
  }

  /// Forgets the outcomes that another value of the device may have changed: all, unless only some
  /// readings have changed since the last look.
  private func forget(whatChangedIn device: PowerDevice?) {
    let change = device?.change
    defer { shown = change?.number }
    if let change, let shown, change.number == shown { return }
    guard let change, let shown, change.former == shown else {
      for place in outcomes.indices { outcomes[place] = nil }
      return
    }
    for name in change.names {
      for field in PowerDevice.tellers[name] ?? [] { outcomes[field.rawValue] = nil }
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    Battery.Field(rawValue: index).flatMap { daemon.device(at: path)?.raw(of: $0) }
  }
}
