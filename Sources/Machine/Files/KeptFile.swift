/// One file read again and again: a kept descriptor and a reused buffer.
///
/// The descriptor is opened at the first read and opened anew after a failure, so a device that
/// comes back is found. Not thread-safe: it belongs to one reader.
public final class KeptFile {
  /// The path on the machine.
  public let path: String
  /// What the last successful read gave, exactly; empty before one.
  public private(set) var bytes: ArraySlice<UInt8> = []

  private let files: any FileTree
  private let limit: Int
  private var file: (any OpenFile)?
  private var buffer: [UInt8]

  /// A file of a tree. `limit` is the largest text accepted: 4096 for a sysfs attribute, which
  /// then is one pread(2); tables of /proc are read whole, up to their limit.
  public init(_ path: String, in files: any FileTree, limit: Int = 4096) {
    self.path = path
    self.files = files
    self.limit = limit
    self.buffer = [UInt8](repeating: 0, count: min(limit, 4096) + 1)
  }

  /// Reads the whole file from its start and returns its bytes.
  ///
  /// Throws the errno of open(2) or pread(2); a file longer than the limit is EFBIG.
  @discardableResult
  public func read() throws(SystemError) -> ArraySlice<UInt8> {
    do {
      let open = try file ?? files.open(path)
      file = open
      var length = 0
      while true {
        let count = try fill(from: open, at: length)
        length += count
        if count == 0 || (length < buffer.count && limit <= 4096) { break }
        if length > limit { throw SystemError(.fileTooLarge, at: path) }
        if length == buffer.count { grow() }
      }
      if length > limit { throw SystemError(.fileTooLarge, at: path) }
      bytes = buffer[..<length]
      return bytes
    } catch {
      file = nil
      throw error
    }
  }

  private func fill(from open: any OpenFile, at offset: Int) throws(SystemError) -> Int {
    bytes = []
    var outcome: Result<Int, SystemError> = .success(0)
    buffer.withUnsafeMutableBytes { whole in
      let rest = UnsafeMutableRawBufferPointer(rebasing: whole[offset...])
      do throws(SystemError) {
        outcome = .success(try open.read(at: offset, into: rest))
      } catch {
        outcome = .failure(error)
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
  public static let fileTooLarge: Int32 = 27
}
