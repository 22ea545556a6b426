import Gathering
import Machine

/// Reads one line of `/proc/stat`.
private struct TimesReader {
  private let table: TableFile
  private let label: [UInt8]
  private let name: String

  init(_ name: String, _ files: any FileTree) {
    self.name = name
    label = Array(name.utf8)
    table = TableFile("/proc/stat", in: files)
  }

  func read(into reading: inout Reading) {
    reading.counters = []
    let outcome: Outcome
    do throws(SystemError) {
      outcome = times(in: try table.read(), into: &reading.counters)
    } catch {
      outcome = .from(error)
    }
    for field in Processor.Field.shares { reading[field] = outcome }
  }

  var raw: RawValue? {
    ProcessorTimes.line(label, in: table.bytes).map { RawValue($0, place: table.path) }
  }

  private func times(in text: ArraySlice<UInt8>, into counters: inout [Int64]) -> Outcome {
    guard let line = ProcessorTimes.line(label, in: text) else {
      return .noData("\(table.path) has no line \(name)")
    }
    guard let times = ProcessorTimes(line.dropFirst(label.count)) else {
      return .unparsable(line)
    }
    counters = times.counters
    return .needsTwoReadings
  }
}

/// Reads one logical processor.
final class ProcessorReader: InstanceReader {
  private let times: TimesReader
  private let number: Int
  private let online: KeptFile
  private let scaling: AttributeFolder

  init(_ name: String, _ files: any FileTree) {
    times = TimesReader(name, files)
    number = Int(name.dropFirst(3)) ?? 0
    online = KeptFile("\(Processor.folder)/online", in: files)
    let names = ["scaling_cur_freq", "cpuinfo_min_freq", "cpuinfo_max_freq"]
    scaling = AttributeFolder("\(Processor.folder)/\(name)/cpufreq", names, in: files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    times.read(into: &reading)
    let number = self.number
    reading[Processor.Field.online] = Outcome(
      reading: online,
      TextRule { text in
        guard let list = ProcessorList(text) else { return .unparsable(text) }
        return .ok(.bool(list.contains(number)))
      })
    reading[Processor.Field.frequency] = frequency(0, reading)
    guard request.scope == .everything else { return }
    reading[Processor.Field.frequencyMinimum] = frequency(1, reading)
    reading[Processor.Field.frequencyMaximum] = frequency(2, reading)
    for field in Processor.Field.shared {
      reading[field] = .unsupported("only all processors together have it")
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch Processor.Field(rawValue: index) {
    case .frequency: scaling.raw(0)
    case .frequencyMinimum: scaling.raw(1)
    case .frequencyMaximum: scaling.raw(2)
    case .online: online.bytes.isEmpty ? nil : RawValue(online.bytes, place: online.path)
    case .some(let field) where Processor.Field.shares.contains(field): times.raw
    default: nil
    }
  }

  /// The governor's files go while a processor is off line; they are not gone for ever.
  private func frequency(_ index: Int, _ reading: Reading) -> Outcome {
    let outcome = scaling.read(index, .kilohertz)
    let isOffline = reading[Processor.Field.online].flag == false
    return isOffline && outcome.status == .unsupported
      ? .noData("the processor is off line") : outcome
  }
}

/// Reads what belongs to all processors together.
final class ProcessorsReader: InstanceReader {
  private let times: TimesReader
  private let load: KeptFile
  private let pressure: KeptFile
  private var pressureText = PressureText()

  init(_ files: any FileTree) {
    times = TimesReader("cpu", files)
    load = KeptFile("/proc/loadavg", in: files)
    pressure = KeptFile("/proc/pressure/cpu", in: files)
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
      var words = text.split(separator: 0x20, maxSplits: 3)[...]
      for field in fields {
        guard let word = words.popFirst() else {
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
