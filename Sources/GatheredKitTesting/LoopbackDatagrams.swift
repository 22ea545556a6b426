import Glibc
public import Ground

/// A daemon on a UDP port of the loopback that answers each datagram as a test wants.
public final class LoopbackDatagrams: Sendable {
  /// The port it listens on.
  public let port: UInt16
  private let socket: Descriptor
  private let asked = Monitor<[[UInt8]]>([])

  /// Begins to listen, until it is let go. `answers` makes the datagrams that answer one.
  public init(_ answers: @escaping @Sendable ([UInt8]) -> [[UInt8]]) throws(SystemError) {
    let (socket, port) = try Self.listening()
    self.socket = socket
    self.port = port
    let thread = try WorkerThread(named: "datagrams") { [socket, asked] in
      var buffer = [UInt8](repeating: 0, count: 2048)
      while true {
        var peer = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &peer) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            recvfrom(socket.number, &buffer, buffer.count, 0, $0, &size)
          }
        }
        // A socket that was shut down gives nothing, at once.
        guard count > 0 else { return }
        let request = Array(buffer[..<count])
        asked.withLock { $0.append(request) }
        for answer in answers(request) {
          _ = withUnsafePointer(to: &peer) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
              sendto(socket.number, answer, answer.count, 0, $0, size)
            }
          }
        }
      }
    }
    thread.detach()
  }

  deinit { shutdown(socket.number, Int32(SHUT_RDWR)) }

  /// What it was asked so far.
  public var requests: [[UInt8]] { asked.withLock { $0 } }

  /// A port of the loopback at which nothing listens.
  public static func freePort() throws(SystemError) -> UInt16 { try listening().1 }

  private static func listening() throws(SystemError) -> (Descriptor, UInt16) {
    let number = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemError(errno, at: "socket") }
    let descriptor = Descriptor(owning: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failure = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, size) != 0 || getsockname(number, $0, &size) != 0
      }
    }
    if failure { throw SystemError(errno, at: "127.0.0.1") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}
