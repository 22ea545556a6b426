import Gathering
import Ground
import Machine
import Values

/// Reads one line of `/proc/stat`.
private struct TimesReader {
  private let table: ProcTable
  private let label: [UInt8]
  private let name: String
  /// Where the line began last.
  private var start = 0
  /// Whether the table that was read last has the line; nil if it could not be read.
  private(set) var hasLine: Bool?

  init(_ name: String, _ files: any FileTree) {
    self.name = name
    label = Array(name.utf8)
    table = ProcTable("/proc/stat", in: files)
  }

  mutating func read(into reading: inout Reading) {
    do throws(SystemError) {
      let text = try table.read()
      guard let failure = takeTimes(of: text, into: &reading.counters) else {
        needTwoReadings(&reading)
        return
      }
      fail(failure, &reading)
    } catch {
      hasLine = nil
      fail(.from(error), &reading)
    }
  }

  /// All shares have the same outcome.
  private func needTwoReadings(_ reading: inout Reading) {
    for field in Processor.Field.shares { reading.set(field, to: KeptOutcome.needsTwoReadings) }
  }

  private func fail(_ outcome: Outcome, _ reading: inout Reading) {
    reading.counters = []
    for field in Processor.Field.shares { reading[field] = outcome }
  }

  /// Whether the table that was read last has the lines of a list of processors, and no others.
  func hasLines(of list: ProcessorList) -> Bool {
    ProcessorTimes.areLines(of: list, in: table.bytes)
  }

  var raw: RawValue? {
    ProcessorTimes.line(label, in: table.bytes).map { RawValue($0, place: table.path) }
  }

  /// Why there are no times in a text; nil if there are.
  private mutating func takeTimes(
    of text: ArraySlice<UInt8>, into counters: inout [Int64]
  ) -> Outcome? {
    let found = ProcessorTimes.start(of: label, in: text.span, from: start)
    hasLine = found != nil
    guard let start = found else {
      return .noData("\(table.path) has no line \(name)")
    }
    self.start = start
    if ProcessorTimes.read(text.span, from: start + label.count, into: &counters) { return nil }
    return .unparsable(ProcessorTimes.line(label, in: text) ?? [])
  }
}

/// Reads one logical processor.
final class ProcessorReader: InstanceReader {
  private let number: Int
  private var times: TimesReader
  private let online: OnlineProcessors
  private let shared: SharedProcessorList
  private let files: any FileTree
  private let folder: String
  private var scaling: AttributeFolder
  private var wasOnline: Bool?

  init(_ name: String, _ machine: Machine) {
    files = machine.files
    times = TimesReader(name, files)
    number = Int(name.dropFirst(3)) ?? 0
    online = OnlineProcessors(machine)
    shared = machine.attachments.attachment { SharedProcessorList() }
    folder = "\(Processor.folder)/\(name)/cpufreq"
    scaling = Self.scaling(folder, files)
  }

  private static func scaling(_ folder: String, _ files: any FileTree) -> AttributeFolder {
    AttributeFolder(
      folder, ["scaling_cur_freq", "cpuinfo_min_freq", "cpuinfo_max_freq"], in: files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    // The kernel's own sums are better than sums of ours, and one table is enough.
    if !request.isForAggregate { times.read(into: &reading) }
    let isOnline =
      (request.isForAggregate ? shared.contains(number) : nil) ?? readOnline(request, &reading)
    // The governor's files come and go with the processor.
    if isOnline != wasOnline { scaling = Self.scaling(folder, files) }
    wasOnline = isOnline
    if let isOnline { reading.set(Processor.Field.online, to: isOnline) }
    readFrequency(0, .frequency, isOnline, &reading)
    guard request.scope == .everything, !request.isForAggregate else { return }
    readFrequency(1, .frequencyMinimum, isOnline, &reading)
    readFrequency(2, .frequencyMaximum, isOnline, &reading)
    for field in Processor.Field.shared { reading.set(field, to: Self.belongsToAll) }
  }

  /// Whether the processor is on line; nil where that is not known, which then is its outcome.
  private func readOnline(_ request: ReadRequest, _ reading: inout Reading) -> Bool? {
    let list = online.read { list in
      !request.isForAggregate && times.hasLine == list.contains(number)
    }
    if let list { return list.contains(number) }
    reading.set(Processor.Field.online, to: online.absence)
    return nil
  }

  private static let belongsToAll = KeptOutcome(
    .unsupported("only all processors together have it"))

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch Processor.Field(rawValue: index) {
    case .frequency: scaling.raw(0)
    case .frequencyMinimum: scaling.raw(1)
    case .frequencyMaximum: scaling.raw(2)
    case .online: online.raw
    case .some(let field) where Processor.Field.shares.contains(field): times.raw
    default: nil
    }
  }

  /// The governor's files disappear while a processor is off line, and return later.
  private func readFrequency(
    _ index: Int, _ field: Processor.Field, _ isOnline: Bool?, _ reading: inout Reading
  ) {
    scaling.read(index, .kilohertz, into: &reading, at: field.rawValue)
    if isOnline == false, reading.status(at: field.rawValue) == .unsupported {
      reading[field] = .noData("the processor is off line")
    }
  }
}

/// Reads the values of all processors together.
final class ProcessorsReader: InstanceReader {
  private var times: TimesReader
  private let load: PolledFile
  private var loads: [Load] = []
  private let pressure: PolledFile
  private var pressureText = PressureText()
  private var pressureFailure = KeptFailure()
  private var loadFailure = KeptFailure()
  /// A load as it was read last.
  private enum Load {
    case number(Double)
    case other(KeptOutcome)
  }

  private let pressures = Processor.Field.pressures.map(\.rawValue)
  private let online: OnlineProcessors
  private let shared: SharedProcessorList

  init(_ machine: Machine) {
    let files = machine.files
    times = TimesReader("cpu", files)
    load = PolledFile("/proc/loadavg", in: files)
    pressure = PolledFile("/proc/pressure/cpu", in: files)
    online = OnlineProcessors(machine)
    shared = machine.attachments.attachment { SharedProcessorList() }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    times.read(into: &reading)
    readLoad(&reading)
    shared.set(online.read(unless: times.hasLines))
    do throws(SystemError) {
      let text = try pressure.hasChanged() ? pressure.bytes : nil
      pressureText.parse(text, from: pressure.path, into: &reading, at: pressures)
    } catch {
      let outcome = pressureFailure.outcome(of: error)
      for index in pressures { reading.set(index, to: outcome) }
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let field = Processor.Field(rawValue: index) else { return nil }
    if Processor.Field.shares.contains(field) { return times.raw }
    if Processor.Field.loads.contains(field) {
      return load.bytes.isEmpty ? nil : RawValue(load.bytes, place: load.path)
    }
    return Processor.Field.pressures.firstIndex(of: field)
      .flatMap { pressureText.line(of: $0, in: pressure.bytes) }
      .map { RawValue($0, place: pressure.path) }
  }

  private func readLoad(_ reading: inout Reading) {
    do throws(SystemError) {
      if try load.hasChanged() { understandLoad() }
      for (index, field) in Processor.Field.loads.enumerated() {
        switch loads[index] {
        case .number(let number): reading.set(field, to: number)
        case .other(let outcome): reading.set(field, to: outcome)
        }
      }
    } catch {
      let outcome = loadFailure.outcome(of: error)
      for field in Processor.Field.loads { reading.set(field, to: outcome) }
    }
  }

  private func understandLoad() {
    let text = NumberText.trimmed(load.bytes)
    var words = Words(of: text)
    loads = Processor.Field.loads.map { _ in
      guard let word = words.next() else {
        return .other(KeptOutcome(text.isEmpty ? .noData("empty text") : .unparsable(text)))
      }
      if let number = NumberText.decimal(word), number >= 0 { return .number(number) }
      return .other(KeptOutcome(.unparsable(word)))
    }
  }
}

extension TextRule {
  /// kHz as Hz; zero and `<unknown>` are no frequencies.
  fileprivate static let kilohertz = TextRule { text in
    if text.elementsEqual("<unknown>".utf8) { return .noData("reported as unknown") }
    guard let kilohertz = NumberText.integer(text), kilohertz >= 0 else {
      return .unparsable(text)
    }
    return kilohertz == 0 ? .noData("reported as 0") : .ok(.double(Double(kilohertz) * 1000))
  }
}
