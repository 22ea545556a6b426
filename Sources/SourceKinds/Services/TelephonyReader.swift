import Gathering
import Machine

/// Reads one modem as oFono knows it, by asking.
final class TelephonyReader: InstanceReader {
  private typealias Field = CellRadio.Field

  /// The daemon has to be waited for.
  let mayBlock = true
  private let path: String
  private let machine: Machine
  private let watch: (any Cancellable)?
  private let question = BusQuestion()
  private var raws: [Int: RawValue] = [:]

  init(_ path: String, on machine: Machine) {
    self.path = path
    self.machine = machine
    watch = machine.bus?.watch(TelephonyDaemon.service) {}
  }

  deinit { watch?.cancel() }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    raws = [:]
    _ = machine.bus?.view(of: TelephonyDaemon.service, waiting: 300_000_000)
    let modem: TelephonyModem?
    var absence = Outcome.noData("oFono does not know the modem")
    do throws(BusFailure) {
      modem = try TelephonyDaemon.modems(on: machine, within: 300_000_000)
        .first { $0.path == path }
    } catch {
      modem = nil
      absence = .from(error, of: TelephonyDaemon.service)
    }
    guard let modem else {
      question.forget()
      for (field, property) in zip(Field.allCases, CellRadio.table) where request.wants(property) {
        reading[field] = absence
      }
      return
    }
    let cell = cell(of: modem)
    for (field, property) in zip(Field.allCases, CellRadio.table) where request.wants(property) {
      let told =
        TelephonyCell.covers(field)
        ? cell.value(of: field)
        : modem.value(of: field) ?? (.unsupported("oFono does not tell it"), nil)
      reading[field] = told.outcome
      raws[field.rawValue] = told.raw
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }

  /// What the modem hears of its cell, which it tells only who asks.
  private func cell(of modem: TelephonyModem) -> TelephonyCell {
    let monitor = TelephonyDaemon.monitor
    guard modem.listed.contains(monitor), let bus = machine.bus else {
      question.forget()
      return TelephonyCell(absent: modem.missing(monitor) ?? .unsupported("there is no bus"))
    }
    let call = BusCall(TelephonyDaemon.name, path, monitor, "GetServingCellInformation")
    question.ask(call, on: bus)
    switch question.newAnswer(within: 300_000_000) {
    case nil: return TelephonyCell(absent: .noData("the modem has not told so far"))
    case .success(let values): return TelephonyCell(values)
    case .failure(let failure):
      return TelephonyCell(absent: .from(failure, of: TelephonyDaemon.service))
    }
  }
}

extension CellRadio {
  /// How long a look at the modems waits for oFono.
  private static let patience: Int64 = 200_000_000

  /// The modems of oFono's but those that ModemManager knows by these serial numbers, or why there
  /// are none.
  static func telephony(
    on machine: Machine, but known: Set<String>
  ) -> (modems: [Instance], reason: String) {
    if let obstacle = TelephonyDaemon.obstacle(on: machine) { return ([], obstacle.reason) }
    do throws(BusFailure) {
      let modems = try TelephonyDaemon.modems(on: machine, within: patience)
        .filter { modem in modem.serial.map { !known.contains($0) } ?? true }
      return (modems.map { $0.instance(on: machine) }, "oFono has no modem either")
    } catch {
      return ([], error.message)
    }
  }
}
