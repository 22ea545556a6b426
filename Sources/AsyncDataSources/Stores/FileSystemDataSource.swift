public import DataSources
import Machine

/// Bytes in files: one file per entry, in one folder (data sources L31 to L34).
///
/// Files are for their owner only, written whole, and never outside the folder; what others put
/// there is not seen. A key whose name is taken by a foreign file cannot be written: `failed`.
public struct FileSystemDataSource: AccessedDataSource {
  /// Bytes.
  public typealias Value = [UInt8]

  /// What performs its calls.
  public let access: Accessor<[UInt8]>

  /// The entries of a folder, which is made when something is first written.
  public init(folder: String, naming: EntryNaming = .sha256) {
    // As long as device storages wait for each other.
    let opener = LiveEntryFolderOpener(folder, patience: 5_000_000_000)
    access = Accessor(DataAccess(FileStore(opener, naming), FileStore.abilities, type: .bytes))
  }
}
