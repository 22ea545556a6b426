import Glibc
import Ground

/// An error of SQLite.
public struct DatabaseError: Error, Equatable, Sendable {
  /// The kinds of failure that call for different answers.
  public enum Kind: Sendable {
    /// Another connection locked the file for longer than the busy timeout.
    case busy
    /// A constraint of the table refused the row.
    case constraint
    /// The file is no database, or a damaged one.
    case damaged
    /// The call was interrupted, and nothing was done.
    case interrupted
    /// Everything else: no room, no rights, an error of the disk.
    case failed
  }

  /// SQLITE_BUSY and SQLITE_INTERRUPT.
  static let busy: Int32 = 5
  static let interrupted: Int32 = 9

  /// The error of an interrupted call.
  public static let interruption = DatabaseError(interrupted, message: "interrupted")

  /// SQLite's extended result code; 0 when the library itself is missing.
  public let code: Int32
  /// The errno behind it, or the one that comes nearest.
  public let systemCode: Int32
  /// One sentence of SQLite's, or of the dynamic linker's.
  public let message: String

  /// An error of a result code.
  public init(_ code: Int32, systemCode: Int32 = 0, message: String) {
    self.code = code
    self.systemCode = systemCode != 0 ? systemCode : Self.nearest(code & 0xFF)
    self.message = message
  }

  /// The error of a library that is not there.
  init(_ missing: MissingLibrary) {
    self.init(
      0, systemCode: missing.systemError.code,
      message: "\(missing.reason); install \(missing.package)")
  }

  private static func nearest(_ code: Int32) -> Int32 {
    switch code {
    case 3: EACCES
    case 7: ENOMEM
    case 8: EROFS
    case 13: ENOSPC
    case 14: ENOENT
    default: EIO
    }
  }

  /// The kind of failure.
  public var kind: Kind {
    switch code & 0xFF {
    case Self.busy, 6: .busy
    case Self.interrupted: .interrupted
    case 19: .constraint
    case 11, 26: .damaged
    default: .failed
    }
  }
}
