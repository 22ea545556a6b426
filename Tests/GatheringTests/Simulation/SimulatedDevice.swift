import Ground
import Machine
import Testing
import Values

@testable import Gathering

/// A kind with a property of every type, a rule for derived values and an aggregate.
struct Gauge: SourceKind {
  let kind = "gauge"
  let name = "Gauge"
  let intervals = Intervals(seconds: 1, minimum: 0.5, eventDriven: true)
  let hasAggregate = true
  let properties = [
    Property("level", .double, unit: "1", .continuous),
    Property("count", .int, unit: "1", .onChange),
    Property("on", .bool, .onChange),
    Property("place", .vector(components: ["x", "y", "z"]), unit: "m", .continuous),
    Property("mode", .enumeration(["slow", "fast"]), .onChange),
    Property("since", .time, .onChange),
    Property("code", .bytes, .onChange),
    Property("model", .string, .static),
    Property("owner", .string, .onChange, category: .hostname),
    Property("double_level", .double, unit: "1", .continuous, .derived),
  ]

  func discover(on machine: Machine) -> Discovery { Discovery([], orElse: Availability(.failed)) }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { nil }

  func derive(_ reading: inout Reading) {
    let level = reading[0]
    reading[9] = level.value.number.map { .ok(.double($0 * 2)) } ?? level
  }

  func combine(_ members: [Reading], into aggregate: inout Reading) {
    let levels = members.compactMap { $0[0].status == .ok ? $0[0].value.number : nil }
    aggregate[0] = levels.isEmpty ? .noData("no levels") : .ok(.double(levels.reduce(0, +)))
    aggregate[9] = aggregate[0].value.number.map { .ok(.double($0 * 2)) } ?? aggregate[0]
  }
}

/// A kind without aggregate.
struct Lamp: SourceKind {
  let kind = "lamp"
  let name = "Lamp"
  let intervals = Intervals(seconds: 1, minimum: 0.5)
  let properties = [Property("light", .double, unit: "lx", .continuous)]

  func discover(on machine: Machine) -> Discovery { Discovery([], orElse: Availability(.failed)) }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { nil }
}

/// A scripted device under a clock that tests move.
struct SimulatedDevice {
  static let catalogue: [any SourceKind] = [Gauge(), Lamp()]

  let loop: VirtualLoop
  let provider: SimulationProvider

  init(_ script: String, openedAt moment: Int64 = 0) throws {
    loop = VirtualLoop(clock: VirtualTime(at: moment))
    provider = SimulationProvider(
      try Script(parsing: script.utf8, catalogue: Self.catalogue), catalogue: Self.catalogue,
      loop: loop)
  }

  func advance(to seconds: Double) { loop.advance(to: Int64(seconds * 1e9)) }

  func instance(_ name: String, of kind: any SourceKind = Gauge()) throws -> Instance {
    try #require(provider.discover(kind).instances.first { $0.name == name })
  }

  func availability(_ name: String) throws -> Availability { try instance(name).availability }

  func reader(_ name: String, of kind: any SourceKind = Gauge()) throws -> any InstanceReader {
    let instance = try instance(name, of: kind)
    let own = try provider.claim(instance, of: kind)
    guard instance.isAggregate else { return try #require(own) }
    let members = provider.discover(kind).instances.filter(\.isMember)
    return AggregateReader(
      kind, own: own, members: try members.compactMap { try provider.claim($0, of: kind) })
  }

  /// Reads an instance as a context does, derived values and aggregate included.
  func read(_ name: String, allow: Allowance = .all) throws -> Reading {
    let kind = Gauge()
    let reader = try reader(name)
    var reading = Reading(properties: kind.properties.count)
    reader.read(ReadRequest(scope: .everything, allow: allow), into: &reading)
    if !(reader is AggregateReader) { kind.derivePreserving(&reading) }
    return reading
  }

  func outcome(_ key: String, of name: String = "g1") throws -> Outcome {
    try read(name)[try #require(Gauge().index(of: key))]
  }
}

/// What a watch was told, in order.
final class NoticeLog: Sendable {
  private let lines = Lock<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  /// Writes a change down, with what is listed at that moment.
  func note(_ change: Change, listed: [String] = []) {
    switch change {
    case .instances: append((["instances"] + listed).joined(separator: " "))
    case .notice: append("notice")
    case .values(let instance): append("values " + (instance ?? "any"))
    }
  }
}
