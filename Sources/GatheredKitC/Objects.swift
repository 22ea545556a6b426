import Gathering
import Machine
import Recording

/// A context as C holds it. Sources and readers keep it; the last reference of all closes it.
final class ContextObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let context: Context
  /// What it plays; nil for what is no replay.
  let recording: RecordingParts?
  let scratch = Scratch()
  private let readers = Monitor<[WeakReader]>([])
  /// Floating registrations live as long as the context.
  let floating = FloatingTokens()
  /// Where the functions of the host run that data sources and futures call.
  let loop: HostLoop
  /// Where the user's data is kept, as the environment said at the beginning.
  let dataHome = try? PrivateFolder.dataHome()

  init(_ context: Context, playing recording: RecordingParts? = nil) {
    self.context = context
    self.recording = recording
    loop = HostLoop(context)
    super.init(.context)
  }

  deinit { try? close() }

  /// Cancels what is pending, closes the context, and lets go of what waits for it.
  func close() throws {
    if !context.isClosed && !context.isCurrent { loop.cancelAll() }
    try context.close()
    loop.close()
    closeReaders()
  }

  /// Remembers a reader whose waiters a close must wake.
  func add(_ reader: ReaderObject) {
    readers.withLock { readers in
      readers.removeAll { $0.reader == nil }
      readers.append(WeakReader(reader: reader))
    }
  }

  /// Wakes everybody who waits in a reader.
  private func closeReaders() {
    for entry in readers.withLock({ $0 }) { entry.reader?.close() }
  }

  override var summary: String {
    context.isClosed ? "context \(context.uri) closed" : "context \(context.uri)"
  }
}

/// A reader that may have gone.
private struct WeakReader {
  weak var reader: ReaderObject?
}

/// A session as C holds it.
final class SourceObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself, or guarded by the turn of its context.
  let source: Source
  let owner: ContextObject
  let scratch = Scratch()
  let floating = FloatingTokens()
  let samples = SampleConverter()

  init(_ source: Source, of owner: ContextObject) {
    self.source = source
    self.owner = owner
    super.init(.source)
  }

  override var summary: String {
    "source \(source.id) \(source.availability.state.rawValue)"
  }
}
