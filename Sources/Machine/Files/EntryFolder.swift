import Glibc
public import Ground

/// A folder whose files are written whole: the steps of a durable writer, each of which may fail.
///
/// Names are single names, never paths. No call follows a symbolic link, and all that is made is
/// for its owner only: files 0600, folders 0700.
public protocol EntryFolder: Sendable {
  /// The names in the folder, in no particular order; none when there is no folder.
  func names() throws(SystemError) -> [String]
  /// Opens a plain file. Whatever else has the name is ENOENT.
  func open(_ name: String) throws(SystemError) -> any EntryFile
  /// Whether anything at all has a name.
  func exists(_ name: String) throws(SystemError) -> Bool
  /// Makes a new file, whole and synchronised to disk. EEXIST when the name is taken.
  func create(_ name: String, _ bytes: [UInt8]) throws(SystemError)
  /// Gives a file a second name, which must be free.
  func link(_ name: String, to other: String) throws(SystemError)
  /// Gives a file another name, in place of any file that had it.
  func rename(_ name: String, to other: String) throws(SystemError)
  /// Removes a file.
  func remove(_ name: String) throws(SystemError)
  /// Makes the names themselves last: fsync(2) of the folder.
  func synchronise() throws(SystemError)
}

/// A file of such a folder, open for reading.
public protocol EntryFile: Sendable {
  /// How many bytes it had when it was opened.
  var size: Int { get }
  /// At most so many bytes from an offset on; fewer only where the file ends.
  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8]
}

/// Who opens an `EntryFolder` for one call.
public protocol EntryFolderOpener: Sendable {
  /// Opens the folder, alone or with others, and holds it as long as the answer lives; nil when
  /// there is none and `access` is for reading. Throws ETIMEDOUT when others have it for too long.
  func open(for access: FileAccess) throws(SystemError) -> (any EntryFolder)?
}

extension SystemError {
  /// Whether there is nothing by that name.
  public var isAbsence: Bool { code == ENOENT }
  /// Whether the time was up.
  public var isTimeout: Bool { code == ETIMEDOUT }
  /// Whether the caller gave up waiting.
  public var isInterruption: Bool { code == ECANCELED }
  /// Whether a file system knows no second names, or has no more for this file.
  public var isLackOfLinks: Bool { [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(code) }
  /// Something else has the name already.
  public static func taken(_ place: String) -> SystemError { SystemError(EEXIST, at: place) }
}
