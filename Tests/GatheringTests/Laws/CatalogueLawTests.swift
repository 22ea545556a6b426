import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// M4: the rules that apply to every kind, over the whole catalogue and every machine there is.
@Suite struct CatalogueLawTests {
  /// The built-in devices, and all captured machines.
  static func machines() throws -> [String] {
    try ["sim:laptop", "sim:phone"] + RootedFileTree.live.entries(of: folder).sorted()
  }

  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fixtures/machines"

  private static func open(_ name: String) throws -> Context {
    let uri = name.hasPrefix("sim:") ? name : "local:root=\(folder)/\(name)"
    // A kind that is personal as a whole would only wait.
    let wholes = Set(SourceCatalogue.all.compactMap(\.category))
    return try Context.open(
      uri + "&clock=manual", allow: Allowance(categories: wholes), mode: .host,
      catalogue: SourceCatalogue.all)
  }

  @Test(arguments: try machines())
  func `every law holds for every instance`(machine: String) throws {
    let context = try Self.open(machine)
    let found = try context.sources()
    #expect(!found.isEmpty)
    for description in found {
      // N1: what is printed parses to an equal id.
      #expect(try SourceIdentifier(parsing: description.id.description) == description.id)
      let source = try context.open(description.id)
      #expect(source.id == description.id)
      if source.availability.group == .requiresPermissionsPrompt {
        try Self.checkWaiting(source)
        try context.setAllow(.all)
      }
      try Self.check(source, in: context)
      try context.setAllow(.none)
    }
    try context.close()
  }

  /// P2: a personal kind waits for its category, and tells nothing before.
  private static func checkWaiting(_ source: Source) throws {
    let diary = Diary(source)
    try source.startUpdating(every: second)
    #expect(diary.words() == ["permissionRequested"], "\(source.id)")
    #expect(!source.isUpdating)
    #expect(source.allValues.allSatisfy { !$0.status.hasPayload })
    try source.stopUpdating()
    #expect(diary.words().isEmpty, "\(source.id)")
  }

  private static func check(_ source: Source, in context: Context) throws {
    let properties = source.properties
    #expect(Set(properties.map(\.key)).count == properties.count)
    for property in properties { checkKey(property.key) }
    #expect(source.allValues.count == properties.count)
    let diary = Diary(source)
    let interval = 5 * second
    let begin = context.position ?? 0
    guard (try? source.startUpdating(every: interval)) != nil else {
      #expect(diary.words() == ["failedToStart"])
      #expect(source.availability.group != .available)
      return
    }
    try context.seek(to: begin + 2 * interval)
    let entries = diary.take()
    guard case .event(let event)? = entries.first, case .started = event.what else {
      Issue.record("\(source.id): \(entries.count) entries")
      return
    }
    let updates = entries.compactMap { if case .update(let update) = $0 { update } else { nil } }
    #expect(updates.count >= 3, "\(source.id)")
    var before: [Sample]?
    for update in updates {
      check(update.samples, after: before, of: source)
      before = update.samples
    }
    #expect(source.allValues == updates.last?.samples)
    #expect(source.properties == properties)
    // L9: where nothing can be read, the third reading has ended it.
    let isRunning = source.isUpdating
    try source.stopUpdating()
    #expect(diary.words() == (isRunning ? ["stopped"] : []))
    #expect(isRunning || updates.count == 3)
    try context.seek(to: begin + 4 * interval)
    #expect(diary.words().isEmpty, "\(source.id)")
  }

  private static func checkKey(_ key: String) {
    let letters = Array(key.utf8)
    #expect(letters.first.map { (0x61...0x7A).contains($0) } == true)
    #expect(
      letters.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
      })
  }

  private static func check(_ samples: [Sample], after before: [Sample]?, of source: Source) {
    #expect(samples.count == source.properties.count)
    for (index, (sample, property)) in zip(samples, source.properties).enumerated() {
      let place = "\(source.id)/\(property.key): \(sample)"
      #expect(sample.status.hasPayload == (sample.value != .none), "\(place)")
      if sample.status == .permission {
        #expect(sample.absence?.remedy.isEmpty == false, "\(place)")
      }
      if sample.status != .ok {
        #expect(sample.absence?.reason.isEmpty == false, "\(place)")
      }
      // P1
      if property.category != nil { #expect(sample.status == .permission, "\(place)") }
      #expect(sample.value.fits(property.type) || !sample.status.hasPayload, "\(place)")
      guard let old = before?[index] else { continue }
      // V8, V9, V12
      #expect(sample.sequence >= old.sequence && sample.time >= old.time, "\(place)")
      let isNews = sample.sequence != old.sequence || sample.status != old.status
      #expect(sample.flags.contains(.isNew) == isNews, "\(place)")
    }
  }
}

extension Value {
  /// Whether a payload is of a type, finite and whole (sources V6).
  func fits(_ type: PropertyType) -> Bool {
    switch (self, type) {
    case (.bool, .bool), (.int, .int), (.time, .time), (.bytes, .bytes): true
    case (.double(let number), .double): number.isFinite
    case (.vector(let vector), .vector(let names)):
      vector.components.count == names.count && vector.components.allSatisfy(\.isFinite)
    case (.string(let text), .string), (.string(let text), .enumeration): !text.isEmpty
    default: false
    }
  }
}
