/// Whether an instance can be used, and if not, why and what to do about it (sources 9).
public struct Availability: Equatable, Sendable {
  /// The fine state.
  public var state: State
  /// The backend that answered (`sysfs`, `procfs` …); empty if none did.
  public var backend: String
  /// One clause with the path, name or host concerned; may be empty.
  public var detail: String
  /// The errno behind it, or 0.
  public var errno: Int32
  /// One imperative line that names the narrowest fix; empty only for a limitless `available`
  /// and for `noHardware` (sources A1).
  public var remedy: String

  /// An availability with its explanation.
  public init(
    _ state: State, backend: String = "", detail: String = "", errno: Int32 = 0,
    remedy: String = ""
  ) {
    self.state = state
    self.backend = backend
    self.detail = detail
    self.errno = errno
    self.remedy = remedy
  }

  /// The group of the state.
  public var group: Group { state.group }

  /// The reason in one clause: the detail, or else the state in plain words.
  public var reason: String { detail.isEmpty ? state.clause : detail }

  /// The fine states, in the order of the specification.
  public enum State: String, CaseIterable, Sendable {
    case available, searching, requiresPermission, permissionDenied, restrictedByPolicy
    case poweredOff, serviceNotRunning, unsupportedByKernel, noHardware, busy, disconnected
    case failed

    /// The seed's five groups.
    public var group: Group {
      switch self {
      case .available, .searching: .available
      case .requiresPermission: .requiresPermissionsPrompt
      case .permissionDenied: .permissionDenied
      case .restrictedByPolicy: .restricted
      default: .unavailable
      }
    }

    /// The state in plain words.
    public var clause: String {
      switch self {
      case .available: "available"
      case .searching: "works, no value so far"
      case .requiresPermission: "permission is needed"
      case .permissionDenied: "permission is denied"
      case .restrictedByPolicy: "restricted by policy"
      case .poweredOff: "powered off"
      case .serviceNotRunning: "the service is not running"
      case .unsupportedByKernel: "the kernel does not support it"
      case .noHardware: "no such hardware"
      case .busy: "in use elsewhere"
      case .disconnected: "disconnected"
      case .failed: "failed"
      }
    }
  }

  /// The five states of the seed.
  public enum Group: Int32, CaseIterable, Sendable {
    case available = 0
    case requiresPermissionsPrompt = 1
    case permissionDenied = 2
    case restricted = 3
    case unavailable = 4
  }
}
