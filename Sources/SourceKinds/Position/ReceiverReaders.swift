import Gathering
import Ground
import Values

/// Reads the last report of one receiver.
final class ReceiverReader: ReportReader {
  private let device: String
  private let provider: String
  private let held: PositionListener
  private let clock: any TimeSource
  /// When a reading returned no data: later reports are newer.
  private var emptyAt = Int64.min
  private var last: PositionReceiver?

  var listener: (any ReportListener)? { held }

  /// `device` is the device as it is shown.
  init(
    _ device: String, of provider: String, _ listener: PositionListener, clock: any TimeSource
  ) {
    self.device = device
    self.provider = provider
    held = listener
    self.clock = clock
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let now = clock.now.boot
    let link = held.link
    link?.ask()
    let found = link?.receivers.first { link?.shown($0.device) == device }
    let receiver = found ?? PositionReceiver(device: device)
    receiver.fill(&reading, provider: link?.provider ?? provider, at: now)
    reading.showDevice(device, of: receiver, allow: request.allow)
    reading.notBefore(&emptyAt, at: now)
    last = receiver
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    GPSField(rawValue: index).flatMap { last?.raw($0) }
  }
}

/// Reads the aggregate of all receivers: the best one's values.
///
/// The receivers are known only while the connection is up, so this reads them itself.
final class BestReceiverReader: ReportReader {
  private let held: PositionListener
  private let clock: any TimeSource
  private var emptyAt = Int64.min
  private var last: PositionReceiver?

  var listener: (any ReportListener)? { held }

  init(_ listener: PositionListener, clock: any TimeSource) {
    held = listener
    self.clock = clock
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let now = clock.now.boot
    let link = held.link
    link?.ask()
    let receivers = link?.receivers ?? []
    let members = receivers.map { receiver in
      var member = Reading(properties: GPSField.table.count)
      receiver.fill(&member, provider: link?.provider ?? "", at: now)
      return member
    }
    // The one chosen last, by the name it has among the members.
    if let last { reading[GPSField.device] = .ok(.string(last.device)) }
    if members.isEmpty {
      for index in reading.indices { reading[index] = .noData("no receiver") }
    } else {
      BestReceiver.combine(members, into: &reading)
    }
    reading.notBefore(&emptyAt, at: now)
    last = receivers.first { $0.device == reading[GPSField.device].value.text }
    if let last {
      reading.showDevice(link?.shown(last.device) ?? "", of: last, allow: request.allow)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    GPSField(rawValue: index).flatMap { last?.raw($0) }
  }
}

extension Reading {
  /// Shows a receiver's device, with its serial number only if that is allowed (sources P4).
  fileprivate mutating func showDevice(
    _ shown: String, of receiver: PositionReceiver, allow: Allowance
  ) {
    let isOpen = allow.permits(.serial)
    self[GPSField.device] = .ok(.string(isOpen ? receiver.device : shown))
  }

  /// Keeps times from going back behind a reading that had none of its own (sources V12): the
  /// report it did not know of yet had begun before.
  fileprivate mutating func notBefore(_ emptyAt: inout Int64, at now: Int64) {
    if self[GPSField.fix].stamp == nil { emptyAt = now }
    for index in indices {
      if let stamp = self[index].stamp, stamp < emptyAt { self[index].stamp = emptyAt }
    }
  }
}
