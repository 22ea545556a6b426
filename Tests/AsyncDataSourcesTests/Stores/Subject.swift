import AsyncDataSources
import DataSources
import Glibc
import Ground

/// A store that several processes write, and what they write.
struct Subject {
  /// How many entries each of several writers makes.
  static let amount = 40

  let source: any DataSource<[UInt8]>

  init(_ name: String, _ place: String) {
    if name == "files" {
      source = FileSystemDataSource(folder: place + "/entries", naming: .plain)
    } else {
      // The path is one: nothing is thrown.
      let store = try? DeviceStorageDataSource<[UInt8]>(
        layout: .prefix("p"), path: place + "/entries.sqlite", busyTimeout: .seconds(60))
      source = store ?? VoidDataSource([UInt8].self)
    }
  }

  /// A number, repeated to fill some pages.
  static func value(_ number: Int) -> [UInt8] {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    return (0..<5000).flatMap { _ in bytes }
  }

  /// The number of a whole value; nil for a torn one.
  static func number(_ value: [UInt8]) -> Int? {
    let number = value.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return value == Self.value(number) ? number : nil
  }

  /// Writes ever larger numbers, and says after each that it was answered.
  func write(from start: Int, _ place: String) async throws {
    let file = open(place + "/acknowledged", O_WRONLY | O_CREAT, 0o600)
    for number in start... {
      let value = Self.value(number)
      _ = try await source.putAll([value, value], in: .ids(["a", "b"]))
      var answered = Int64(number)
      pwrite(file, &answered, 8, 0)
    }
  }

  /// The last number that was said to be answered.
  static func acknowledged(_ place: String) throws -> Int {
    let file = open(place + "/acknowledged", O_RDONLY)
    guard file >= 0 else { return -1 }
    defer { close(file) }
    var answered: Int64 = -1
    pread(file, &answered, 8, 0)
    return Int(answered)
  }

  /// The number both entries hold; -1 before there are any. Throws for a torn or a mixed state.
  func newest() async throws -> Int {
    let values: [[UInt8]]
    do throws(DataSourceError) {
      values = try await source.getAll(.ids(["a", "b"]))
    } catch {
      if error.code == .notFound { return -1 }
      throw error
    }
    let numbers = values.map(Self.number)
    guard let first = numbers[0], let second = numbers[1] else { throw Torn() }
    // Files are whole one by one; a storage is so in one step.
    if source is FileSystemDataSource { return min(first, second) }
    guard first == second else { throw Torn() }
    return first
  }

  struct Torn: Error {}

  func count(by writer: Int) async throws {
    for number in 0..<Self.amount { try await source.put([1], forId: "\(writer)-\(number)".id) }
  }

  func counted(by writer: Int) async throws -> Int {
    var found = 0
    for number in 0..<Self.amount where try await source.get("\(writer)-\(number)".id) == [1] {
      found += 1
    }
    return found
  }
}

extension String {
  fileprivate var id: EntryID { EntryID(self) }
}

/// Lets no file of this process grow beyond a size as long as it lives.
final class FileRoom {
  private var former = rlimit()

  init(_ bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    getrlimit(__rlimit_resource_t(1), &former)
    var limit = former
    limit.rlim_cur = rlim_t(bytes)
    setrlimit(__rlimit_resource_t(1), &limit)
  }

  deinit { setrlimit(__rlimit_resource_t(1), &former) }
}
