import DataSources
import Gathering
import Ground
import Machine
import Recording
import Synchronization

/// A context as C holds it. Sources and readers keep it; the last reference of all closes it.
final class ContextObject: HandleObject, HandleKeeper, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let context: Context
  /// What it plays; nil for what is no replay.
  let recording: RecordingParts?
  let scratch = ThreadArenas()
  /// Floating registrations live as long as the context.
  let floating = FloatingTokens()
  let listed = ListedSources()
  /// Where the functions of the host run that data sources and futures call.
  let loop: HostLoop
  /// Where the user's data is kept, as the environment said at the beginning.
  let dataHome = try? PrivateFolder.dataHome()
  private let end: ContextEnd
  /// How many handles the host has of it, and of what keeps it.
  private let handles = Atomic<Int>(0)
  /// Whether it was closed because the last of them went.
  private let hasLastClose = Atomic<Bool>(false)

  init(_ context: Context, playing recording: RecordingParts? = nil) {
    self.context = context
    self.recording = recording
    loop = HostLoop(context)
    end = ContextEnd(context: context, loop: loop)
    super.init(.context)
  }

  deinit {
    LockRank.expectNoLock("lets go of a context")
    end.closeAnywhere()
  }

  override var keeper: (any HandleKeeper)? { self }

  /// Ends the work of stores, cancels what is pending, closes the context and what belongs to it,
  /// and lets go of what waits for it. Throws `wrongThread` inside a callback.
  func close() throws { try end.close() }

  /// Who works for the stores.
  var workers: StoreWorkers { end.workers }

  /// Remembers a reader whose waiters a close must wake.
  func add(_ reader: ReaderObject) { end.readers.add(reader) }

  /// Remembers a sink, which ends with this.
  func add(_ sink: SinkObject) { end.sinks.add(sink) }

  /// Remembers what a function of the host was given, which is freed with this at the latest.
  func add(_ data: UserData) { end.userData.add(data) }

  // MARK: Reach

  /// The host has a handle more, by which it can reach this.
  func handleMade() { handles.add(1, ordering: .relaxed) }

  /// The host has a handle less. After the last nothing is dispatched any more in host mode, and no
  /// manual clock moves on, so that what waits for that must not keep this alive.
  func handleGone() {
    guard handles.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    guard !context.goesOnByItself, !context.isClosed else { return }
    if !hasLastClose.exchange(true, ordering: .relaxed) { end.closeAnywhere() }
  }

  override var summary: String {
    context.isClosed ? "context \(context.uri) closed" : "context \(context.uri)"
  }
}

/// What is closed with a context. The object of the host may go before, inside a callback too.
private struct ContextEnd: Sendable {
  let context: Context
  let loop: HostLoop
  let workers = StoreWorkers()
  // What a close has to end, unless others let go of it before.
  let readers = WeakList<ReaderObject>()
  let sinks = WeakList<SinkObject>()
  let userData = WeakList<UserData>()

  /// Workers go first: what they have done is told as done, and what is cancelled after them is
  /// never done.
  func close() throws {
    if !context.isClosed && !context.isCurrent {
      loop.beginEnd()
      workers.end()
      loop.settle()
      loop.cancelAll()
    }
    try context.close()
    loop.close()
    for reader in readers.objects { reader.close() }
    // Behind the sources, whose end is recorded. What cannot be written its own close tells.
    for sink in sinks.objects { try? sink.close() }
    for data in userData.objects { data.end() }
  }

  /// Closes it, inside one of its callbacks on a thread of its own: a close waits for callbacks.
  func closeAnywhere() {
    if !context.isCurrent {
      try? close()
      return
    }
    let thread = try? WorkerThread(named: "gkit-close") { try? close() }
    thread?.detach()
  }
}
