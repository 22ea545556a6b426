import Gathering

extension RecorderQueue {
  /// Rows that wait, and what puts further ones behind them.
  struct Joint: Sendable {
    /// Where they stand among the items.
    let place: Int
    var joiner = RowJoiner()
  }
}

extension RecorderQueue.State {
  /// Appends an item. Rows that go on where the last ones of their series end are put behind those,
  /// up to so many rows and bytes: a sensor may deliver a thousand times a second.
  mutating func append(_ item: RecorderQueue.Item, upTo rows: Int, _ bytes: Int) {
    guard case .rows(let slice) = item.content else {
      joints[item.series] = nil
      return items.append(item)
    }
    let limit = min(rows, bytes / slice.rowWeight)
    if item.lost == 0, var joint = joints[item.series],
      case .rows(let former) = items[joint.place].content,
      let joined = joint.joiner.join(slice, behind: former, upTo: limit)
    {
      joints[item.series] = joint
      if joined !== former {
        items[joint.place] = RecorderQueue.Item(
          series: item.series, content: .rows(joined), lost: items[joint.place].lost)
      }
      return
    }
    joints[item.series] = RecorderQueue.Joint(place: items.count)
    items.append(item)
  }
}
