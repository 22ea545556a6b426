import CLinux

/// One request and its answer, which libnl delivers message by message.
final class NetlinkExchange {
  private let nl: clinux_nl
  private let family: Int32
  private let receive: (NetlinkAttributes) -> Void
  /// Whether the answer is complete, or refused.
  private(set) var isOver = false
  /// The errno of the kernel, or 0.
  private(set) var errno: Int32 = 0
  /// Whether a list changed while it was read.
  private(set) var wasInterrupted = false

  init(_ nl: clinux_nl, family: Int32, receive: @escaping (NetlinkAttributes) -> Void) {
    self.nl = nl
    self.family = family
    self.receive = receive
  }

  /// Sets this exchange as the receiver of libnl's callbacks. They do not retain it: use them only
  /// while it lives, or after another exchange has replaced it.
  func listen(with callbacks: OpaquePointer) {
    let me = Unmanaged.passUnretained(self).toOpaque()
    let handlers: [(Int32, NetlinkCallback)] = [
      (CLINUX_NL_CB_VALID, takeMessage), (CLINUX_NL_CB_ACK, takeEnd),
      (CLINUX_NL_CB_FINISH, takeEnd), (CLINUX_NL_CB_DUMP_INTR, takeInterruption),
    ]
    for (kind, handler) in handlers {
      _ = nl.cb_set(callbacks, kind, CLINUX_NL_CB_CUSTOM, handler, me)
    }
    _ = nl.cb_err(callbacks, CLINUX_NL_CB_CUSTOM, takeRefusal, me)
  }

  fileprivate func take(_ message: OpaquePointer) {
    guard let header = nl.msg_hdr(message), Int32(header.pointee.nlmsg_type) == family,
      nl.genlmsg_valid_hdr(header, 0) != 0, let inner = nl.genlmsg_hdr(header),
      let first = nl.genlmsg_attrdata(inner, 0)
    else { return }
    receive(NetlinkAttributes(nl, at: first, length: nl.genlmsg_attrlen(inner, 0)))
  }

  /// The end of a list has its own error number.
  fileprivate func end(_ message: OpaquePointer) {
    isOver = true
    guard let header = nl.msg_hdr(message), header.pointee.nlmsg_type == 3,
      Int(nl.msg_datalen(header)) >= MemoryLayout<Int32>.size, let data = nl.msg_data(header)
    else { return }
    refuse(with: data.loadUnaligned(as: Int32.self))
  }

  fileprivate func refuse(with code: Int32) {
    isOver = true
    if code < 0 && code > -4096 { errno = -code }
  }

  fileprivate func interrupt() { wasInterrupted = true }

  fileprivate static func from(_ argument: UnsafeMutableRawPointer?) -> NetlinkExchange? {
    argument.map { Unmanaged<NetlinkExchange>.fromOpaque($0).takeUnretainedValue() }
  }
}

private typealias NetlinkCallback =
  @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32

private let takeMessage: NetlinkCallback = { message, argument in
  if let message { NetlinkExchange.from(argument)?.take(message) }
  return CLINUX_NL_OK
}

private let takeEnd: NetlinkCallback = { message, argument in
  if let message { NetlinkExchange.from(argument)?.end(message) }
  return CLINUX_NL_STOP
}

private let takeInterruption: NetlinkCallback = { _, argument in
  NetlinkExchange.from(argument)?.interrupt()
  return CLINUX_NL_OK
}

private let takeRefusal:
  @convention(c) (
    UnsafeMutablePointer<sockaddr_nl>?, UnsafeMutablePointer<nlmsgerr>?, UnsafeMutableRawPointer?
  ) -> Int32 = { _, error, argument in
    NetlinkExchange.from(argument)?.refuse(with: error?.pointee.error ?? 0)
    return CLINUX_NL_STOP
  }
