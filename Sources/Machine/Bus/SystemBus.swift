import Glibc
public import Ground

/// A message bus accessed by sd-bus, on a thread of its own that is created on first use.
///
/// The thread sleeps while there are no messages and no requests. A daemon or bus that hangs blocks
/// only the callers that wait for it.
public final class SystemBus: MessageBus {
  private let exchange: BusExchange
  private let fork = ForkGuard()

  /// A bus at a D-Bus address: `unix:path=…`, `tcp:host=…`, several separated by `;`.
  ///
  /// Without an address it is the system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or the usual socket. Opens
  /// nothing before first use.
  public init(address: String? = nil) {
    let named = address ?? getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    exchange = BusExchange(address: named ?? "unix:path=/run/dbus/system_bus_socket")
  }

  deinit {
    if !fork.isForked { exchange.stop() }
  }

  /// Keeps a copy of a service's objects; see `MessageBus`.
  public func watch(
    _ service: BusService, _ changed: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    if fork.isForked { return NoWatch() }
    let number = exchange.hold(service, changed)
    return BusWatch(bus: self, service: service, number: number)
  }

  /// The copy as it is; see `MessageBus`.
  public func view(of service: BusService, waiting limit: Int64) -> BusView {
    fork.isForked ? BusView(.absent(.isClosed)) : exchange.view(of: service, waiting: limit)
  }

  /// Calls a method; see `MessageBus`.
  public func call(
    _ call: BusCall, _ answer: @escaping @Sendable (Result<[BusValue], BusFailure>) -> Void
  ) {
    if fork.isForked { return answer(.failure(.isClosed)) }
    exchange.submit(.call(call, answer))
  }

  /// Tries again at once to reach the bus, and waits again for services that hung.
  func lookAnew(at services: [BusService]) {
    if fork.isForked || services.isEmpty { return }
    exchange.lookAnew(at: services)
  }

  fileprivate func end(_ number: UInt64, of service: BusService) {
    if !fork.isForked { exchange.release(service, number) }
  }
}

private struct BusWatch: Cancellable {
  let bus: SystemBus
  let service: BusService
  let number: UInt64

  func cancel() { bus.end(number, of: service) }
}

private struct NoWatch: Cancellable {
  func cancel() {}
}
