import GatheredKitTesting
import Glibc
import Ground

/// A broker that follows a script: to every client it says what the script says, whatever it hears.
final class FakeBroker: Sendable {
  enum Step: Sendable {
    /// Waits for a packet of the client's to begin with this byte.
    case hear(UInt8)
    case say([UInt8])
    /// Says the same for as long as the client takes it, so many microseconds apart.
    case repeatedly([UInt8], apart: UInt32 = 0)
    case close
  }

  let port: UInt16
  private let listener: Descriptor
  private let heard = Monitor<[[UInt8]]>([])
  private let visitors = Monitor<[Descriptor]>([])

  /// A broker with a script for each client in turn; the last is for all that follow.
  init(_ scripts: [Step]...) throws {
    (listener, port) = try LoopbackServer.listen()
    let thread = try WorkerThread(named: "fake-broker") { [listener, weak self] in
      var left = scripts[...]
      while true {
        let number = accept(listener.number, nil, nil)
        guard number >= 0, let self else { return }
        let script = left.count > 1 ? left.removeFirst() : left.first ?? []
        self.receive(Descriptor(owning: number), script)
      }
    }
    thread.detach()
  }

  deinit {
    shutdown(listener.number, Int32(SHUT_RDWR))
    for visitor in visitors.withLock({ $0 }) { shutdown(visitor.number, Int32(SHUT_RDWR)) }
  }

  /// The first bytes of each client that were heard.
  var firstWords: [[UInt8]] { heard.withLock { $0 } }

  private func receive(_ visitor: Descriptor, _ script: [Step]) {
    visitors.withLock { $0.append(visitor) }
    let talk = try? WorkerThread(named: "fake-talk") { [weak self] in
      var isFirst = true
      for step in script {
        switch step {
        case .hear(let byte):
          guard let bytes = Self.hear(byte, from: visitor) else { return }
          if isFirst { self?.heard.withLock { $0.append(bytes) } }
          isFirst = false
        case .say(let bytes): if !Self.say(bytes, to: visitor) { return }
        case .repeatedly(let bytes, let pause):
          while Self.say(bytes, to: visitor) { if pause > 0 { usleep(pause) } }
        case .close: shutdown(visitor.number, Int32(SHUT_RDWR))
        }
      }
    }
    talk?.detach()
  }

  private static func hear(_ byte: UInt8, from visitor: Descriptor) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(visitor.number, &bytes, bytes.count)
      guard count > 0 else { return nil }
      if bytes[0] == byte { return Array(bytes[..<count]) }
    }
  }

  private static func say(_ bytes: [UInt8], to visitor: Descriptor) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(visitor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
