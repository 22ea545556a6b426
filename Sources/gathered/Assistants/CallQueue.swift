import Glibc
import Ground
import Values

/// The calls of a session: some run on threads of their own, others wait.
struct CallQueue {
  /// A call and the request it answers.
  struct Entry: Sendable {
    let id: Value
    /// The batch that its answer belongs to.
    let batch: Int?
    let call: ToolCall
    /// Whether the client wants no answer any more.
    var isCancelled = false
  }

  /// How many run at a time, and how many more may wait.
  static let runningLimit = 8
  static let waitingLimit = 64

  /// Readable when a call has ended.
  let wake: WakeDescriptor
  private let ended = Inbox<(number: Int, answer: ToolAnswer)>()
  private var running: [Int: Entry] = [:]
  private var waiting: [Entry] = []
  private var started = 0
  private var isEnding = false

  init() throws(SystemError) { wake = try WakeDescriptor() }

  var isEmpty: Bool { running.isEmpty && waiting.isEmpty }

  /// Adds a call. Refuses one too many, and an id that is in use.
  mutating func add(_ entry: Entry) throws(RefusedMessage) {
    if (waiting + running.values).contains(where: { $0.id == entry.id }) {
      throw RefusedMessage(.invalidRequest, "a request of this id is running", id: entry.id)
    }
    guard waiting.count < Self.waitingLimit else {
      let count = Self.runningLimit + Self.waitingLimit
      throw RefusedMessage(.busy, "\(count) calls run or wait; ask again later", id: entry.id)
    }
    waiting.append(entry)
    startNext()
  }

  /// Ends a call without an answer; unknown ids have been answered.
  mutating func cancel(_ id: Value) {
    for number in running.keys where running[number]?.id == id {
      running[number]?.isCancelled = true
      running[number]?.call.signals.put(SIGINT)
    }
    for index in waiting.indices where waiting[index].id == id {
      waiting[index].isCancelled = true
      waiting[index].call.signals.put(SIGINT)
    }
  }

  /// Lets all calls end, also those that will still be started: watches at once, with what they
  /// have seen.
  mutating func endAll() {
    isEnding = true
    for entry in waiting + running.values { entry.call.signals.put(SIGINT) }
  }

  /// The calls that have ended, with their answers.
  mutating func takeEnded() -> [(entry: Entry, answer: ToolAnswer)] {
    wake.drain()
    let all = ended.takeAll().compactMap { number, answer in
      running.removeValue(forKey: number).map { ($0, answer) }
    }
    startNext()
    return all
  }

  private mutating func startNext() {
    while running.count < Self.runningLimit, !waiting.isEmpty {
      let entry = waiting.removeFirst()
      started += 1
      running[started] = entry
      let (number, ended, wake) = (started, ended, wake)
      let work: @Sendable () -> Void = {
        ended.put((number, entry.call.run()))
        wake.signal()
      }
      do throws(SystemError) {
        try WorkerThread(named: "gathered-call", work).detach()
      } catch {
        ended.put((number, ToolAnswer(CommandFailure("no thread is left for it"))))
        wake.signal()
      }
    }
  }
}
