import CLinux
import Glibc
import Ground

/// A connection to a message bus by sd-bus. It belongs to the one thread that made it.
final class BusConnection {
  /// An incoming message.
  enum Incoming {
    /// The answer to the call of a cookie.
    case answer(UInt64, Result<[BusValue], BusFailure>)
    case signal(BusSignal)
    /// Anything else, which is ignored.
    case other
  }

  private let sd: clinux_bus
  private let bus: OpaquePointer

  /// Starts to connect; the connection is completed asynchronously. Throws an error that is known
  /// at once.
  init(address: String) throws(BusFailure) {
    do {
      sd = try Libsystemd.table()
    } catch {
      throw BusFailure(
        .noLibrary(package: error.package), message: error.reason,
        errno: error.systemError.code)
    }
    var made: OpaquePointer?
    let answer = sd.create(&made)
    guard answer >= 0, let made else { throw Self.failure(-answer, at: address) }
    bus = made
    var state = sd.set_address(bus, address)
    if state >= 0 { state = sd.set_bus_client(bus, 1) }
    if state >= 0 { state = sd.start(bus) }
    // `deinit` frees the memory, since all members are set.
    if state < 0 { throw Self.failure(-state, at: address) }
  }

  deinit {
    sd.close(bus)
    _ = sd.unref(bus)
  }

  /// The descriptor to poll and the events to poll it for.
  var pollable: (descriptor: Int32, events: Int16) {
    (sd.get_fd(bus), Int16(truncatingIfNeeded: max(0, sd.get_events(bus))))
  }

  /// When it wants to be processed at the latest, on CLOCK_MONOTONIC in nanoseconds.
  var moment: Int64 {
    var microseconds = UInt64.max
    guard sd.get_timeout(bus, &microseconds) >= 0 else { return .max }
    let (nanoseconds, overflow) = Int64(clamping: microseconds)
      .multipliedReportingOverflow(by: 1000)
    return overflow ? .max : nanoseconds
  }

  /// Sends a call that starts no service, and gives the cookie its answer will have.
  func send(_ call: BusCall) throws(BusFailure) -> UInt64 {
    var message: OpaquePointer?
    var state = sd.message_new_method_call(
      bus, &message, call.destination, call.path, call.interface, call.member)
    guard state >= 0, let message else { throw Self.failure(-state, at: call.destination) }
    defer { _ = sd.message_unref(message) }
    state = sd.message_set_auto_start(message, 0)
    var writer = BusWriter(sd: sd, message: message)
    for argument in call.arguments { writer.append(argument) }
    state = min(state, writer.state)
    var cookie: UInt64 = 0
    if state >= 0 { state = sd.send(bus, message, &cookie) }
    if state < 0 { throw Self.failure(-state, at: call.destination) }
    return cookie
  }

  /// Takes the next message; nil when there is none. Throws when the connection has ended.
  func receive() throws(BusFailure) -> Incoming? {
    var message: OpaquePointer?
    let state = sd.process(bus, &message)
    if state < 0 { throw Self.failure(-state, at: "the message bus") }
    guard let message else { return state > 0 ? .other : nil }
    defer { _ = sd.message_unref(message) }
    var type: UInt8 = 0
    guard sd.message_get_type(message, &type) >= 0 else { return .other }
    switch Int32(type) {
    case CLINUX_BUS_ANSWER: return .answer(cookie(of: message), contents(of: message))
    case CLINUX_BUS_ERROR: return .answer(cookie(of: message), .failure(error(of: message)))
    case CLINUX_BUS_SIGNAL: return try signal(message)
    default: return .other
    }
  }

  private func signal(_ message: OpaquePointer) throws(BusFailure) -> Incoming {
    let interface = text(sd.message_get_interface(message))
    let member = text(sd.message_get_member(message))
    // sd-bus itself sends this when the other side has closed the connection.
    if interface == "org.freedesktop.DBus.Local", member == "Disconnected" {
      throw .isClosed
    }
    guard case .success(let arguments) = contents(of: message) else { return .other }
    return .signal(
      BusSignal(
        sender: text(sd.message_get_sender(message)), path: text(sd.message_get_path(message)),
        interface: interface, member: member, arguments: arguments))
  }

  private func cookie(of message: OpaquePointer) -> UInt64 {
    var cookie: UInt64 = 0
    return sd.message_get_reply_cookie(message, &cookie) >= 0 ? cookie : 0
  }

  private func error(of message: OpaquePointer) -> BusFailure {
    guard let error = sd.message_get_error(message)?.pointee else {
      return BusFailure(.other, message: "an error without a name")
    }
    return BusFailure(name: text(error.name), message: text(error.message))
  }

  private func contents(of message: OpaquePointer) -> Result<[BusValue], BusFailure> {
    var reader = BusReader(sd: sd, message: message)
    return reader.readAll().map { .success($0) }
      ?? .failure(BusFailure(.malformed, message: "the answer is too large or cannot be read"))
  }

  private func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }

  /// The meaning of an errno from sd-bus itself; the errors of answers are handled elsewhere.
  private static func failure(_ code: Int32, at place: String) -> BusFailure {
    let text = String(cString: strerror(code))
    return BusFailure(.noBus, message: "\(place): \(text)", errno: code)
  }
}

/// A received signal.
struct BusSignal: Equatable, Sendable {
  /// The unique name of who sent it.
  var sender: String
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue]
}
