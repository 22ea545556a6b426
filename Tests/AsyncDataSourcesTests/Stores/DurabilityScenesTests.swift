import AsyncDataSources
import DataSources
import Glibc
import Testing

/// What the children of `DurabilityTests` do; each is told by a variable.
struct DurabilityScenes {
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  @Test(
    .enabled(
      if: variable("GKIT_ROLE") != nil, "the other tests run it, in a process of its own"))
  func `a child writes as it was told`() async throws {
    let role = try #require(Self.variable("GKIT_ROLE"))
    let place = try #require(Self.variable("GKIT_PLACE"))
    let number = try #require(Self.variable("GKIT_NUMBER").flatMap { Int($0) })
    if role == "full" {
      try await fill(place)
    } else if role.hasSuffix("-count") {
      try await Subject(String(role.dropLast(6)), place).count(by: number)
    } else {
      try await Subject(role, place).write(from: number, place)
    }
  }

  private func fill(_ place: String) async throws {
    let storage = try DeviceStorageDataSource<[UInt8]>(path: place + "/a.sqlite")
    let files = FileSystemDataSource(folder: place + "/files")
    try await storage.put([1], forId: "a")
    try await files.put([1], forId: "a")
    let room = FileRoom(1 << 20)
    let huge = [UInt8](repeating: 7, count: 4 << 20)
    await #expect(throws: DataSourceError(.failed)) { try await storage.put(huge, forId: "a") }
    await #expect(throws: DataSourceError(.failed)) { try await files.put(huge, forId: "a") }
    async let small = storage.put([2], forId: "b")
    await #expect(throws: DataSourceError(.failed)) { try await storage.put(huge, forId: "a") }
    #expect(try await small == [2])
    #expect(try await storage.getAll(.ids(["a", "b"])) == [[1], [2]])
    #expect(try await files.getAll(.all()) == [[1]])
    withExtendedLifetime(room) {}
  }
}
