import CLinux
import Glibc
import Ground

/// A socket of generic netlink for one family, used through libnl.
///
/// Not to be used by two threads at once.
final class GenericNetlink {
  /// A question to the family.
  struct Request {
    /// `nl80211 GET_STATION`, for errors.
    let place: String
    let command: UInt32
    /// Whether the answer is a list of messages.
    let isList: Bool
    /// Numbers of 32 bits by attribute.
    let numbers: [(attribute: UInt32, number: UInt32)]
  }

  /// The longest wait for an answer, in seconds: the kernel gives it before the question returns.
  private static let patience = 1
  /// How often a list is read that changes while it is read.
  private static let attempts = 3

  let nl: clinux_nl
  let socket: OpaquePointer
  let callbacks: OpaquePointer
  /// The number the kernel gave the family.
  var family: Int32 = 0

  /// A connected socket; its family is looked up later.
  init() throws(NetlinkError) {
    do throws(MissingLibrary) { nl = try Libnl.table() } catch { throw .missingLibrary(error) }
    guard let socket = nl.socket_alloc() else { throw Self.outOfMemory }
    guard let callbacks = nl.cb_alloc(CLINUX_NL_CB_DEFAULT) else {
      nl.socket_free(socket)
      throw Self.outOfMemory
    }
    self.socket = socket
    self.callbacks = callbacks
    let code = nl.genl_connect(socket)
    if code == -CLINUX_NLE_PROTO_MISMATCH {
      throw .noFamily("the kernel has no generic netlink")
    }
    if code < 0 { throw error(code, at: "generic netlink") }
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// A socket for a named family, found in the list of loaded families: requesting one by its name
  /// would make the kernel load a module.
  convenience init(family name: String) throws(NetlinkError) {
    try self.init()
    var families: OpaquePointer?
    let code = nl.genl_ctrl_alloc_cache(socket, &families)
    guard code >= 0, let families else { throw error(code, at: "generic netlink") }
    defer { nl.cache_free(families) }
    guard let found = nl.genl_ctrl_search_by_name(families, name) else {
      throw .noFamily(Self.absence(of: name))
    }
    family = Int32(truncatingIfNeeded: nl.genl_family_get_id(found))
    nl.genl_family_put(found)
  }

  /// What it is called that the kernel has not got a family.
  static func absence(of family: String) -> String { "the kernel has no netlink family \(family)" }

  deinit {
    nl.cb_put(callbacks)
    nl.socket_free(socket)
  }

  /// The socket's number, for a loop to watch.
  var descriptor: Int32 { nl.socket_get_fd(socket) }

  /// Joins a multicast group of the family, to receive its messages.
  func join(_ group: String, of family: String) throws(NetlinkError) {
    let number = nl.genl_ctrl_resolve_grp(socket, family, group)
    let code = number < 0 ? number : nl.socket_add_membership(socket, number)
    if code < 0 { throw error(code, at: "\(family) group \(group)") }
  }

  /// Makes receiving return at once if there is no message.
  func setNonblocking() {
    _ = nl.socket_set_nonblocking(socket)
  }

  /// Sends a request, and returns the parsed messages of the answer.
  func ask<Output>(
    _ request: Request, _ decode: @escaping (NetlinkAttributes) -> Output?
  ) throws(NetlinkError) -> [Output] {
    var answers: [Output] = []
    for _ in 0..<Self.attempts {
      answers = []
      let exchange = NetlinkExchange(nl, family: family) { attributes in
        if let answer = decode(attributes) { answers.append(answer) }
      }
      try run(exchange, of: request)
      if !exchange.wasInterrupted { break }
    }
    return answers
  }

  private func run(_ exchange: NetlinkExchange, of request: Request) throws(NetlinkError) {
    exchange.listen(with: callbacks)
    try send(request)
    while !exchange.isOver {
      let code = nl.recvmsgs(socket, callbacks)
      if code < 0 && !exchange.isOver { throw error(code, at: request.place) }
    }
    if exchange.errno != 0 { throw .refused(SystemError(exchange.errno, at: request.place)) }
  }

  private func send(_ request: Request) throws(NetlinkError) {
    guard let message = nl.msg_alloc() else { throw Self.outOfMemory }
    defer { nl.msg_free(message) }
    let flags = request.isList ? NLM_F_DUMP : 0
    let header = nl.genlmsg_put(
      message, 0, 0, family, 0, flags, UInt8(truncatingIfNeeded: request.command), 0)
    var code = header == nil ? -CLINUX_NLE_NOMEM : 0
    for (attribute, number) in request.numbers where code >= 0 {
      code = nl.attr_put_u32(message, Int32(truncatingIfNeeded: attribute), number)
    }
    if code >= 0 { code = nl.send_auto(socket, message) }
    if code < 0 { throw error(code, at: request.place) }
  }

  private func error(_ code: Int32, at place: String) -> NetlinkError {
    if code == -CLINUX_NLE_AGAIN { return .refused(SystemError(ETIMEDOUT, at: place)) }
    let text = nl.geterror(code).map { String(cString: $0) } ?? "no reason given"
    return .failed(code: abs(code), text: "\(place): \(text)")
  }

  private static let outOfMemory = NetlinkError.failed(
    code: CLINUX_NLE_NOMEM, text: "libnl: out of memory")
}
