import Gathering
import Ground

/// A block and where its properties stand in the table.
struct ReplayedPart: Sendable {
  /// Its place in the files among the blocks of its source, from 0.
  let id: Int
  let block: RecordedBlock
  let places: [Int?]
  let first: Int64
  let last: Int64

  /// Whether it comes before another one by time.
  func precedes(_ other: ReplayedPart) -> Bool {
    (first, last, id) < (other.first, other.last, other.id)
  }
}

/// The blocks of one source by time, and where rows of it were lost.
struct ReplayedParts: Sendable {
  /// The id of the losses after all rows.
  static let end = -1

  /// The parts by time; removed ones stay for a while.
  private var parts: [ReplayedPart]
  /// Whether a part was removed, by its id, and how many of `parts` were.
  private var isGone: [Bool]
  private var goneCount = 0
  /// The latest time of each part and those before it.
  private var reaches: [Int64] = []
  /// Whether no part begins before the one before it ends.
  private(set) var isInOrder = true
  /// The losses before each part, by its id.
  private(set) var losses: [Int: [String]] = [:]
  /// The part that follows each in the files, by their ids, or a removed one between them.
  private var followers: [Int]

  init(_ series: [RecordedSeries], table: [Property], on timeline: ReplayTimeline) {
    var unsorted: [(block: RecordedBlock, places: [Int?])] = []
    for each in series {
      let keys = each.properties.map(\.key)
      let places = table.map { keys.firstIndex(of: $0.key) }
      unsorted += timeline.blocks(of: each.number).map { ($0, places) }
    }
    unsorted.sort { RecordingPosition($0.block) < RecordingPosition($1.block) }
    followers = Array(1..<unsorted.count + 1)
    isGone = Array(repeating: false, count: unsorted.count)
    parts = unsorted.enumerated().map { id, part in
      let shift = timeline.shift(of: part.block)
      return ReplayedPart(
        id: id, block: part.block, places: part.places, first: part.block.boot.lowerBound &+ shift,
        last: part.block.boot.upperBound &+ shift)
    }.sorted { $0.precedes($1) }
    var next = 0
    for loss in timeline.losses(of: series.map(\.number)) {
      while next < unsorted.count, RecordingPosition(unsorted[next].block) < loss.position {
        next += 1
      }
      losses[next < unsorted.count ? next : Self.end, default: []].append(loss.reason)
    }
    arrange()
  }

  private mutating func arrange() {
    parts.removeAll { isGone[$0.id] }
    goneCount = 0
    reaches = parts.reduce(into: []) { $0.append(max($0.last ?? .min, $1.last)) }
    isInOrder = zip(parts, parts.dropFirst()).allSatisfy { $0.last <= $1.first }
  }

  /// The time between two rows of the longest part that is whole; 0 if there is none.
  func usualInterval(
    isWhole: (ReplayedPart) throws(SourceError) -> Bool
  ) throws(SourceError) -> Int64 {
    let byLength = parts.sorted { $0.block.rowCount > $1.block.rowCount }
    for part in byLength where try isWhole(part) {
      return max(0, part.last &- part.first) / Int64(max(1, part.block.rowCount - 1))
    }
    return 0
  }

  /// Removes a part that cannot be read: the next part in the files follows a loss.
  mutating func remove(_ part: ReplayedPart, because reason: String) {
    guard !isGone[part.id] else { return }
    isGone[part.id] = true
    goneCount += 1
    let place = place(behind: part)
    // One that claims the time of others is in their way, and so are many.
    if goneCount > parts.count / 2 || (place < parts.count && part.last > parts[place].first) {
      arrange()
    }
    let follower = follower(of: part.id)
    let heir = follower < isGone.count ? follower : Self.end
    let own = losses.removeValue(forKey: part.id) ?? []
    losses[heir] = own + [reason] + (losses[heir] ?? [])
  }

  /// The next part in the files that is there; as many as there were if none is.
  private mutating func follower(of id: Int) -> Int {
    var next = followers[id]
    while next < isGone.count, isGone[next] { next = followers[next] }
    // Shortens the path for later lookups.
    var place = id
    while followers[place] < next { (followers[place], place) = (next, followers[place]) }
    return next
  }

  // MARK: Walking

  /// The next part behind one, or behind none, that may have rows after a moment.
  func next(behind part: ReplayedPart?, after moment: Int64) -> ReplayedPart? {
    let start = part.map { place(behind: $0) } ?? reaches.count(notAfter: moment)
    return parts[start...].first { $0.last > moment && !isGone[$0.id] }
  }

  /// The next part before one, or before none, that begins at a moment or earlier.
  func previous(before part: ReplayedPart?, notAfter moment: Int64) -> ReplayedPart? {
    let end = parts.firstPlace { candidate in
      part.map { !candidate.precedes($0) } ?? (candidate.first > moment)
    }
    return parts[..<end].last { !isGone[$0.id] }
  }

  /// The place behind a part, whether or not it is still there.
  private func place(behind part: ReplayedPart) -> Int { parts.firstPlace { part.precedes($0) } }
}

extension [ReplayedPart] {
  /// The first place of which something holds that holds of all behind it; the end if of none.
  fileprivate func firstPlace(where holds: (ReplayedPart) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
