import Glibc
import Ground

@testable import Machine

/// nl80211 as it was recorded, answered through libnl's own replacements for sending and receiving.
///
/// A recording is a file of `Tests/Fixtures/nl80211`: one message a line, the command it answers
/// and its bytes in hexadecimal, as the kernel of the virtual hardware gave them.
final class ReplayedRadio {
  /// The link to ask; the socket behind it is real, and nothing goes through it.
  let link: NetlinkRadioLink

  private let netlink: GenericNetlink

  /// The messages of a recording, by command.
  static func recording(
    _ name: String, beside file: String = #filePath
  ) throws(SystemError) -> [UInt32: [[UInt8]]] {
    let tests = file.split(separator: "/").dropLast(3).joined(separator: "/")
    let files = try RootedFileTree(root: "/\(tests)/Fixtures/nl80211")
    let text = try PolledFile("/\(name).txt", in: files, limit: 1 << 20).read()
    var found: [UInt32: [[UInt8]]] = [:]
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let command = commands[String(words[0])] else { continue }
      found[command, default: []].append(bytes(words[1]))
    }
    return found
  }

  /// Answers each command with its messages, however broken they are.
  init(_ messages: [UInt32: [[UInt8]]]) throws {
    netlink = try GenericNetlink()
    netlink.family = 32
    link = NetlinkRadioLink(netlink)
    let library = try SharedLibrary("libnl-3.so.200", package: "libnl-3-200")
    let socketCallbacks = try library.function("nl_socket_get_cb", as: SocketCallbacks.self)
    let release = try library.function("nl_cb_put", as: Release.self)
    let replaceSend = try library.function("nl_cb_overwrite_send", as: ReplaceSend.self)
    let replaceReceive = try library.function("nl_cb_overwrite_recv", as: ReplaceReceive.self)
    let key = UInt(bitPattern: netlink.socket)
    Self.replays.withLock { $0[key] = Replay(answers: messages) }
    guard let callbacks = socketCallbacks(netlink.socket) else { return }
    replaceSend(callbacks, send)
    // The socket keeps them; what was counted up by asking is counted down.
    release(callbacks)
    replaceReceive(netlink.callbacks, receive)
  }

  deinit {
    let key = UInt(bitPattern: netlink.socket)
    _ = Self.replays.withLock { $0.removeValue(forKey: key) }
  }

  private static let commands: [String: UInt32] = [
    "GET_INTERFACE": 5, "GET_STATION": 17, "GET_SCAN": 32, "GET_POWER_SAVE": 62,
  ]

  private static func bytes(_ digits: Substring) -> [UInt8] {
    var rest = digits.utf8[...]
    var found: [UInt8] = []
    while rest.count >= 2 {
      found.append(UInt8(Substring(rest.prefix(2)), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return found
  }

  // libnl's replacements are told the socket and nothing else.
  fileprivate static let replays = Lock<[UInt: Replay]>([:])
}

/// What is still to be answered on one socket.
private struct Replay {
  let answers: [UInt32: [[UInt8]]]
  var waiting: [[UInt8]] = []

  /// A question: its messages get the number that libnl expects.
  mutating func ask(_ command: UInt32, sequence: UInt32) {
    waiting = (answers[command] ?? []).map { message in
      var message = message
      withUnsafeBytes(of: sequence) { number in
        for (offset, byte) in number.enumerated() where message.count > 8 + offset {
          message[8 + offset] = byte
        }
      }
      return message
    }
  }
}

private typealias SocketCallbacks = @convention(c) (OpaquePointer) -> OpaquePointer?
private typealias Release = @convention(c) (OpaquePointer) -> Void
private typealias Header = @convention(c) (OpaquePointer) -> UnsafeMutableRawPointer?
private typealias Send = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
private typealias ReplaceSend = @convention(c) (OpaquePointer, Send) -> Void
private typealias Receive =
  @convention(c) (
    OpaquePointer?, UnsafeMutableRawPointer?,
    UnsafeMutablePointer<UnsafeMutableRawPointer?>?, UnsafeMutableRawPointer?
  ) -> Int32
private typealias ReplaceReceive = @convention(c) (OpaquePointer, Receive) -> Void

private let headerOf = try? SharedLibrary("libnl-3.so.200", package: "libnl-3-200")
  .function("nlmsg_hdr", as: Header.self)

private let send: Send = { socket, message in
  guard let socket, let message, let header = headerOf?(message) else { return -1 }
  // Length, type and flags, number, port; then the command of generic netlink.
  let length = header.load(as: UInt32.self)
  let sequence = header.load(fromByteOffset: 8, as: UInt32.self)
  let command = UInt32(header.load(fromByteOffset: 16, as: UInt8.self))
  ReplayedRadio.replays.withLock {
    $0[UInt(bitPattern: socket)]?.ask(command, sequence: sequence)
  }
  return Int32(length)
}

/// One message a call, in memory that libnl frees; none is what a socket says whose time is up.
private let receive: Receive = { socket, from, buffer, _ in
  let next = ReplayedRadio.replays.withLock { replays -> [UInt8]? in
    let key = UInt(bitPattern: socket)
    guard replays[key]?.waiting.isEmpty == false else { return nil }
    return replays[key]?.waiting.removeFirst()
  }
  // NLE_AGAIN.
  guard let next, let buffer, let memory = malloc(max(1, next.count)) else { return -4 }
  memory.copyMemory(from: next, byteCount: next.count)
  buffer.pointee = memory
  // `struct sockaddr_nl`, from the kernel, whose port is 0.
  from?.initializeMemory(as: UInt8.self, repeating: 0, count: 12)
  from?.storeBytes(of: UInt16(AF_NETLINK), as: UInt16.self)
  return Int32(next.count)
}
