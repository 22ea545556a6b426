import Gathering
import Ground
import Machine

/// Reads one modem from ModemManager, which measures its signal while a session updates.
final class CellRadioReader: InstanceReader {
  private typealias Field = CellRadioField

  private let path: String
  private let machine: Machine
  private let watch: (any Cancellable)?
  private let setup: ModemSignalSetup
  private let whereabouts = RepeatedCall()
  private var raws: [Int: RawValue] = [:]

  init(_ path: String, on machine: Machine) {
    self.path = path
    self.machine = machine
    let setup = ModemSignalSetup(path, on: machine)
    self.setup = setup
    watch = machine.bus?.watch(ModemDaemon.service) { [weak setup] in setup?.noteChange() }
  }

  deinit {
    setup.end()
    watch?.cancel()
  }

  /// ModemManager may have to be waited for.
  var mayBlock: Bool { true }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    raws = [:]
    let view = machine.bus?.view(of: ModemDaemon.service, waiting: 900_000_000)
    guard let object = view?.object(path, ModemDaemon.modem) else {
      for field in CellRadio.fields(wantedBy: request) {
        reading[field] = .noData("ModemManager does not know the modem")
      }
      return
    }
    let obstacle = tendSignal(of: Modem(path: path, object: object), request)
    // Values measured immediately are part of this reading.
    let present = machine.view(of: ModemDaemon.service)?.object(path, ModemDaemon.modem)
    let modem = Modem(path: path, object: present ?? object)
    let signal = ModemSignal(modem)
    let location = location(of: modem, request)
    for field in CellRadio.fields(wantedBy: request) {
      if let outcome = modem.outcome(of: field) {
        reading[field] = outcome
        raws[field] = modem.raw(of: field)
      } else if let outcome = location.outcome(of: field) {
        reading[field] = outcome
        raws[field] = location.raw(of: field)
      } else if let outcome = signal.outcome(of: field) {
        reading[field] = obstacle ?? outcome
        raws[field] = obstacle == nil ? signal.raw(of: field) : nil
      }
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }

  // MARK: Signal

  /// Makes the modem measure while a session updates; returns the reason if nothing can be
  /// measured.
  private func tendSignal(of modem: Modem, _ request: ReadRequest) -> Outcome? {
    guard request.isUpdating, modem.isEnabled else {
      setup.end()
      return modem.missing(ModemDaemon.signal)
    }
    if let missing = modem.missing(ModemDaemon.signal) { return missing }
    let rate = modem.object[ModemDaemon.signal, "Rate"]?.integer ?? 0
    return setup.tend(every: Self.seconds(request.interval), reported: rate)
  }

  /// An interval as the modem counts it: whole seconds, and never none.
  private static func seconds(_ interval: Int64?) -> UInt32 {
    UInt32(clamping: max(1, (interval ?? 5_000_000_000) / 1_000_000_000))
  }

  // MARK: Location

  /// Its location in the network. Read only if the category is allowed (sources P1).
  private func location(of modem: Modem, _ request: ReadRequest) -> ModemLocation {
    guard request.allow.permits(.cellID) else {
      whereabouts.forget()
      return ModemLocation(absent: .noData("it was not asked"))
    }
    if let missing = modem.missing(ModemDaemon.location) { return ModemLocation(absent: missing) }
    let reported = modem.object[ModemDaemon.location, "Location"]
    let known = ModemLocation(reported, from: "Location")
    let isOther = reported != nil && reported?.pairs == nil
    guard !known.isKnown, !isOther, let bus = machine.bus else { return known }
    // Most modems report it only on request.
    let call = BusCall(ModemDaemon.name, path, ModemDaemon.location, "GetLocation")
    whereabouts.send(call, on: bus)
    switch whereabouts.reply(within: request.isUpdating ? 50_000_000 : 700_000_000) {
    case nil: return ModemLocation(absent: .noData("the modem has not told so far"))
    case .success(let values): return ModemLocation(values.first, from: "GetLocation")
    case .failure(let failure):
      return ModemLocation(absent: .from(failure, of: ModemDaemon.service))
    }
  }
}
