import CLinux
import Ground

/// A compiled statement of a database.
final class DatabaseStatement {
  static let row: Int32 = 100
  static let done: Int32 = 101

  fileprivate let sqlite: clinux_database
  fileprivate let statement: OpaquePointer
  /// Whether memory was missing for a column of the present row.
  fileprivate(set) var isShort = false
  private let fork: ForkGuard
  /// Where small parameters lie while the statement runs, so that SQLite need not copy them.
  private let small: UnsafeMutableRawPointer
  private var smallSize = 0
  private static let smallLimit = 1024

  init(_ statement: OpaquePointer, _ sqlite: clinux_database, _ fork: ForkGuard) {
    self.statement = statement
    self.sqlite = sqlite
    self.fork = fork
    small = .allocate(byteCount: Self.smallLimit, alignment: 1)
  }

  deinit {
    defer { small.deallocate() }
    if !fork.isForked { _ = sqlite.finalize(statement) }
  }

  func step() -> Int32 {
    isShort = false
    return sqlite.step(statement)
  }

  func reset(hasParameters: Bool) {
    _ = sqlite.reset(statement)
    if hasParameters { _ = sqlite.clear_bindings(statement) }
    smallSize = 0
  }

  func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
    switch value {
    // An unbound parameter is NULL.
    case .null: return 0
    case .integer(let number): return bind(number, at: index)
    case .real(let number): return sqlite.bind_double(statement, index, number)
    case .blob(let bytes): return bind(bytes, at: index)
    case .text(let text): return bind(text, at: index)
    }
  }

  fileprivate func bind(_ number: Int64, at index: Int32) -> Int32 {
    sqlite.bind_int64(statement, index, number)
  }

  fileprivate func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
    bytes.withUnsafeBytes { bind($0, at: index, isText: false) }
  }

  fileprivate func bind(_ text: String, at index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bind(UnsafeRawBufferPointer($0), at: index, isText: true) }
  }

  private func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32, isText: Bool) -> Int32 {
    guard let length = Int32(exactly: bytes.count) else { return 18 }
    let bind = isText ? sqlite.bind_text : sqlite.bind_blob
    guard let bind, bytes.count <= Self.smallLimit - smallSize else {
      return clinux_bind_copy(bind, statement, index, bytes.baseAddress, length)
    }
    let place = small + smallSize
    if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
    smallSize += bytes.count
    // Without a function that frees it, it stays where it is until the bindings are cleared.
    return bind(statement, index, place, length, nil)
  }
}

/// The parameters of a statement about to run, given in their order.
public struct DatabaseParameters {
  private let statement: DatabaseStatement
  private var index: Int32 = 0
  /// What SQLite answered to the first one it did not take; else 0.
  fileprivate(set) var code: Int32 = 0

  init(_ statement: DatabaseStatement) {
    self.statement = statement
  }

  /// Gives a whole number.
  public mutating func put(_ number: Int64) { note(statement.bind(number, at: index + 1)) }

  /// Gives a text.
  public mutating func put(_ text: String) { note(statement.bind(text, at: index + 1)) }

  /// Gives bytes.
  public mutating func put(_ bytes: [UInt8]) { note(statement.bind(bytes, at: index + 1)) }

  private mutating func note(_ answer: Int32) {
    index += 1
    if code == 0 { code = answer }
  }
}

/// The present row of a statement.
public struct DatabaseRow {
  private let statement: DatabaseStatement

  init(_ statement: DatabaseStatement) {
    self.statement = statement
  }

  /// The value of a column, counted from 0. A value for which there is no memory is NULL, and the
  /// statement fails.
  public subscript(column: Int) -> DatabaseValue {
    let (sqlite, column) = (statement.sqlite, Int32(column))
    return switch sqlite.column_type(statement.statement, column) {
    case 1: .integer(sqlite.column_int64(statement.statement, column))
    case 2: .real(sqlite.column_double(statement.statement, column))
    case 3: .text(String(decoding: bytes(of: column), as: UTF8.self))
    case 4: .blob(Array(bytes(of: column)))
    default: .null
    }
  }

  private func bytes(of column: Int32) -> UnsafeRawBufferPointer {
    // In this order, as SQLite's manual requires; both are valid until the next step.
    let address = statement.sqlite.column_blob(statement.statement, column)
    let count = statement.sqlite.column_bytes(statement.statement, column)
    // Copied here, and turned into what it stands for.
    guard Room.has(Int(count) * 4) else {
      statement.isShort = true
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: address, count: Int(count))
  }
}
