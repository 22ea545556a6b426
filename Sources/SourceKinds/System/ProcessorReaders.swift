import Gathering
import Ground
import Machine
import Values

/// Reads one line of `/proc/stat`.
private struct TimesReader {
  private let table: ProcTable
  private let label: [UInt8]
  private let name: String

  init(_ name: String, _ files: any FileTree) {
    self.name = name
    label = Array(name.utf8)
    table = ProcTable("/proc/stat", in: files)
  }

  func read(into reading: inout Reading) {
    let outcome: Outcome
    do throws(SystemError) {
      outcome = times(in: try table.read(), into: &reading.counters)
    } catch {
      outcome = .from(error)
    }
    if outcome != .needsTwoReadings { reading.counters = [] }
    for field in Processor.Field.shares { reading[field] = outcome }
  }

  var raw: RawValue? {
    ProcessorTimes.line(label, in: table.bytes).map { RawValue($0, place: table.path) }
  }

  private func times(in text: ArraySlice<UInt8>, into counters: inout [Int64]) -> Outcome {
    guard let line = ProcessorTimes.line(label, in: text) else {
      return .noData("\(table.path) has no line \(name)")
    }
    let isRead = ProcessorTimes.read(line.dropFirst(label.count), into: &counters)
    return isRead ? .needsTwoReadings : .unparsable(line)
  }
}

/// Reads one logical processor.
final class ProcessorReader: InstanceReader {
  private let times: TimesReader
  private let online: ParsedFile
  private let files: any FileTree
  private let folder: String
  private var scaling: AttributeFolder
  private var wasOnline: Bool?

  init(_ name: String, _ files: any FileTree) {
    times = TimesReader(name, files)
    let number = Int(name.dropFirst(3)) ?? 0
    let isListed = TextRule { text in
      guard let list = ProcessorList(text) else { return .unparsable(text) }
      return .ok(.bool(list.contains(number)))
    }
    online = ParsedFile("\(Processor.folder)/online", isListed, in: files)
    self.files = files
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
    let isOnline = online.read()
    reading[Processor.Field.online] = isOnline
    // The governor's files come and go with the processor.
    if isOnline.flag != wasOnline { scaling = Self.scaling(folder, files) }
    wasOnline = isOnline.flag
    reading[Processor.Field.frequency] = frequency(0, reading)
    guard request.scope == .everything else { return }
    reading[Processor.Field.frequencyMinimum] = frequency(1, reading)
    reading[Processor.Field.frequencyMaximum] = frequency(2, reading)
    for field in Processor.Field.shared { reading[field] = Self.belongsToAll }
  }

  private static let belongsToAll = Outcome.unsupported("only all processors together have it")

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
  private func frequency(_ index: Int, _ reading: Reading) -> Outcome {
    let outcome = scaling.read(index, .kilohertz)
    let isOffline = reading[Processor.Field.online].flag == false
    return isOffline && outcome.status == .unsupported
      ? .noData("the processor is off line") : outcome
  }
}

/// Reads the values of all processors together.
final class ProcessorsReader: InstanceReader {
  private let times: TimesReader
  private let load: PolledFile
  private let pressure: PolledFile
  private var pressureText = PressureText()

  init(_ files: any FileTree) {
    times = TimesReader("cpu", files)
    load = PolledFile("/proc/loadavg", in: files)
    pressure = PolledFile("/proc/pressure/cpu", in: files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    times.read(into: &reading)
    readLoad(&reading)
    let fields = Processor.Field.pressures
    do throws(SystemError) {
      pressureText.parse(try pressure.read(), from: pressure.path) { index, outcome in
        if index < fields.count { reading[fields[index]] = outcome }
      }
    } catch {
      for field in fields { reading[field] = .from(error) }
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
    let fields = Processor.Field.loads
    do throws(SystemError) {
      let text = NumberText.trimmed(try load.read())
      var words = Words(of: text)
      for field in fields {
        guard let word = words.next() else {
          reading[field] = text.isEmpty ? .noData("empty text") : .unparsable(text)
          continue
        }
        let number = NumberText.decimal(word)
        reading[field] =
          number.map { $0 < 0 ? .unparsable(word) : .ok(.double($0)) }
          ?? .unparsable(word)
      }
    } catch {
      for field in fields { reading[field] = .from(error) }
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
