import Glibc
import Machine
import Testing

struct KernelKeyRingTests {
  private let ring = KernelKeyRing()
  private let service = "gatheredkit-tests-\(getpid())"

  /// Whether the kernel lets this process have key rings; containers often refuse.
  private var isUsable: Bool {
    do throws(SecretFailure) {
      try ring.check()
      return true
    } catch {
      print("The kernel's key ring is not tested: \(error)")
      return false
    }
  }

  @Test func `L35: a secret stays in the kernel until it is removed`() throws {
    guard isUsable else { return }
    #expect(!ring.isPersistent)
    #expect(try ring.read("a", of: service) == nil)
    try ring.write([1, 0, 2], "a", of: service)
    try ring.write([3, 0, 4], "a", of: service)
    try ring.write([5], "a", of: service + "2")
    #expect(try ring.read("a", of: service) == [3, 0, 4])
    try ring.remove("a", of: service)
    try ring.remove("a", of: service)
    #expect(try ring.read("a", of: service) == nil)
    #expect(try ring.read("a", of: service + "2") == [5])
    try ring.remove("a", of: service + "2")
  }

  @Test func `L35: the parts of a name cannot run into each other`() throws {
    guard isUsable else { return }
    try ring.write([1], "b:c", of: service)
    #expect(try ring.read("c", of: service + ":b") == nil)
    try ring.remove("b:c", of: service)
  }

  @Test func `a secret that is too long is refused with a reason`() throws {
    guard isUsable else { return }
    #expect(throws: SecretFailure.self) {
      try ring.write([UInt8](repeating: 1, count: 40_000), "long", of: service)
    }
    #expect(throws: SecretFailure.self) {
      try ring.write([1], String(repeating: "k", count: 5000), of: service)
    }
  }
}
