import CLinux
import Glibc
import Ground

/// The door between a broker and libmosquitto: what comes is read here and checked before
/// libmosquitto has it.
///
/// libmosquitto knows its socket by a number. While the gate is shut that number is a socket of
/// ours, which has what was checked and no more, whatever comes meanwhile; while it is open, the
/// broker's. libmosquitto only reads while it is shut, and only writes while it is open.
final class BrokerGate {
  /// How much is read at once, in bytes: more than a record of TLS can have.
  static let size = 65_536

  var buffer = [UInt8](repeating: 0, count: size)
  var guardian: BrokerGuard
  /// Whether TLS was agreed on.
  var isAgreed = false
  private let link: Descriptor
  private let inner: Descriptor
  private let outer: Descriptor
  private let number: Int32
  private var isShut = false

  /// A gate for a connected client's socket, open.
  init(_ number: Int32, _ version: BrokerVersion) throws(SystemError) {
    // A program that our host starts must not keep the connection open.
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    self.number = number
    guardian = BrokerGuard(version)
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    link = try Descriptor(answer: copy < 0 ? -errno : copy, at: "")
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    if socketpair(AF_UNIX, kind, 0, &pair) != 0 { throw SystemError(errno, at: "") }
    inner = Descriptor(owning: pair[0])
    outer = Descriptor(owning: pair[1])
  }

  /// The broker's socket.
  var broker: Int32 { link.number }

  /// How much libmosquitto has not yet read of what passed, in bytes.
  var waiting: Int { Self.waiting(inner.number) }

  /// How much has come that was not read, in bytes.
  var coming: Int { Self.waiting(link.number) }

  /// Lets libmosquitto read what passed. Gives 0 or an errno, as `open` does.
  func shut() -> Int32 { turn(true) }

  /// Lets libmosquitto write to the broker. The client must not have ended: its number may be
  /// another's then.
  func open() -> Int32 { turn(false) }

  /// Reads what has come; as recv(2).
  func receive() -> Int { recv(link.number, &buffer, Self.size, Int32(MSG_DONTWAIT)) }

  /// Passes a part of what was read on; as send(2).
  func pass(_ part: Range<Int>) -> Int {
    let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    return buffer.withUnsafeBytes {
      send(outer.number, $0.baseAddress.map { $0 + part.lowerBound }, part.count, flags)
    }
  }

  private func turn(_ isShut: Bool) -> Int32 {
    if self.isShut == isShut { return 0 }
    let code = clinux_broker_turn(isShut ? inner.number : link.number, number)
    if code == 0 { self.isShut = isShut }
    return code
  }

  private static func waiting(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    _ = ioctl(descriptor, UInt(FIONREAD), &count)
    return Int(count)
  }
}
