import Gathering
import GatheredKit
import Machine

/// A context as C holds it. Sources and readers keep it; the last reference of all closes it.
final class ContextObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let context: Context
  let scratch = Scratch()
  /// Floating registrations live as long as the context.
  let floating = FloatingTokens()

  init(_ context: Context) {
    self.context = context
    super.init(.context)
  }

  deinit { try? context.close() }

  override var summary: String {
    context.isClosed ? "context \(context.uri) closed" : "context \(context.uri)"
  }
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
