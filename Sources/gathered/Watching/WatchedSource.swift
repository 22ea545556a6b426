import Gathering
import Values

/// One source of a watch.
struct WatchedSource {
  /// Where it is in its life.
  enum Phase {
    /// It could not start; it may become available.
    case absent
    case running
    /// All wanted updates came, or it ended by itself.
    case done
  }

  let selection: Selection
  var phase = Phase.absent
  /// The readings so far.
  var count = 0
  /// The values of the last one.
  var samples: [Sample] = []
  private let tokens: [ListenerToken]

  /// Listens to a source; it does not start it.
  init(_ selection: Selection, into inbox: Inbox<WatchItem>) {
    self.selection = selection
    let source = selection.source
    let number = source.number
    tokens = [
      source.addUpdateListener { inbox.put(.update(session: number, $0)) },
      source.addEventListener { inbox.put(.event(session: number, $0)) },
    ]
  }

  /// Starts it; returns the failure, if there is one.
  mutating func start(every interval: Int64?) -> CommandFailure? {
    let source = selection.source
    do {
      try source.startUpdating(every: interval)
    } catch {
      return CommandFailure(error, about: selection.text)
    }
    // A source that waits for a permission only the command line could give waits in vain.
    if source.state == .waiting, source.kind.category != nil {
      try? source.stopUpdating()
      return CommandFailure(source.availability, of: selection.text)
    }
    phase = .running
    return nil
  }

  /// A note about a start that succeeded.
  var note: CommandFailure? {
    let source = selection.source
    if source.state == .waiting { return CommandFailure(source.availability, of: selection.text) }
    let rates = source.rates
    guard !rates.reason.isEmpty, let granted = rates.granted else { return nil }
    let seconds = Value.double(Double(granted) / 1e9).formatted(unit: "s")
    return CommandFailure("\(selection.text): updates every \(seconds): \(rates.reason)")
  }

  /// Ends it; nothing is delivered afterwards.
  mutating func finish() {
    phase = .done
    try? selection.source.stopUpdating()
  }
}
