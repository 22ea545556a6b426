public import CGatheredKit
import Gathering
import Ground

/// What a connection ends: a listener of a source, or a subscription of a stream.
protocol Registration: AnyObject, Sendable {
  /// Whether further calls may come.
  var isConnected: Bool { get }
  /// Lets no further call begin.
  func end()
}

extension ListenerToken: Registration {}
extension DynamicConnection: Registration {}

/// One registration as C holds it: releasing the last reference ends it.
final class ConnectionObject: HandleObject, @unchecked Sendable {
  // Safe: the token is Sendable by itself.
  let token: any Registration

  init(_ token: any Registration) {
    self.token = token
    super.init(.connection)
  }

  deinit { token.end() }

  override var summary: String { token.isConnected ? "connection open" : "connection ended" }
}

/// A bag of connections that are ended together, in the order added.
final class ConnectorObject: HandleObject, @unchecked Sendable {
  // Safe: the bag is a monitor's.
  private let bag = Monitor<[ConnectionObject]>([])

  init() { super.init(.connector) }

  deinit { disconnect() }

  /// Puts a connection in, unless it has ended or is in already.
  func add(_ connection: ConnectionObject) {
    guard connection.token.isConnected else { return }
    let ended = bag.withLock { $0 }.filter { !$0.token.isConnected }
    let former = bag.withLock { bag in
      let former = bag
      bag.removeAll { known in ended.contains { $0 === known } }
      if !bag.contains(where: { $0 === connection }) { bag.append(connection) }
      return former
    }
    // What has ended is let go here, outside the lock.
    withExtendedLifetime(former) {}
  }

  /// Ends all that is in the bag and empties it.
  func disconnect() {
    let connections = bag.withLock { bag in
      defer { bag = [] }
      return bag
    }
    for connection in connections { connection.token.end() }
  }

  override var summary: String { "connector" }
}

/// Listens to the updates of a source.
@_cdecl("gkit_source_listen") @implementation public func gkit_source_listen(
  _ source: OpaquePointer?, _ fn: gkit_update_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let place = try out.map { try OutHandle($0) }
    guard let fn else { throw Failure.null("fn") }
    let object = try openSource(source)
    let token = object.source.addRowListener(fn, userData.pointer, onEnd: { userData.end() })
    try hand(token, to: place, orKeepIn: object.floating)
  }
}

/// Listens to the updates of a source, with a batch to read earlier readings from.
@_cdecl("gkit_source_listen_batches") @implementation public func gkit_source_listen_batches(
  _ source: OpaquePointer?, _ fn: gkit_batch_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let place = try out.map { try OutHandle($0) }
    guard let fn else { throw Failure.null("fn") }
    let object = try openSource(source)
    let token = object.source.addBatchListener(fn, userData.pointer, onEnd: { userData.end() })
    try hand(token, to: place, orKeepIn: object.floating)
  }
}

/// Copies samples of a batch, inside its callback.
@_cdecl("gkit_batch_read") @implementation public func gkit_batch_read(
  _ batch: OpaquePointer?, _ first: Int, _ out: UnsafeMutablePointer<gkit_sample>?,
  _ capacity: Int
) -> Int64 {
  counting {
    guard let batch else { throw Failure.null("batch") }
    guard let out else { throw Failure.null("out") }
    let lent = UnsafePointer<LentBatch>(batch).pointee
    guard first >= 0, first < lent.readingCount else {
      throw Failure(
        Status.invalidArgument, "reading \(first) of \(lent.readingCount) is not there")
    }
    return Int64(lent.write(from: first, to: out, capacity: max(0, capacity)))
  }
}

/// Listens to the events of a source.
@_cdecl("gkit_source_listen_events") @implementation public func gkit_source_listen_events(
  _ source: OpaquePointer?, _ fn: gkit_event_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let place = try out.map { try OutHandle($0) }
    guard let fn else { throw Failure.null("fn") }
    let object = try openSource(source)
    let lender = object.lender
    let token = object.source.addEventListener(onEnd: { userData.end() }) { event in
      lender.lend { handle in event.pass(to: fn, source: handle, userData) }
    }
    try hand(token, to: place, orKeepIn: object.floating)
  }
}

/// Ends a registration.
@_cdecl("gkit_connection_disconnect") @implementation public func gkit_connection_disconnect(
  _ connection: OpaquePointer?
) {
  guard let connection else { return }
  _ = entry { try object(connection, as: ConnectionObject.self, "connection").token.end() }
}

/// Makes an empty bag of connections.
@_cdecl("gkit_connector_new") @implementation public func gkit_connector_new() -> OpaquePointer? {
  var handle: OpaquePointer?
  _ = entry { try OutHandle(&handle).give(ConnectorObject()) }
  return handle
}

/// Puts a connection into a bag.
@_cdecl("gkit_connector_add") @implementation public func gkit_connector_add(
  _ connector: OpaquePointer?, _ connection: OpaquePointer?
) -> gkit_status {
  entry {
    let bag = try object(connector, as: ConnectorObject.self, "connector")
    bag.add(try object(connection, as: ConnectionObject.self, "connection"))
  }
}

/// Ends all connections of a bag.
@_cdecl("gkit_connector_disconnect") @implementation public func gkit_connector_disconnect(
  _ connector: OpaquePointer?
) {
  guard let connector else { return }
  _ = entry { try object(connector, as: ConnectorObject.self, "connector").disconnect() }
}
