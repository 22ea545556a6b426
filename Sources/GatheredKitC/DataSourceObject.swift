import DataSources
import Gathering
import Machine

/// A data source as C holds it. It keeps those it is made of; a running call keeps it.
final class DataSourceObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is constant, and Sendable by itself.
  let access: DataAccess<Value>
  let owner: ContextObject
  /// Whether its answers need functions of the host, or time, which pass by on the loop only.
  let needsLoop: Bool
  private let word: String
  private let parts: [DataSourceObject]
  private let name: SinkName?

  init(
    _ access: DataAccess<Value>, _ word: String, of owner: ContextObject, needsLoop: Bool = false,
    keeping parts: [DataSourceObject] = [], named name: SinkName? = nil
  ) {
    self.access = access
    self.owner = owner
    self.needsLoop = needsLoop || parts.contains(where: \.needsLoop)
    self.word = word
    self.parts = parts
    self.name = name
    super.init(.datasource)
  }

  /// Those that are made of this one keep it, but not its name.
  override func hostLetGo() { name?.end() }

  override var summary: String {
    let inner = parts.map(\.summary).joined(separator: ", ")
    return inner.isEmpty ? "datasource \(word)" : "datasource \(word) of (\(inner))"
  }

  /// Makes a call, of which the future tells.
  func ask(
    _ verb: Verb, _ question: Question, _ content: Content<Value>
  ) throws -> OpaquePointer {
    let future = FutureObject(of: owner, .call(needsLoop: needsLoop))
    let handle = try owned(future)
    var call = Call(verb, question.query, content, note: question.note)
    if let performAtOnce = access.performAtOnce, performAtOnce(call, { future.settle($0) }) {
      return handle
    }
    let cancellation = Cancellation()
    call.cancellation = cancellation
    future.begin(onCancel: { cancellation.cancel() })
    let work = Monitor<Work?>(Work(source: self, future: future))
    access.perform(call) { answer in
      // The objects go first: whoever the result wakes may count them.
      let pending = work.withLock { $0.take() }?.future.beginResolution()
      pending?.resolve(answer)
    }
    return handle
  }

  /// What a running call keeps.
  private struct Work: Sendable {
    let source: DataSourceObject
    let future: FutureObject
  }
}

/// A data source whose context is open.
func openDataSource(
  _ handle: OpaquePointer?, _ parameter: String = "datasource"
) throws -> DataSourceObject {
  let source = try object(handle, as: DataSourceObject.self, parameter)
  if source.owner.context.isClosed { throw Failure(SourceError.closed) }
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
