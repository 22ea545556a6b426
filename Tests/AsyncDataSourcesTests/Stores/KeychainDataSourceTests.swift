import AsyncDataSources
import DataSources
import GatheredKitTesting
import Machine
import Testing

struct KeychainDataSourceTests {
  @Test func `L1 to L12 hold for secrets`() async {
    let laws = DataSourceLaws(
      [.lists], value: { key, number in "\(key):\(number)" },
      make: { try KeychainDataSource<String>(service: "s", finder: FixtureSecrets()) })
    #expect(await laws.violations() == [])
  }

  @Test func `L35: it tells which kind of place it uses`() async throws {
    for isPersistent in [true, false] {
      let finder = FixtureSecrets(isPersistent: isPersistent)
      let store = try KeychainDataSource<String>(service: "s", finder: finder)
      #expect(try await store.isPersistent == isPersistent)
    }
  }

  @Test func `L35: with no place for secrets every call is failed, and says what to install`()
    async throws
  {
    let secrets = FixtureSecrets()
    secrets.fail(with: .missing(reason: "no such file", package: "libsecret-1-0"))
    let store = try KeychainDataSource<String>(service: "s", finder: secrets)
    for query in [Query.id("a"), .key("b")] {
      let failed = DataSourceError(.failed)
      await #expect(throws: failed) { try await store.get(query) }
      await #expect(throws: failed) { try await store.getAll(query) }
      await #expect(throws: failed) { try await store.put("hidden", in: query) }
      await #expect(throws: failed) { try await store.putAll(["hidden"], in: query) }
      await #expect(throws: failed) { try await store.delete(query) }
    }
    await #expect(throws: DataSourceError(.failed)) { try await store.isPersistent }
    let error = await #expect(throws: DataSourceError.self) { try await store.get("a") }
    #expect(error?.message.contains("install libsecret-1-0") == true)
    secrets.fail(with: nil)
    try await store.put("a", forId: "a")
  }

  @Test func `L35: a locked keychain is failed, not empty, and no message tells a value`()
    async throws
  {
    let secrets = FixtureSecrets()
    let store = try KeychainDataSource<String>(service: "s", finder: secrets)
    try await store.put("hidden", forId: "a")
    let failures: [(SecretFailure, DataSourceError.Code)] = [
      (.locked, .failed), (.timeout, .timeout), (.failed("broken", errno: 5), .failed),
    ]
    for (failure, code) in failures {
      secrets.fail(with: failure)
      let error = await #expect(throws: DataSourceError.self) {
        try await store.put("hidden", forId: "a")
      }
      #expect(error?.code == code)
      #expect(error.map { "\($0)" }?.contains("hidden") == false)
      await #expect(throws: DataSourceError(code)) { try await store.get("a") }
    }
    #expect("\(store)".contains("hidden") == false)
  }

  @Test func `a secret that another program has changed is serialization`() async throws {
    let secrets = FixtureSecrets()
    let store = try KeychainDataSource<String>(service: "s", finder: secrets)
    for damage in [[], [0], [1, 2, 3], [UInt8](repeating: 255, count: 40)] as [[UInt8]] {
      try secrets.write(damage, "a", of: "s")
      await #expect(throws: DataSourceError(.serialization)) { try await store.get("a") }
    }
    try await store.delete("a")
    await #expect(throws: DataSourceError(.notFound)) { try await store.get("a") }
  }

  @Test func `L24: secrets are of their type, and keys with NUL are keys of their own`()
    async throws
  {
    let secrets = FixtureSecrets()
    let texts = try KeychainDataSource<String>(service: "s", finder: secrets)
    let numbers = try KeychainDataSource<Int>(service: "s", finder: secrets)
    try await texts.put("x", forId: "a")
    await #expect(throws: DataSourceError(.notFound)) { try await numbers.get("a") }
    try await texts.put("y", forId: "a\0b")
    try await texts.put("z", forId: "a%00b")
    #expect(try await [texts.get("a"), texts.get("a\0b"), texts.get("a%00b")] == ["x", "y", "z"])
    for service in ["", "a\0"] {
      #expect(throws: DataSourceError(.illegalArgument)) {
        try KeychainDataSource<String>(service: service, finder: secrets)
      }
    }
  }
}
