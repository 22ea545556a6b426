import DataSources
import Gathering
import Ground
import Synchronization
import Values

/// A data source as C holds it. It keeps those it is made of; a running call keeps it.
final class DataSourceObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is constant, and Sendable by itself.
  let access: DataAccess<Value>
  let owner: ContextObject
  /// Whether its answers need functions of the host, or time, which pass by on the loop only.
  let needsLoop: Bool
  /// How many copies of what is put there are before it is answered.
  let copies: Int
  /// How many are inside each other, this one included.
  private let depth: Int
  fileprivate let word: String
  fileprivate let parts: [DataSourceObject]
  private let name: SinkName?

  init(
    _ access: DataAccess<Value>, _ word: String, of owner: ContextObject, needsLoop: Bool = false,
    copies: Int = 1, keeping parts: [DataSourceObject] = [], named name: SinkName? = nil
  ) throws {
    depth = 1 + (parts.map(\.depth).max() ?? 0)
    self.copies = parts.map(\.copies).reduce(copies, max)
    self.access = access
    self.owner = owner
    self.needsLoop = needsLoop || parts.contains(where: \.needsLoop)
    self.word = word
    self.parts = parts
    self.name = name
    super.init(.datasource)
    // A call goes through all of them on one stack.
    if depth > Self.depthLimit {
      throw Failure(Status.limit, "data sources are more than \(Self.depthLimit) inside each other")
    }
  }

  private static let depthLimit = 256

  /// Those that are made of this one keep it, but not its name.
  override func hostLetGo() { name?.end() }

  override var keeper: (any HandleKeeper)? { owner }

  override var summary: String {
    var writer = SummaryWriter()
    writer.count(self)
    writer.write(self)
    return writer.text
  }

  /// Makes a call, of which the future tells.
  func ask(
    _ verb: Verb, _ query: HostQuery, _ payload: CallPayload<Value>
  ) throws -> OpaquePointer {
    let future = FutureObject(of: owner, .call(needsLoop: needsLoop))
    let handle = try owned(future)
    var call = Call(verb, query.query, payload, note: query.note)
    if let performAtOnce = access.performAtOnce, performAtOnce(call, { future.answer = $0 }) {
      return handle
    }
    let running = RunningCall(of: self, for: future)
    call.canceller = running
    future.begin(running)
    access.perform(call) { running.finish($0) }
    // One that began while the context was closed on another thread was not seen by that.
    if owner.loop.hasEnded { future.cancel() }
    return handle
  }

}

/// A call that is not answered yet, and by which those who work for it see that it was called off.
/// It keeps its data source and its future, and the loop keeps it.
final class RunningCall: Canceller, PendingFuture, AnswerWork, @unchecked Sendable {
  // Safe: `place` is written under the loop's lock before another thread finds this there.

  private struct State: Sendable {
    var kept: Kept?
    /// Made when first asked for.
    var cancellation: Cancellation?
  }

  private struct Kept: Sendable {
    let source: DataSourceObject
    let future: FutureObject
  }

  let number = FutureObject.nextNumber()
  /// Where the loop keeps it.
  var place = 0
  private let state: Lock<State>
  private let flag = Atomic<Bool>(false)

  init(of source: DataSourceObject, for future: FutureObject) {
    state = Lock(State(kept: Kept(source: source, future: future)))
  }

  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  var cancellation: Cancellation {
    let cancellation = state.withLock { state in
      let cancellation = state.cancellation ?? Cancellation()
      state.cancellation = cancellation
      return cancellation
    }
    // Called off before it was made, or while it was.
    if isCancelled { cancellation.cancel() }
    return cancellation
  }

  /// Resolves the future. The objects go first: a thread that the result wakes may count them.
  func finish(_ answer: CallResult<Value>) {
    let pending = take()?.beginResolution()
    pending?.resolve(answer)
  }

  /// The future was cancelled: tells who works for it. A data source that is never answered, a
  /// cache's say, must not keep what asks it.
  func callOff() {
    flag.store(true, ordering: .releasing)
    let cancellation = state.withLock { $0.cancellation }
    cancellation?.cancel()
    let future = take()
    withExtendedLifetime(future) {}
  }

  func cancelFuture() { state.withLock { $0.kept }?.future.cancel() }

  /// Takes what is kept, once; the future.
  private func take() -> FutureObject? {
    guard let given = state.withLock({ $0.kept.take() }) else { return nil }
    given.source.owner.loop.forget(self)
    return given.future
  }
}

/// Writes what a data source is made of. One that stands in several places is written once, with a
/// number, and by that number elsewhere: there may be as many ways to it as there is memory.
private struct SummaryWriter {
  private(set) var text = ""
  private var places: [ObjectIdentifier: Int] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]

  /// Counts in how many places each is.
  mutating func count(_ source: DataSourceObject) {
    let id = ObjectIdentifier(source)
    places[id, default: 0] += 1
    if places[id] == 1 { for part in source.parts { count(part) } }
  }

  mutating func write(_ source: DataSourceObject) {
    let id = ObjectIdentifier(source)
    text += "datasource "
    if let number = numbers[id] {
      text += "#\(number)"
      return
    }
    text += source.word
    if places[id] ?? 0 > 1 {
      let number = numbers.count + 1
      numbers[id] = number
      text += " #\(number)"
    }
    guard !source.parts.isEmpty else { return }
    text += " of ("
    for (index, part) in source.parts.enumerated() {
      if index > 0 { text += ", " }
      write(part)
    }
    text += ")"
  }
}

/// A data source whose context is open.
func openDataSource(
  _ handle: OpaquePointer?, _ parameter: String = "datasource"
) throws -> DataSourceObject {
  let source = try object(handle, as: DataSourceObject.self, parameter)
  if source.owner.context.isClosed || source.owner.loop.isEnding {
    throw Failure(SourceError.closed)
  }
  return source
}

/// The same, of which there may be none, and that belongs with another.
func openDataSource(
  _ handle: OpaquePointer?, _ parameter: String, besides other: DataSourceObject?
) throws -> DataSourceObject? {
  guard let handle else { return nil }
  let source = try openDataSource(handle, parameter)
  if let other, other.owner !== source.owner {
    throw Failure(Status.invalidArgument, "\(parameter) belongs to another context")
  }
  return source
}
