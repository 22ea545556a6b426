package import Gathering
import Ground
package import Machine
import Recording

extension SourceError {
  /// What is wrong with the arguments of a connection.
  package init(_ fault: BrokerFault) {
    switch fault {
    case .invalid: self = .invalidArgument(fault.reason)
    case .notFound: self = .notFound(fault.reason)
    case .malformed: self = .parse(fault.reason)
    case .unreadable(let error):
      self = .unavailable(
        Availability(
          .permissionDenied, backend: "mqtt", detail: fault.reason, errno: error.code,
          remedy: "give this user read access to it"))
    case .system(let error): self = SourceError(error)
    }
  }

  /// Why there is no connection to a broker.
  package init(_ failure: BrokerFailure) { self = .unavailable(Availability(failure)) }
}

extension Availability {
  /// Of what is reached through a broker that is not.
  init(_ failure: BrokerFailure) {
    self.init(
      .serviceNotRunning, backend: "mqtt", detail: failure.reason, errno: failure.errno,
      remedy: failure.remedy.isEmpty ? "it is tried again" : failure.remedy)
  }
}
