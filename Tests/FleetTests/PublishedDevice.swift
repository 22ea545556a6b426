import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import SourceKinds
import Values

@testable import Fleet

/// A simulated device whose sources are published to a broker.
final class PublishedDevice {
  let context: Context
  let recorder: Recorder
  private(set) var sources: [Source] = []

  init(
    _ name: String, on broker: PrivateBroker, as device: String = "pi",
    allow: Allowance = .all, sinkAllow: Allowance = .all, clock: String = "",
    parameters: String = "", storage: any FileStorage = LiveStorage(),
    _ change: (inout PublisherOptions) -> Void = { _ in }
  ) throws {
    context = try Context.open(
      "sim:\(name)\(clock)", allow: allow, mode: .host, catalogue: SourceCatalogue.all)
    var options = PublisherOptions()
    (options.device, options.allow) = (device, sinkAllow)
    change(&options)
    recorder = try Recorder.publishing(
      to: FleetAddress("mqtt:127.0.0.1:\(broker.address.port)\(parameters)"), from: context,
      options: options, keepingIn: storage)
  }

  /// Publishes sources, and starts them.
  @discardableResult
  func publish(_ ids: [String], every interval: Int64? = nil) throws -> [Source] {
    let added = try ids.map { try context.open($0) }
    for source in added {
      try recorder.add(source)
      try source.startUpdating(every: interval)
    }
    sources += added
    return added
  }

  /// Publishes sources, and returns when the broker has the list of them, and a state of each.
  @discardableResult
  func publishToAll(_ ids: [String], every interval: Int64? = nil) throws -> [Source] {
    defer { try? recorder.flush(within: Patience.limit) }
    return try publish(ids, every: interval)
  }

  /// Ends in order.
  func close() throws {
    try recorder.close()
    try context.close()
  }
}

/// A simulated device that a script describes.
struct SimulatedScript {
  private let folder: TemporaryFolder

  init(_ lines: String) throws {
    folder = try TemporaryFolder()
    try folder.write(Array(lines.utf8), to: "/script")
  }

  /// What follows `sim:`.
  var device: String { "file=\(folder.path)/script" }
}

extension PrivateBroker {
  /// The fleet that publishes here.
  func fleet(_ parameters: String = "", allow: Allowance = .all) throws -> Context {
    try FleetContext.open(
      "mqtt:127.0.0.1:\(address.port)\(parameters)", SourceCatalogue.all, allow, .thread)
  }
}

/// The updates of a session, all rows of them.
final class Diary: Sendable {
  private let kept = Monitor<[[Sample]]>([])
  private let events = Monitor<[SourceEvent.What]>([])
  private let tokens = Monitor<[ListenerToken]>([])

  init(_ source: Source) {
    let token = source.addUpdateListener { [weak self] update in
      let rows = update.rows
      self?.kept.withLock { $0 += rows }
    }
    let other = source.addEventListener { [weak self] event in
      self?.events.withLock { $0.append(event.what) }
    }
    tokens.withLock { $0 = [token, other] }
  }

  var rows: [[Sample]] { kept.withLock { $0 } }
  var whats: [SourceEvent.What] { events.withLock { $0 } }

  /// Waits until the newest row is as wanted; nil if it never is.
  @discardableResult
  func wait(_ isSo: @escaping ([Sample]) -> Bool) -> [Sample]? {
    var found: [Sample]?
    Patience.wait {
      found = self.rows.last(where: isSo)
      return found != nil
    }
    return found
  }
}

extension AboutMessage {
  /// Reads one message.
  static func read(_ text: UnsafeRawBufferPointer) throws(MessageFault) -> AboutMessage {
    var lists = PropertyLists()
    return try AboutMessage(text, &lists)
  }
}
