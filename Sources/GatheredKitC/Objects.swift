import Gathering
import Ground

/// A session as C holds it.
final class SourceObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself, or guarded by the turn of its context.
  let source: Source
  /// The same, not counted.
  let unowned: Unmanaged<Source>
  let owner: ContextObject
  let scratch = ThreadArenas()
  let floating = FloatingTokens()
  let lender: HandleLender
  /// What getters of values lend.
  let lent = LentBlocks()

  init(_ source: Source, of owner: ContextObject) {
    self.source = source
    unowned = .passUnretained(source)
    self.owner = owner
    lender = HandleLender(source.handle)
    super.init(.source)
    source.lend(through: lender)
  }

  override func hostGot(_ handle: OpaquePointer) { source.handle.set(handle) }

  override func hostLetGo() {
    lender.serve(self)
    source.handle.set(nil)
  }

  override var keeper: (any HandleKeeper)? { owner }

  override var summary: String {
    "source \(source.id) \(source.availability.state.rawValue)"
  }
}
