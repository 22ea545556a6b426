import Gathering
import Ground
import Machine
import Values

/// Which messages of a spool the broker has: a file of one block, as of a recording.
struct SpoolCursor: Sendable {
  static let format = "gatheredkit.cursor"

  let path: String
  private let storage: any FileStorage
  /// The messages settled in each file, by its number; they count for its session only.
  private(set) var known: [Int: (session: String, settled: RangeSet<Int>)] = [:]
  /// Whether something is to be written, and when that may be again.
  private(set) var isOutdated = false
  private(set) var due = Int64.min
  private var hasFailed = false

  /// Reads the file; a torn one tells nothing, and all is sent again.
  init(_ path: String, in storage: any FileStorage) {
    self.path = path
    self.storage = storage
    guard let file = try? storage.open(path, for: .reading) else { return }
    guard let members = Self.members(of: file) else {
      Log.write(.warning, "mqtt", "\(path) is damaged; what the spool holds is sent again")
      return
    }
    guard case .list(let items)? = members["segments"] else { return }
    for case .dictionary(let item) in items {
      guard let number = item["segment"]?.whole, let session = item["session"]?.text,
        case .list(let bounds)? = item["acknowledged"]
      else { continue }
      let numbers = bounds.compactMap { $0.whole.map { Int($0) } }
      var settled = RangeSet<Int>()
      for place in stride(from: 0, to: numbers.count - 1, by: 2)
      where 0 <= numbers[place] && numbers[place] < numbers[place + 1] {
        settled.insert(contentsOf: numbers[place]..<numbers[place + 1])
      }
      known[Int(number)] = (session, settled)
    }
  }

  private static func members(of file: any StoredFile) -> ValueDictionary? {
    guard let size = try? file.size(), size <= Format.textLimit + Format.blockHeaderSize,
      let bytes = try? file.bytes(at: 0, count: size), let header = BlockHeader(bytes[...])
    else { return nil }
    let body = Array(bytes.dropFirst(Format.blockHeaderSize))
    guard body.count == header.length, BlockHeader.check(of: body) == header.bodyCheck,
      case .dictionary(let members)? = try? Value(json: body),
      members["format"]?.text == format, members["version"]?.whole == 1
    else { return nil }
    return members
  }

  mutating func note() { isOutdated = true }

  /// Writes the file anew if need be: to another, which takes its place once on the device.
  mutating func write(_ segments: [SpoolSegment], at now: Int64) {
    guard isOutdated else { return }
    due = now + 1_000_000_000
    let items = segments.filter { $0.settled.count > 0 }.map { segment in
      Value.dictionary([
        "segment": .int(Int64(segment.number)), "session": .string(segment.session),
        "acknowledged": .list(
          segment.settled.ranges.flatMap {
            [Value.int(Int64($0.lowerBound)), Value.int(Int64($0.upperBound))]
          }),
      ])
    }
    let members: ValueDictionary = [
      "format": .string(Self.format), "version": .int(1), "segments": .list(items),
    ]
    // Nothing in these facts is more than JSON can say.
    guard let text = try? Value.dictionary(members).json() else { return }
    let block = BlockHeader.block(.opening, number: 0, body: Array(text.utf8))
    do throws(SystemError) {
      try replace(with: block)
      (isOutdated, hasFailed) = (false, false)
    } catch {
      if !hasFailed { Log.write(.warning, "mqtt", SourceError(error).message) }
      hasFailed = true
    }
  }

  private func replace(with block: [UInt8]) throws(SystemError) {
    do throws(SystemError) {
      let file = try storage.open(path, for: .creating)
      try file.writeAll(block, at: 0)
      return try file.sync()
    } catch  where error.code == .exists {
      let file = try storage.replacement(of: path)
      try file.writeAll(block, at: 0)
      try file.sync()
      try storage.move(file.path, to: path)
    }
  }
}
