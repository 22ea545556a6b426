import Glibc
public import Ground

/// The buffers of IIO devices through libiio: of this computer or of another one.
///
/// Streams of one device share its one buffer, which holds every requested channel and runs at the
/// fastest rate; it is reopened when the requests grow. Changed settings are restored at the end.
public final class LibiioScans: ScanOpener {
  private let uri: String
  private let link: RemoteLink?
  private let buffers = Monitor<[String: SharedBuffer]>([:], rank: .device)

  /// The buffers of this computer.
  public init() {
    uri = "local:"
    link = nil
  }

  /// The buffers behind a link to another machine.
  init(link: RemoteLink) {
    uri = link.uri
    self.link = link
  }

  deinit {
    // Waits, 2 s at most, until the devices are as they were before.
    let all = buffers.withLock { Array($0.values) }
    let moment = Monitor<Void>.moment(after: 2_000_000_000)
    for buffer in all { buffer.waitForEnd(until: moment) }
  }

  /// Opens a device's buffer, or joins a buffer that is open.
  ///
  /// Waits for the device, three seconds at most. Throws EACCES, EBUSY, ENODEV, ELIBACC without
  /// libiio, EOPNOTSUPP without such a channel or trigger, ENOTCONN without a link.
  public func open(
    _ request: ScanRequest, on loop: any Loop,
    deliver: @escaping @Sendable (ScanBlock) -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void
  ) throws(SystemError) -> any ScanStream {
    try link?.check()
    let device = String(request.device.split(separator: "/").last ?? "")
    let plan = ScanCapture.Plan(
      uri: uri, device: device, channels: Set(request.groups.flatMap(\.channels)),
      interval: max(request.interval, 1))
    let buffer = try buffers.withLock { buffers throws(SystemError) -> SharedBuffer in
      // New devices get ever new numbers; a removed one needs no descriptor.
      buffers = buffers.filter { $0.key == device || !$0.value.isIdle }
      if let known = buffers[device], !known.isAbandoned { return known.expectingOne() }
      let new = try SharedBuffer().expectingOne()
      buffers[device] = new
      return new
    }
    return try buffer.join(
      ScanConsumer(request: request, plan: plan, deliver: deliver, ended: ended))
  }
}

/// One stream of a shared buffer.
final class ScanConsumer: Sendable {
  let request: ScanRequest
  let plan: ScanCapture.Plan
  let deliver: @Sendable (ScanBlock) -> Void
  let ended: @Sendable (SystemError?) -> Void

  init(
    request: ScanRequest, plan: ScanCapture.Plan,
    deliver: @escaping @Sendable (ScanBlock) -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void
  ) {
    self.request = request
    self.plan = plan
    self.deliver = deliver
    self.ended = ended
  }
}

/// A stream's hold on a shared buffer.
struct SharedScanStream: ScanStream {
  let buffer: SharedBuffer
  let consumer: ScanConsumer

  var interval: Int64 { buffer.interval }

  func granted(for asked: Int64) -> Int64 { buffer.granted(for: asked) }

  func quicken(to interval: Int64) throws(SystemError) {
    try buffer.quicken(consumer, to: interval)
  }

  func cancel() {
    buffer.leave(consumer)
  }
}
