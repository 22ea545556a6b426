public import Ground

/// Files of a folder that are replaced or removed all together or not at all.
///
/// The caller has the folder to itself. A process killed midway leaves old or new files, each
/// whole, and maybe files named `.gkit-…`, which the next call replaces.
public struct FileTransaction {
  /// A file to be written.
  public struct File: Sendable {
    /// Its name in the folder.
    public var name: String
    /// All it holds.
    public var bytes: [UInt8]

    /// A file of a name.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  private let folder: any EntryFolder

  /// The files of a folder.
  public init(_ folder: any EntryFolder) { self.folder = folder }

  /// Writes all files under temporary names, then renames them into place. A failure leaves the old
  /// files.
  public func write(_ files: [File]) throws(SystemError) {
    for (index, file) in files.enumerated()
    where files[..<index].contains(where: { $0.name.utf8.elementsEqual(file.name.utf8) }) {
      throw SystemError.taken(file.name)
    }
    var written = 0
    var kept: [Bool] = []
    var placed = 0
    defer { clear(max(written, kept.count)) }
    do throws(SystemError) {
      for (index, file) in files.enumerated() {
        try makeAnew(new(index)) { name throws(SystemError) in
          try folder.create(name, file.bytes)
        }
        written += 1
      }
      for (index, file) in files.enumerated() { kept.append(try keep(file.name, old(index))) }
      for (index, file) in files.enumerated() {
        try folder.rename(new(index), to: file.name)
        placed += 1
      }
      try folder.synchronise()
    } catch {
      for index in (0..<placed).reversed() {
        restore(files[index].name, index, wasThere: kept[index])
      }
      throw error
    }
  }

  /// Removes files. A failure leaves all of them.
  public func remove(_ names: [String]) throws(SystemError) {
    guard !names.isEmpty else { return }
    var moved = 0
    defer { clear(moved) }
    do throws(SystemError) {
      for (index, name) in names.enumerated() {
        try folder.rename(name, to: old(index))
        moved += 1
      }
      try folder.synchronise()
    } catch {
      for index in (0..<moved).reversed() { restore(names[index], index, wasThere: true) }
      throw error
    }
  }

  // MARK: Machinery

  private func new(_ index: Int) -> String { ".gkit-new-\(index)" }

  private func old(_ index: Int) -> String { ".gkit-old-\(index)" }

  /// Keeps a file under another name; returns whether there was one.
  private func keep(_ name: String, _ other: String) throws(SystemError) -> Bool {
    guard try folder.exists(name) else { return false }
    do throws(SystemError) {
      try makeAnew(other) { other throws(SystemError) in try folder.link(name, to: other) }
    } catch {
      guard error.isLackOfLinks else { throw error }
      let file = try folder.open(name)
      try folder.create(other, try file.read(at: 0, count: file.size))
    }
    return true
  }

  /// Makes a file in place of one that a killed process may have left.
  private func makeAnew(
    _ name: String, _ make: (String) throws(SystemError) -> Void
  ) throws(SystemError) {
    if try folder.exists(name) { try folder.remove(name) }
    try make(name)
  }

  private func restore(_ name: String, _ index: Int, wasThere: Bool) {
    // If this fails too there is no further way to recover.
    if wasThere { try? folder.rename(old(index), to: name) } else { try? folder.remove(name) }
  }

  private func clear(_ count: Int) {
    for index in 0..<count {
      for name in [new(index), old(index)] where (try? folder.exists(name)) == true {
        try? folder.remove(name)
      }
    }
  }
}
