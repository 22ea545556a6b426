import Glibc
public import Ground

/// A folder whose files are written completely or not at all: the steps of a durable writer, each
/// of which may fail.
///
/// Names are single names, never paths. No call follows a symbolic link. New files have mode 0600,
/// new folders 0700.
public protocol EntryFolder: Sendable {
  /// The names in the folder, in no particular order; none when there is no folder.
  func names() throws(SystemError) -> [String]
  /// Opens a regular file. Anything else of that name is ENOENT.
  func open(_ name: String) throws(SystemError) -> any EntryFile
  /// Whether anything at all has a name.
  func exists(_ name: String) throws(SystemError) -> Bool
  /// Makes a new file, whole and synchronised to disk. EEXIST when the name is taken.
  func create(_ name: String, _ bytes: [UInt8]) throws(SystemError)
  /// Gives a file a second name, which must be free.
  func link(_ name: String, to other: String) throws(SystemError)
  /// Renames a file, replacing any file of the new name.
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
  /// At most `count` bytes from an offset on; fewer only at the end of the file.
  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8]
}

/// Who opens an `EntryFolder` for one call.
public protocol EntryFolderOpener: Sendable {
  /// Opens the folder with an exclusive or shared lock, which is held while the result lives; nil
  /// if there is no folder and `access` is for reading. Throws ETIMEDOUT if another process holds
  /// the lock for too long.
  func open(for access: FileAccess) throws(SystemError) -> (any EntryFolder)?
}

extension SystemError {
  /// Whether there is no file of that name.
  public var isAbsence: Bool { code == ENOENT }
  /// Whether the time was up.
  public var isTimeout: Bool { code == ETIMEDOUT }
  /// Whether the caller gave up waiting.
  public var isInterruption: Bool { code == ECANCELED }
  /// Whether the file system has no hard links, or no more for this file.
  public var isLackOfLinks: Bool { [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(code) }
  /// Something else has the name already.
  public static func taken(_ place: String) -> SystemError { SystemError(EEXIST, at: place) }
}
