import Gathering
import Ground
import Machine
import Values

/// What stays the same of a publisher.
final class PublisherFacts: Sendable {
  let address: FleetAddress
  let options: PublisherOptions
  let device: String
  /// This sink's, new with each.
  let session: String
  /// When the session began, on CLOCK_REALTIME in nanoseconds.
  let since: Int64
  let boot: String
  let clock: any TimeSource
  /// The personal categories that values are shown of.
  private let shown: Allowance

  /// Of a publisher of a context's sources.
  init(_ address: FleetAddress, _ options: PublisherOptions, _ context: Context) {
    self.address = address
    self.options = options
    shown = options.allow.intersection(context.allowance)
    device = MachineName.own(options.device, mayShowHost: shown.permits(.hostname))
    session = (0..<8).map { _ in UInt8.random(in: 0...UInt8.max) }.hexadecimal
    since = LiveTime().now.realtime
    boot = MachineName.boot()
    clock = context.timeSource
  }

  /// Whether values of a category leave the machine.
  func shows(_ category: PrivacyCategory?) -> Bool { shown.permits(category) }

  /// A topic of this machine.
  func topic(_ subject: FleetTopic.Subject) -> String {
    FleetTopic(device: device, subject: subject).text(below: address.root)
  }

  /// A retained JSON message of this machine.
  func message(_ members: ValueDictionary, _ subject: FleetTopic.Subject) -> BrokerMessage {
    BrokerMessage(
      topic(subject), members.message, isRetained: true, contentType: "application/json")
  }

  /// Rows of this machine, as they are sent now.
  func rows(_ entry: RowsQueue.Entry, _ subject: FleetTopic.Subject) -> BrokerMessage {
    BrokerMessage(
      topic(subject), entry.message.bytes(at: clock.now, isLate: entry.isLate), qos: options.qos,
      contentType: "application/vnd.gatheredkit.rows")
  }

  /// Whether this machine is there.
  func online(_ isOnline: Bool) -> BrokerMessage {
    message(OnlineMessage(isOnline: isOnline, session: session, since: since).dictionary, .online)
  }
}
