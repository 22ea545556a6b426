import Gathering
import Testing
import Values

@testable import SourceKinds

/// The built-in devices `laptop` and `phone`, over the whole catalogue (sources 2).
struct BuiltInDeviceTests {
  private static let devices = ["laptop", "phone"]

  private func open(_ device: String) throws -> Context {
    try Context.open(
      "sim:\(device)&clock=manual", allow: .all, mode: .host, catalogue: SourceCatalogue.all)
  }

  /// All values of all instances after some updates, by property id.
  private func values(of context: Context, at seconds: Int64) throws -> [String: Sample] {
    let sources = try context.sources().map { try context.open($0.id) }
    for source in sources { try source.startUpdating(every: 1_000_000_000) }
    try context.seek(to: seconds * 1_000_000_000)
    var values: [String: Sample] = [:]
    for source in sources {
      for (property, sample) in zip(source.properties, source.allValues) {
        values["\(source.id)/\(property.key)"] = sample
      }
    }
    return values
  }

  @Test(arguments: devices)
  func `every kind has an instance that can start`(device: String) throws {
    let context = try open(device)
    for kind in SourceCatalogue.all {
      let sources = try context.sources(of: kind.kind)
      #expect(!sources.isEmpty, "\(kind.kind)")
      for source in sources { #expect(source.availability.group == .available, "\(source.id)") }
    }
    try context.close()
  }

  @Test(arguments: devices)
  func `every property has a payload or says why it has none`(device: String) throws {
    let context = try open(device)
    for (id, sample) in try values(of: context, at: 5) {
      if sample.status == .ok { continue }
      let isDenied = sample.status == .permission && sample.absence?.remedy.isEmpty == false
      let isAbsent = isDenied || [.noData, .unsupported].contains(sample.status)
      #expect(isAbsent, "\(id): \(sample.status)")
      let reason = sample.absence?.reason ?? ""
      #expect(!["", "the script has not set it", "no reading yet"].contains(reason), "\(id)")
    }
    try context.close()
  }

  @Test(arguments: devices)
  func `V7: payloads keep their ranges and words for a day`(device: String) throws {
    let context = try open(device)
    let sources = try context.sources().map { try context.open($0.id) }
    for hour in 0..<24 {
      try context.seek(to: Int64(hour) * 3_600_000_000_000 + 137_000_000)
      for source in sources {
        for (property, sample) in zip(source.properties, try source.updateValues())
        where sample.status == .ok {
          let id = "\(source.id)/\(property.key)"
          if let range = property.range, let number = sample.value.number {
            #expect(range.contains(number), "\(id): \(number)")
          }
          let isSigned = ["Cel", "rad", "m", "dB{mW}", "dB{FS}", "dB"].contains(property.unit)
          if !isSigned, let number = sample.value.number {
            #expect(number >= 0, "\(id): \(number)")
          }
          if case .enumeration(let words) = property.type, let word = sample.value.text {
            #expect(words.contains(word), "\(id): \(word)")
          }
        }
      }
    }
    try context.close()
  }

  @Test(arguments: devices)
  func `they run on fixed functions of time: another run gives the same`(device: String) throws {
    let one = try open(device)
    let other = try open(device)
    let values = try values(of: one, at: 7)
    #expect(values.count > 100)
    let again = try self.values(of: other, at: 7)
    for (id, sample) in values { #expect(again[id] == sample, "\(id)") }
    try one.close()
    try other.close()
  }

  @Test(arguments: devices)
  func `counters only grow, and rates follow them`(device: String) throws {
    let context = try open(device)
    let source = try context.open("network")
    let counter = try #require(source.kind.index(of: "rx_bytes"))
    let rate = try #require(source.kind.index(of: "rx_rate"))
    try source.startUpdating(every: 1_000_000_000)
    var last: Int64 = 0
    for second in 1...5 {
      try context.seek(to: Int64(second) * 1_000_000_000)
      guard case .int(let bytes) = source.allValues[counter].value else {
        Issue.record("no counter")
        return
      }
      #expect(bytes > last)
      if last > 0 { #expect(source.allValues[rate].value == .double(Double(bytes - last))) }
      last = bytes
    }
    try context.close()
  }

  @Test func `the device empty has nothing, and says so`() throws {
    let context = try Context.open(
      "sim:empty&clock=manual", mode: .host, catalogue: SourceCatalogue.all)
    #expect(try context.sources().isEmpty)
    for kind in SourceCatalogue.all {
      #expect(try context.open(kind.kind).availability.state == .noHardware)
    }
    try context.close()
  }
}
