import GatheredKitTesting
import Glibc
import Machine
import Testing

/// libsecret finds its bus by a variable of the environment, once a process: what is tested runs in
/// children that have their own.
struct SecretServiceTests {
  /// Runs a scene in a child; whether all it expects holds.
  private func play(_ scene: String, _ environment: [String]) throws -> Bool {
    let child = try ChildProcess.repeating(
      "SecretServiceScenes", environment: environment + ["GKIT_SECRETS=\(scene)"])
    return child.waitForExit() == 0
  }

  private func keyring() throws -> Keyring? {
    if let lack = Keyring.lack {
      print("The Secret Service is not tested: \(lack)")
      return nil
    }
    return try Keyring()
  }

  @Test func `L35: secrets are kept by the Secret Service`() throws {
    guard let keyring = try keyring() else { return }
    #expect(try play("store", keyring.environment))
    // Another process finds them.
    #expect(try play("find", keyring.environment))
  }

  @Test func `L35: what is locked is said to be, and not taken for absent`() throws {
    guard let keyring = try keyring() else { return }
    #expect(try play("store", keyring.environment))
    try keyring.lock()
    #expect(try play("locked", keyring.environment))
  }

  @Test func `L35: without a service there is a reason, and the process lives on`() throws {
    #expect(try play("missing", ["DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere", "DISPLAY="]))
    guard let keyring = try keyring() else { return }
    keyring.end()
    #expect(try play("missing", keyring.environment))
  }

  @Test func `L35: a bus that goes takes no other caller with it`() throws {
    guard let keyring = try keyring() else { return }
    let folder = try TemporaryFolder()
    let child = try ChildProcess.repeating(
      "SecretServiceScenes",
      environment: keyring.environment + ["GKIT_SECRETS=outlive", "GKIT_PLACE=\(folder.path)"])
    #expect(Patience.wait { access(folder.path + "/ready", F_OK) == 0 })
    keyring.bus.stop()
    try folder.write([], to: "/gone")
    #expect(child.waitForExit() == 0)
  }
}

/// What children do; each is told by a variable.
struct SecretServiceScenes {
  private static let scene = getenv("GKIT_SECRETS").map { String(cString: $0) }

  @Test(.enabled(if: scene != nil, "the other tests run it, in a process of its own"))
  func `a child plays the scene it was told`() throws {
    switch Self.scene {
    case "store":
      let service = try SecretService()
      #expect(service.isPersistent)
      #expect(try service.read("key", of: "gkit") == nil)
      try service.write([1, 0, 255], "key", of: "gkit")
      try service.write([2, 0, 255], "key", of: "gkit")
      try service.write([], "empty", of: "gkit")
      try service.write([3], "key", of: "gkit2")
      #expect(try service.read("key", of: "gkit") == [2, 0, 255])
      #expect(try service.read("empty", of: "gkit") == [])
      try service.remove("key", of: "gkit2")
      try service.remove("nobody", of: "gkit")
      #expect(try service.read("key", of: "gkit2") == nil)
    case "find":
      #expect(try SecretService().read("key", of: "gkit") == [2, 0, 255])
      #expect(try LiveSecretStoreFinder().find().isPersistent)
    case "locked":
      let service = try SecretService(patience: 20_000_000_000)
      #expect(throws: SecretFailure.locked) { try service.read("key", of: "gkit") }
      #expect(throws: SecretFailure.locked) { try service.remove("key", of: "gkit") }
      #expect(throws: SecretFailure.self) { try service.write([9], "key", of: "gkit") }
    case "missing":
      let said = bytesOnStandardError {
        #expect(throws: SecretFailure.self) { try SecretService() }
      }
      #expect(said == 0)
    default:
      let place = try #require(getenv("GKIT_PLACE").map { String(cString: $0) })
      let service = try SecretService(patience: 20_000_000_000)
      try service.write([1], "key", of: "gkit")
      close(open(place + "/ready", O_CREAT | O_WRONLY, 0o600))
      #expect(Patience.wait { access(place + "/gone", F_OK) == 0 })
      for _ in 0..<3 {
        #expect(throws: SecretFailure.self) { try service.read("key", of: "gkit") }
        usleep(100_000)
      }
    }
  }

  /// How much a body writes to standard error (sources M3); nothing else runs in this process.
  private func bytesOnStandardError(_ body: () -> Void) -> Int {
    guard let file = tmpfile() else { return -1 }
    let kept = dup(STDERR_FILENO)
    dup2(fileno(file), STDERR_FILENO)
    body()
    dup2(kept, STDERR_FILENO)
    close(kept)
    defer { fclose(file) }
    return Int(lseek(fileno(file), 0, SEEK_END))
  }
}
