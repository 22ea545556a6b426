import Gathering
import Ground
import Streams
import Values

/// A device source as a patch.
struct SourceBlueprint: PatchBlueprint {
  let type = "source"
  let summary = "The values of a device, one output for each of its properties."
  let inputs: [PortDescription]? = []
  /// They depend on the kind.
  let outputs: [PortDescription]? = nil
  let options: [PortDescription]? = [
    PortDescription("kind", .string, isFixed: true),
    PortDescription("id", .string, isFixed: true),
    PortDescription("interval", .double, unit: "s"),
  ]

  func ports(
    for options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> PortList {
    let (id, kind, _) = try device(options, in: catalogue)
    // For some kinds the properties depend on the instance.
    let properties = (try? catalogue.context?.properties(of: id)) ?? kind.properties
    return PortList(
      inputs: [PortDescription("interval", .double, unit: "s")],
      outputs: properties.map(\.asPort))
  }

  func build(
    _ patch: Patch, options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) {
    let (id, _, interval) = try device(options, in: catalogue)
    guard let context = catalogue.context else { throw .closed }
    let source: Source
    do {
      source = try context.open(id)
    } catch .closed {
      throw .closed
    } catch {
      throw .badOption("id", reason: error.message)
    }
    let runner = SourceRunner(source, interval: interval, in: patch)
    try patch.define(input: PortDescription("interval", .double, unit: "s")) { _, sample in
      guard sample.value != .none else { return }
      runner.change(interval: try sample.value.duration(of: "interval"))
    }
    if let interval = options["interval"] { try patch.start("interval", at: interval) }
    for property in source.properties { try patch.define(output: property.asPort) }
    patch.observe { _ in runner.tend() }
  }

  /// Finds the source by its options, without opening it.
  private func device(
    _ options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> (id: SourceIdentifier, kind: any SourceKind, interval: Int64?) {
    let options = try PatchOptions(options, as: self.options ?? [])
    let interval = try options["interval"]?.duration(of: "interval")
    try onlyOne("kind", "id", in: options)
    let option = options["id"] == nil ? "kind" : "id"
    let text = try options.text(option)
    let id: SourceIdentifier
    do {
      id = try SourceIdentifier(parsing: text)
    } catch {
      throw .badOption(option, reason: error.description)
    }
    guard let kind = catalogue.sourceKinds.first(where: { $0.kind == id.kind }) else {
      let all = catalogue.sourceKinds.map(\.kind)
      throw .badOption(
        option, reason: Nearest.sentence(to: id.kind, among: all, what: "kind"))
    }
    if option == "kind", id.instance != nil {
      throw .badOption(option, reason: "a kind has no instance; give it as id")
    }
    return (id, kind, interval)
  }
}

/// Runs the source of a patch while the patch is observed.
///
/// The reason for waiting or failing is the status of its values. A device whose readings failed
/// until it stopped (sources L9) is tried again after a while.
private final class SourceRunner: Sendable {
  private struct State: Sendable {
    var interval: Int64?
    var isRunning = false
    var tokens: [ListenerToken] = []
    /// The next attempt to start a device that failed.
    var retry: Streams.Connection?
  }

  /// After a device has failed, until it is tried again.
  private static let pause = Duration.seconds(2)

  private let source: Source
  private let state: Lock<State>
  private weak let patch: Patch?

  init(_ source: Source, interval: Int64?, in patch: Patch) {
    self.source = source
    self.patch = patch
    state = Lock(State(interval: interval))
  }

  deinit {
    LockRank.expectNoLock("lets go of a patch's source")
    // Not from inside its own listener: listeners hold it weakly.
    for token in state.withLock({ $0.tokens }) { token.end() }
    try? source.stopUpdating()
  }

  /// Starts or stops the source, depending on whether the patch is observed.
  func tend() {
    let isObserved = patch?.isObserved == true
    let hasChanged = state.withLock { state in
      guard state.isRunning != isObserved else { return false }
      state.isRunning = isObserved
      return true
    }
    guard hasChanged else { return }
    if isObserved { begin() } else { end() }
    // Subscribers may have changed meanwhile: check again.
    tend()
  }

  func change(interval: Int64) {
    let isRunning = state.withLock { state in
      state.interval = interval
      return state.isRunning
    }
    if isRunning { start() }
  }

  private func begin() {
    let updates = source.addUpdateListener { [weak self] update in self?.receive(update) }
    let events = source.addEventListener { [weak self] event in self?.note(event) }
    state.withLock { $0.tokens = [updates, events] }
    start()
  }

  private func end() {
    let (tokens, retry) = state.withLock { state in
      defer { (state.tokens, state.retry) = ([], nil) }
      return (state.tokens, state.retry)
    }
    retry?.disconnect()
    for token in tokens { token.end() }
    try? source.stopUpdating()
  }

  private func start() {
    do throws(SourceError) {
      try source.startUpdating(every: state.withLock { $0.interval })
      // A source that waits sends no update.
      if source.availability.state != .available { publish(source.allValues, all: true) }
    } catch {
      // A source that cannot start gives its values a status, and starts as soon as it can.
      publish(source.allValues, all: true)
    }
  }

  private func restart() {
    if state.withLock({ $0.isRunning }), !source.isUpdating { start() }
  }

  private func restartLater() {
    let clock = source.context.queue
    let retry = clock.alarm(at: clock.now + Self.pause) { [weak self] in self?.restart() }
    let unwanted = state.withLock { state in
      if !state.isRunning { return retry as Streams.Connection? }
      defer { state.retry = retry }
      return state.retry
    }
    unwanted?.disconnect()
  }

  private func note(_ event: SourceEvent) {
    switch event.what {
    case .availabilityChanged(let availability) where availability.state == .available:
      restart()
    case .stopped(.some):
      publish(source.allValues, all: true)
      restartLater()
    default: break
    }
  }

  private func receive(_ update: SourceUpdate) {
    for row in update.rows { publish(row, all: false) }
  }

  private func publish(_ samples: [Sample], all: Bool) {
    guard let patch else { return }
    let properties = source.properties
    // Samples from before the source was bound to its instance may have other properties (sources
    // N5).
    guard samples.count == properties.count else { return }
    for (property, sample) in zip(properties, samples)
    where all || sample.flags.contains(.isNew) {
      try? patch.publish(sample, on: property.key)
    }
  }
}

extension Property {
  /// As an output.
  fileprivate var asPort: PortDescription {
    let hint: PortType =
      switch type {
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .vector: .vector
      case .string, .enumeration: .string
      case .bytes: .bytes
      case .time: .time
      }
    return PortDescription(key, hint, unit: unit)
  }
}
