package import Streams

extension DataAccess {
  /// The same entries, called and replying on a queue, where the functions of a user run.
  package func on(_ queue: any WorkQueue) -> DataAccess {
    DataAccess { [perform] call, reply in
      let answers: Reply = { answer in
        if queue.isCurrent { reply(answer) } else { queue.submit { reply(answer) } }
      }
      // Not even a job of the queue calls at once: it would overtake what its thread asked before.
      queue.submit { perform(call, answers) }
    }
  }
}
