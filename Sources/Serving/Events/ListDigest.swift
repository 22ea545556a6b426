import Gathering
import Values

/// What tells whether two lists of sources have the same ids in the same order.
struct ListDigest {
  private let count: Int
  /// By Fowler, Noll and Vo: FNV-1a of 32 bits over the ids, in UTF-8, each with a line feed.
  private var hash: UInt32 = 2_166_136_261

  init(_ list: [SourceDescription]) {
    count = list.count
    for row in list {
      for byte in row.id.description.utf8 { take(byte) }
      take(UInt8(ascii: "\n"))
    }
  }

  private mutating func take(_ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }

  /// The members of an event.
  var dictionary: ValueDictionary {
    ["count": .int(Int64(count)), "digest": .int(Int64(hash))]
  }
}
