import Gathering
import Ground
import Machine
import Values

/// Reads a card whose driver tells of it in sysfs.
final class CardFiles: CardSource {
  private typealias Field = Graphics.Field

  /// One property, and its files.
  private struct Column {
    let plan: CardPlan.Column
    let files: [ParsedFile]
    /// Which had the greatest number.
    var greatest = 0
  }

  private var columns: [Column]
  private let throttle: [(file: ParsedFile, word: String)]
  private let idle: [(counter: ParsedFile, enabling: ParsedFile?)]
  private let queues: QueueTable?
  private let energy: ParsedFile?
  private var meter = EnergyMeter(energy: Field.energy, power: Field.power, remedy: nil)
  private let clock: any TimeSource
  /// What no file tells.
  private let missing: [(field: Field, outcome: KeptOutcome)]
  private let isAmdgpu: Bool
  /// Since when the card is said to be fully used, in boot time.
  private var fullSince: Int64?

  init(_ card: GraphicsCard, _ plan: CardPlan, on machine: Machine) {
    let tree = machine.files
    clock = machine.clock
    isAmdgpu = card.way == .amdgpu
    columns = plan.columns.map { column in
      Column(plan: column, files: column.paths.map { ParsedFile($0, column.rule, in: tree) })
    }
    throttle = plan.throttle.map { (ParsedFile($0.path, .flag, in: tree), $0.word) }
    idle = plan.idle.map { unit in
      (
        ParsedFile(unit.counter, .count, in: tree),
        unit.enabling.map { ParsedFile($0, .count, in: tree) }
      )
    }
    queues = plan.queues.map { QueueTable($0, in: tree) }
    energy = plan.energy.map { ParsedFile($0, .count, in: tree) }
    var told = columns.map(\.plan.field)
    if !throttle.isEmpty { told.append(.throttle) }
    if !idle.isEmpty || queues != nil { told.append(.utilization) }
    if energy != nil { told += [.energy, .power] }
    let name = card.driver.isEmpty ? "the kernel" : card.driver
    let untold = KeptOutcome(.unsupported("\(name) does not tell it"))
    missing = (Field.changing + Field.asked).filter { !told.contains($0) }.map { ($0, untold) }
  }

  func read(whole: Bool, _ request: ReadRequest, into reading: inout Reading) -> Bool {
    for (field, outcome) in missing where whole || !Field.asked.contains(field) {
      reading.set(field, to: outcome)
    }
    for place in columns.indices {
      let column = columns[place].plan
      guard whole || !column.isStatic,
        request.allow.permits(Graphics.table[column.field].category)
      else { continue }
      read(place, into: &reading)
    }
    if let energy { meter.read(energy.read(), asleep: clock.asleep, into: &reading) }
    if !throttle.isEmpty { readThrottle(into: &reading) }
    readActivity(into: &reading)
    if isAmdgpu { doubtFullUse(in: &reading) }
    return true
  }

  private func read(_ place: Int, into reading: inout Reading) {
    let (field, files) = (columns[place].plan.field, columns[place].files)
    if files.count == 1 { return files[0].read(into: &reading, at: field.rawValue) }
    var greatest: Double?
    for (number, file) in files.enumerated() {
      file.update()
      // A unit that cannot be read may be the fastest.
      guard let value = file.number else { return reading.set(field, to: file.outcome) }
      if value > greatest ?? -.infinity { (greatest, columns[place].greatest) = (value, number) }
    }
    if let greatest { reading.set(field, to: greatest) }
  }

  private func readThrottle(into reading: inout Reading) {
    var words: [String] = []
    var failure: Outcome?
    for (file, word) in throttle {
      let outcome = file.read()
      if outcome.flag == true { words.append(word) }
      if outcome.status != .ok { failure = failure ?? outcome }
    }
    if words.isEmpty, let failure { return reading.set(Field.throttle, to: failure) }
    reading.set(Field.throttle, to: ThrottleWords.outcome(of: words))
  }

  // MARK: Utilization over time

  private func readActivity(into reading: inout Reading) {
    var activity = CardActivity()
    var failure: Outcome?
    if let queues {
      switch queues.read() {
      case .success(let units): activity.units = units
      case .failure(let outcome): failure = outcome.outcome
      }
    } else if !idle.isEmpty {
      activity.isEstimate = true
      for (number, unit) in idle.enumerated() {
        let outcome = unit.counter.read()
        if unit.enabling?.read().integer == 0 {
          failure = failure ?? Self.awake
        } else if let count = outcome.integer {
          activity.units.append(.init(tag: Int64(number), form: .idle, count: count))
        } else {
          failure = failure ?? outcome
        }
      }
    } else {
      return
    }
    if activity.units.isEmpty {
      return reading.set(Field.utilization, to: failure ?? Self.queueless)
    }
    activity.put(in: &reading.counters)
    reading.needTwoReadings(Field.utilization)
  }

  private static let awake = Outcome.unsupported("RC6 is off: the card never sleeps")
  private static let queueless = Outcome.noData("the driver has no queues")

  /// Some chips are stuck at 100 %.
  private func doubtFullUse(in reading: inout Reading) {
    guard reading.number(Field.utilization) == 1 else { return fullSince = nil }
    let now = reading.instant.boot
    let since = fullSince ?? now
    fullSince = since
    if now - since >= 60_000_000_000 {
      reading[Field.utilization] = .ok(.double(1), lowAccuracy: true)
    }
  }

  func raw(_ field: Graphics.Field) -> RawValue? {
    switch field {
    case .energy: return energy?.raw
    // What is computed over time is not as the driver gave it.
    case .utilization where queues != nil || !idle.isEmpty: return nil
    case .throttle: return throttle.first { $0.file.outcome.flag == true }?.file.raw
    default:
      guard let column = columns.first(where: { $0.plan.field == field }) else { return nil }
      return column.files[column.greatest].raw
    }
  }
}

/// The queues of v3d: `gpu_stats`, from drivers/gpu/drm/v3d/v3d_sysfs.c.
final class QueueTable {
  /// Why the table cannot be read.
  struct Failure: Error {
    let outcome: Outcome
  }

  private let file: PolledFile

  init(_ path: String, in files: any FileTree) { file = PolledFile(path, in: files) }

  /// A unit for each queue.
  func read() -> Result<[CardActivity.Unit], Failure> {
    do throws(SystemError) {
      try file.read()
    } catch {
      return .failure(Failure(outcome: .from(error)))
    }
    let text = file.bytes
    if text.trimmed.isEmpty { return .failure(Failure(outcome: .noData("empty text"))) }
    var lines = Lines(of: text)
    guard let header = lines.next(), Self.isHeader(header) else {
      return .failure(Failure(outcome: .failed("the table of queues has no header")))
    }
    var units: [CardActivity.Unit] = []
    for line in lines where !line.trimmed.isEmpty {
      var words = Words(of: line)
      _ = words.next()
      let time = words.next().flatMap { try? NumberText.signed($0.span) }
      _ = words.next()
      let runtime = words.next().flatMap { try? NumberText.signed($0.span) }
      guard let time, let runtime, time >= 0, runtime >= 0 else {
        return .failure(Failure(outcome: .unparsable(line)))
      }
      units.append(.init(tag: Int64(units.count), form: .busy, count: runtime, time: time))
    }
    return .success(units)
  }

  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    let words = Array(Words(of: line))
    return words.count == 4 && words[0].equals("queue") && words[1].equals("timestamp")
      && words[2].equals("jobs") && words[3].equals("runtime")
  }
}
