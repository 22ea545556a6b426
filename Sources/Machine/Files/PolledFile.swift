import CLinux
import Glibc
public import Ground

/// One file read again and again: a kept descriptor and a reused buffer.
///
/// The descriptor is opened at the first read and opened anew after a failure, so a device that
/// comes back is found. Not thread-safe: it belongs to one reader.
public final class PolledFile {
  /// The content of a file, which determines the meaning of NUL bytes in it.
  public enum Holding: Sendable {
    /// Text, which archivers pad with NUL bytes. Bytes after a NUL that follows a line feed, and
    /// NULs at the end, are not part of it (sources C3).
    case text
    /// Bytes, of which every one counts.
    case bytes
  }

  /// The path on the machine.
  public let path: String
  /// The bytes of the last read; empty before the first and after a failure.
  ///
  /// If a copy is kept while the file is read again, that reading needs a new buffer.
  public var bytes: ArraySlice<UInt8> { buffer[..<textCount] }

  private let files: any FileTree
  private let limit: Int
  private let holding: Holding
  private var file: (any OpenFile)?
  /// The descriptor of a file of this computer; -1 for any other.
  private var number: Int32 = -1
  private var buffer: [UInt8]
  /// How much of the buffer is text.
  private var textCount = 0
  /// How much of it was read, padding included; nil after a failure and for a table.
  private var attributeCount: Int?
  /// Two places of as many bytes: what an attribute said last, and what it is read into. They
  /// change roles when it says something else.
  private var places: UnsafeMutableRawPointer?
  private var capacity = 0
  private var last = 0
  /// How much of the buffer is text of a table that is compared with the next; nil after a failure
  /// and after `read`.
  private var tableCount: Int?
  /// The buffer that a table which is compared is read into next.
  private var spare: [UInt8] = []

  /// A file of a tree. `limit` is the largest text accepted: 4096 for a sysfs attribute, which
  /// then is one pread(2); tables of /proc are read whole, up to their limit.
  public init(
    _ path: String, in files: any FileTree, limit: Int = 4096, holding: Holding = .text
  ) {
    self.path = path
    self.files = files
    self.limit = limit
    self.holding = holding
    self.buffer = Self.newBuffer(for: limit)
  }

  /// An attribute of sysfs is no longer than this.
  private static let attributeLimit = 4096
  /// Nearly every attribute is no longer than this. Hundreds are kept, so a buffer begins small.
  private static let usualLimit = 255

  private static func newBuffer(for limit: Int) -> [UInt8] {
    let usual = limit > attributeLimit ? attributeLimit : usualLimit
    return [UInt8](repeating: 0, count: min(limit, usual) + 1)
  }

  /// Reads the whole file from its start and returns its bytes.
  ///
  /// Throws the errno of open(2) or pread(2); a file longer than the limit, its padding not
  /// counted, is EFBIG.
  @discardableResult
  public func read() throws(SystemError) -> ArraySlice<UInt8> {
    try readWhole()
    return bytes
  }

  /// Reads the file from its start; whether it says something else than at the last reading.
  ///
  /// An attribute that says the same costs one pread(2) and a comparison. Throws as `read`.
  public func hasChanged() throws(SystemError) -> Bool {
    if limit > Self.attributeLimit { return try hasTableChanged() }
    guard let known = attributeCount else {
      try readWhole()
      return true
    }
    let places = places.flatMap { known < capacity ? $0 : nil } ?? makePlaces(for: known)
    let new = places + (capacity - last)
    let count = read(into: UnsafeMutableRawBufferPointer(start: new, count: capacity))
    // What fails or may go on is read in the usual way.
    guard count >= 0, count < capacity else {
      try readWhole()
      return true
    }
    if count == known, memcmp(places + last, new, count) == 0 { return false }
    last = capacity - last
    buffer.withUnsafeMutableBytes {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: new, count: count))
    }
    attributeCount = count
    textCount = holding == .text ? endOfText(within: count) : count
    return true
  }

  /// The same of a table: the two buffers change places.
  private func hasTableChanged() throws(SystemError) -> Bool {
    let known = tableCount
    swap(&buffer, &spare)
    if buffer.isEmpty { buffer = Self.newBuffer(for: limit) }
    try readWhole()
    tableCount = textCount
    return known != textCount || !bytes.equals(spare[..<textCount])
  }

  deinit { places?.deallocate() }

  /// Room for more than so many bytes in both places, the first of which is what was read.
  private func makePlaces(for known: Int) -> UnsafeMutableRawPointer {
    if let places, known < capacity { return places }
    places?.deallocate()
    capacity = min((known | 63) + 1, limit + 1)
    last = 0
    let new = UnsafeMutableRawPointer.allocate(byteCount: 2 * capacity, alignment: 8)
    places = new
    keep(known)
    return new
  }

  /// Reads from the start: the number of bytes, -1 for a failure.
  private func read(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    if number >= 0 { return clinux_pread(number, bytes.baseAddress, bytes.count, 0) }
    do throws(SystemError) {
      return try file?.read(at: 0, into: bytes) ?? -1
    } catch {
      return -1
    }
  }

  private func readWhole() throws(SystemError) {
    textCount = 0
    attributeCount = nil
    tableCount = nil
    do {
      textCount = try readAgain()
      // What is compared later begins with this reading.
      if let attributeCount, attributeCount < capacity { keep(attributeCount) }
    } catch {
      file = nil
      number = -1
      throw error
    }
  }

  private func keep(_ count: Int) {
    buffer.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress, let places else { return }
      (places + last).copyMemory(from: first, byteCount: count)
    }
  }

  private func readAgain() throws(SystemError) -> Int {
    if let end = readUsual() { return end }
    guard let kept = file else { return try readAll(of: opened()) }
    do {
      return try readAll(of: kept)
    } catch {
      // An open file keeps returning ENODEV and ESRCH after its device or process is gone; a
      // successor may have the same path.
      guard error.code == ENODEV || error.code == ESRCH else { throw error }
      return try readAll(of: opened())
    }
  }

  /// Reads a kept attribute of this computer by one call; nil where more has to be asked or told.
  private func readUsual() -> Int? {
    guard number >= 0, limit <= Self.attributeLimit else { return nil }
    let count = buffer.withUnsafeMutableBytes { clinux_pread(number, $0.baseAddress, $0.count, 0) }
    guard count >= 0, count < buffer.count else { return nil }
    attributeCount = count
    return holding == .text ? endOfText(within: count) : count
  }

  private func opened() throws(SystemError) -> any OpenFile {
    let new = try files.open(path)
    file = new
    number = (new as? LiveFile)?.number ?? -1
    return new
  }

  private func readAll(of open: any OpenFile) throws(SystemError) -> Int {
    var length = 0
    while true {
      let count = try fill(from: open, at: length)
      if limit <= Self.attributeLimit, count == buffer.count, count <= limit {
        // It may go on, and is read from its start, so that it is of one moment.
        buffer = [UInt8](repeating: 0, count: limit + 1)
        continue
      }
      length += count
      // An attribute comes whole or not at all; a table may come in pieces of any size.
      if count == 0 || limit <= Self.attributeLimit || length > limit {
        let end = holding == .text ? endOfText(within: length) : length
        if end > limit { throw SystemError(EFBIG, at: path) }
        if limit <= Self.attributeLimit { attributeCount = length }
        return end
      }
      if length == buffer.count { grow() }
    }
  }

  /// Where text ends and padding begins.
  private func endOfText(within length: Int) -> Int {
    buffer.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return length }
      var from = 0
      while from < length, let found = memchr(start + from, 0, length - from) {
        let place = UnsafeRawPointer(found) - start
        if place > 0, bytes[place - 1] == 10 { return place }
        from = place + 1
        // A text of many NULs is looked through once.
        while from < length, bytes[from] == 0 { from += 1 }
        if from == length { return place }
      }
      return length
    }
  }

  private func fill(from open: any OpenFile, at offset: Int) throws(SystemError) -> Int {
    // A result, since this closure cannot throw an error of a known type.
    let outcome: Result<Int, SystemError> = buffer.withUnsafeMutableBytes { whole in
      let rest = UnsafeMutableRawBufferPointer(rebasing: whole[offset...])
      do throws(SystemError) {
        return .success(try open.read(at: offset, into: rest))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private func grow() {
    buffer.append(contentsOf: repeatElement(0, count: min(buffer.count, limit + 1 - buffer.count)))
  }
}

extension Int32 {
  /// EFBIG: the text is longer than anything the kernel documents for this file.
  public static let fileTooLarge: Int32 = EFBIG
}
