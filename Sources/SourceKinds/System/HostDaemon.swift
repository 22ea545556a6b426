import Gathering
import Ground
import Machine
import Values

/// systemd-hostnamed: data of users and firmware about a machine, some of it for privileged callers
/// only.
final class HostDaemon {
  private struct MethodCall {
    var isOpen = true
    var askedAt: Int64
    /// The last answer.
    var outcome: Outcome?
  }

  /// How long a refusal counts.
  private static let rest: Int64 = 2_000_000_000

  static let name = "org.freedesktop.hostname1"
  static let path = "/org/freedesktop/hostname1"

  static let service = BusService(
    name, objects: .fixed([BusService.ObjectInterface(path, name)]),
    unit: "systemd-hostnamed.service",
    package: "systemd")

  private let machine: Machine
  private let watch: (any Cancellable)?
  /// The answers of methods, each called until it has returned data.
  private let calls = Monitor<[DeviceMetadata.Field: MethodCall]>([:])

  init(on machine: Machine) {
    self.machine = machine
    watch = machine.bus?.watch(Self.service) {}
    // One that runs answers in a moment, and one that does not costs no more than that.
    _ = machine.bus?.view(of: Self.service, waiting: 50_000_000)
  }

  deinit { watch?.cancel() }

  private var object: BusObject? { machine.view(of: Self.service)?.object(Self.path, Self.name) }

  /// The outcome of a property; nil if the daemon does not run, or does not report it.
  func property(_ property: String) -> (outcome: Outcome, raw: RawValue?)? {
    guard let value = object?[Self.name, property] else { return nil }
    let outcome = Outcome.of(value, property) { $0.asText }
    return (outcome, RawValue("\(value)".utf8, place: "\(Self.name).\(property)"))
  }

  /// The outcome of a field from a privileged method; nil if it cannot be called, or has not
  /// answered by now.
  func secret(_ field: DeviceMetadata.Field) -> Outcome? {
    guard let bus = machine.bus, object != nil else { return nil }
    let (method, arguments): (String, [BusValue]) =
      field == .serial ? ("GetHardwareSerial", []) : ("GetProductUUID", [.bool(false)])
    let now = machine.clock.now.boot
    let isNew = calls.withLock { calls in
      let known = calls[field]
      if let known, known.isOpen || known.outcome?.status == .ok || now - known.askedAt < Self.rest
      {
        return false
      }
      calls[field] = MethodCall(askedAt: now, outcome: known?.outcome)
      return true
    }
    if isNew {
      bus.call(BusCall(Self.name, Self.path, Self.name, method, arguments)) { [calls] result in
        let outcome = Self.outcome(of: result)
        calls.withLock { calls in
          calls[field]?.outcome = outcome
          calls[field]?.isOpen = false
        }
        calls.signalAll()
      }
    }
    let limit = Monitor<Void>.moment(after: isNew ? 50_000_000 : 0)
    _ = calls.wait(until: limit) { $0[field]?.isOpen == false ? true : nil }
    return calls.withLock { $0[field]?.outcome }
  }

  private static func outcome(of result: Result<[BusValue], BusFailure>) -> Outcome {
    switch result {
    case .success(let values):
      if let text = values.first?.asText { return text }
      guard let bytes = values.first?.bytes, bytes.count == 16 else {
        return .failed("\(name) gave an unexpected answer")
      }
      return .ok(.string(uuid(bytes)))
    case .failure(let failure): return .from(failure, of: service)
    }
  }

  /// 16 bytes as five groups of hexadecimal digits.
  private static func uuid(_ bytes: [UInt8]) -> String {
    bytes.enumerated().map { index, byte in
      let digits = String(byte, radix: 16)
      let isGroup = [4, 6, 8, 10].contains(index)
      return (isGroup ? "-" : "") + (digits.utf8.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
