package import DataSources
import Ground

extension GetDataSource {
  /// The function that performs its calls: its own, or one that calls its verbs.
  var dataAccess: DataAccess<Value> {
    if let known = self as? any AccessedDataSource<Value> { return known.access.access }
    return DataAccess(calling: { call throws(DataSourceError) in
      switch call.verb {
      case .get: .object(try await get(call.query))
      case .getAll: .list(try await getAll(call.query))
      default: throw DataSourceError(.notImplemented)
      }
    })
  }
}

extension PutDataSource {
  /// The function that performs its calls: its own, or one that calls its verbs.
  package var dataAccess: DataAccess<Value> {
    if let known = self as? any AccessedDataSource<Value> { return known.access.access }
    return DataAccess(calling: { call throws(DataSourceError) in
      switch (call.verb, call.payload) {
      case (.put, .none): .object(try await put(nil, in: call.query))
      case (.put, .object(let value)): .object(try await put(value, in: call.query))
      case (.putAll, .list(let values)): .list(try await putAll(values, in: call.query))
      default: throw DataSourceError(.notImplemented)
      }
    })
  }
}

extension DataSource {
  /// The function that performs its calls: its own, or one that calls its verbs.
  var dataAccess: DataAccess<Value> {
    if let known = self as? any AccessedDataSource<Value> { return known.access.access }
    let (reading, writing) = ((self as any GetDataSource<Value>).dataAccess, writingAccess)
    let deleting = DataAccess<Value>(deletingBy: self)
    return .assembled(get: reading, put: writing, delete: deleting)
  }

  private var writingAccess: DataAccess<Value> { (self as any PutDataSource<Value>).dataAccess }
}

extension DataAccess {
  /// Calls the verb of something that only deletes.
  init(deletingBy source: any DeleteDataSource) {
    if let known = source as? any AccessedDataSource<Value> {
      self = known.access.access
    } else {
      self.init(calling: { call throws(DataSourceError) in
        try await source.delete(call.query)
        return .none
      })
    }
  }

  /// Calls an asynchronous function on a thread of this module, in the order of the calls.
  fileprivate init(
    calling function:
      @escaping @Sendable (Call<Value>) async throws(DataSourceError) -> CallPayload<Value>
  ) {
    self.init { call, reply in
      let task = Task(executorPreference: CallExecutor.shared) {
        do throws(DataSourceError) {
          reply(.success(try await function(call)))
        } catch {
          reply(.failure(error))
        }
      }
      call.cancellation?.onCancel { task.cancel() }
    }
  }
}

/// Runs the verbs of data sources that users wrote, one after the other, apart from the pool.
final class CallExecutor: TaskExecutor {
  static let shared = CallExecutor()

  private let worker = SerialWorker(named: "gkit-calls")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    worker.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
