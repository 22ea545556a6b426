import Glibc
public import Ground

/// A server on a port of the loopback that says what a test wants, to every client.
public final class LoopbackServer: Sendable {
  /// How a client is treated.
  public enum Manner: Sendable {
    /// Texts are sent one after the other, so many microseconds apart; then nothing more comes.
    case says([String], apart: UInt32 = 0)
    /// The same text is sent for as long as the client takes it.
    case repeats(String)
    /// The connection is closed after a text.
    case closes(after: String)
  }

  /// The port it listens on.
  public let port: UInt16
  private let listener: Descriptor
  private let manner: Manner
  private let visitors = Monitor<(open: [Descriptor], count: Int, received: [UInt8])>(([], 0, []))

  /// Begins to listen, until it is let go.
  public init(_ manner: Manner) throws(SystemError) {
    let (listener, port) = try Self.listen()
    self.listener = listener
    self.port = port
    self.manner = manner
    let thread = try WorkerThread(named: "loopback") { [listener, weak self] in
      while true {
        let number = accept(listener.number, nil, nil)
        guard number >= 0, let self else { return }
        self.receive(Descriptor(owning: number))
      }
    }
    thread.detach()
  }

  deinit {
    shutdown(listener.number, Int32(SHUT_RDWR))
    endVisits()
  }

  /// How many have connected so far.
  public var visitorCount: Int { visitors.withLock { $0.count } }

  /// What they have said.
  public var received: String { String(decoding: visitors.withLock { $0.received }, as: UTF8.self) }

  /// Ends the connections there are.
  public func endVisits() {
    let open = visitors.withLock { visitors in
      defer { visitors.open = [] }
      return visitors.open
    }
    for visitor in open { shutdown(visitor.number, Int32(SHUT_RDWR)) }
  }

  private func receive(_ visitor: Descriptor) {
    visitors.withLock { visitors in
      visitors.open.append(visitor)
      visitors.count += 1
    }
    let manner = manner
    let talk = try? WorkerThread(named: "loopback-talk") { Self.treat(visitor, manner) }
    talk?.detach()
    let listen = try? WorkerThread(named: "loopback-hear") { [weak self] in
      var bytes = [UInt8](repeating: 0, count: 256)
      while true {
        let count = read(visitor.number, &bytes, bytes.count)
        guard count > 0, let self else { return }
        self.visitors.withLock { $0.received += bytes[..<count] }
      }
    }
    listen?.detach()
  }

  private static func treat(_ visitor: Descriptor, _ manner: Manner) {
    switch manner {
    case .says(let texts, let pause):
      for text in texts where say(text, to: visitor) { usleep(pause) }
    case .repeats(let text):
      while say(text, to: visitor) {}
    case .closes(let text):
      _ = say(text, to: visitor)
      shutdown(visitor.number, Int32(SHUT_RDWR))
    }
  }

  static func say(_ text: String, to visitor: Descriptor) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(visitor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// A port of the loopback that no server listens on at the moment.
  public static func freePort() throws(SystemError) -> UInt16 { try listen().1 }

  /// Whether a server listens on a port of the loopback.
  public static func isOpen(_ port: UInt16) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return false }
    let descriptor = Descriptor(owning: number)
    var address = loopback(port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        connect(descriptor.number, plain, size) == 0
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  /// A descriptor that listens on a free port of the loopback.
  public static func listen() throws(SystemError) -> (Descriptor, UInt16) {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemError(errno, at: "127.0.0.1") }
    let descriptor = Descriptor(owning: number)
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(number, plain, size) != 0 || Glibc.listen(number, 8) != 0
          || getsockname(number, plain, &size) != 0
      }
    }
    guard !failed else { throw SystemError(errno, at: "127.0.0.1") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}
