package import Streams

extension DataAccess {
  /// The same entries, called on a queue, where the functions of a user run.
  ///
  /// A job of the queue calls at once, anybody else in the order in which calls are made. Who has
  /// told meanwhile that he no longer waits is answered `cancelled` instead.
  package func calling(on queue: any WorkQueue) -> DataAccess {
    DataAccess { [perform] call, reply in
      if queue.isCurrent { return perform(call, reply) }
      queue.submit {
        if call.cancellation?.isCancelled == true {
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
      perform(call) { answer in
        if queue.isCurrent { reply(answer) } else { queue.submit { reply(answer) } }
      }
    }
  }
}
