public import Machine
import Values

extension Availability {
  /// The availability of kinds whose service cannot be used (sources E3).
  ///
  /// `files` show whether this process runs in a sandbox, where no remedy starts a service.
  public init(_ failure: BusFailure, of service: BusService, in files: any FileTree) {
    let (state, remedy) = Self.verdict(on: failure.cause, of: service)
    let isHidden = state == .serviceNotRunning && Self.isSandboxed(files)
    self.init(
      isHidden ? .restrictedByPolicy : state, backend: service.backend, detail: failure.message,
      errno: failure.errno,
      remedy: isHidden
        ? "let the sandbox talk to \(service.name) on the system bus" : remedy)
  }

  /// The obstacle shown by a view of a service; nil if the service runs and can be used.
  ///
  /// `bus` is nil on a machine that has none.
  public static func obstacle(
    _ service: BusService, on machine: Machine, view: BusView?
  ) -> Availability? {
    switch view?.state {
    case .running: return nil
    case .absent(let failure):
      return Availability(failure, of: service, in: machine.files)
    case .asking:
      return Availability(
        .failed, backend: service.backend, detail: "\(service.name) has not answered so far",
        errno: SystemText.tryAgain, remedy: "systemctl restart \(service.unit)")
    case nil:
      return Availability(
        .serviceNotRunning, backend: service.backend,
        detail: machine.nature == .captured
          ? "a captured tree has no message bus" : "this machine has no message bus",
        remedy: "name a message bus: bus=ADDRESS")
    }
  }

  private static func verdict(
    on cause: BusFailure.Cause, of service: BusService
  ) -> (State, remedy: String) {
    switch cause {
    case .noLibrary(let package): (.failed, "install \(package)")
    case .noBus: (.serviceNotRunning, "systemctl start dbus.service")
    case .notRunning(isActivatable: true): (.serviceNotRunning, "systemctl start \(service.unit)")
    case .notRunning:
      (.serviceNotRunning, "systemctl start \(service.unit) # from package \(service.package)")
    case .accessDenied:
      (.permissionDenied, "let this user talk to \(service.name) in the bus's policy")
    case .notAuthorized:
      (.restrictedByPolicy, "ask the administrator for a polkit rule for \(service.name)")
    case .needsAuthorization:
      (.requiresPermission, "start a polkit agent, and answer what it asks")
    case .noObject: (.disconnected, "connect the device again")
    case .unsupported: (.failed, "install a newer \(service.package)")
    case .timedOut, .malformed, .other: (.failed, "systemctl restart \(service.unit)")
    }
  }

  private static func isSandboxed(_ files: any FileTree) -> Bool {
    (try? files.open("/.flatpak-info")) != nil
  }
}

extension BusService {
  /// The name of the backend in availabilities: the last word of the service's name.
  public var backend: String {
    guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return name }
    return String(name[name.utf8.index(after: point)...])
  }
}

extension Machine {
  /// The present view of a service, without waiting; nil on a machine without a bus.
  public func view(of service: BusService) -> BusView? {
    bus?.view(of: service, waiting: 0)
  }
}

extension Outcome {
  /// The outcome of a value whose query to a service failed (sources E3).
  public static func from(_ failure: BusFailure, of service: BusService) -> Outcome {
    let text = failure.message
    switch failure.cause {
    case .accessDenied, .notAuthorized, .needsAuthorization:
      let remedy = "let this user talk to \(service.name)"
      return .permission(text, errno: failure.errno, remedy: remedy)
    case .unsupported: return .unsupported(text, errno: failure.errno)
    case .noObject, .noBus, .notRunning, .noLibrary: return .noData(text, errno: failure.errno)
    case .timedOut, .malformed, .other: return .failed(text, errno: failure.errno)
    }
  }

  /// The value of a property on the bus by a rule. An unknown property is `noData`; a value the
  /// rule does not accept, or of another type, is an error that quotes it.
  public static func of(
    _ value: BusValue?, _ name: String, _ rule: (BusValue) -> Outcome?
  ) -> Outcome {
    guard let value else { return .noData("\(name) is not known") }
    if let outcome = rule(value) { return outcome }
    let text = Array("\(value)".utf8).quotedExcerpt
    return .failed("\(name) is \(text) of type \(value.typeSignature)")
  }
}

extension BusValue {
  /// A finite number; nothing for one that is not finite.
  public func number(_ make: (Double) -> Outcome) -> Outcome? {
    guard let double else { return nil }
    return double.isFinite ? make(double) : .noData("reported as no number")
  }

  /// The value as a flag.
  public var asFlag: Outcome? { flag.map { .ok(.bool($0)) } }

  /// The value as text; an empty text is `noData`.
  public var asText: Outcome? {
    guard let text else { return nil }
    let trimmed = text.trimmingSpaces()
    return trimmed.isEmpty ? .noData("empty text") : .ok(.string(trimmed))
  }
}
