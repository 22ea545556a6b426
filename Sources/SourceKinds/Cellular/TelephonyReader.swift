import Gathering
import Ground
import Machine

/// Reads one modem from oFono, which reports the cell only on request.
final class TelephonyReader: InstanceReader {
  private typealias Field = CellRadioField

  /// The daemon has to be waited for.
  let mayBlock = true
  private let path: String
  private let machine: Machine
  private let watch: (any Cancellable)?
  private let cellCall = RepeatedCall()
  private var raws: [Int: RawValue] = [:]

  init(_ path: String, on machine: Machine) {
    self.path = path
    self.machine = machine
    watch = machine.bus?.watch(TelephonyDaemon.service) {}
  }

  deinit { watch?.cancel() }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    raws = [:]
    let view = machine.bus?.view(of: TelephonyDaemon.service, waiting: 900_000_000)
    guard let object = view?.object(path, TelephonyDaemon.modem) else {
      cellCall.forget()
      for field in CellRadio.fields(wantedBy: request) {
        reading[field] = .noData("oFono does not know the modem")
      }
      return
    }
    let modem = TelephonyModem(path: path, object: object)
    let cell = cell(of: modem)
    for field in CellRadio.fields(wantedBy: request) {
      let reported =
        TelephonyCell.covers(field)
        ? cell.value(of: field)
        : modem.value(of: field) ?? (.unsupported("oFono does not report it"), nil)
      reading[field] = reported.outcome
      raws[field] = reported.raw
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }

  /// The cell of the modem, which is reported only on request.
  private func cell(of modem: TelephonyModem) -> TelephonyCell {
    let monitor = TelephonyDaemon.monitor
    guard modem.lists(monitor), let bus = machine.bus else {
      cellCall.forget()
      return TelephonyCell(absent: modem.missing(monitor) ?? .unsupported("there is no bus"))
    }
    let call = BusCall(TelephonyDaemon.name, path, monitor, "GetServingCellInformation")
    cellCall.send(call, on: bus)
    switch cellCall.newReply(within: 300_000_000) {
    case nil: return TelephonyCell(absent: .noData("the modem has not told so far"))
    case .success(let values): return TelephonyCell(values)
    case .failure(let failure):
      return TelephonyCell(absent: .from(failure, of: TelephonyDaemon.service))
    }
  }
}

extension CellRadio {
  /// The modems of oFono without those that ModemManager has under these serial numbers, or why
  /// there are none.
  static func telephony(
    on machine: Machine, but known: Set<String>
  ) -> (modems: [Instance], reason: String) {
    let view = machine.view(of: TelephonyDaemon.service)
    let obstacle = Availability.obstacle(TelephonyDaemon.service, on: machine, view: view)
    if let obstacle { return ([], obstacle.reason) }
    let modems = TelephonyModem.all(in: view)
      .filter { modem in modem.serial.map { !known.contains($0) } ?? true }
    return (modems.map { $0.instance(on: machine) }, "oFono has no modem either")
  }
}
