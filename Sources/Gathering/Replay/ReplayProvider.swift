import Ground
import Values

/// Finds and plays the instances of a recording.
final class ReplayProvider: InstanceProvider {
  /// Instances never change.
  let tellsForFree = true
  let changesNever = true
  let mechanisms = [Mechanism(name: "replay", version: Version.text)]

  private let recorded: any ReplayedSources
  private let loop: VirtualLoop
  private let pacer: ReplayPacer
  /// The streams that play, for a jump of the clock to take along.
  private let streams = WeakList<ReplayStream>()

  init(_ recorded: any ReplayedSources, pacer: ReplayPacer) {
    self.recorded = recorded
    self.pacer = pacer
    loop = pacer.loop
  }

  func discover(_ kind: any SourceKind) -> Discovery {
    Discovery(
      recorded.instances(of: kind),
      orElse: Availability(.noHardware, backend: "replay", detail: "it was not recorded"))
  }

  func claim(
    _ instance: Instance, of kind: any SourceKind
  ) throws(SourceError) -> sending (any InstanceReader)? {
    let width = (instance.properties ?? kind.properties).count
    return ReplayReader(try recorded.rows(of: instance, of: kind), width: width, in: self)
  }

  func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, of kind: any SourceKind
  ) throws(SourceError) {
    throw .notSupported("a recorded property cannot be set")
  }

  func floor(of instance: Instance, of kind: any SourceKind) -> (interval: Int64, reason: String) {
    (Intervals.smallest, "the library's minimum")
  }

  func beginWatching(
    _ kind: any SourceKind, besides ticks: @escaping @Sendable () -> Int64?,
    changed: @escaping @Sendable (Change) -> Void
  ) -> [any Cancellable] {
    []
  }

  /// The present moment of the recording.
  fileprivate var now: Int64 { loop.clock.now.boot }

  fileprivate func play(_ stream: ReplayStream) {
    streams.add(stream)
    stream.play(from: loop.clock.now.boot)
    pacer.begin()
  }

  /// Makes running streams continue from a moment the clock has jumped to.
  func resume(from moment: Int64) {
    for stream in streams.objects { stream.play(from: moment) }
  }

  fileprivate func makeStream(
    _ rows: any ReplayedRows, width: Int, deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) -> ReplayStream {
    ReplayStream(rows, width: width, from: now, by: pacer, deliver: deliver, ended: ended)
  }
}

/// Reads one recorded instance at the present moment, and plays it.
private final class ReplayReader: StreamingReader {
  private let rows: any ReplayedRows
  private let width: Int
  private let provider: ReplayProvider

  /// Every session is played to.
  let streamsBelow = Int64.max

  init(_ rows: any ReplayedRows, width: Int, in provider: ReplayProvider) {
    self.rows = rows
    self.width = width
    self.provider = provider
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    do throws(SourceError) {
      let outcomes = try rows.state(at: provider.now)
      for index in reading.indices where outcomes.indices.contains(index) {
        var outcome = outcomes[index]
        outcome.isReplayed = true
        reading[index] = outcome
      }
    } catch {
      let outcome = Outcome.failed("\(error)")
      for index in reading.indices { reading[index] = outcome }
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    // Unreadable rows are reported now: a stream that breaks at once would be reopened.
    _ = try rows.nextRow(after: provider.now)
    let stream = provider.makeStream(rows, width: width, deliver: deliver, ended: ended)
    provider.play(stream)
    return stream
  }
}
