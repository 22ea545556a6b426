package import Gathering
import Ground
package import Machine

/// A folder that one publisher has for the rows of a device: it is locked as long as this is held.
package final class SpoolFolder: Sendable {
  let device: String
  let names: SegmentNames
  let cursor: String
  /// How much may be in it, in bytes.
  let limit: Int
  let storage: any FileStorage
  private let lock: any StoredFile

  /// Makes the folder if need be, and locks it. Throws `io` with EBUSY where another publisher has
  /// it, and the errors of the storage.
  package init(
    _ path: String, limit: Int, device: String, in storage: any FileStorage = LiveStorage()
  ) throws(SourceError) {
    (self.device, self.limit, self.storage) = (device, limit, storage)
    do throws(SystemError) {
      try PrivateFolder.make(path)
      lock = try Self.locked(path + "/lock", in: storage)
    } catch {
      throw SourceError(error)
    }
    names = try SegmentNames("\(path)/\(device).gkr")
    cursor = "\(path)/\(device).cursor"
  }

  private static func locked(
    _ path: String, in storage: any FileStorage
  ) throws(SystemError) -> any StoredFile {
    do throws(SystemError) {
      return try storage.open(path, for: .creating)
    } catch  where error.code == .exists {
      return try storage.open(path, for: .changing)
    }
  }
}
