import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import SourceKinds
import Testing
import Values

@testable import Fleet

/// What another machine reads is what was gathered: every member of every sample (fleet F24, F42).
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct SameReadingTests {
  @Test(arguments: [("laptop", ""), ("phone", ""), ("laptop", "&version=3.1.1")])
  func `F42 every source is read as it is on its machine`(
    name: String, parameters: String
  ) throws {
    let broker = try PrivateBroker()
    let device = try PublishedDevice(
      name, on: broker, clock: "&clock=manual", parameters: parameters)
    let listed = try device.context.sources()
    #expect(Set(listed.map(\.id.kind)).count >= 20)
    try device.publishToAll(listed.map(\.id.description))
    for (stream, value) in Self.streams { try append(value, to: stream, of: device, number: 1) }
    try device.context.seek(to: 3_000_000_000)
    try device.recorder.flush(within: Patience.limit)
    let fleet = try broker.fleet(parameters)
    defer { try? fleet.close() }
    let found = try fleet.sources()
    #expect(
      Set(found.map(\.id.description))
        == Set(
          listed.map { "\($0.id)@pi" } + Self.streams.map { "stream|\($0.0)@pi" }))
    for one in listed {
      let other = found.first { $0.id.description == "\(one.id)@pi" }
      #expect(other?.name == one.name && other?.label == one.label, "\(one.id)")
      #expect(other?.availability.state == one.availability.state, "\(one.id)")
    }
    let remotes = try device.sources.map { try fleet.open("\($0.id)@pi") }
    for (source, remote) in zip(device.sources, remotes) {
      try compare(source, remote)
      // What is as it was is no news, and its newer time is not told (F19).
      let hasNews = source.properties.contains { $0.mode == .continuous }
      for (sample, other) in zip(source.allValues, remote.allValues)
      where sample.sequence > 0 && sample.status.hasPayload && hasNews {
        #expect(other.realtime == sample.realtime, "\(remote.id)")
      }
    }
    // What comes from now on tells how the clocks are to each other.
    for remote in remotes { try? remote.startUpdating() }
    try device.context.seek(to: 5_000_000_000)
    for (stream, value) in Self.streams { try append(value, to: stream, of: device, number: 2) }
    try device.recorder.flush(within: Patience.limit)
    for (source, remote) in zip(device.sources, remotes) { try compare(source, remote) }
    compareTimes(remotes)
    try compareStreams(fleet, device)
    try device.close()
  }

  /// Streams as graphs and signals make them: their values have a type, and times of their own.
  private static let streams: [(String, Value)] = [
    ("shaken", .bool(true)), ("charge", .double(0.1)), ("steps", .int(9_007_199_254_740_993)),
    ("word", .string("ä \u{1F50B}")),
  ]

  private func append(
    _ value: Value, to stream: String, of device: PublishedDevice, number: UInt64
  ) throws {
    var sample = Sample(value)
    (sample.time, sample.sequence) = (Int64(number) * 1_000_000_007, number)
    sample.realtime = 1_700_000_000_000_000_001 + sample.time
    try device.recorder.append(sample, named: stream)
  }

  private func compare(_ source: Source, _ remote: Source) throws {
    #expect(remote.properties == source.properties, "\(remote.id)")
    #expect(remote.name == source.name && remote.label == source.label)
    #expect(remote.availability.state == source.availability.state)
    var told: [Sample] = []
    let isThere = Patience.wait {
      try? remote.updateValuesInPlace(within: Patience.limit)
      told = remote.allValues
      return zip(told, source.allValues).allSatisfy { $0.sequence == $1.sequence }
    }
    #expect(isThere, "\(remote.id)")
    for (sample, other) in zip(source.allValues, told) {
      #expect(other.value == sample.value && other.status == sample.status, "\(remote.id)")
      #expect(sample.status == .ok || other.absence == sample.absence, "\(remote.id)")
      #expect(other.sequence == sample.sequence, "\(remote.id)")
      // What was read again and is the same is no news.
      #expect(other.realtime <= sample.realtime, "\(remote.id)")
    }
  }

  /// One clock against another: all times are moved by the same, but for what that is corrected by.
  private func compareTimes(_ remotes: [Source]) {
    let samples = remotes.flatMap(\.allValues).filter { $0.sequence > 0 }
    let shifts = samples.map { $0.time - ($0.realtime - VirtualTime.realtimeAtBoot) }
    let (least, most) = (shifts.min() ?? 0, shifts.max() ?? 0)
    #expect(shifts.count > 100 && least > 0 && most - least < 100_000_000, "\(least) \(most)")
  }

  private func compareStreams(_ fleet: Context, _ device: PublishedDevice) throws {
    for (name, value) in Self.streams {
      let remote = try fleet.open("stream|\(name)@pi")
      #expect(
        Patience.wait {
          try? remote.updateValuesInPlace(within: Patience.limit)
          return remote.allValues.first?.sequence == 2
        })
      let sample = try #require(remote.allValues.first)
      #expect(sample.value == value && sample.status == .ok, "\(name)")
      #expect(sample.realtime == 1_700_000_000_000_000_001 + 2 * 1_000_000_007, "\(name)")
    }
  }
}
