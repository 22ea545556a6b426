import Gathering
package import Ground
import Machine

extension StoredFile {
  /// Reads bytes, or fewer at the end; errors are those of this floor.
  func read(_ offset: Int, _ count: Int) throws(SourceError) -> [UInt8] {
    do {
      return try bytes(at: offset, count: count)
    } catch {
      throw SourceError(error)
    }
  }

  /// Writes bytes at a place, and moves it behind them.
  func append(_ bytes: [UInt8], at end: inout Int) throws(SourceError) {
    do {
      try writeAll(bytes, at: end)
    } catch {
      throw SourceError(error)
    }
    end += bytes.count
  }

  /// Returns when all of it is on the device.
  func settle() throws(SourceError) {
    do {
      try sync()
    } catch {
      throw SourceError(error)
    }
  }

  /// How long it is.
  func length() throws(SourceError) -> Int {
    do {
      return try size()
    } catch {
      throw SourceError(error)
    }
  }
}

extension SourceError {
  /// An error of the storage.
  package init(_ error: SystemError) {
    self = .io(errno: error.code, place: error.place)
  }
}
