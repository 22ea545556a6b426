package import Ground
import Streams

extension DataAccess {
  /// The same entries, called on a queue, where the functions of a user run.
  ///
  /// A job of the queue calls at once, other callers in the order of their calls. A call that was
  /// cancelled meanwhile is answered `cancelled` instead, and so is every call once the queue is
  /// about to end.
  package func calling(
    on queue: any WorkQueue, until isEnding: @escaping @Sendable () -> Bool = { false }
  ) -> DataAccess {
    DataAccess { [perform] call, reply in
      if queue.isCurrent, !isEnding() { return perform(call, reply) }
      queue.submit {
        if call.canceller?.isCancelled == true || isEnding() {
          reply(.failure(DataSourceError(.cancelled)))
        } else {
          perform(call, reply)
        }
      }
    }
  }

  /// The same entries, replying on a queue.
  package func replying(on queue: any WorkQueue) -> DataAccess {
    DataAccess { [perform] call, reply in
      perform(call) { result in
        if queue.isCurrent { reply(result) } else { queue.submit { reply(result) } }
      }
    }
  }
}
