import AsyncDataSources
import DataSources
import GatheredKitTesting
import Testing

struct DeviceStorageDataSourceTests {
  @Test func `a storage answers what was put, also to another of the same file`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/store.sqlite"
    let first = try DeviceStorageDataSource<Int>(path: path)
    let second = try DeviceStorageDataSource<Int>(path: path)
    #expect(try await first.put(7, forId: "a") == 7)
    #expect(try await second.get("a") == 7)
  }
}
