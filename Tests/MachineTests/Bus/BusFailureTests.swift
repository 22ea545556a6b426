import Glibc
import Machine
import Testing

/// E3: errors of the bus are judged by their names.
@Suite struct BusFailureTests {
  @Test(arguments: [
    ("AccessDenied", BusFailure.Cause.accessDenied),
    ("InteractiveAuthorizationRequired", .needsAuthorization), ("Failed", .other),
    ("ServiceUnknown", .notRunning(isActivatable: false)),
    ("NameHasNoOwner", .notRunning(isActivatable: false)), ("UnknownObject", .noObject),
    ("UnknownMethod", .unsupported), ("UnknownInterface", .unsupported),
    ("UnknownProperty", .unsupported), ("NotSupported", .unsupported), ("NoReply", .timedOut),
    ("Timeout", .timedOut), ("Disconnected", .noBus),
  ])
  func `E3 every name has its meaning`(name: String, cause: BusFailure.Cause) {
    let failure = BusFailure(name: "org.freedesktop.DBus.Error." + name, message: "words")
    #expect(failure.cause == cause)
    #expect(failure.errno == (cause == .timedOut ? ETIMEDOUT : 0))
    #expect(failure.message == "words")
  }

  @Test func `E3 other names have theirs`() {
    let polkit = BusFailure(name: "org.freedesktop.PolicyKit1.Error.NotAuthorized", message: "")
    #expect(polkit.cause == .notAuthorized)
    #expect(polkit.message == polkit.name)
    #expect(BusFailure(name: "org.bluez.Error.NotReady", message: "").cause == .other)
  }
}
